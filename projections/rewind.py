"""Rewinding: undo and redo are one event, `rewound {to}`. Who must agree follows from what was decided and learnt."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from events.event import Event
from games.kernel import Ruleset, SeatResigned, learns
from projections.decoding import decode_effects
from projections.game import Meta
from projections.history import Log
from projections.kinds import ACTED, Acted, decode_details
from projections.views import BLANK, event_of


class RewindRefusedError(Exception):
    """A rewind that may not be; `reason` is a stable word, the text a sentence."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Terms(Struct, frozen=True):
    """What a rewind takes: the seats that must agree, and whether something learnt is taken back."""

    asked: tuple[int, ...]
    assisted: bool


def check_target(meta: Meta, to: int) -> None:
    """Refuse a version that no rewind reaches: before the start, the future, or where the game is now.

    Raises:
        RewindRefusedError: with reason `bad_version`.
    """
    if not meta.started <= to <= meta.version:
        sentence = f"A game can be rewound to a version from {meta.started} (its start) to {meta.version}."
        raise RewindRefusedError("bad_version", sentence)
    if not stretch(meta, to):
        raise RewindRefusedError("bad_version", f"Version {to} has the state that the game is in.")


def undo_target(meta: Meta, events: list[Event], seat: int) -> int | None:
    """Where an undo without a version goes: before the newest own action on the line played. None: there is none."""
    line = _versions(meta.path(meta.version))
    own = [
        e.header.version
        for e in events
        if e.header.version in line and e.header.seat == seat and e.header.kind == ACTED
    ]
    return own[-1] - 1 if own else None


def redo_target(meta: Meta) -> int | None:
    """Where a redo without a version goes: what the newest rewind left behind. None if play went on since, or never."""
    if not meta.rewinds:
        return None
    at, to = meta.rewinds[-1]
    went_back = set(_versions(meta.path(to))) < set(_versions(meta.path(at - 1)))
    return at - 1 if went_back else None


def moved_since_rewind(meta: Meta, events: list[Event]) -> bool:
    """Whether the state has moved on since the newest rewind (then a redo must name its version)."""
    at = meta.rewinds[-1][0]
    return any(e.header.version > at and e.effects for e in events)


async def terms(log: Log, rules: Ruleset[Any], meta: Meta, seat: int, to: int) -> Terms:
    """Who must agree that `seat` rewinds the game as it is now to `to` (see `judge`)."""
    events: list[Event] = []
    for after, until in stretch(meta, to):
        events += await log.read(meta.game, after=after, until=until)
    return judge(rules, meta, seat, events)


def stretch(meta: Meta, to: int) -> list[tuple[int, int]]:
    """The ranges (after, until] of versions that a rewind to `to` takes back or puts back."""
    return _difference(meta.path(to), meta.path(meta.version))


def judge(rules: Ruleset[Any], meta: Meta, seat: int, events: Iterable[Event]) -> Terms:
    """Who must agree that `seat` takes back, or puts back, these events, by the game's undo policy.

    `fair`: each other human seat that decided something in them, and all others if the asking seat learnt anything or a
    seat resigned in them, or an act is among them that the asking player may not know of (to ask its seat alone would
    tell whose it is). `free`: nobody. The asking player's own seats are not asked.
    """
    mine = set(meta.seats_of(meta.seats[seat].player or ""))
    others = [s for s in meta.humans() if s not in mine]
    decided: set[int] = set()
    learnt = resigned = unknown = False
    for event in events:
        if not event.effects:
            continue
        effects = decode_effects(rules, event)
        learnt = learnt or any(learns(effect, s) for effect in effects for s in mine)
        # An operator may have resigned for a seat, and so may its clock.
        resigned = resigned or event.header.kind == "repaired" or any(type(e) is SeatResigned for e in effects)
        unknown = unknown or all(event_of(rules, event, s)["kind"] == BLANK for s in mine)
        if event.header.seat is not None:
            decided.add(event.header.seat)
    asked: list[int] = []
    if meta.created.undo != "free":
        asked = others if learnt or resigned or unknown else [s for s in others if s in decided]
    return Terms(tuple(asked), learnt or resigned)


def sealed_answer(event: Event) -> bool:
    """Whether an event is an answer to a sealed decision."""
    details = decode_details(event.details) if event.details is not None else None
    return isinstance(details, Acted) and details.sealed


def _versions(path: list[tuple[int, int]]) -> list[int]:
    return [v for after, until in path for v in range(after + 1, until + 1)]


def _difference(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ranges of versions that are on one of two lines of play, but not on both."""
    apart = sorted(set(_versions(a)) ^ set(_versions(b)))
    ranges: list[tuple[int, int]] = []
    for version in apart:
        if ranges and ranges[-1][1] == version - 1:
            ranges[-1] = (ranges[-1][0], version)
        else:
            ranges.append((version - 1, version))
    return ranges
