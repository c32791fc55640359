"""Games as they were a while ago, for those who may not see them as they are: how far a game has come of age.

An event is of age when its time (`at`) is as long ago as the delay, and all events before it are of age too: so the
order of versions stands whatever the clocks of nodes say. Until a game starts nothing of it is held back.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from events.database import Transaction
from events.event import Event
from events.store import Snapshot
from games.kernel import Ruleset
from projections.game import LiveGame
from projections.history import Log, UnknownGameError, open_game, take_event

#: So many events are looked at in one go.
BATCH_EVENTS = 500


def of_age(events: Sequence[Event], bound: str, *, started: bool) -> Sequence[Event]:
    """The leading events that are of age, where those up to this time are. `started`: before the first of them."""
    for number, event in enumerate(events):
        started = started or event.header.kind == "started"
        if started and event.header.at > bound:
            return events[:number]
    return events


async def open_aged(
    log: Log, rulesets: Mapping[str, Ruleset[Any]], game: str, bound: str, coming: Sequence[Event] = ()
) -> LiveGame:
    """The game up to the last event that is of age. `coming`: events that are about to be appended.

    Raises:
        UnknownGameError, GapError, UnknownRulesError, UnknownPackError: as `open_game`.
    """
    events = [*await log.read(game), *coming]
    if not events:
        raise UnknownGameError(game)
    return await open_game(_Aged(log, of_age(events, bound, started=False)), rulesets, game)


async def follow(log: Log, live: LiveGame, bound: str) -> str | None:
    """Bring an aged game up to this time; the time of the first event that is not of age, if there is one yet."""
    while True:
        version = live.meta.version
        events = await log.read(live.meta.game, version, version + BATCH_EVENTS)
        aged = of_age(events, bound, started=live.meta.started > 0)
        for event in aged:
            await take_event(log, live, event)
        if len(aged) < len(events):
            return events[len(aged)].header.at
        if len(events) < BATCH_EVENTS:
            return None


async def delays(transaction: Transaction, table: str, games: Collection[str]) -> dict[str, int]:
    """Those of the games that have a delay, in microseconds, by a read model's table with a column `delay_us`."""
    marks = ", ".join("?" * len(games))
    sql = f"select game, delay_us from {table} where delay_us > 0 and game in ({marks})"
    return dict(await transaction.read(sql, tuple(games)))


class _Aged:
    """The leading events of a game, as a log."""

    def __init__(self, log: Log, events: Sequence[Event]) -> None:
        self._log = log
        self._events = events

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        """Those of the events, which are all of this game and without a gap."""
        del game
        return [event for event in self._events[after:until] if event.header.kind != but]

    async def load_snapshot(self, game: str) -> Snapshot | None:
        """The newest snapshot of the game, unless that is of a version that is not among the events."""
        snapshot = await self._log.load_snapshot(game)
        return snapshot if snapshot is not None and snapshot.version <= len(self._events) else None

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        await self._log.save_snapshot(snapshot)
