"""The feed of several nodes: whatever becomes of messages, every node hears of every version."""

import asyncio
import random

import pytest
from msgspec import structs

from events import feed_messages as messages
from events.bus import MOVES
from events.feed import Moved
from events.memory import MemoryStore
from events.shared_feed import Pace
from tests.integration.store_kit import sealed
from tests.unit.events.feed_kit import BUS_ALONE, Faults, FaultyBus, cluster, until


async def connected(nodes):
    await until(lambda: all(node.feed.connected for node in nodes))


async def play(writer, nodes, seed, events=150):
    """Games move here and there, sometimes several events at once, and some moves are never announced."""
    rng = random.Random(seed)
    for _ in range(events):
        node = rng.choice(nodes) if rng.random() < 0.9 else None  # a node that dies between commit and announcement
        await writer.write(f"game-{rng.randrange(8)}", rng.randrange(1, 4), node)
        if rng.random() < 0.3:
            await asyncio.sleep(rng.random() * 0.003)


async def test_a_move_comes_by_the_bus_with_its_events():
    bus = FaultyBus()
    async with cluster(2, bus, BUS_ALONE) as ((here, there), writer):
        await connected([here, there])
        await writer.write("game-1", 3, here)
        await until(lambda: there.known)
        assert [(moved.game, moved.version, moved.position, moved.here) for moved in there.moves] == [
            ("game-1", 3, 3, False)
        ]
        assert [event.data for event in there.moves[0].events] == [event.data for event in sealed("game-1", 3)]
        assert [moved.here for moved in here.moves] == [True]  # and not once more by the bus
        assert here.feed.behind == there.feed.behind == 0


@pytest.mark.parametrize("seed", range(8))
async def test_lost_repeated_and_reordered_messages_change_nothing_but_when(seed):
    async with cluster(3, FaultyBus(Faults(seed))) as (nodes, writer):
        await play(writer, nodes, seed)
        await until(lambda: all(node.known == writer.versions for node in nodes))
        assert not any(node.watching.errors for node in nodes)


@pytest.mark.parametrize("seed", range(4))
async def test_a_bus_that_comes_and_goes_changes_nothing_but_when(seed):
    bus = FaultyBus(Faults(seed))
    async with cluster(2, bus) as (nodes, writer):
        for _ in range(3):
            await connected(nodes)
            await play(writer, nodes, seed, 40)
            bus.cut()
            await play(writer, nodes, seed + 1, 40)
            await until(lambda: all(node.known == writer.versions for node in nodes))  # while it is away
            bus.come_back()
        await play(writer, nodes, seed + 2, 40)
        await until(lambda: all(node.known == writer.versions for node in nodes))
        assert all(node.watching.counted["turnlog_feed_caught_up_total"] > 0 for node in nodes)


async def test_without_a_bus_the_log_alone_tells():
    async with cluster(2, None) as (nodes, writer):
        await play(writer, nodes, 1)
        await until(lambda: all(node.known == writer.versions for node in nodes))


async def test_a_gap_is_looked_up_before_the_next_time_to_ask():
    bus = FaultyBus(lambda message: [] if b"game-1" in message else [message])
    async with cluster(2, bus, BUS_ALONE) as ((here, there), writer):
        await connected([here, there])
        await asyncio.sleep(0.02)  # the look-up that a new connection brings is over
        await writer.write("game-1", 2, here)  # which the bus loses
        await asyncio.sleep(0.02)
        assert there.known == {}
        await writer.write("game-2", 1, here)
        await until(lambda: there.known == {"game-1": 2, "game-2": 1})
        assert there.watching.counted["turnlog_feed_caught_up_total"] == 3


@pytest.mark.slow
async def test_a_last_message_that_is_lost_while_the_bus_is_up_is_found_within_two_seconds_at_the_pace_of_earnest():
    bus = FaultyBus(lambda message: [] if b"game-1" in message else [message])
    async with cluster(2, bus, Pace()) as ((here, there), writer):
        await connected([here, there])
        await asyncio.sleep(0.05)  # the look-up that a new connection brings is over
        began = asyncio.get_running_loop().time()
        await writer.write("game-1", 2, here)  # which the bus loses, and nothing follows
        await until(lambda: there.known == {"game-1": 2})
        assert asyncio.get_running_loop().time() - began < 2.0
        assert there.feed.connected
        assert there.watching.counted["turnlog_feed_caught_up_total"] == 2


async def test_what_is_in_the_log_before_the_feed_is_no_news():
    log = MemoryStore()
    async with cluster(1, None, log=log) as (_, writer):
        await writer.write("game-1", 5)
    async with cluster(1, None, log=log) as ((node,), _):
        await writer.write("game-1", 1)
        await until(lambda: node.known)
        assert [(moved.version, len(moved.events)) for moved in node.moves] == [(6, 1)]


async def test_a_log_that_cannot_be_read_for_a_while_is_asked_again():
    class Failing(MemoryStore):
        broken = False

        async def head(self):
            if self.broken:
                raise OSError("no log today")
            return await super().head()

    log = Failing()
    async with cluster(1, None, log=log) as ((node,), writer):
        log.broken = True
        await writer.write("game-1", 2)
        await until(lambda: node.watching.errors)
        await asyncio.sleep(0.05)
        assert len(node.watching.errors) == 1  # however often it was asked
        assert node.known == {}
        log.broken = False
        await until(lambda: node.known == {"game-1": 2})


async def test_a_lie_about_positions_makes_no_node_deaf():
    bus = FaultyBus()
    async with cluster(2, bus) as (nodes, writer):
        await connected(nodes)
        lie = messages.Moves(b"liar", 0.0, (messages.Move("game-9", 1, 10**6, 10**6, ()),))
        await bus.publish(MOVES, messages.encode(lie))
        await until(lambda: all("game-9" in node.known for node in nodes))
        await writer.write("game-1", 2)  # and is not announced
        await until(lambda: all(node.known.get("game-1") == 2 for node in nodes))


async def test_garbage_is_noted_and_harms_nobody():
    bus = FaultyBus()
    async with cluster(2, bus) as (nodes, writer):
        await connected(nodes)
        await bus.publish(MOVES, b"\xff garbage")
        await until(lambda: all(node.watching.errors for node in nodes))
        await writer.write("game-1", 1, nodes[0])
        await until(lambda: nodes[1].known == {"game-1": 1})


async def test_what_waits_for_the_bus_is_bounded_and_the_rest_is_counted():
    bus = FaultyBus()
    async with cluster(1, bus, structs.replace(BUS_ALONE, waiting_max=10)) as ((node,), _):
        for version in range(1, 31):
            node.feed.announce(Moved("game-1", version, version))
        assert node.watching.counted["turnlog_feed_lost_total"] == 20


async def test_moves_that_come_together_go_together():
    bus = FaultyBus()
    async with cluster(1, bus, BUS_ALONE) as ((node,), _):
        await connected([node])
        for version in range(1, 101):
            node.feed.announce(Moved("game-1", version, version))
        await until(lambda: len(bus.published) > 1)
        await asyncio.sleep(0.01)
        sent = [len(messages.read(message).moves) for channel, message in bus.published if channel == MOVES]
        assert [count for count in sent if count] == [100]


async def test_control_messages_reach_all_nodes_this_one_at_once():
    async with cluster(3, FaultyBus()) as (nodes, _):
        heard = {number: [] for number in range(3)}
        for number, node in enumerate(nodes):
            node.feed.hear("revoked", heard[number].append)
        await connected(nodes)
        nodes[0].feed.tell("other", b"none")
        nodes[0].feed.tell("revoked", b"one")
        assert heard[0] == [b"one"]
        await until(lambda: all(told == [b"one"] for told in heard.values()))


async def test_control_messages_are_sent_again_until_the_bus_takes_them():
    bus = FaultyBus()
    async with cluster(2, bus) as ((here, there), _):
        heard = []
        there.feed.hear("revoked", heard.append)
        await connected([here, there])
        bus.away = True  # for who publishes: subscriptions stand
        here.feed.tell("revoked", b"one")
        here.feed.tell("revoked", b"two")
        await asyncio.sleep(0.02)
        assert heard == []
        bus.come_back()
        await until(lambda: heard == [b"one", b"two"])


async def test_it_tells_when_the_bus_goes_and_comes_and_no_oftener():
    bus = FaultyBus()
    async with cluster(1, bus) as ((node,), _):
        await connected([node])
        bus.cut()
        await until(lambda: not node.feed.connected)
        await asyncio.sleep(0.05)
        bus.come_back()
        await connected([node])
        assert [change is None for change in node.watching.changes] == [True, False, True]


async def test_a_bus_that_takes_messages_and_brings_none_is_left_and_tried_anew():
    bus = FaultyBus()
    async with cluster(2, bus) as (nodes, writer):
        await connected(nodes)
        bus.faults = lambda _: []
        await until(lambda: not any(node.feed.connected for node in nodes))
        await writer.write("game-1", 1, nodes[0])
        await until(lambda: nodes[1].known == {"game-1": 1})
        bus.faults = lambda message: [message]
        await connected(nodes)


async def test_a_bus_that_never_was_there_stops_nothing():
    bus = FaultyBus()
    bus.away = True
    async with cluster(2, bus) as (nodes, writer):
        await writer.write("game-1", 1, nodes[0])
        await until(lambda: nodes[1].known == {"game-1": 1})
        assert [type(change).__name__ for change in nodes[0].watching.changes] == ["BusAway"]
