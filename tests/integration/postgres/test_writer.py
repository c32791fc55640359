"""What the writer of the log on PostgreSQL promises beyond the contract: batches, time-outs, lost links, epochs."""

import asyncio
from contextlib import contextmanager

import msgspec
import psutil
import pytest

from events.dialect import Unstorable
from events.digest import verify
from events.migrations import migrate
from events.postgres_link import PostgresLimits
from events.postgres_writer import APPEND
from events.store import Appended, Conflict, Duplicate, StoreFailed, StoreFull
from tests.integration.store_kit import KEY, PostgresKit, a_command, an_append, sealed, settled
from tests.services import Databases, PostgresServer

pytestmark = pytest.mark.anyio

LOG = sealed("g", 4)
HOLD = "select from log.head for update"


@pytest.fixture(scope="module")
def private():
    """A server of these tests' own, to be killed and set up otherwise."""
    with PostgresServer() as server:
        yield server


async def until(condition, seconds=10):
    """Wait until an async condition holds."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - it is another process that makes it so
            await asyncio.sleep(0.01)


async def waits_for(owner, event):
    """Whether a writer of ours waits for this in PostgreSQL."""
    await owner.execute("select pg_stat_clear_snapshot()")  # in a transaction it would see what it saw before
    sql = "select count(*) from pg_stat_activity where application_name = 'turnlog' and wait_event = $1"
    return await owner.fetchval(sql, event) > 0


async def end_writers(owner):
    await owner.execute(
        """select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'turnlog' and datname = current_database() and query like '%log.append%'"""
    )


async def test_what_waits_is_written_in_one_transaction_and_no_more_than_a_batch(kit):
    store = await kit.reopen(PostgresLimits(batch_max=3))
    batches = []
    kit.database.on_commit = lambda writes, _: batches.append(writes)
    answers = await settled(*(store.append(an_append(sealed(f"game-{n}", 1))) for n in range(10)))
    assert [answer.position for answer in answers] == list(range(1, 11))
    assert batches == [3, 3, 3, 1]


async def test_the_append_is_prepared_once_and_used_for_every_batch(kit):
    batches = 5
    for n in range(batches):
        await kit.store.append(an_append(sealed(f"game-{n}", 1)))
    connection = await kit.store._writer._connected()  # others do not see its statements
    sql = "select generic_plans + custom_plans as used from pg_prepared_statements where statement = $1"
    assert [row["used"] for row in await connection.fetch(sql, APPEND)] == [batches]


async def test_appends_of_one_game_and_of_one_key_go_into_batches_of_their_own_in_order(kit):
    batches = []
    kit.database.on_commit = lambda writes, _: batches.append(writes)
    command = a_command()
    answers = await settled(
        kit.store.append(an_append(LOG[:1])),
        kit.store.append(an_append(LOG[1:2])),
        kit.store.append(an_append(sealed("h", 1), command=command)),
        kit.store.append(an_append(sealed("i", 1), command=command)),
        kit.store.append(an_append(LOG[2:3])),
    )
    assert [type(answer) for answer in answers] == [Appended, Appended, Appended, Duplicate, Appended]
    assert batches == [2, 2, 1]
    verify(await kit.store.read("g"), KEY, head=(3, LOG[2].digest))


async def test_appends_beyond_the_limit_are_refused_and_those_within_are_written(kit):
    store = await kit.reopen(PostgresLimits(waiting_max=8))
    answers = await settled(*(store.append(an_append(sealed(f"game-{n}", 1))) for n in range(11)))
    assert [type(answer) for answer in answers] == [Appended] * 8 + [StoreFull] * 3
    assert await store.head() == 8


async def test_an_append_that_postgresql_refuses_fails_alone(kit):
    bad = msgspec.structs.replace(sealed("bad", 1)[0], digest=b"short")
    answers = await settled(
        kit.store.append(an_append(LOG[:1])),
        kit.store.append(an_append((bad,))),
        kit.store.append(an_append(sealed("h", 1))),
    )
    assert [type(answer) for answer in answers] == [Appended, StoreFailed, Appended]
    assert "refused" in str(answers[1])
    assert await kit.store.head() == 2
    assert await kit.store.read("bad") == []
    assert kit.store.healthy()


@pytest.mark.parametrize("part", ["scope", "key", "at", "game"])
async def test_text_with_a_nul_is_refused_before_it_is_sent_and_harms_nobody(kit, part):
    if part == "game":
        bad = an_append(sealed("g\0", 1))
    else:
        bad = an_append(sealed("bad", 1), command=msgspec.structs.replace(a_command(), **{part: "a\0b"}))
    answers = await settled(kit.store.append(bad), kit.store.append(an_append(LOG[:1])))
    assert isinstance(answers[0], Unstorable)
    assert answers[1] == Appended(1, 1, LOG[0].digest)
    for asked in (kit.store.read("a\0b"), kit.store.command("a\0b", "k"), kit.store.words("a\0b", 1)):
        with pytest.raises(ValueError, match="PostgreSQL cannot hold"):
            await asked


async def test_an_append_that_would_wait_too_long_for_another_writer_is_refused_and_not_written(kit):
    store = await kit.reopen(PostgresLimits(lock_s=0.2))
    async with kit.owner() as owner, owner.transaction():
        await owner.execute(HOLD)
        with pytest.raises(StoreFull, match="busy"):
            await store.append(an_append(LOG[:1]))
    assert store.healthy()
    assert await store.head() == 0
    assert await store.append(an_append(LOG[:1])) == Appended(1, 1, LOG[0].digest)


async def test_a_statement_that_takes_too_long_is_refused_and_not_written(kit):
    store = await kit.reopen(PostgresLimits(statement_s=0.2, lock_s=10))
    async with kit.owner() as owner, owner.transaction():
        await owner.execute(HOLD)
        with pytest.raises(StoreFull, match="busy"):
            await store.append(an_append(LOG[:1]))
    assert await store.append(an_append(LOG[:1])) == Appended(1, 1, LOG[0].digest)


async def test_a_writer_who_opened_the_log_before_another_copy_took_over_is_refused_for_good(kit):
    await kit.store.append(an_append(LOG[:1]))
    async with kit.owner() as owner:
        epoch = await owner.fetchval("select log.fence()")
    answers = await settled(
        kit.store.append(an_append(LOG[1:2])),
        kit.store.append(an_append(LOG[1:2])),
        kit.store.append(an_append(sealed("h", 1))),
    )
    assert [type(answer) for answer in answers] == [StoreFailed] * 3
    assert f"epoch {epoch}, not 1" in str(answers[0])
    assert not kit.store.healthy()
    with pytest.raises(StoreFailed, match="restart"):
        await kit.store.append(an_append(LOG[1:2]))
    assert await kit.store.head() == 1
    store = await kit.reopen()
    assert await store.append(an_append(LOG[1:2])) == Appended(2, 2, LOG[1].digest)


async def test_the_epoch_is_that_of_the_opening_also_after_a_lost_connection(kit):
    await kit.store.append(an_append(LOG[:1]))
    async with kit.owner() as owner:
        await owner.execute("select log.fence()")
        await end_writers(owner)
    with pytest.raises(StoreFailed, match="restart"):
        await kit.store.append(an_append(LOG[1:2]))


@pytest.mark.parametrize("command", [None, a_command()])
async def test_an_append_whose_connection_breaks_before_the_commit_is_sent_again(kit, command):
    async with kit.owner() as owner:
        transaction = owner.transaction()
        await transaction.start()
        await owner.execute(HOLD)
        appending = asyncio.create_task(kit.store.append(an_append(LOG[:2], command=command)))
        await until(lambda: waits_for(owner, "transactionid"))
        await end_writers(owner)
        await transaction.rollback()
    assert await appending == Appended(2, 2, LOG[1].digest)
    assert await kit.store.head() == 2


async def test_a_repeat_whose_connection_breaks_is_answered_as_the_append_that_it_is_and_writes_nothing(kit):
    """Sent once more by the writer, the very same events are found as its own before the key is."""
    append = an_append(LOG[:2], command=a_command())
    written = await kit.store.append(append)
    with pytest.raises(Duplicate):
        await kit.store.append(append)
    async with kit.owner() as owner:
        transaction = owner.transaction()
        await transaction.start()
        await owner.execute(HOLD)
        repeating = asyncio.create_task(kit.store.append(append))
        await until(lambda: waits_for(owner, "transactionid"))
        await end_writers(owner)
        await transaction.rollback()
    assert await repeating == written
    assert await kit.store.head() == 2


@pytest.mark.slow
@pytest.mark.parametrize("command", [None, a_command()])
async def test_an_append_whose_connection_breaks_behind_the_commit_is_found_and_not_written_twice(
    private, private_kit, command
):
    """PostgreSQL has committed and waits for a standby that is not there when its process is ended."""
    async with private_kit.owner() as owner:
        await set_up(owner, "synchronous_standby_names", "nobody")
        appending = asyncio.create_task(private_kit.store.append(an_append(LOG[:2], command=command)))
        beside = asyncio.create_task(private_kit.store.append(an_append(sealed("h", 1))))
        await until(lambda: waits_for(owner, "SyncRep"))
        await end_writers(owner)
        await set_up(owner, "synchronous_standby_names", "")
        assert await appending == Appended(2, 2, LOG[1].digest)
        assert await beside == Appended(3, 1, sealed("h", 1)[0].digest)
    assert await private_kit.store.head() == 3
    assert [event.position for event in await private_kit.store.read_all(0, 10)] == [1, 2, 3]


@pytest.fixture
def private_log(private):
    """A migrated database of the private server."""
    with Databases(private.dsn).one() as dsn:
        asyncio.run(migrate(dsn, {}))
        yield dsn


@pytest.fixture
async def private_kit(private_log):
    made = PostgresKit(private_log)
    await made.open(PostgresLimits(patience_s=5))
    yield made
    await made.store.close()


async def set_up(owner, name, value):
    await owner.execute(f"alter system set {name} = '{value}'")
    await owner.execute("select pg_reload_conf()")


@pytest.mark.slow
async def test_while_the_server_is_away_appends_fail_within_patience_and_go_on_when_it_is_back(private, private_kit):
    store = await private_kit.reopen(PostgresLimits(patience_s=0.3))
    append = an_append(LOG[:1], command=a_command())
    async with private_kit.owner() as owner:
        await owner.execute("begin")
        await owner.execute(HOLD)
        sent = asyncio.create_task(store.append(append))
        await until(lambda: waits_for(owner, "transactionid"))
        waiting = asyncio.create_task(store.append(an_append(sealed("h", 1))))
        await asyncio.sleep(0)
        private.kill()
    unknown, unsent = await settled(sent, waiting)
    assert (type(unknown), type(unsent)) == (StoreFailed, StoreFull)
    assert "nobody knows" in str(unknown)
    assert not store.healthy()
    with pytest.raises(StoreFull, match="does not answer"):
        await store.append(an_append(sealed("i", 1)))
    with pytest.raises(StoreFailed, match="does not answer"):
        await store.head()
    with pytest.raises(StoreFailed, match="does not answer"):
        await private_kit.database.write(lambda transaction: transaction.read("select 1"))
    private.start()

    async def healthy():
        return store.healthy()

    await until(healthy)
    assert await store.head() == 0
    assert await store.append(append) == Appended(1, 1, LOG[0].digest)
    with pytest.raises(Duplicate):
        await store.append(append)


@contextmanager
def standing_still(server):
    """The server and all its processes neither answer nor end for the time of the block."""
    processes = [psutil.Process(server.process.pid)]
    processes += processes[0].children(recursive=True)
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


@pytest.mark.slow
@pytest.mark.parametrize("command", [None, a_command()])
async def test_a_server_that_stands_still_fails_the_append_in_time_and_has_it_at_most_once(
    private, private_kit, command
):
    limits = PostgresLimits(statement_s=0.3, lock_s=0.2, connect_s=0.5, patience_s=0.5)
    store = await private_kit.reopen(limits)
    await store.append(an_append(sealed("h", 1)))
    append = an_append(LOG[:1], command=command)
    most_s = limits.answer_s + limits.patience_s + limits.connect_s
    with standing_still(private):
        async with asyncio.timeout(most_s + 1):
            with pytest.raises(StoreFailed, match="nobody knows"):
                await store.append(append)
        assert not store.healthy()
        with pytest.raises(StoreFull, match="does not answer"):
            await store.append(an_append(sealed("i", 1)))

    async def healthy():
        return store.healthy()

    await until(healthy)
    (answer,) = await settled(store.append(append))
    assert isinstance(answer, Appended | Duplicate | Conflict)
    assert [event.digest for event in await store.read("g")] == [LOG[0].digest]
    assert await store.head() == 2


@pytest.mark.slow
async def test_a_short_restart_is_noticed_by_nobody(private, private_kit):
    store = await private_kit.reopen(PostgresLimits(patience_s=30))
    await store.append(an_append(LOG[:1]))
    private.kill()
    appending = asyncio.create_task(store.append(an_append(LOG[1:2])))
    reading = asyncio.create_task(store.read("g"))
    await asyncio.sleep(0.1)
    private.start()
    assert await appending == Appended(2, 2, LOG[1].digest)
    assert [event.digest for event in await reading][:1] == [LOG[0].digest]
    assert store.healthy()


async def test_a_cancelled_append_is_written_or_not_and_harms_nobody(kit):
    cancelled = asyncio.create_task(kit.store.append(an_append(LOG[:1])))
    beside = asyncio.create_task(kit.store.append(an_append(sealed("h", 1))))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert isinstance(await beside, Appended)
    assert cancelled.cancelled() or await settled(cancelled)
    head = await kit.store.game_head("g")
    assert head in (None, (1, LOG[0].digest))


async def test_what_waits_when_the_store_is_closed_is_written(kit):
    appends = [asyncio.create_task(kit.store.append(an_append(sealed(f"game-{n}", 1)))) for n in range(5)]
    await asyncio.sleep(0)
    await kit.store.close()
    assert [type(answer) for answer in await settled(*appends)] == [Appended] * 5
    with pytest.raises(StoreFailed):
        await kit.store.append(an_append(LOG[:1]))
    await kit.open()
    assert await kit.store.head() == 5


async def test_two_nodes_see_each_others_events_and_one_wins_each_version(kit, postgres_log):
    other = PostgresKit(postgres_log)
    await other.open()
    rivals = [sealed("g", 1, mark=mark) for mark in range(20)]
    stores = [kit.store, other.store]
    answers = await settled(*(stores[n % 2].append(an_append(events)) for n, events in enumerate(rivals)))
    (winner,) = [n for n, answer in enumerate(answers) if isinstance(answer, Appended)]
    assert [answer.version for answer in answers if isinstance(answer, Conflict)] == [1] * 19
    for store in stores:
        assert (await store.game_head("g"))[1] == rivals[winner][0].digest
    await other.store.close()


async def test_appends_that_wait_are_counted_among_the_writes_that_wait(kit):
    """What was told to wait was other writes alone, though appends are what waits when PostgreSQL is slow."""
    store = await kit.reopen(PostgresLimits(batch_max=2))
    async with kit.owner() as owner, owner.transaction():
        await owner.execute(HOLD)
        appends = [asyncio.ensure_future(store.append(an_append(sealed(f"game-{n}", 1)))) for n in range(5)]
        await until(lambda: waits_for(owner, "transactionid"))
        assert kit.database.waiting == 5
    await asyncio.gather(*appends)
    assert kit.database.waiting == 0
