"""A copy of the database takes over: what a fence in it stops, and what it does not stop."""

import pytest

from events.store import Appended, StoreFailed
from tests.integration.store_kit import PostgresKit, an_append, sealed
from tests.services import execute, name_of

pytestmark = pytest.mark.anyio

LOG = sealed("g", 4)


async def fence(kit):
    async with kit.owner() as owner:
        return await owner.fetchval("select log.fence()")


@pytest.fixture
def copy(postgres, postgres_template):
    with postgres.one(postgres_template) as dsn:
        yield dsn


@pytest.fixture
async def standby(copy):
    async with PostgresKit.opened(copy) as made:
        yield made


@pytest.fixture
def take_over(postgres):
    """Let the name of one database mean another, as when an address is moved to a standby."""

    async def move(old, new):
        names = [name_of(old), name_of(new)]
        away = f"{names[0]}_away"
        sessions = f"pg_stat_activity where datname in ('{names[0]}', '{names[1]}')"
        closed = [f"alter database {name} with allow_connections false" for name in names]
        renamed = [
            f"alter database {one} rename to {other}"
            for one, other in ((names[0], away), (names[1], names[0]), (away, names[1]))
        ]
        opened = [f"alter database {name} with allow_connections true" for name in names]
        # Each waits for the end of the session that it ends, or the name is still in use.
        ended = f"select pg_terminate_backend(pid, 10000) from {sessions}"
        await execute(postgres.dsn, *closed, ended, *renamed, *opened)

    return move


async def test_a_fence_in_the_new_database_stops_nobody_who_reaches_the_old_one(kit, standby):
    """So the old one is stopped first: see the runbook."""
    await kit.store.append(an_append(LOG[:1]))
    await fence(standby)
    assert await kit.store.append(an_append(LOG[1:2])) == Appended(2, 2, LOG[1].digest)
    await fence(kit)
    with pytest.raises(StoreFailed, match="another copy of the database took over"):
        await kit.store.append(an_append(LOG[2:3]))


async def test_a_node_that_knows_the_old_epoch_is_refused_by_the_new_database(kit, standby, take_over):
    await kit.store.append(an_append(LOG[:1]))
    await standby.store.append(an_append(LOG[:1]))
    await fence(standby)
    await standby.store.close()
    await take_over(kit.dsn, standby.dsn)
    with pytest.raises(StoreFailed, match="another copy of the database took over"):
        await kit.store.append(an_append(LOG[1:2]))
    assert await kit.store.head() == 1
    store = await kit.reopen()
    assert await store.append(an_append(LOG[1:2])) == Appended(2, 2, LOG[1].digest)


async def test_a_fence_stops_neither_what_is_no_append_nor_a_node_that_starts_later(kit):
    """So it is the second belt, and the old database is stopped first."""
    await kit.store.append(an_append(LOG[:1]))
    await fence(kit)
    await kit.store.quarantine("a reader", 1, "not understood")
    assert len(await kit.store.quarantined()) == 1
    with pytest.raises(StoreFailed, match="another copy of the database took over"):
        await kit.store.append(an_append(LOG[1:2]))
    later = await kit.reopen()
    assert await later.append(an_append(LOG[1:2])) == Appended(2, 2, LOG[1].digest)


async def test_two_databases_that_were_both_fenced_are_of_different_epochs(kit, standby, take_over):
    """A node that was restarted on the old one, after its fence, is refused by the new one too."""
    await fence(kit)
    await fence(standby)
    await kit.reopen()
    await standby.store.close()
    await take_over(kit.dsn, standby.dsn)
    with pytest.raises(StoreFailed, match="another copy of the database took over"):
        await kit.store.append(an_append(LOG[:1]))


async def test_two_databases_whose_epoch_is_ahead_of_the_clock_are_of_different_epochs_when_fenced(kit, standby):
    ahead = 4 * 10**15  # microseconds: the year 2096
    for one in (kit, standby):
        async with one.owner() as owner:
            await owner.execute("update log.head set epoch = $1", ahead)
    for _ in range(3):
        before, ahead = ahead, await fence(kit)
        assert before < ahead <= before + 10**9
        assert ahead != await fence(standby)
