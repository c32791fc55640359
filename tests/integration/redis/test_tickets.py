"""Tickets on every shelf: good once, on any node, for a while."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from events.redis_link import RedisAway, RedisLink
from events.sqlite_file import MEMORY, SqliteFile
from server.ports import SystemRandom
from server.problems import Problem
from server.tickets import DatabaseShelf, RedisShelf, Tickets
from tests.unit.limits.kit import Counted, SetClock

GOOD_S = 30.0


class Shelves:
    """Tickets of two nodes, and a clock that the database's ticket goes by."""

    def __init__(self, nodes, clock, database, meter):
        self.nodes = nodes
        self.clock = clock
        self.database = database
        self.meter = meter


@asynccontextmanager
async def database_of(clock):
    database = SqliteFile(MEMORY)
    shelf = DatabaseShelf(database, clock, GOOD_S)
    await database.open()
    try:
        yield database, shelf
    finally:
        await database.close()


@asynccontextmanager
async def shelves(links, good_s=GOOD_S):
    clock, meter = SetClock(), Counted()
    async with database_of(clock) as (database, stored):
        on = [RedisShelf(link, stored, good_s, meter) for link in links] or [stored, stored]
        yield Shelves([Tickets(shelf, SystemRandom()) for shelf in on], clock, database, meter)


@pytest.fixture(params=["redis", "database"])
async def two_nodes(request, link):
    other = RedisLink(link.options, lambda _: None)
    async with shelves([link, other] if request.param == "redis" else []) as made:
        yield made
    await other.close()


async def test_one_node_gives_it_and_the_other_takes_it_once(two_nodes):
    here, there = two_nodes.nodes
    ticket = await here.give("token-1")
    assert ticket.startswith("tt_")
    assert await there.take(ticket) == "token-1"
    assert await there.take(ticket) is None
    assert await here.take(ticket) is None


async def test_of_fifty_who_say_it_at_once_one_gets_in(two_nodes):
    for _ in range(5):
        ticket = await two_nodes.nodes[0].give("token-1")
        taken = await asyncio.gather(*(two_nodes.nodes[n % 2].take(ticket) for n in range(50)))
        assert sorted(taken, key=str) == [None] * 49 + ["token-1"]


async def test_two_tickets_are_two_and_what_is_none_takes_none(two_nodes):
    here, there = two_nodes.nodes
    first, second = await here.give("token-1"), await there.give("token-2")
    assert await here.take("tt_made-up") is None
    assert await here.take(first + "x") is None
    assert [await here.take(second), await here.take(first)] == ["token-2", "token-1"]


async def test_in_the_database_it_is_good_for_its_time_and_then_removed():
    async with shelves([]) as made:
        here = made.nodes[0]
        late, later = await here.give("token-1"), await here.give("token-2")
        made.clock.us += 29_999_999
        assert await here.take(late) == "token-1"
        made.clock.us += 1
        assert await here.take(later) is None
        await here.give("token-3")
        assert await made.database.read("select token from tickets") == [("token-3",)]


async def test_in_redis_it_is_good_for_its_time(link):
    async with shelves([link], good_s=0.05) as made:
        ticket = await made.nodes[0].give("token-1")
        await asyncio.sleep(0.1)
        assert await made.nodes[0].take(ticket) is None


async def test_neither_shelf_has_the_ticket_itself(link):
    async with shelves([link]) as made:
        ticket = await made.nodes[0].give("token-1")
        keys = [key.decode() for key in await link.call("KEYS", link.name("*"))]
        assert len(keys) == 1
        assert ticket not in keys[0]
    async with shelves([]) as made:
        ticket = await made.nodes[0].give("token-1")
        ((hashed, token, _),) = await made.database.read("select * from tickets")
        assert ticket.encode() not in (hashed, token.encode())
        assert len(hashed) == 32


async def test_while_redis_is_away_the_database_keeps_them_also_for_when_it_is_back(server, frail):
    async with shelves([frail]) as made:
        (here,) = made.nodes
        lost = await here.give("token-1")
        server.kill()
        first, second = await here.give("token-2"), await here.give("token-3")
        assert await here.take(first) == "token-2"
        assert await here.take(lost) is None  # it was in Redis, and is lost: its holder asks for another
        server.start()
        await asyncio.sleep(0.06)
        assert await here.take(second) == "token-3"
        assert await here.take(second) is None
        assert set(made.meter.counted) == {("turnlog_redis_done_without_total", "ticket")}


async def test_a_ticket_that_redis_kept_and_did_not_say_so_in_time_is_not_good_on_both_shelves(link, monkeypatch):
    kept = []

    async def carried_out_and_not_answered(*command):
        kept.append(command)
        await RedisLink.call(link, *command)
        raise RedisAway("it did not answer in time")

    async with shelves([link]) as made:
        (here,) = made.nodes
        with monkeypatch.context() as patched:
            patched.setattr(link, "call", carried_out_and_not_answered)
            ticket = await here.give("token-1")
        assert len(kept) == 1
        assert [await here.take(ticket) for _ in range(3)] == ["token-1", None, None]


async def test_while_too_much_waits_for_redis_a_ticket_is_neither_refused_nor_used(link):
    async with shelves([link]) as made:
        (here,), options = made.nodes, link.options
        ticket = await here.give("token-1")
        link.options = structs.replace(options, waiting_max=0)
        with pytest.raises(Problem) as refused:
            await here.take(ticket)
        assert refused.value.code == "unavailable"
        assert refused.value.headers["Retry-After"]
        link.options = options
        assert await here.take(ticket) == "token-1"
