"""Recording: a case from a position of a real game, with what was done there and what came of it.

The chance of those actions is scripted, so the case plays again without the game's seed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from events.event import Event
from games.dice import Dice, Script, game_key
from games.kernel import (
    EVERYTHING,
    Action,
    IllegalError,
    PositionError,
    Resign,
    Setting,
    State,
    decide,
    decisions,
    encode,
    legal,
    redact,
)
from projections.decoding import decode_action
from projections.game import LiveGame, setting_of
from projections.history import Log, moment_at
from server.cases.effects import UNLISTED
from server.cases.given import BASE_NEW
from server.cases.load import CaseFileError
from server.cases.model import Json
from server.cases.play import plain
from server.cases.run import run_suite
from server.cases.suite import Suite
from server.cases.write import case_text
from server.catalogue import Entry

T = TypeVar("T")

#: Maps of a position nested deeper than this are written whole.
TRIM_DEPTH: Final = 3
#: Kinds of events with which a line of play ends.
ENDING: Final = frozenset({"rewound", "ended"})


class RecordError(ValueError):
    """A position that no case can be made from: one sentence."""


class Span(Struct, frozen=True):
    """What to record: the position at version `at`, and up to `lines` of the actions that followed it."""

    at: int
    lines: int = 1


class Recording(Struct, frozen=True):
    """A recorded case in JSON's types, and remarks for the head of its file."""

    case: Json
    remarks: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of the case file."""
        return case_text([self.case], self.remarks)

    @property
    def json(self) -> str:
        """The case file as JSON, for programs; it has no remarks."""
        return msgspec.json.format(encode([self.case]), indent=2).decode() + "\n"


async def record(entry: Entry, log: Log, live: LiveGame, seed: bytes, span: Span) -> Recording:
    """Record a case from a game of the log, and run it. It holds all of the position, what is hidden too.

    seed: the game's own, which the server keeps until the game ends.

    Raises:
        RecordError: the game has no such version, or the rules here do not decide as it was decided.
    """
    meta = live.meta
    if not meta.started:
        raise RecordError(f"game {meta.game} has not started, so there is no position in it")
    if not meta.started <= span.at <= meta.version:
        raise RecordError(f"the game has positions at its versions {meta.started} (the start) to {meta.version}")
    state = (await moment_at(log, live, span.at)).state
    reached, *following = await log.read(meta.game, after=span.at - 1)
    recorder = _Recorder(entry, live, seed, reached)
    position = _needed(entry, setting_of(entry.rules, meta), plain(entry.rules.position.dump(state)))
    lines = [recorder.line(state, event) for event in _acts(following, span.lines)]
    rules = recorder.shown or [_asking(entry, state)]
    case: Json = {
        "case": f"recorded: {entry.rules.id} from version {span.at} on, game {meta.game}",
        "rules": list(dict.fromkeys(rules)),
        "given": {**_given(entry, live, position), **recorder.chance()},
        **({"when": lines} if lines else {"then": _standing(entry, state)}),
    }
    recording = Recording(case, _remarks(entry, live, span))
    prove(entry, recording.text)
    return recording


def prove(entry: Entry, text: str) -> None:
    """Run the text of a case file.

    Raises:
        RecordError: it cannot be read, or a case of it fails, for a reason in the sentence.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "recorded.yaml"
        file.write_text(text, "utf-8")
        try:
            reports = run_suite(Suite.read(entry, [file]))
        except CaseFileError as error:
            raise RecordError(f"the case cannot be written: {error.args[0].partition(': ')[2]}") from error
    for failure in (failure for report in reports for failure in report.failures):
        told = "; ".join(line.strip() for line in failure.text.splitlines())
        raise RecordError(f"the case does not come out as the game did, which is our mistake: {failure.where}: {told}")


class _Noting(Dice):
    """Dice that keep what they gave, as a script that gives it again."""

    def __init__(self, dice: Dice) -> None:
        super().__init__(dice.key, dice.draws, dice.script, dice.used)
        self.given: list[Json] = []
        self.orders: dict[str, list[list[Any]]] = {}

    def roll(self, purpose: str, sides: int) -> int:
        value = super().roll(purpose, sides)
        self.given.append({purpose: value})
        return value

    def pick(self, purpose: str, candidates: Sequence[T]) -> T:
        thing = super().pick(purpose, candidates)
        if len(candidates) > 1:
            self.given.append({purpose: thing if isinstance(thing, str) else candidates.index(thing) + 1})
        return thing

    def shuffle(self, purpose: str, items: Sequence[T]) -> list[T]:
        order = super().shuffle(purpose, items)
        self.orders.setdefault(purpose, []).append(list(order))
        return order


class _Recorder:
    """Decides the actions of a game anew, one by one, and notes chance, effects and rules."""

    def __init__(self, entry: Entry, live: LiveGame, seed: bytes, reached: Event) -> None:
        scenario = live.meta.created.scenario
        script = Script() if scenario is None else scenario.script
        key = game_key(seed, [bytes.fromhex(entropy) for entropy in live.meta.entropies])
        self._entry = entry
        self._dice = _Noting(Dice(key, reached.header.draws, script, reached.header.scripted))
        self.shown: list[str] = []

    def line(self, state: State, event: Event) -> Json:
        """The line of an event, whose action moves the state on."""
        rules, seat = self._entry.rules, event.header.seat
        action = decode_action(rules, event)
        assert action is not None  # these events alone are recorded
        assert seat is not None
        self.shown.append(_rule(self._entry, state, action))
        try:
            effects = decide(rules, state, seat, action, self._dice).effects
        except IllegalError as refusal:
            raise _otherwise(event, f"refuse it ({refusal.rule})") from refusal
        if list(map(encode, effects)) != [bytes(raw) for raw in event.effects]:
            raise _otherwise(event, "decide it otherwise")
        told = [plain(redact(effect, EVERYTHING)) for effect in effects]
        expected = [effect for effect in told if effect["effect"] not in UNLISTED]
        return {"seat": seat, "action": plain(action), "then": {"effects_exactly": expected}}

    def chance(self) -> Json:
        """The script of all that was drawn."""
        script = {"dice": self._dice.given, "orders": plain(self._dice.orders)}
        return {name: part for name, part in script.items() if part}


def _otherwise(event: Event, how: str) -> RecordError:
    header = event.header
    return RecordError(f"version {header.version} was decided by {header.rules}, and the rules here {how}")


def _acts(following: Sequence[Event], count: int) -> Iterator[Event]:
    """The first `count` events with an action, as far as the line of play goes."""
    for event in following:
        if count == 0 or event.header.kind in ENDING:
            return
        if event.action is not None:
            yield event
            count -= 1


def _given(entry: Entry, live: LiveGame, position: Json) -> Json:
    """What the case's game is made from; the house pack by its name, so that the case goes on with its next release."""
    created, shelf = live.meta.created, entry.rules.shelf
    house = shelf.find(None) == created.pack
    names = {digest: name for name, digest in shelf.names.items()}
    setups = {str(n): plain(seat.setup) for n, seat in enumerate(live.meta.seats) if seat.setup is not None}
    given = {
        "seats": created.seats,
        "options": plain(created.options),
        "pack": names[created.pack] if house else created.pack,
        "setups": setups,
    }
    return {**{name: part for name, part in given.items() if part}, "state": position}


def _needed(entry: Entry, setting: Setting, position: Json) -> Json:
    """The position without what it would be completed with, down to the entries of its maps and lists of maps."""

    def loaded() -> bytes | None:
        try:
            return encode(entry.rules.position.load(position, setting, BASE_NEW))
        except PositionError:
            return None

    def trim(holder: Json, depth: int) -> None:
        parts = dict(holder)
        for name, part in parts.items():
            del holder[name]
            if loaded() == whole:
                continue
            holder[name] = part
            for inner in part if isinstance(part, list) else [part]:
                if isinstance(inner, dict) and depth > 1:
                    trim(inner, depth - 1)
        kept = {name: holder[name] for name in parts if name in holder}
        holder.clear()
        holder.update(kept)

    whole = loaded()
    if whole is not None:
        trim(position, TRIM_DEPTH)
    return position


def _rule(entry: Entry, state: State, action: Action) -> str:
    """The rule that an action is about."""
    known = {row.id for row in entry.index}
    rule = entry.rules.resign_rule if isinstance(action, Resign) else type(action).rule
    return rule if rule in known else _asking(entry, state)


def _asking(entry: Entry, state: State) -> str:
    """The rule that says what is asked for now."""
    rule = entry.rules.menu_rule(state)
    return rule if rule in {row.id for row in entry.index} else entry.index[0].id


def _standing(entry: Entry, state: State) -> Json:
    """Where nothing is done: who owes what and how many answers there are, or how the game ended."""
    if state.outcome is not None:
        return {"outcome": plain(state.outcome)}
    asked = [decision for decision in decisions(state) if decision.owes]
    owed = []
    for decision in asked:
        step = {name: part for name, part in plain(redact(decision.step, EVERYTHING)).items() if part is not None}
        owed.append({"seat": decision.seat, **{name: step[name] for name in step if name not in ("seats", "also")}})
    counts = [{"seat": d.seat, "count": len(legal(entry.rules, state, d.seat))} for d in asked]
    return {"decisions": owed, "legal": counts}


def _remarks(entry: Entry, live: LiveGame, span: Span) -> tuple[str, ...]:
    meta = live.meta
    names = {digest: name for name, digest in entry.rules.shelf.names.items()}
    return (
        f"{meta.rules}, content pack {names.get(meta.created.pack, 'without a name of its own')}, version {span.at}.",
        "All of the position is in here, what is hidden from players too.",
        "Name the rules that it is about, and say under `then` what should have come of it.",
    )
