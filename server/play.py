"""A game at the terminal: one person against bots, on the real core with a log in memory.

It reads and writes lines through two functions, so that it works with a terminal, a pipe, or a test.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from games.kernel.say import Texts, word
from projections.game import ENDED, LiveGame
from server.access import PLAY, Caller
from server.answers import Audience, event_answer, pending_decisions, view_answer
from server.asks import Ask
from server.commands import Games
from server.creating import ME, NewGame, create
from server.playing import Act, act, resign
from server.problems import Problem
from server.replays import export
from server.rewinding import RewindWish, rewind
from server.show import changed_lines, event_lines, menu_text, outcome_lines, view_lines
from server.simulate import BOT, SeededRandom, game_id, random_turn

#: As many actions are listed without being asked for.
LISTED_ACTIONS: Final = 60

HELP: Final = """\
  a number   do this
  words      list the actions that have all these words, such as: grey 2
  l          list all actions
  v          show the whole table
  u, r       undo your last action; redo what was undone
  resign     give up
  q          quit
  ?          this help"""

#: Asks for a line (None: there are no more), and tells lines.
Read = Callable[[str], str | None]
Write = Callable[[str], None]


class Wanted(Struct, frozen=True):
    """What to play: how many seats, on which one the person sits."""

    ruleset: str
    seats: int
    seat: int
    options: dict[str, Any]


class Chosen(Struct, frozen=True):
    """An action offered to the person: as it is posted, and in words."""

    action: dict[str, Any]
    text: str


class Session:
    """One game: tells what happens, asks when the person owes or may answer, lets the bots play."""

    def __init__(self, games: Games, players: SeededRandom, read: Read, write: Write) -> None:
        self._games = games
        self._players = players
        self._read = read
        self._write = write
        self._ask = Ask(Caller("you", frozenset({PLAY})), game_id, if_version="*")
        self._bots = Ask(Caller(BOT, frozenset({PLAY})), game_id, if_version="*")
        self._game = ""
        self._seat = 0
        self._texts: Texts = {}
        self._told = 0
        self._view: dict[str, Any] | None = None
        self._declined: tuple[int, str] | None = None

    async def play(self, wanted: Wanted) -> bytes | None:
        """Play a game to its end; its replay, or None if the person left before.

        Raises:
            Problem: no game can be made so.
        """
        seats = [ME if seat == wanted.seat else BOT for seat in range(wanted.seats)]
        new = NewGame(ruleset=wanted.ruleset, seats=seats, options=wanted.options)
        self._game = (await self._games.run(create(self._games, self._ask, new))).decode()
        self._seat = wanted.seat
        self._texts = self._games.catalogue[wanted.ruleset].texts.get("en", {})
        self._write(f"You are seat {self._seat} of {wanted.seats}. Type ? for help.")
        while True:
            async with self._games.game(self._game) as live:
                await self._tell_events(live)
                if live.meta.status == ENDED:
                    return await self._end(live)
                mine = self._my_decision(live)
            if mine is not None:
                if not await self._answer(mine):
                    self._write("You have left the table.")
                    return None
            else:
                turn = await random_turn(self._games, self._game, self._players)
                if turn is None:
                    raise Problem("unavailable", "Nobody owes a decision, but the game is not over.")
                await self._games.run(act(self._games, self._bots, self._game, turn))

    def _my_decision(self, live: LiveGame) -> dict[str, Any] | None:
        """The person's decision, with its actions: one that is owed, or may be given and was not declined yet."""
        told = pending_decisions(live, Audience(self._seat, (self._seat,), self._texts))
        mine = next((one for one in told if one["seat"] == self._seat), None)
        if mine is None or not mine["actions"]:
            return None
        if not mine["owes"] and self._declined == (mine["opened_at"], mine["step"]):
            return None
        self._tell_view(live)
        return mine

    async def _tell_events(self, live: LiveGame) -> None:
        events = await self._games.store.read(self._game, after=self._told)
        self._told = live.meta.version
        for event in events:
            if event.header.kind in ("created", "joined"):
                continue
            answer = event_answer(live, event, Audience(self._seat, (), self._texts), labels=True)
            self._write("\n".join(event_lines(answer, self._texts)))

    def _tell_view(self, live: LiveGame, *, whole: bool = False) -> None:
        view = view_answer(live, self._seat)["view"]
        old, self._view = self._view, view
        lines = view_lines(view, self._texts) if whole or old is None else changed_lines(old, view, self._texts)
        if lines:
            self._write("")
            self._write("\n".join(f"  | {line}" for line in lines))

    async def _answer(self, decision: dict[str, Any]) -> bool:
        """Ask until the game has moved or the person lets the others go on; False if the person leaves."""
        chosen = [Chosen(one["action"], action_text(one, self._texts)) for one in decision["actions"]]
        self._write("")
        self._write(decision["text"] if decision["owes"] else f"{decision['text']} (You may; Enter lets it be.)")
        self._list(chosen, range(len(chosen)), most=LISTED_ACTIONS)
        while True:
            line = self._read(f"seat {self._seat}> ")
            if line is None or line.strip().lower() in ("q", "quit", "exit"):
                return False
            word = line.strip()
            if not word and not decision["owes"]:
                self._declined = (decision["opened_at"], decision["step"])
                return True
            if await self._did(word, chosen):
                return True

    async def _did(self, word: str, chosen: Sequence[Chosen]) -> bool:
        """Carry out what was typed; whether the game has moved."""
        try:
            if word.isdecimal() and 1 <= int(word) <= len(chosen):
                action = chosen[int(word) - 1].action
                await self._games.run(act(self._games, self._ask, self._game, Act(action, self._seat)))
                return True
            if word in ("u", "undo", "r", "redo"):
                wish = RewindWish(seat=self._seat)
                redo = word in ("r", "redo")
                await self._games.run(rewind(self._games, self._ask, self._game, wish, redo=redo))
                return True
            if word == "resign":
                await self._games.run(resign(self._games, self._ask, self._game, self._seat))
                return True
        except Problem as problem:
            self._write(problem.detail)
            return False
        await self._told_more(word, chosen)
        return False

    async def _told_more(self, word: str, chosen: Sequence[Chosen]) -> None:
        if word in ("?", "h", "help", ""):
            self._write(HELP)
        elif word == "v":
            async with self._games.game(self._game) as live:
                self._tell_view(live, whole=True)
        elif word == "l":
            self._list(chosen, range(len(chosen)), most=len(chosen))
        elif word.isdecimal():
            self._write(f"There are actions 1 to {len(chosen)}.")
        else:
            parts = word.lower().split()
            found = [n for n, one in enumerate(chosen) if all(part in one.text.lower() for part in parts)]
            if found:
                self._list(chosen, found, most=len(chosen))
            else:
                self._write(f"No action has the words {word!r}. Type ? for help.")

    def _list(self, chosen: Sequence[Chosen], numbers: Sequence[int], *, most: int) -> None:
        """Actions by their type, in the order in which the rules list them."""
        kind = ""
        for number in numbers[:most]:
            action = chosen[number]
            if action.action["action"] != kind:
                kind = action.action["action"]
                self._write(f"  {menu_text(kind, self._texts)}")
            self._write(f"  {number + 1:>5}  {action.text}")
        if len(numbers) > most:
            self._write(f"  … and {len(numbers) - most} more: type l for all, or words to search for")

    async def _end(self, live: LiveGame) -> bytes:
        self._write("")
        self._write("\n".join(outcome_lines(live.meta.outcome, self._texts)))
        events = await self._games.store.read(self._game)
        return b"".join(export(events))


def action_text(offered: dict[str, Any], texts: Texts) -> str:
    """A legal action in words, with the ruleset's notes on it; a note that says no is left out."""
    text = str(offered["label"]["text"])
    if text == offered["label"]["key"]:  # no text in this language: the fields say which one it is
        fields = (f"{name} {value}" for name, value in offered["action"].items() if name != "action")
        text = ", ".join((text.replace("_", " "), *fields))
    said = {name: value for name, value in offered["notes"].items() if value not in (False, None, [], ())}
    notes = ", ".join(f"{name.replace('_', ' ')} {word(value, texts)}" for name, value in said.items())
    return f"{text}  [{notes}]" if notes else text
