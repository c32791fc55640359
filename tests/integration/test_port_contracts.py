"""What the ports Database, Bus and Leases promise, on each of their forms: in earnest, and as they are simulated.

The store has its own (test_store_contract.py).
"""

import asyncio
import contextlib
from functools import partial

import pytest

from events.bus import BusAway
from events.database import Unfit
from events.migrations import migrate
from events.postgres_pool import PostgresPool
from events.redis_link import RedisBus, RedisLink, RedisOptions
from events.sqlite_file import MEMORY, SqliteFile
from server.leases import RedisLeases
from server.meter import SILENT
from tests.integration.redis.kit import new_prefix
from tests.simulation.bus import BusLink, SimBus, SimLeases
from tests.simulation.calm import CalmWorld
from tests.simulation.database import SharedDatabase, SimDatabase
from tests.simulation.link import Link
from tests.simulation.loop import Process
from tests.unit.events.feed_kit import FaultyBus

pytestmark = pytest.mark.anyio

FACTS = ("create table facts(name text primary key, count integer not null) strict, without rowid",)
COUNT = "select count from facts where name = ?"
LEASE_S = 0.2
NOWHERE = "redis://127.0.0.1:1/0"


# Database


def sqlite(request, count):
    """One process alone has the file."""
    del request, count
    return [SqliteFile(MEMORY)]


def postgres(request, count):
    dsn = request.getfixturevalue("postgres_dsn")
    asyncio.run(migrate(dsn, {"facts": FACTS}))
    return [PostgresPool(dsn) for _ in range(count)]


def simulated(request, count):
    del request
    world, tables = CalmWorld(), SharedDatabase()
    processes = [Process(f"node {n}") for n in range(count)]
    return [SimDatabase(world, tables, Link(world, process, process.name), process) for process in processes]


@pytest.fixture(params=[sqlite, postgres, simulated], ids=lambda made: made.__name__)
def databases_made(request):
    """One database as each of its processes sees it, not opened: PostgreSQL's is made outside of the event loop."""
    made = request.param(request, 2)
    for database in made:
        database.migrate("facts", FACTS)
    return made


@pytest.fixture
async def databases(databases_made):
    for database in databases_made:
        if not isinstance(database, SqliteFile):
            await database.open()
    await databases_made[0].write(lambda transaction: transaction.change("insert into facts values ('a', 0)"))
    yield databases_made
    for database in databases_made:
        await database.close()


async def test_what_is_written_is_read_by_every_process(databases):
    async def work(transaction):
        await transaction.change_many("insert into facts values (?, ?)", [("b", 1), ("c", 1)])
        assert await transaction.change("update facts set count = count + 1 where count = ?1", (1,)) == 2
        return await transaction.read("select name from facts order by name")

    assert await databases[0].write(work) == [("a",), ("b",), ("c",)]
    for database in databases:
        assert await database.read(COUNT, ("c",)) == [(2,)]
        assert await database.read(COUNT, ("d",)) == []


async def test_what_work_raises_undoes_it_all_and_is_raised(databases):
    async def work(transaction):
        await transaction.change("update facts set count = 7")
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        await databases[0].write(work)
    assert await databases[0].read(COUNT, ("a",)) == [(0,)]


async def test_an_attempt_is_undone_alone(databases):
    async def work(transaction):
        await transaction.change("update facts set count = 1")
        with contextlib.suppress(LookupError):
            async with transaction.attempt():
                await transaction.change("update facts set count = 2")
                raise LookupError
        async with transaction.attempt():
            await transaction.change("insert into facts values ('b', 3)")

    await databases[0].write(work)
    assert await databases[0].read("select name, count from facts order by name") == [("a", 1), ("b", 3)]


@pytest.mark.parametrize("named", ["elsewhere", "facts where nothing = 1"])
async def test_a_statement_that_does_not_fit_the_tables_is_unfit_and_undoes_its_work(databases, named):
    async def work(transaction, asked):
        await transaction.change("update facts set count = 7")
        async with transaction.attempt():
            await getattr(transaction, asked[0])(*asked[1:])

    query, deletion = f"select 1 from {named}", f"delete from {named}"
    with pytest.raises(Unfit):
        await databases[0].read(query)
    for asked in (("read", query), ("change", deletion), ("change_many", deletion, [()])):
        with pytest.raises(Unfit):
            await databases[0].write(partial(work, asked=asked))
    assert await databases[0].read(COUNT, ("a",)) == [(0,)]


async def test_writes_at_once_are_as_if_one_after_the_other(databases):
    async def work(transaction):
        ((count,),) = await transaction.read(COUNT, ("a",))
        await transaction.change("update facts set count = ? where name = 'a'", (count + 1,))
        return count

    counts = await asyncio.gather(*(databases[n % len(databases)].write(work) for n in range(12)))
    assert sorted(counts) == list(range(12))


async def test_texts_are_ordered_byte_by_byte(databases):
    names = [("B", 0), ("b", 0), ("_", 0), ("é", 0), ("Z", 0)]
    await databases[0].write(lambda transaction: transaction.change_many("insert into facts values (?, ?)", names))
    told = [name for (name,) in await databases[0].read("select name from facts order by name")]
    assert told == sorted("aBb_éZ")


async def test_of_those_who_want_to_be_exclusive_one_is_within_and_each_has_its_turn(databases):
    inside, most, order = 0, 0, []

    async def enter(n):
        nonlocal inside, most
        async with databases[n % len(databases)].exclusive("one"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.005)
            inside -= 1
            order.append(n)

    async with databases[0].exclusive("another"):
        await asyncio.gather(*map(enter, range(6)))
    assert (most, sorted(order)) == (1, list(range(6)))
    with pytest.raises(LookupError):
        async with databases[0].exclusive("one"):
            raise LookupError
    await enter(6)


# Bus


class OnRedis:
    """Buses over Redis; away: one where no Redis is."""

    def __init__(self, redis):
        self._options = RedisOptions(url=redis, prefix=new_prefix(), timeout_s=5.0)
        self.links = []

    def bus(self, url=None):
        options = self._options if url is None else RedisOptions(url=url, prefix="away", timeout_s=0.5)
        self.links.append(RedisLink(options, lambda _: None))
        return RedisBus(self.links[-1])

    def away(self, bus):
        del bus
        return self.bus(NOWHERE)

    async def close(self):
        for link in self.links:
            await link.close()


class Simulated:
    """Buses of simulated processes."""

    def __init__(self, redis):
        del redis
        self._bus = SimBus(CalmWorld())

    def bus(self):
        return BusLink(self._bus, Process("a node"))

    def away(self, bus):
        self._bus.go_away()
        return bus

    async def close(self):
        pass


class InMemory:
    """The bus of the feed's own tests."""

    def __init__(self, redis):
        del redis
        self._bus = FaultyBus()

    def bus(self):
        return self._bus

    def away(self, bus):
        bus.cut()
        return bus

    async def close(self):
        pass


@pytest.fixture(params=[OnRedis, Simulated, InMemory])
async def buses(request, redis):
    made = request.param(redis)
    yield made
    await made.close()


async def taken(following, count):
    async with asyncio.timeout(5):
        return sorted([await following() for _ in range(count)])


async def test_what_is_published_comes_to_all_who_follow_its_channel_the_sender_too(buses):
    one, other = buses.bus(), buses.bus()
    async with one.subscribe(["moves"]) as first, other.subscribe(["moves", "control"]) as second:
        for n in range(3):
            await one.publish("moves", b"%d" % n)
        await other.publish("control", b"control")
        await other.publish("moves", b"last")
        assert await taken(first, 4) == [b"0", b"1", b"2", b"last"]
        assert await taken(second, 5) == [b"0", b"1", b"2", b"control", b"last"]


async def test_what_was_published_before_is_not_told_and_of_what_comes_behind_a_subscription_nothing(buses):
    bus = buses.bus()
    await bus.publish("moves", b"early")
    async with bus.subscribe(["moves"]) as following:
        await bus.publish("moves", b"now")
        assert await taken(following, 1) == [b"now"]
    await bus.publish("moves", b"late")
    async with bus.subscribe(["moves"]) as following:
        await bus.publish("moves", b"now")
        assert await taken(following, 1) == [b"now"]


async def test_a_bus_that_is_away_says_so(buses):
    bus = buses.away(buses.bus())
    with pytest.raises(BusAway):
        await bus.publish("moves", b"lost")
    with pytest.raises(BusAway):
        async with bus.subscribe(["moves"]):
            pass


# Leases


@pytest.fixture(params=["redis", "simulated"])
async def nodes(request, redis):
    """Leases of three nodes, and of one whose bus is away."""
    if request.param == "simulated":
        world, cut_off, held = CalmWorld(), CalmWorld(), {}
        world.bus, cut_off.bus = SimBus(world), SimBus(cut_off)
        cut_off.bus.away = True
        made = [SimLeases(world, Process(f"node {n}"), held, LEASE_S) for n in range(3)]
        yield [*made, SimLeases(cut_off, Process("cut off"), {}, LEASE_S)]
        return
    link = RedisLink(RedisOptions(url=redis, prefix=new_prefix(), timeout_s=5.0), lambda _: None)
    nowhere = RedisLink(RedisOptions(url=NOWHERE), lambda _: None)
    made = [RedisLeases(link, f"node {n}", LEASE_S, SILENT, lambda: True) for n in range(3)]
    yield [*made, RedisLeases(nowhere, "cut off", LEASE_S, SILENT, lambda: True)]
    await link.close()
    await nowhere.close()


async def test_a_lease_has_one_holder_who_keeps_it_and_another_name_another(nodes):
    one, two, three, _ = nodes
    assert [await node.hold("sweep") for node in (one, two, three, one)] == [True, False, False, True]
    assert await two.hold("audit")
    assert not await one.hold("audit")


async def test_a_lease_is_free_when_it_is_given_back_or_runs_out(nodes):
    one, two, three, _ = nodes
    assert await one.hold("sweep")
    await two.release("sweep")  # it is not its own
    assert not await two.hold("sweep")
    await one.release("sweep")
    assert await two.hold("sweep")
    await two.close()
    assert await three.hold("sweep")
    await asyncio.sleep(1.2 * LEASE_S)
    assert await one.hold("sweep")


async def test_a_lease_is_everybodys_where_the_bus_is_away(nodes):
    assert await nodes[0].hold("sweep")
    assert await nodes[3].hold("sweep")
