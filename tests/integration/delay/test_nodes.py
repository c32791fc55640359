"""Two nodes on PostgreSQL: a spectator on one of them, the game played on the other."""

from datetime import datetime

import pytest

from tests.integration.redis.cluster import two_nodes

pytestmark = pytest.mark.slow

DELAY_S = 1


@pytest.fixture(params=["with redis", "without redis"])
def bus(request):
    """What nodes hear of each other by; the delay does not depend on it."""
    return request.getfixturevalue("redis") if request.param == "with redis" else ""


async def test_a_spectator_of_another_node_is_told_all_in_order_and_nothing_too_early(postgres_database, bus):
    async with two_nodes(postgres_database, bus, heartbeat_s=1.0) as (here, there):
        players = await here.players(3)
        game = await here.create(players, spectator_delay_s=DELAY_S)
        async with there.client() as stranger, there.client(players[0]) as player:
            began = (await stranger.subscribe(game))["version"]
            await player.subscribe(game, seat=0)
            await here.play(game, 5)
            newest = await here.version(game)
            await player.until(newest)
            events = await stranger.until(newest)
        assert [one["version"] for one in events] == list(range(began + 1, newest + 1))
        assert all(_seconds(one["now"]) - _seconds(one["at"]) >= DELAY_S for one in events)


def _seconds(at):
    return datetime.fromisoformat(at).timestamp()
