"""Positions of this ruleset: reading, completing, writing them, where a game goes on from one, and pure questions."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.host_tournament import game as games
from games.host_tournament.downloads import offers, zones_of
from games.host_tournament.filling import fill
from games.host_tournament.game import Game
from games.host_tournament.moves import cost
from games.host_tournament.ops import STATS, Download
from games.host_tournament.pending import check_agenda
from games.host_tournament.position_doc import PositionDoc
from games.host_tournament.possible import check
from games.host_tournament.state import State
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.turns import AskPlaces, MainAction
from games.host_tournament.values import level, rated
from games.kernel import Setting, Table
from games.kernel.positions import impossible, read_position


class HostPosition:
    """`load`, `begin`, `dump`, `schema`; no named procedures; the questions `stat`, `skill`, `move_cost`, `downloads`.

    The only base is `new`: both decks whole.
    """

    procedures: Mapping[str, Callable[..., None]] = {}

    def __init__(self) -> None:
        self.questions: Mapping[str, Callable[..., Any]] = {
            "stat": _stat,
            "skill": _skill,
            "move_cost": _move_cost,
            "downloads": _downloads,
        }

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, over a new game.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        if base != "new":
            impossible("base", f"there is no {base}; there is new")
        doc = read_position(position, PositionDoc)
        game = games.initial(setting)
        fill(game, doc)
        check(game, doc)
        check_agenda(game)
        return game

    def begin(self, table: Table[Game]) -> None:
        """Push what comes first: the phase that the position names."""
        state = table.state
        if state.phase == "first_player":
            games.begin(table)
        elif state.phase == "start_places":
            table.push(AskPlaces())
        elif state.phase == "play":
            table.push(Settle(), MainAction(seats=(state.active,)))

    def dump(self, state: State) -> dict[str, Any]:
        """The whole state as a position, in canonical order."""
        whole: dict[str, Any] = msgspec.to_builtins(state)
        for name in ("pack", "options"):
            del whole[name]
        return whole

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""
        return msgspec.json.schema(PositionDoc)


def _stat(state: State, card: str, stat: str) -> int:
    """A stat of a personnel in play, as it is now."""
    if card not in state.in_play:
        impossible("stat.card", f"there is no {card} in play")
    if stat not in STATS:
        impossible("stat.stat", f"there is {', '.join(STATS)}")
    return rated(state, card, stat)


def _skill(state: State, card: str, skill: str) -> int:
    """How many times a personnel in play has a skill now."""
    if card not in state.in_play:
        impossible("skill.card", f"there is no {card} in play")
    if skill not in state.book.skills:
        impossible("skill.skill", f"there is {', '.join(state.book.skills)}")
    return level(state, card, skill)


def _move_cost(state: State, **ways: str) -> int:
    """What the whole group of the active seat would pay from one place to another."""
    for name in ("from", "to"):
        if ways.get(name) not in state.look.copies:
            impossible(f"move_cost.{name}", f"there is no place {ways.get(name)}")
    return cost(state, ways["from"], ways["to"], state.look.group(ways["from"], state.active))


def _downloads(state: State, source: str, card: str) -> list[str]:
    """From which zones a card in play could download a card at its place now."""
    if source not in state.in_play:
        impossible("downloads.source", f"there is no {source} in play")
    if card not in state.book.cards:
        impossible("downloads.card", f"there is no card {card} in this pack")
    frame = state.look.frame(source, -1)
    return zones_of(state, frame.you, card) if offers(state, frame, Download(card)) else []
