"""Playing a case: one game in memory, with a second one beside it that only reads what is written down.

The second is folded from the JSON of the effects, as a log would be read years later; the two must never differ.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from games.dice import Dice, Script
from games.kernel import (
    EVERYTHING,
    SPECTATOR,
    Action,
    Decided,
    Effect,
    IllegalError,
    Setting,
    State,
    Table,
    decide,
    decisions,
    encode,
    expire,
    fold,
    legal,
    pending,
    redact,
    run,
    start,
    start_at,
    tag_of,
)
from server.cases.given import BASE_NEW, Prepared
from server.cases.match import Difference, unequal
from server.cases.model import Json
from server.catalogue import Entry

#: Every case is played with the same key, so that it is the same on every run.
CASE_KEY = bytes(32)


class Passage(Struct, frozen=True):
    """What a line came to: the JSON of the state before it, its effects, and how it was refused if it was."""

    before: bytes
    effects: tuple[Effect, ...]
    refusal: IllegalError | None = None


class Play:
    """One game of a case. Event by event, `seen` keeps what each of the `readers` gets, and `trail` the state."""

    def __init__(self, entry: Entry, prepared: Prepared, readers: tuple[int, ...] = ()) -> None:
        self.entry = entry
        self.setting: Setting = prepared.setting
        self.dice = Dice(CASE_KEY, script=prepared.script)
        self.answers_default = False
        self.trail: list[bytes] = []
        self.seen: dict[int, list[Json]] = {reader: [] for reader in readers}
        self.state: State = entry.rules.initial(prepared.setting)
        self.folded: State = entry.rules.initial(prepared.setting)
        self._prepared = prepared

    def begin(self) -> Passage:
        """The set-up, or the start from the position, up to the first decision."""
        rules, position = self.entry.rules, self._prepared.position
        if position is None:
            return self._passage(lambda: start(rules, self.state, self.setting, self.dice))
        return self._passage(lambda: start_at(rules, self.state, position, self.dice))

    def rescript(self, script: Script) -> None:
        """Script what comes from here on, after what is left of the script so far."""
        used = self.dice.used
        before = self.dice.script or Script()
        orders = {purpose: rest[used.get(purpose, 0) :] for purpose, rest in before.orders.items()}
        for purpose, more in script.orders.items():
            orders[purpose] = (*orders.get(purpose, ()), *more)
        self.dice.script = Script((*before.dice[used.get("dice", 0) :], *script.dice), orders)
        self.dice.used = {}

    def unused(self) -> list[str]:
        """What of the script the game has not asked for."""
        used, script = self.dice.used, self.dice.script or Script()
        left = {f"orders.{purpose}": len(orders) - used.get(purpose, 0) for purpose, orders in script.orders.items()}
        left["dice"] = len(script.dice) - used.get("dice", 0)
        return [f"{count} of {name}" for name, count in left.items() if count]

    def act(self, seat: int, action: Action) -> Passage:
        """A seat acts.

        Raises:
            IllegalError: the rules refuse it.
        """
        passage = self._passage(lambda: decide(self.entry.rules, self.state, seat, action, self.dice))
        self._look(action, seat)
        return passage

    def answer(self) -> Passage:
        """The kernel's default answer of the first seat that owes one."""
        step = pending(self.state)
        assert step is not None  # between decisions a game is over, or waits for somebody
        return self._passage(lambda: expire(self.entry.rules, self.state, step.seats[0], self.dice))

    def waits_for(self, seat: int, action: Action) -> bool:
        """Whether this seat may now answer with an action of this type."""
        step = pending(self.state)
        if action.out_of_turn:
            return True
        return step is not None and (seat in step.seats or seat in step.also) and tag_of(type(action)) in step.menu

    def procedure(self, name: str, args: Json) -> Passage:
        """A named procedure of the specification, and what follows it."""
        named = self.entry.rules.position.procedures[name]

        def call(table: Table[Any]) -> None:
            named(table, **args)

        return self._passage(lambda: run(self.entry.rules, self.state, self.dice, call))

    def dump(self) -> Json:
        """The state as a position, as JSON has it."""
        dumped: Json = plain(self.entry.rules.position.dump(self.state))
        return dumped

    def view(self, reader: int) -> Json:
        """The view of a reader."""
        view: Json = plain(self.entry.rules.view(self.state, reader))
        return view

    def decisions(self, reader: int = EVERYTHING) -> list[Json]:
        """Who owes what, with the fields of the step that the reader may see."""
        return [
            plain({**redact(d.step, reader), "seat": d.seat, "owes": d.owes, "sealed": type(d.step).sealed})
            for d in decisions(self.state)
        ]

    def legal(self, seat: int) -> list[Json]:
        """The legal actions of a seat."""
        return [plain(redact(action, EVERYTHING)) for action in legal(self.entry.rules, self.state, seat)]

    def faults(self) -> dict[str, list[Difference]]:
        """What must hold in any state of any case and does not, by its name."""
        rules, state = self.entry.rules, plain(self.state)
        loaded = rules.position.load(self.dump(), self.setting, BASE_NEW)
        return {
            "the state folded from the effects as JSON": unequal(state, plain(self.folded)),
            "load(dump(state))": unequal(state, plain(loaded)),
            "legal actions of a pending decision": [
                Difference(f"seat {d.seat}", "at least one", "none")
                for d in decisions(self.state)
                if d.owes and not legal(rules, self.state, d.seat)
            ],
        }

    def _passage(self, deciding: Callable[[], Decided]) -> Passage:
        before = encode(self.state)
        effects = deciding().effects
        self.trail.append(encode(self.state))
        decoder = self.entry.rules.effect_decoder
        fold(self.folded, [decoder.decode(encode(effect)) for effect in effects])
        for reader, seen in self.seen.items():
            seen.append({"effects": [plain(redact(effect, reader)) for effect in effects], **self._glimpse(reader)})
        return Passage(before, effects)

    def _glimpse(self, reader: int) -> Json:
        own = {} if reader == SPECTATOR else {"legal": self.legal(reader)}
        return {"view": self.view(reader), "decisions": self.decisions(reader), **own}

    def _look(self, action: Action, seat: int) -> None:
        for reader, seen in self.seen.items():
            seen[-1]["action"] = plain(redact(action, reader, seat))


def plain(thing: Any) -> Any:
    """A thing as its JSON says it."""
    return msgspec.json.decode(encode(thing))
