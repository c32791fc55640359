"""Reading a game from the log: opening it, and its state at any version, abandoned lines included."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from events.event import Event
from events.store import Snapshot
from games.kernel import Ruleset, encode, schema_lock
from projections.game import LiveGame, Meta, Moment, begin, fold_event, fold_meta
from projections.kinds import ACTED, Rewound, decode_details

#: Between two snapshots kept in the store there are this many events.
SNAPSHOT_EVENTS = 1000


class Log(Protocol):
    """The part of an event store that reading games needs."""

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        """The events of a game with after < version <= until, without those of the kind `but`."""

    async def load_snapshot(self, game: str) -> Snapshot | None:
        """The newest snapshot of a game, if there is a sound one."""

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot: a cache, droppable at any time."""


class UnknownGameError(Exception):
    """There is no such game."""


class GapError(Exception):
    """A version is missing in the line of a game that is played, or stands in another's place."""


class UnknownRulesError(Exception):
    """The game was made by rules that this server does not have."""


class UnknownPackError(Exception):
    """The game is played with a content pack that is on no shelf here (yet)."""


class _Kept(Struct):
    """What a stored snapshot holds."""

    meta: Meta
    state: msgspec.Raw
    opened: list[tuple[int, str]]


async def open_game(log: Log, rulesets: Mapping[str, Ruleset[Any]], game: str) -> LiveGame:
    """The game at its newest version: from its snapshot, if a sound one of the same rules is there, and the rest.

    Of the lines of play that were rewound no action is read, unless there are clocks: time used there counts (CLK-9).

    Raises:
        UnknownGameError: the log has no such game.
        GapError: a version is missing in the line that is played.
        UnknownRulesError: its ruleset is not on this server.
        UnknownPackError: its content pack is not.
    """
    live = await _from_snapshot(log, rulesets, game)
    told = await log.read(game, live.meta.version if live else 0, but=ACTED)
    live = live or _begun(rulesets, game, told)
    if live.meta.clocks is not None:
        await catch_up(log, live)
        return live
    rewound = max((event.header.version for event in told if event.header.kind == "rewound"), default=0)
    if rewound:
        for event in told:
            if live.meta.version < event.header.version <= rewound and event.details is not None:
                fold_meta(live.meta, event, decode_details(event.details))
        live.put_back(await moment_at(log, live, rewound))
    for event in await _next(log, live):
        if event.header.kind == "rewound":  # by another node since the log was asked for rewinds; or it is damaged
            await _check_listed(log, event)
        await take_event(log, live, event)
    return live


async def _check_listed(log: Log, event: Event) -> None:
    version = event.header.version
    if not await log.read(event.header.game, version - 1, version, but=ACTED):
        raise GapError(f"version {version} is a rewind that the log does not list as one")


def _begun(rulesets: Mapping[str, Ruleset[Any]], game: str, events: Sequence[Event]) -> LiveGame:
    """The game at the first of its events."""
    if not events:
        raise UnknownGameError(game)
    _check_dense(events[:1], 0)
    meta = begin(events[0])
    if meta.created.ruleset not in rulesets:
        raise UnknownRulesError(meta.created.ruleset)
    rules = rulesets[meta.created.ruleset]
    _check_pack(rules, meta)
    return LiveGame(rules, meta, Moment())


def _check_pack(rules: Ruleset[Any], meta: Meta) -> None:
    if meta.created.pack not in rules.shelf:
        raise UnknownPackError(meta.created.pack)


async def catch_up(log: Log, live: LiveGame) -> None:
    """Bring a live game to its newest version, where others may have appended to it.

    Raises:
        GapError: a version is missing.
    """
    for event in await _next(log, live):
        await take_event(log, live, event)


async def _next(log: Log, live: LiveGame) -> list[Event]:
    events = await log.read(live.meta.game, live.meta.version)
    _check_dense(events, live.meta.version)
    return events


async def take_event(log: Log, live: LiveGame, event: Event) -> None:
    """Fold the event that comes next, of which the log has all before it."""
    moment = await moment_before(log, live, event)
    live.apply(event)
    if moment is not None:
        live.put_back(moment)


async def moment_before(log: Log, live: LiveGame, event: Event) -> Moment | None:
    """What an event that comes next takes the game back to; None for all but `rewound`."""
    details = decode_details(event.details) if event.header.kind == "rewound" and event.details is not None else None
    return await moment_at(log, live, details.to) if isinstance(details, Rewound) else None


async def _line(log: Log, game: str, after: int, until: int | None = None) -> list[Event]:
    """Events that were played one after the other: none is missing, and none takes anything back."""
    events = await log.read(game, after, until)
    _check_dense(events, after)
    for event in events:
        if event.header.kind == "rewound":
            raise GapError(f"version {event.header.version} is a rewind that the log does not list as one")
    return events


def _check_dense(events: Sequence[Event], after: int) -> None:
    for expected, event in enumerate(events, after + 1):
        if event.header.version != expected:
            raise GapError(f"version {expected} is missing: version {event.header.version} stands in its place")


async def moment_at(log: Log, live: LiveGame, version: int) -> Moment:
    """The state at any version from the start of the game on, folded anew from the log."""
    moment = Moment()
    for after, until in live.meta.path(version):
        for event in await _line(log, live.meta.game, after, until):
            if event.effects:
                fold_event(live.rules, live.meta, moment, event)
    return moment


def image(live: LiveGame) -> bytes:
    """All that is known of the game as it is now: the same log always gives the same bytes."""
    return encode(_Kept(live.meta, msgspec.Raw(encode(live.moment.state)), live.moment.opened))


async def keep_snapshot(log: Log, live: LiveGame) -> None:
    """Store a snapshot of the game as it is now."""
    kept = image(live)
    digest = sha256(kept).digest()
    await log.save_snapshot(Snapshot(live.meta.game, live.meta.version, _form(live.rules), kept, digest))


def is_readable(snapshot: Snapshot, rules: Ruleset[Any]) -> bool:
    """Whether a snapshot is of the shape that this program and these rules make."""
    return snapshot.format == _form(rules)


async def _from_snapshot(log: Log, rulesets: Mapping[str, Ruleset[Any]], game: str) -> LiveGame | None:
    snapshot = await log.load_snapshot(game)
    if snapshot is None:
        return None
    try:
        kept = msgspec.json.decode(snapshot.state, type=_Kept)
        rules = rulesets[kept.meta.created.ruleset]
        if not is_readable(snapshot, rules):
            return None
        _check_pack(rules, kept.meta)
        state = msgspec.json.decode(kept.state, type=rules.state | None)
    except (msgspec.DecodeError, KeyError):
        return None  # a snapshot is a cache: what cannot be read is made anew from the log
    return LiveGame(rules, kept.meta, Moment(state, kept.opened))


_forms: dict[str, str] = {}


def _form(rules: Ruleset[Any]) -> str:
    """Names the shape of a snapshot: the rules and every field of their messages and state."""
    if rules.rules not in _forms:
        told = encode([schema_lock(rules), msgspec.json.schema(rules.state)])
        _forms[rules.rules] = f"{rules.rules} {sha256(told).hexdigest()}"
    return _forms[rules.rules]
