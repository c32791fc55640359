"""Which events are of age, and games opened and followed by it."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import to_builtins

from games.kernel import legal, pending
from projections.history import UnknownGameError, image, keep_snapshot, open_game
from projections.lag import BATCH_EVENTS, follow, of_age, open_aged
from server.lag import Aged, bound_of
from server.rewinding import RewindWish, rewind
from tests.integration.commands.shell import Shell

START = datetime(2026, 1, 1, tzinfo=UTC)


class Header:
    def __init__(self, kind, at):
        self.kind, self.at = kind, f"2026-01-01T00:00:{at:02}.000000Z"


class Event:
    def __init__(self, kind, at):
        self.header = Header(kind, at)


def bound(seconds):
    return f"2026-01-01T00:00:{seconds:02}.000000Z"


def count(times, at, *, started=True, kind="acted"):
    """How many of the events at these times are of age."""
    return len(of_age([Event(kind, time) for time in times], bound(at), started=started))


def test_an_event_is_of_age_from_the_very_time_on():
    assert [count([10, 20, 30], at) for at in (9, 10, 11, 20, 29, 30, 31)] == [0, 1, 1, 2, 2, 3, 3]


def test_an_event_waits_for_those_before_it_whatever_its_time_says():
    assert count([10, 30, 20], 20) == 1
    assert count([10, 30, 20], 30) == 3


def test_before_the_start_nothing_waits():
    events = [Event("created", 50), Event("joined", 51), Event("said", 52), Event("started", 53), Event("said", 10)]
    assert len(of_age(events, bound(0), started=False)) == 3
    assert len(of_age(events, bound(52), started=False)) == 3
    assert len(of_age(events, bound(53), started=False)) == 5
    assert count([50], 49, started=True) == 0
    assert count([50], 49, started=False) == 1


class SteppingClock:
    """A second later at every look."""

    def __init__(self):
        self.moment = START

    def now(self):
        self.moment += timedelta(seconds=1)
        return self.moment


async def played():
    """A game with a rewind in it, and its shell."""
    shell = Shell()
    shell.games.clock = SteppingClock()
    game = await shell.create(["ann", "ann", "ann"], undo="free")
    for _ in range(5):
        await step(shell, game)
    await rewind(shell.games, shell.ask("ann"), game, RewindWish(seat=0, to=7), redo=False)
    await step(shell, game)
    return shell, game


async def step(shell, game):
    """The first legal action of the first seat that owes one."""
    async with shell.games.game(game) as live:
        seat = pending(live.state).seats[0]
        action = to_builtins(legal(live.rules, live.state, seat)[0])
    await shell.act(game, "ann", action, seat)


async def states(shell, game):
    """The image of the game at each version, as it was when that was its newest, and the time of its event."""
    events = await shell.events(game)
    found = {}
    for event in events:
        aged = await open_aged(Cut(shell.store, event.header.version), shell.games.rulesets(), game, "3")
        found[event.header.version] = (image(aged), event.header.at)
    return found


class Cut:
    """A store that knows no more than the events up to a version."""

    def __init__(self, store, until):
        self._store, self._until = store, until

    async def read(self, game, after=0, until=None, but=None):
        return await self._store.read(game, after, min(until or self._until, self._until), but)

    async def load_snapshot(self, game):
        return None


async def test_a_game_opened_or_followed_is_as_it_was_at_that_time():
    shell, game = await played()
    newest = len(await shell.events(game))
    expected = await states(shell, game)
    assert expected[newest][0] == image(await open_game(shell.store, shell.games.rulesets(), game))
    started = next(e.header.version for e in await shell.events(game) if e.header.kind == "started")
    followed = await open_aged(shell.store, shell.games.rulesets(), game, "0")
    assert followed.meta.version == started - 1
    for version in range(started, newest + 1):
        at = expected[version][1]
        opened = await open_aged(shell.store, shell.games.rulesets(), game, at)
        waits = await follow(shell.store, followed, at)
        assert image(opened) == image(followed) == expected[version][0]
        assert waits == (expected[version + 1][1] if version < newest else None)


async def test_a_snapshot_that_is_too_new_is_not_used():
    shell, game = await played()
    expected = await states(shell, game)
    async with shell.games.game(game) as live:
        await keep_snapshot(shell.store, live)
    for image_then, at in list(expected.values())[4:]:
        assert image(await open_aged(shell.store, shell.games.rulesets(), game, at)) == image_then


async def test_an_unknown_game_is_none():
    with pytest.raises(UnknownGameError):
        await open_aged(Shell().store, {}, "none", "3")


async def test_what_is_kept_in_memory_reads_the_log_only_when_something_is_due():
    shell, game = await played()
    events = await shell.events(game)
    newest = len(events)
    at = events[6].header.at
    aged = Aged(await open_aged(shell.store, shell.games.rulesets(), game, at), at)
    reads = []

    class Counted:
        async def read(self, *given, **more):
            reads.append(given)
            return await shell.store.read(*given, **more)

    assert (await aged.follow(Counted(), newest, events[6].header.at)).meta.version == 7
    assert len(reads) == 1
    assert (await aged.follow(Counted(), newest, events[6].header.at)).meta.version == 7
    assert len(reads) == 1
    assert (await aged.follow(Counted(), newest, events[-1].header.at)).meta.version == newest
    read = len(reads)
    assert (await aged.follow(Counted(), newest, "3")).meta.version == newest
    assert len(reads) == read
    assert newest < BATCH_EVENTS


def test_the_bound_is_so_long_ago():
    clock = SteppingClock()
    assert bound_of(clock, 0.5) == "2026-01-01T00:00:00.500000Z"
