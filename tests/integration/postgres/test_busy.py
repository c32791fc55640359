"""A database that is there and can do nothing now: work is put off, and is no fault of an event's or a node's."""

from contextlib import asynccontextmanager

import asyncpg
import pytest

from events import postgres
from events.postgres_link import PostgresLimits
from events.store import StoreFull
from projections.runner import Runner
from server.services import Services
from server.settings import Settings
from tests.integration.store_kit import AT, a_command, an_append, sealed

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

HURRIED = PostgresLimits(lock_s=0.2, statement_s=0.5, patience_s=0.3)


@asynccontextmanager
async def locked(dsn, table):
    """While somebody else has a table to themselves, as `vacuum full` has."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute(f"lock table {table} in access exclusive mode")
            yield
    finally:
        await connection.close()


@pytest.fixture
async def services(postgres_database):
    """A node that does not wait long, with nothing in its background."""
    made = Services.open(Settings(database=postgres_database))
    made.database.limits = HURRIED
    await made.prepare()
    yield made
    await made.store.close()


class Counting:
    """A read model that counts events in a table of its own."""

    name = "counting"
    shape = 1

    async def create(self, transaction, generation):
        await transaction.change(f"create table counting_{generation}(position integer primary key) strict")

    async def drop(self, transaction, generation):
        await transaction.change(f"drop table if exists counting_{generation}")

    async def take(self, transaction, generation, events):
        rows = [(event.position,) for event in events]
        await transaction.change_many(f"insert into counting_{generation} values (?)", rows)


async def test_what_waits_for_a_lock_for_too_long_is_put_off(services, postgres_database):
    database = services.database

    async def work(transaction):
        return await transaction.change("delete from requests where at < ?", ("2020",))

    async with locked(postgres_database, "shell.requests"):
        with pytest.raises(StoreFull):
            await database.write(work)
        with pytest.raises(StoreFull):
            await database.change("delete from requests where at < ?", ("2020",))
        with pytest.raises(StoreFull):
            await database.read("select count(*) from requests")
    assert await database.write(work) == 0
    assert database.healthy()


async def test_an_event_that_cannot_be_taken_now_is_taken_later_and_not_passed_over(services, postgres_database):
    runner = Runner(services.store, services.database, services.feed, [Counting()], batch=10)
    await runner.prepare()
    await services.store.append(an_append(sealed("g", 3)))
    async with locked(postgres_database, "models.counting_1"):
        with pytest.raises(StoreFull):
            await runner.catch_up()
    await runner.catch_up()
    assert await services.database.read("select count(*) from counting_1") == [(3,)]
    assert await services.store.quarantined() == []


#: Deleting a command takes 10 ms.
SLOWLY = """
create function pg_temp.slowly() returns trigger language plpgsql
  as $$ begin perform pg_sleep(0.01); return old; end $$;
create trigger slowly before delete on log.commands for each row execute function pg_temp.slowly();
"""


async def test_more_old_commands_than_one_statement_may_take_time_for_are_forgotten(
    services, postgres_database, monkeypatch
):
    monkeypatch.setattr(postgres, "PRUNED_AT_ONCE", 20)
    for n in range(100):
        await services.store.append(an_append(sealed(f"g{n}", 1), command=a_command(f"key-{n}")))
    connection = await asyncpg.connect(postgres_database)
    await connection.execute(SLOWLY)
    assert await services.store.prune_commands(AT) == 0
    assert await services.store.prune_commands("2027") == 100
    assert await services.database.read("select count(*) from commands") == [(0,)]
    await connection.close()
