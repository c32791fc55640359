"""The database under the stores: group commit, migrations, and whose file it opens."""

import asyncio
import contextlib
import sqlite3

import pytest

from events.database import CannotOpen, Limits
from events.sqlite_file import MEMORY, SqliteFile
from events.store import StoreFailed, StoreFull

pytestmark = pytest.mark.anyio

TABLE = ("create table facts(n integer primary key) strict",)


@pytest.fixture
async def database():
    made = SqliteFile(MEMORY)
    made.migrate("facts", TABLE)
    yield made
    await made.close()


def add(*numbers):
    def work(connection):
        for number in numbers:
            connection.execute("insert into facts values (?)", (number,))
        return sum(numbers)

    return work


def facts(database):
    return [row[0] for row in database.read_now("select n from facts order by n")]


def commits(database):
    """Have all commits from now on counted in the list returned."""
    seen = []
    database._connection.set_trace_callback(lambda sql: seen.append(sql) if sql == "commit" else None)
    return seen


async def test_a_write_gives_what_its_work_returns(database):
    assert await database.write_now(add(1, 2)) == 3
    assert facts(database) == [1, 2]


async def test_all_that_is_queued_at_the_next_turn_of_the_loop_shares_one_commit(database):
    seen = commits(database)
    await asyncio.gather(*(database.write_now(add(n)) for n in range(50)))
    assert (len(seen), len(facts(database))) == (1, 50)


async def test_a_write_beside_a_loop_that_never_rests_is_answered_within_three_of_its_turns(database):
    turns = 0

    async def never_rest():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    busy = asyncio.ensure_future(never_rest())
    for n in range(10):
        before = turns
        await database.write_now(add(n))
        assert turns - before <= 3
    busy.cancel()


async def test_a_batch_has_a_limit():
    database = SqliteFile(MEMORY, Limits(batch_max=20))
    database.migrate("facts", TABLE)
    seen = commits(database)
    await asyncio.gather(*(database.write_now(add(n)) for n in range(50)))
    assert (len(seen), len(facts(database))) == (3, 50)
    await database.close()


async def test_nobody_is_answered_before_the_commit(database):
    order = []

    async def write(number):
        await database.write_now(lambda connection: order.append("work") or add(number)(connection))
        order.append("answer")

    database._connection.set_trace_callback(lambda sql: order.append(sql) if sql == "commit" else None)
    await asyncio.gather(write(1), write(2))
    assert order == ["work", "work", "commit", "answer", "answer"]


class Refused(Exception):
    pass


async def test_what_one_work_raises_undoes_its_writes_alone_and_is_raised_to_its_caller(database):
    def refuse(connection):
        add(7)(connection)
        raise Refused

    answers = await asyncio.gather(
        database.write_now(add(1)),
        database.write_now(refuse),
        database.write_now(add(2, 1)),
        database.write_now(add(3)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [int, Refused, sqlite3.IntegrityError, int]
    assert facts(database) == [1, 3]
    assert database.healthy()


async def test_a_mistake_in_a_statement_is_its_callers_alone(database):
    answers = await asyncio.gather(
        database.write_now(lambda connection: connection.execute("insert into nowhere values (1)")),
        database.write_now(add(1)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [sqlite3.OperationalError, int]
    assert database.healthy()


async def test_a_cancelled_caller_does_not_cancel_the_commit_of_others(database):
    tasks = [asyncio.ensure_future(database.write_now(add(n))) for n in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [int, asyncio.CancelledError, int]
    assert {0, 2} <= set(facts(database))


async def test_an_interrupt_within_a_work_answers_the_others_and_goes_on_up(database):
    caught = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: caught.append(context["exception"]))

    class Interrupt(BaseException):
        pass

    def interrupt(connection):
        add(1)(connection)
        raise Interrupt

    pending = [asyncio.ensure_future(database.write_now(work)) for work in (add(2), interrupt)]
    answers = await asyncio.gather(*pending, return_exceptions=True)
    assert [type(answer) for answer in answers] == [StoreFailed, StoreFailed]
    assert facts(database) == []
    assert [type(error) for error in caught] == [Interrupt]


async def test_another_program_that_writes_is_waited_for_and_then_nothing_is_written(tmp_path):
    database = SqliteFile(tmp_path / "a.db", Limits(busy_ms=1))
    database.migrate("facts", TABLE)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StoreFull, match="another program"):
        await database.write_now(add(1))
    other.execute("rollback")
    other.close()
    assert await database.write_now(add(2)) == 2
    assert facts(database) == [2]
    await database.close()


async def test_closing_commits_what_is_queued(tmp_path):
    database = SqliteFile(tmp_path / "a.db", Limits(batch_max=2))
    database.migrate("facts", TABLE)
    tasks = [asyncio.ensure_future(database.write_now(add(n))) for n in range(5)]
    await asyncio.sleep(0)
    await database.close()
    assert await asyncio.gather(*tasks) == [0, 1, 2, 3, 4]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "a.db.lock"]
    again = SqliteFile(tmp_path / "a.db")
    assert facts(again) == [0, 1, 2, 3, 4]
    await again.close()


async def test_settings_are_those_for_durability(tmp_path):
    database = SqliteFile(tmp_path / "a.db")
    settings = {
        name: database.read_now(f"pragma {name}")[0][0] for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    await database.close()


async def test_statements_are_applied_once_and_new_ones_later(tmp_path):
    for statements in (
        TABLE,
        TABLE,
        (*TABLE, "insert into facts values (1)"),
        (*TABLE, "insert into facts values (1)"),
    ):
        database = SqliteFile(tmp_path / "a.db")
        database.migrate("facts", statements)
        database.migrate("others", ("create table if not exists others(n) ",))
        last = facts(database)
        await database.close()
    assert last == [1]


async def test_a_failing_statement_leaves_none_of_them_applied(database):
    with pytest.raises(sqlite3.OperationalError):
        database.migrate("more", ("create table more(n)", "insert into nowhere values (1)"))
    assert database.read_now("select name from sqlite_schema where name = 'more'") == []
    database.migrate("more", ("create table more(n)",))
    assert await database.write_now(add(1)) == 1


async def test_an_applied_statement_that_was_changed_is_refused(database):
    with pytest.raises(CannotOpen, match="statement 1 of 'facts' is not the one that was applied"):
        database.migrate("facts", ("create table facts(n integer)",))


async def test_a_file_of_a_newer_program_is_refused(database):
    with pytest.raises(CannotOpen, match="knows statement 1 of 'facts': a newer program wrote it"):
        database.migrate("facts", ())


async def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "a.db"
    other = sqlite3.connect(path)
    other.execute("create table theirs(n)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(CannotOpen, match="is a database of another program"):
        SqliteFile(path)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "a.db"
    path.write_bytes(b"my diary" * 1000)
    for _ in range(2):  # and its lock is let go of
        with pytest.raises(CannotOpen, match="cannot be opened: file is not a database"):
            SqliteFile(path)
    assert path.read_bytes() == b"my diary" * 1000


async def test_work_that_is_a_coroutine_sees_what_it_changed_and_shares_a_commit(database):
    async def work(transaction):
        await transaction.change_many("insert into facts values (?)", [(1,), (2,)])
        changed = await transaction.change("delete from facts where n = ?", (1,))
        return changed, await transaction.read("select n from facts")

    seen = commits(database)
    found, _ = await asyncio.gather(database.write(work), database.write_now(add(7)))
    assert (found, len(seen), await database.read("select n from facts order by n")) == ((1, [(2,)]), 1, [(2,), (7,)])


async def test_an_attempt_that_fails_is_undone_alone(database):
    async def work(transaction):
        await transaction.change("insert into facts values (1)")
        with contextlib.suppress(sqlite3.IntegrityError):
            async with transaction.attempt():
                await transaction.change("insert into facts values (2)")
                await transaction.change("insert into facts values (1)")
        await transaction.change("insert into facts values (3)")

    await database.write(work)
    assert facts(database) == [1, 3]


async def test_work_that_waits_for_anything_else_is_refused_and_undone(database):
    async def work(transaction):
        await transaction.change("insert into facts values (1)")
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waited for something besides its transaction"):
        await database.write(work)
    assert facts(database) == []


async def test_of_one_name_one_is_within_and_nothing_is_left_behind(database):
    within = []

    async def enter(name):
        async with database.exclusive(name):
            within.append(name)
            assert within.count(name) == 1
            for _ in range(3):
                await asyncio.sleep(0)
            within.remove(name)

    await asyncio.gather(*(enter(name) for name in "aabbaab"))
    assert database._turns == {}
