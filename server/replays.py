"""Replay files: a whole game as NDJSON that anyone can verify, or as one reader may see it (docs/replay-format.md).

A full replay has no byte that is not checked: the header is made again from the events, each event is in its digest,
each digest follows from the one before, and the trailer says how many there are and how the last one ends.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.event import Event, Undecodable, decode
from events.event import Header as EventHeader
from events.logproof import Logged, LogProof, is_line, read_line, write_line
from events.merkle import NotProved
from events.store import Snapshot
from games.kernel import Outcome, Ruleset, encode
from projections import kinds
from projections.redecide import details_of
from projections.report import Report
from projections.unsound import UnsoundError
from projections.verify import check_chain, check_decisions, created_of

MEDIA_TYPE: Final = "application/vnd.turnlog.replay+x-ndjson"
FORMAT: Final = "turnlog-replay/1"

_EVENT = re.compile(rb'\{"digest":"([0-9a-f]{64})","event":(\{.*\})\}', re.DOTALL)
_TRAILER = re.compile(rb'\{"trailer":\{"events":([1-9][0-9]{0,9}),"head":"([0-9a-f]{64})"\}\}')


class ReplayError(ValueError):
    """A file that is no sound replay: one sentence that names the line (from 1)."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class RunningError(ValueError):
    """The game has not ended: its log holds secrets, and what is exported is what a reader may see."""


class ReplayHeader(Struct, frozen=True, kw_only=True):
    """The first line: what is played. A pure function of the events."""

    format: str = FORMAT
    redacted: bool = False
    game: str
    ruleset: str
    rules: str
    pack: str
    seats: int
    options: dict[str, Any]
    sandbox: bool
    created_at: str
    outcome: Outcome | None = None


class EventData(Struct, frozen=True):
    """An event as it is stored."""

    header: EventHeader
    details: dict[str, Any] | None
    action: dict[str, Any] | None
    effects: tuple[dict[str, Any], ...]


class EventLine(Struct, frozen=True):
    """A line between: the digest in hexadecimal, and the exact bytes of the event."""

    digest: str
    event: EventData


class Trailer(Struct, frozen=True):
    """How many events there are, and the digest of the last one in hexadecimal."""

    events: int
    head: str


class TrailerLine(Struct, frozen=True):
    """The last line."""

    trailer: Trailer


class Replay(Struct, frozen=True):
    """A full replay: its header, its events, and the proof that they are in the log, if the file has one."""

    header: ReplayHeader
    events: tuple[Event, ...]
    logged: Logged | None = None

    @property
    def game(self) -> str:
        """The game's id."""
        return self.header.game


class ReplayLog:
    """The log of one replay, read-only: with it `history.open_game` and `moment_at` work as on a store."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        """The events of the game with after < version <= until, but for one kind; none of any other game."""
        events = self._replay.events[after:until] if game == self._replay.game else ()
        return [event for event in events if event.header.kind != but]

    async def load_snapshot(self, game: str) -> Snapshot | None:
        """None: a replay is folded from its first event."""
        return None

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Nothing is kept."""


def export(events: Sequence[Event], proof: LogProof | None = None) -> Iterator[bytes]:
    """The lines of a full replay, from all events of a game that has ended; with a proof that they are in the log.

    Raises:
        RunningError: it has not ended.
    """
    if not any(event.header.kind == "ended" for event in events):
        raise RunningError("The game has not ended: its replay can be had only as a reader may see it.")
    yield header_line(events)
    for event in events:
        yield b'{"digest":"%b","event":%b}\n' % (event.digest.hex().encode(), event.data)
    if proof is not None:
        yield write_line(proof)
    yield _trailer(len(events), events[-1].digest)


def header_line(events: Sequence[Event]) -> bytes:
    """The first line of a full replay of these events."""
    created = created_of(events)
    ended = next((d for d in map(details_of, reversed(events)) if isinstance(d, kinds.Ended)), None)
    first = events[0].header
    header = ReplayHeader(
        game=first.game,
        ruleset=created.ruleset,
        rules=first.rules,
        pack=created.pack,
        seats=created.seats,
        options=created.options,
        sandbox=created.sandbox,
        created_at=first.at,
        outcome=None if ended is None else ended.outcome,
    )
    return encode(header) + b"\n"


def parse(source: bytes) -> Replay:
    """The events of a full replay. Only its form is checked; `check` does the rest.

    Raises:
        ReplayError: a line is missing, in the wrong place, or not written as replays are.
    """
    lines = split(source)
    header = _header(lines[0])
    if header.redacted:
        raise ReplayError(1, "this replay shows what one reader saw, so its game cannot be folded from it")
    told, proof = part(lines)
    events = tuple(_event(number, line) for number, line in enumerate(told, 2))
    _check_trailer(lines, events)
    return Replay(header, events, logged(lines, proof, [event.digest for event in events]))


def check(rulesets: Mapping[str, Ruleset[Any]], source: bytes) -> tuple[Replay, Report]:
    """Parse a full replay and verify all of it: chain, seed, dice, states, decisions and outcome.

    Raises:
        ReplayError: the first thing that is not as it should be, by its line.
    """
    replay = parse(source)
    try:
        seed = check_chain(replay.events)
        if not source.startswith(header_line(replay.events)):
            raise ReplayError(1, "the header is not the one of these events")
        created = created_of(replay.events)
        if created.ruleset not in rulesets:
            raise ReplayError(2, f"the ruleset {created.ruleset} is not here to verify the game")
        return replay, check_decisions(rulesets[created.ruleset], replay.events, seed)
    except UnsoundError as error:
        raise ReplayError(error.version + 1, str(error)) from error


def split(source: bytes) -> list[bytes]:
    """The lines of a replay, without their ends: at least a header, an event and a trailer.

    Raises:
        ReplayError: the file is cut off, or goes on behind its trailer.
    """
    lines = source.split(b"\n")
    if not source:
        raise ReplayError(1, "the file is empty")
    if lines.pop():
        raise ReplayError(len(lines) + 1, "the line does not end: the file is cut off or has something behind its end")
    trailers = [number for number, line in enumerate(lines, 1) if line.startswith(b'{"trailer"')]
    if not trailers:
        raise ReplayError(len(lines), "this last line is no trailer: the end of the file is cut off")
    if trailers[0] != len(lines):
        raise ReplayError(trailers[0] + 1, f"nothing may follow the trailer in line {trailers[0]}")
    if len(lines) < 3:
        raise ReplayError(len(lines), "a replay has a header, events and a trailer")
    return lines


def part(lines: Sequence[bytes]) -> tuple[Sequence[bytes], bytes | None]:
    """The lines of the events, and the one that proves them to be in the log, if there is one."""
    last = lines[-2] if is_line(lines[-2]) else None
    told = lines[1:-1] if last is None else lines[1:-2]
    if not told:
        raise ReplayError(2, "a replay has events")
    return told, last


def logged(lines: Sequence[bytes], proof: bytes | None, digests: Sequence[bytes]) -> Logged | None:
    """Check the line that proves that the events with these digests are in the log, if there is one.

    Raises:
        ReplayError: it proves nothing.
    """
    if proof is None:
        return None
    try:
        return read_line(proof, digests)
    except NotProved as error:
        raise ReplayError(len(lines) - 1, str(error)) from error


def _header(line: bytes) -> ReplayHeader:
    try:
        header = msgspec.json.decode(line, type=ReplayHeader)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReplayError(1, f"the header cannot be read: {error}") from error
    if header.format != FORMAT:
        raise ReplayError(1, f"the format is {header.format!r}, but this program reads {FORMAT}")
    return header


def _event(number: int, line: bytes) -> Event:
    match = _EVENT.fullmatch(line)
    if match is None:
        raise ReplayError(number, 'an event is written as {"digest":"<64 digits>","event":{…}}')
    try:
        event = decode(match[2], bytes.fromhex(match[1].decode()), 0)
    except Undecodable as error:
        raise ReplayError(number, f"the event cannot be read: {error.reason}") from error
    except RecursionError as error:
        raise ReplayError(number, "the event is nested too deep") from error
    if event.header.version != number - 1:
        told = f"version {event.header.version} stands where version {number - 1} belongs"
        raise ReplayError(number, f"{told}: a line is missing, added or moved")
    return event


def _trailer(count: int, head: bytes) -> bytes:
    return b'{"trailer":{"events":%d,"head":"%b"}}\n' % (count, head.hex().encode())


def _check_trailer(lines: Sequence[bytes], events: Sequence[Event]) -> None:
    number = len(lines)
    match = _TRAILER.fullmatch(lines[-1])
    if match is None:
        raise ReplayError(number, 'a trailer is written as {"trailer":{"events":n,"head":"<64 digits>"}}')
    if int(match[1]) != len(events):
        raise ReplayError(number, f"the trailer counts {int(match[1])} events, but there are {len(events)}")
    if match[2].decode() != events[-1].digest.hex():
        raise ReplayError(number, f"the trailer's head is not the digest of line {number - 1}")
