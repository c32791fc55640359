"""Leases: one holder at a time, none for ever, and everybody's when there is no Redis."""

import asyncio
import itertools

from msgspec import structs

from events.redis_link import RedisLink
from server.leases import EverybodyHolds, RedisLeases
from tests.unit.limits.kit import Counted


def leases(link, owner, lease_s=30.0, meter=None, able=lambda: True):
    return RedisLeases(link, owner, lease_s, meter or Counted(), able)


async def test_of_many_who_ask_at_once_one_holds_it(link):
    other = RedisLink(link.options, lambda _: None)
    nodes = [leases(link if n % 2 else other, f"node-{n}") for n in range(20)]
    held = await asyncio.gather(*(node.hold("sweep") for node in nodes))
    assert sum(held) == 1
    assert await asyncio.gather(*(node.hold("sweep") for node in nodes)) == held  # and keeps it
    await other.close()


async def test_leases_of_other_names_are_other_leases(link):
    assert await leases(link, "a").hold("sweep")
    assert await leases(link, "b").hold("audit")


async def test_a_node_that_does_not_reach_the_database_has_no_lease_though_it_reaches_redis(link):
    reaches = [True]
    cut_off = leases(link, "cut off", able=lambda: reaches[0])
    assert await cut_off.hold("sweep")
    reaches[0] = False
    assert not await cut_off.hold("sweep")
    assert await leases(link, "other").hold("sweep")  # at once: it was given back
    reaches[0] = True
    assert not await cut_off.hold("sweep")


async def test_it_runs_out_if_its_holder_does_not_ask_again(link):
    dead, heir = leases(link, "dead", 0.2), leases(link, "heir", 0.2)
    assert await dead.hold("sweep")
    assert not await heir.hold("sweep")
    await asyncio.sleep(0.25)
    assert await heir.hold("sweep")
    assert not await dead.hold("sweep")


async def test_it_does_not_run_out_while_its_holder_asks_again(link):
    holder, other = leases(link, "holder", 0.3), leases(link, "other", 0.3)
    for _ in range(12):
        assert await holder.hold("sweep")
        assert not await other.hold("sweep")
        await asyncio.sleep(0.06)


async def test_two_never_believe_in_it_at_once(link):
    """Each believes in it until its own clock says that it has run out, which is before Redis says so."""
    loop, lease_s = asyncio.get_running_loop(), 0.06
    nodes = [leases(link, f"node-{n}", lease_s) for n in range(4)]
    beliefs = []

    async def work(node):
        end = loop.time() + 10 * lease_s
        while loop.time() < end or len({id(one) for _, _, one in beliefs}) < 2:
            if await node.hold("sweep"):
                beliefs.append((loop.time(), node._until["sweep"], node))
                await asyncio.sleep(lease_s * 1.1)  # too late to keep it
            await asyncio.sleep(0.001)

    async with asyncio.timeout(60):
        await asyncio.gather(*map(work, nodes))
    assert len({id(node) for _, _, node in beliefs}) > 1
    for (_, until, holder), (since, _, heir) in itertools.pairwise(beliefs):
        assert holder is heir or until <= since


async def test_released_it_is_free_at_once(link):
    first, second = leases(link, "first"), leases(link, "second")
    assert await first.hold("sweep")
    await first.close()
    assert await second.hold("sweep")
    await first.release("sweep")  # which is not its any more
    assert not await leases(link, "third").hold("sweep")


async def test_a_lease_that_has_gone_to_another_is_not_given_back_by_its_old_holder(link):
    old, new = leases(link, "old", 0.1), leases(link, "new")
    assert await old.hold("sweep")
    await asyncio.sleep(0.15)
    assert await new.hold("sweep")
    await old.release("sweep")
    assert not await leases(link, "third").hold("sweep")


async def test_while_redis_is_away_everybody_holds_it_and_afterwards_one(server, frail):
    meter = Counted()
    nodes = [leases(frail, f"node-{n}", 0.1, meter) for n in range(3)]
    assert sum([await node.hold("sweep") for node in nodes]) == 1
    server.kill()
    await asyncio.sleep(0.1)
    assert all([await node.hold("sweep") for node in nodes])
    assert meter.counted == [("turnlog_redis_done_without_total", "lease")] * 3
    server.start()
    await asyncio.sleep(0.06)
    assert sum([await node.hold("sweep") for node in nodes]) == 1


async def test_without_redis_everybody_holds_it():
    assert await EverybodyHolds().hold("sweep")


async def test_while_too_much_waits_for_redis_a_node_holds_what_it_held_until_it_runs_out_and_nothing_else(link):
    loop, node, sibling = asyncio.get_running_loop(), leases(link, "node"), leases(link, "sibling")
    assert await node.hold("own")
    assert await sibling.hold("other")
    link.options = structs.replace(link.options, waiting_max=0)
    node._until["own"] = loop.time() + 10.0  # it asks again when half of its time is over
    assert await node.hold("own")
    assert not await node.hold("other")
    node._until["own"] = loop.time()
    assert not await node.hold("own")
