"""The timekeeper: what is due is written though nobody asks, from a read model that can be folded anew at any time."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from projections.deadlines import Deadlines
from projections.time_control import Clock, OnTimeout
from server.clocks import Timekeeper
from server.rewinding import RewindWish, rewind
from server.services import Services
from server.settings import Settings
from tests.integration.commands.shell import SeededRandom
from tests.integration.nodes.test_bots import OneHolds
from tests.integration.stream.kit import CATALOGUE, World


class MovingClock:
    """Stands still until it is moved."""

    def __init__(self):
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self):
        return self.moment

    def wait(self, seconds):
        self.moment += timedelta(seconds=seconds)


class Node:
    """Services whose background does nothing by itself."""

    def __init__(self, database=":memory:", clock=None):
        self.clock = clock or MovingClock()
        settings = Settings(database=str(database), clock_sweep_games_max=3, clock_retry_s=30.0)
        self.services = Services.open(settings, self.clock, SeededRandom(), CATALOGUE)
        self.world = World(self.services, 0)

    async def game(self, **given):
        """A running TPOC game of three people."""
        players = await self.world.players(3)
        return await self.world.create(players, **given), players

    async def sweep(self):
        """Sweep all that is due; how many games were looked at."""
        await self.services.runner.catch_up()
        looked = []
        look = self.services.timekeeper._look

        async def counted(game):
            looked.append(game)
            return await look(game)

        self.services.timekeeper._look = counted
        while await self.services.timekeeper.sweep():
            pass
        self.services.timekeeper._look = look
        await self.services.runner.catch_up()
        return len(looked)

    async def kinds(self, game):
        return [event.header.kind for event in await self.world.log(game)]


@pytest.fixture
async def node():
    node = Node()
    await node.services.prepare()
    yield node
    await node.services.stop()


async def test_a_seat_out_of_time_is_noticed_though_nobody_asks(node):
    game, _ = await node.game(clock=Clock(move_s=60))
    await node.sweep()
    assert await node.services.deadlines.next_us() == (datetime(2026, 1, 1, 0, 1, tzinfo=UTC).timestamp() * 1_000_000)
    node.clock.wait(59)
    assert await node.sweep() == 0
    node.clock.wait(1)
    await node.sweep()
    assert (await node.kinds(game)).count("expired") == 3  # all three owed their set-up
    await node.services.runner.rebuild("deadlines")
    assert await node.sweep() > 0
    assert (await node.kinds(game)).count("expired") == 3


async def test_only_games_in_which_time_can_bring_something_are_looked_at(node):
    await node.game()
    assert await node.sweep() == 0
    game, players = await node.game(undo="fair")
    await node.world.play(game, 3)
    assert await node.sweep() == 0
    ask = node.world.ask(players[0])
    await node.services.games.run(rewind(node.services.games, ask, game, RewindWish(seat=0), redo=False))
    assert await node.sweep() == 1
    node.clock.wait(24 * 3600)
    assert await node.sweep() == 1
    assert (await node.kinds(game))[-1] == "undo_expired"
    for player in players:
        await node.world.resign(game, player) if (await node.world.choices(game)) else None
    await node.sweep()
    assert await node.services.deadlines.next_us() is None


async def test_more_games_than_a_sweep_takes_are_all_swept(node):
    games = [(await node.game(clock=Clock(move_s=10), on_timeout=OnTimeout(policy="resign")))[0] for _ in range(8)]
    await node.sweep()
    node.clock.wait(10)
    await node.sweep()
    for game in games:
        assert (await node.kinds(game))[-1] == "ended"


async def test_a_game_that_cannot_be_settled_is_left_alone_for_a_while_and_stops_no_other(node, monkeypatch):
    bad, _ = await node.game(clock=Clock(move_s=60))
    good, _ = await node.game(clock=Clock(move_s=60))
    await node.sweep()
    node.clock.wait(60)
    look = node.services.timekeeper._look

    async def broken(game):
        if game == bad:
            raise RuntimeError("broken")
        return await look(game)

    monkeypatch.setattr(node.services.timekeeper, "_look", broken)
    await node.services.timekeeper.sweep()
    assert "expired" in await node.kinds(good)
    assert "expired" not in await node.kinds(bad)
    monkeypatch.undo()
    assert [one.game for one in await node.services.deadlines.due(_us(node), 9)] in ([], [good])
    node.clock.wait(30)
    await node.sweep()
    assert "expired" in await node.kinds(bad)


def _us(node):
    return int(node.clock.now().timestamp() * 1_000_000)


async def test_after_a_restart_with_overdue_deadlines_each_is_written_once(tmp_path):
    first = Node(tmp_path / "games.db")
    await first.services.prepare()
    games = [(await first.game(clock=Clock(move_s=60)))[0] for _ in range(2)]
    await first.sweep()
    await first.services.stop()
    first.clock.wait(7200)
    for _ in range(2):
        again = Node(tmp_path / "games.db", first.clock)
        await again.services.prepare()
        await again.sweep()
        for game in games:
            assert (await again.kinds(game)).count("expired") == 3
        await again.services.stop()


async def test_in_the_background_it_happens_by_itself(node, monkeypatch):
    monkeypatch.setattr("server.clocks.LEAST_WAIT_S", 0.0)
    await node.services.start()
    game, _ = await node.game(clock=Clock(move_s=60))
    node.clock.wait(61)
    async with asyncio.timeout(20):
        while (await node.kinds(game)).count("expired") < 3:  # noqa: ASYNC110 - the server knows nothing of tests
            await asyncio.sleep(0.01)
    assert node.services.checks()["background"]


async def test_a_node_whose_deadlines_are_of_another_shape_keeps_no_node_from_sweeping(node):
    game, _ = await node.game(clock=Clock(move_s=60))
    await node.services.runner.catch_up()
    node.clock.wait(61)
    unfolded = Deadlines(node.services.database)
    unfolded.shape += 1
    held = {}
    sweepers = [
        asyncio.create_task(Timekeeper(node.services.games, deadlines, OneHolds(name, held)).run())
        for name, deadlines in (("new", unfolded), ("old", node.services.deadlines))
    ]
    async with asyncio.timeout(20):
        while (await node.kinds(game)).count("expired") < 3:  # noqa: ASYNC110 - the log tells nobody of itself
            await asyncio.sleep(0.01)
    for sweeper in sweepers:
        sweeper.cancel()
    await asyncio.wait(sweepers)
    assert set(held) == {f"clocks: deadlines {shape}" for shape in (Deadlines.shape, Deadlines.shape + 1)}


async def test_what_was_noted_while_a_game_moved_on_is_not_taken_for_its_newest_version(node):
    game, _ = await node.game(clock=Clock(move_s=60))
    await node.services.runner.catch_up()
    seen = await node.services.deadlines.due(_us(node), 1)
    await node.world.play(game, 1)
    await node.services.runner.catch_up()
    await node.services.deadlines.look_again([(seen[0], None)])
    assert [one.game for one in await node.services.deadlines.due(_us(node), 1)] == [game]
