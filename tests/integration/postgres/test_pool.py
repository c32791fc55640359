"""PostgreSQL as a Database: transactions as if alone, tried again; savepoints; locks over nodes; lost connections."""

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import pytest

from events.dialect import Unstorable
from events.migrations import migrate
from events.postgres_link import PostgresLimits
from events.postgres_pool import PostgresPool
from events.store import StoreFailed, StoreFull
from tests.integration.store_kit import settled

pytestmark = pytest.mark.anyio

FACTS = ("create table facts(name text primary key, count integer not null) strict, without rowid",)
COUNT = "select count from facts where name = ?"
END_WAITERS = """select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and wait_event_type = 'Lock' and application_name = 'turnlog'"""
END = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'turnlog' and datname = $1"


@pytest.fixture
def dsn(postgres_dsn):
    asyncio.run(migrate(postgres_dsn, {"facts": FACTS}))
    return postgres_dsn


@pytest.fixture
async def pools(dsn):
    """Two nodes."""
    made = [a_pool(dsn), a_pool(dsn)]
    for pool in made:
        await pool.open()
    await made[0].change("insert into facts values ('a', 0)")
    yield made
    for pool in made:
        await pool.close()


@pytest.fixture
def pool(pools):
    return pools[0]


def a_pool(dsn, **limits):
    pool = PostgresPool(dsn, PostgresLimits(**limits))
    pool.migrate("facts", FACTS)
    return pool


async def end_all(dsn, sql=END):
    connection = await asyncpg.connect(dsn)
    await connection.execute(sql, await connection.fetchval("select current_database()"))
    await connection.close()


async def test_reading_and_changing(pool):
    assert await pool.read("select name, count from facts") == [("a", 0)]
    assert await pool.change("update facts set count = ?", (2,)) == 1
    assert await pool.change("delete from facts where name = ?", ("none",)) == 0
    assert (pool.shared, pool.healthy(), pool.waiting) == (True, True, 0)

    async def work(transaction):
        await transaction.change_many("insert into facts values (?, ?)", [("b", 1), ("c", 1)])
        assert await transaction.change("update facts set count = count + 1 where count = ?1", (1,)) == 2
        return await transaction.read("select name from facts order by name")

    assert await pool.write(work) == [("a",), ("b",), ("c",)]
    assert await pool.read(COUNT, ("c",)) == [(2,)]


async def test_texts_are_ordered_byte_by_byte_as_in_sqlite(pool):
    for name in ("B", "b", "_", "é", "Z"):
        await pool.change("insert into facts values (?, 0)", (name,))
    assert [name for (name,) in await pool.read("select name from facts order by name")] == sorted("aBb_éZ")


async def test_what_work_raises_undoes_it_all_and_is_raised(pool):
    async def work(transaction):
        await transaction.change("update facts set count = 7")
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        await pool.write(work)
    assert await pool.read(COUNT, ("a",)) == [(0,)]


async def test_an_attempt_is_undone_alone(pool):
    raised = []

    async def work(transaction):
        await transaction.change("update facts set count = 1")
        try:
            async with transaction.attempt():
                await transaction.change("update facts set count = 2")
                await transaction.change("insert into facts values ('a', 0)")
        except asyncpg.UniqueViolationError:
            raised.append(True)
        async with transaction.attempt():
            await transaction.change("insert into facts values ('b', 3)")

    await pool.write(work)
    assert raised == [True]
    assert await pool.read("select name, count from facts order by name") == [("a", 1), ("b", 3)]


async def test_writes_that_read_what_the_others_change_are_tried_again_until_none_is_lost(pools):
    tries = 0

    async def work(transaction):
        nonlocal tries
        tries += 1
        ((count,),) = await transaction.read(COUNT, ("a",))
        await asyncio.sleep(0)
        await transaction.change("update facts set count = ?", (count + 1,))

    await asyncio.gather(*(pools[n % 2].write(work) for n in range(20)))
    assert await pools[0].read(COUNT, ("a",)) == [(20,)]
    assert tries >= 20


async def test_a_check_that_another_transaction_makes_untrue_is_made_again(pools):
    """Write skew: each sees less than two rows and adds one. As if one after another, only two can be there."""

    async def work(transaction, name):
        ((count,),) = await transaction.read("select count(*) from facts")
        await asyncio.sleep(0.01)
        if count < 2:
            await transaction.change("insert into facts values (?, 0)", (name,))

    await asyncio.gather(*(pools[n % 2].write(lambda t, n=n: work(t, f"n{n}")) for n in range(4)))
    assert await pools[0].read("select count(*) from facts") == [(2,)]


async def test_work_that_swallows_the_conflict_is_tried_again_all_the_same(pools):
    first = True

    async def work(transaction):
        nonlocal first
        await transaction.read(COUNT, ("a",))
        if first:
            first = False
            await pools[1].change("update facts set count = 5")
        try:
            async with transaction.attempt():
                await transaction.change("update facts set count = count + 1")
        except asyncpg.PostgresError:
            return "swallowed"
        return "done"

    assert await pools[0].write(work) == "done"
    assert await pools[0].read(COUNT, ("a",)) == [(6,)]


async def test_a_lost_connection_is_no_fault_that_work_could_take_for_its_own(dsn, pool):
    """As a read model does that goes past events which it cannot take: it must not go past them all."""
    passed = []

    async def work(transaction):
        for number in range(3):
            try:
                async with transaction.attempt():
                    if number == 1 and not lost:
                        lost.append(True)
                        await end_all(dsn)
                    await transaction.change("update facts set count = count + 1")
            except Exception as error:  # noqa: BLE001 - that is what is tested
                passed.append(error)

    lost = []
    await pool.write(work)
    assert passed == []
    assert await pool.read(COUNT, ("a",)) == [(3,)]


async def test_a_write_that_others_always_get_in_the_way_of_is_given_up(dsn, pools):
    pool = a_pool(dsn, write_tries_max=3)
    await pool.open()
    tries = 0

    async def work(transaction):
        nonlocal tries
        tries += 1
        await transaction.read(COUNT, ("a",))
        await pools[1].change("update facts set count = count + 1")
        await transaction.change("update facts set count = -1")

    with pytest.raises(StoreFull, match="in the way"):
        await pool.write(work)
    assert tries == 3
    assert await pool.read(COUNT, ("a",)) == [(3,)]
    await pool.close()


async def test_more_writes_than_may_wait_are_refused(dsn, pools):
    pool = a_pool(dsn, waiting_max=3, writers_max=1)
    await pool.open()

    async def work(transaction):
        await transaction.change("update facts set count = count + 1")

    answers = await settled(*(pool.write(work) for _ in range(5)))
    assert [type(answer) for answer in answers] == [type(None)] * 3 + [StoreFull] * 2
    assert await pool.read(COUNT, ("a",)) == [(3,)]
    await pool.close()


async def test_more_reads_than_may_wait_are_refused_and_those_behind_them_are_not(dsn, pools):
    pool = a_pool(dsn, waiting_max=3, connections_max=1)
    await pool.open()
    for _ in range(2):
        answers = await settled(*(pool.read(COUNT, ("a",)) for _ in range(5)))
        assert answers[:3] == [[(0,)]] * 3
        assert [type(answer) for answer in answers[3:]] == [StoreFull] * 2
    await pool.close()


@asynccontextmanager
async def a_write_that_stands_still(pool):
    """In a transaction, on a connection, until the end; then it is written."""
    within, enough = asyncio.Event(), asyncio.Event()

    async def work(transaction):
        within.set()
        await enough.wait()
        return await transaction.change("update facts set count = count + 1")

    writing = asyncio.create_task(pool.write(work))
    await within.wait()
    try:
        yield
    finally:
        enough.set()
        assert await writing == 1


async def no_work(transaction):
    """Nothing, in a transaction."""


async def test_a_write_waits_for_its_turn_no_longer_than_patience_lasts(dsn, pools):
    pool = a_pool(dsn, writers_max=1, patience_s=0.2)
    await pool.open()
    async with a_write_that_stands_still(pool), asyncio.timeout(5):
        with pytest.raises(StoreFull, match="all transactions to PostgreSQL were in use"):
            await pool.write(no_work)
    assert (await pool.write(no_work), pool.healthy()) == (None, True)
    await pool.close()


async def test_writes_while_postgres_is_away_have_one_patience_and_not_one_after_another(dsn, pools, monkeypatch):
    async def lost(*_):
        raise ConnectionRefusedError("away")

    pool = a_pool(dsn, writers_max=1, patience_s=0.3)
    await pool.open()
    monkeypatch.setattr(pool, "_transact", lost)
    async with asyncio.timeout(10):
        answers = await settled(*(pool.write(no_work) for _ in range(100)))
    assert {type(answer) for answer in answers} <= {StoreFailed, StoreFull}
    assert not pool.healthy()
    await pool.close()


async def test_a_pool_whose_connections_are_all_in_use_is_full_and_postgres_is_not_away(dsn, pools):
    pool = a_pool(dsn, connections_max=1, connect_s=0.1, patience_s=0.2)
    await pool.open()
    async with a_write_that_stands_still(pool):
        for asked in (pool.read(COUNT, ("a",)), pool.write(no_work)):
            with pytest.raises(StoreFull, match="all connections to PostgreSQL were in use"):
                await asked
        assert pool.healthy()
    assert await pool.read(COUNT, ("a",)) == [(1,)]
    await pool.close()


@pytest.fixture
def let_go_in_vain(pool, monkeypatch):
    """Connections take too long to be let go, as those do on which something was cancelled that stands still."""
    release = asyncpg.pool.Pool.release

    async def in_vain(its_pool, connection, **words):
        await release(its_pool, connection, **words)
        raise TimeoutError

    monkeypatch.setattr(asyncpg.pool.Pool, "release", in_vain)


@pytest.mark.usefixtures("let_go_in_vain")
async def test_an_unknown_outcome_is_told_and_not_tried_again_where_the_connection_is_not_let_go(pool, monkeypatch):
    tries = []

    async def work(transaction):
        tries.append(await transaction.change("update facts set count = count + 1"))

    async def unanswered(transaction):
        transaction._connection.terminate()
        raise TimeoutError

    monkeypatch.setattr(asyncpg.transaction.Transaction, "commit", unanswered)
    with pytest.raises(StoreFailed, match="nobody knows"):
        await pool.write(work)
    assert tries == [1]


@pytest.mark.usefixtures("let_go_in_vain")
async def test_a_question_that_is_cancelled_is_not_asked_again_where_the_connection_is_not_let_go(pool):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await pool.read("select pg_sleep(0.5)")


async def test_exclusive_lets_one_in_over_all_nodes_and_names_are_apart(pools):
    inside, most, order = set(), 0, []

    async def enter(n, name):
        nonlocal most
        async with pools[n % 2].exclusive(name):
            inside.add((name, n))
            most = max(most, sum(held == name for held, _ in inside))
            order.append(name)
            await asyncio.sleep(0.01)
            inside.discard((name, n))

    async with pools[0].exclusive("other"):
        await asyncio.gather(*(enter(n, "one") for n in range(6)))
        waiting = asyncio.create_task(enter(1, "other"))
        await asyncio.sleep(0.05)
        assert order == ["one"] * 6
    await waiting
    assert most == 1


async def test_however_many_want_to_be_exclusive_connections_are_bounded_and_nothing_is_left_behind(dsn):
    pool, inside, most = a_pool(dsn, locks_max=3), 0, 0
    await pool.open()

    async def enter(name):
        nonlocal inside, most
        async with pool.exclusive(name):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.02)
            inside -= 1

    await asyncio.gather(*(enter(f"player-{n}") for n in range(20)))
    assert (most, dict(pool._held)) == (3, {})
    await pool.close()


async def test_who_is_within_and_needs_another_lock_does_not_wait_for_those_who_wait_to_come_in(dsn):
    pool = a_pool(dsn, locks_max=2, patience_s=5)
    await pool.open()

    async def enter(number):
        async with pool.exclusive(f"player-{number}"):
            await asyncio.sleep(0.05)
            async with pool.exclusive("make", always=True):
                return number

    assert await asyncio.gather(*map(enter, range(6))) == [0, 1, 2, 3, 4, 5]
    await pool.close()


async def test_a_lock_that_somebody_holds_for_long_is_waited_for_no_longer_than_patience_lasts(dsn, pools):
    pool = a_pool(dsn, patience_s=0.2, waiting_max=2)
    await pool.open()

    async def enter():
        async with pool.exclusive("one"):
            return "in"

    async with pools[0].exclusive("one"):  # whoever is within stands still
        answers = await settled(*(enter() for _ in range(3)))
        assert [type(answer) for answer in answers] == [StoreFull] * 3
        assert [str(answer).split(":")[0] for answer in answers].count("2 locks are waited for") == 1
        async with asyncio.timeout(5), pool.exclusive("another"):
            while await pool.read("select count(*) from pg_locks where not granted") != [(0,)]:  # noqa: ASYNC110 - processes of PostgreSQL
                await asyncio.sleep(0.01)
    assert await enter() == "in"
    await pool.close()


async def test_what_others_always_get_in_the_way_of_is_asked_no_longer_than_patience_lasts(dsn, pools):
    pool, asked = a_pool(dsn, patience_s=0.2), 0
    await pool.open()

    async def ask(connection):
        nonlocal asked
        asked += 1
        raise asyncpg.SerializationError("in the way")

    with pytest.raises(StoreFull, match="in the way"):
        await pool._patiently(ask)
    assert asked > 1
    await pool.close()


async def test_a_lock_on_a_database_that_goes_away_is_told_as_that(dsn, pools):
    async with pools[0].exclusive("one"):
        waiting = asyncio.create_task(pools[1].exclusive("one").__aenter__())
        while await pools[0].read("select count(*) from pg_locks where not granted") == [(0,)]:  # noqa: ASYNC110 - it waits in another process
            await asyncio.sleep(0.01)
        await end_all(dsn, END_WAITERS)  # not who has the lock: the waiter could have it before its own end
        with pytest.raises(StoreFailed):
            await waiting


async def test_exclusive_is_let_go_when_something_is_raised_or_cancelled(pools):
    with pytest.raises(LookupError):
        async with pools[0].exclusive("one"):
            raise LookupError
    async with pools[0].exclusive("one"):
        waiting = asyncio.create_task(pools[1].exclusive("one").__aenter__())
        await asyncio.sleep(0.05)
        waiting.cancel()
        await settled(waiting)
    async with asyncio.timeout(5), pools[1].exclusive("one"):
        pass


async def test_lost_connections_are_made_anew(dsn, pool):
    async def work(transaction):
        if not lost:
            lost.append(True)
            await end_all(dsn)
        await transaction.change("update facts set count = count + 1")

    lost = []
    await pool.write(work)
    assert await pool.read(COUNT, ("a",)) == [(1,)]
    await end_all(dsn)
    assert await pool.read(COUNT, ("a",)) == [(1,)]
    await end_all(dsn)
    assert await pool.change("update facts set count = 9") == 1


async def test_tables_made_anew_by_another_node_are_found(pools):
    await pools[0].change("create table model_1(a integer)")
    await pools[0].change("insert into model_1 values (1)")
    assert await pools[1].read("select * from model_1") == [(1,)]
    await pools[0].change("drop table model_1")
    await pools[0].change("create table model_1(b text, a integer)")
    assert await pools[1].read("select * from model_1") == []

    async def work(transaction):
        return await transaction.read("select * from model_1")

    assert await pools[1].write(work) == []


async def test_a_nul_in_text_is_refused_before_it_is_sent(pool):
    async def work(transaction):
        await transaction.change("update facts set name = ?", ("a\0b",))

    async def many(transaction):
        await transaction.change_many("insert into facts values (?, 0)", [("b",), ("a\0b",)])

    for asked in (pool.read(COUNT, ("\0",)), pool.change("delete from facts where name = ?", ("\0",))):
        with pytest.raises(Unstorable):
            await asked
    for each in (work, many):
        with pytest.raises(Unstorable):
            await pool.write(each)
    assert await pool.read("select name from facts") == [("a",)]


async def test_a_closed_pool_answers_no_more_and_may_be_closed_twice(pool):
    await pool.close()
    await pool.close()
    assert not pool.healthy()
    with pytest.raises(StoreFailed):
        await pool.read(COUNT, ("a",))
