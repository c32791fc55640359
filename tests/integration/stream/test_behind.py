"""A node that has not heard of what another node wrote to a game that is followed here."""

import pytest

from server.talk import say
from tests.integration.commands.shell import Shell
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow


async def test_a_socket_that_resumes_on_a_node_which_is_behind_waits_for_the_newest_versions():
    async with running() as world:
        players = await world.players(3)
        game = await world.create(players)
        world.services.store.shared = True
        other = Shell(world.services.store)  # its feed is its own: nobody here hears of it
        async with world.client(players[0]) as behind, world.client(players[1]) as back:
            await behind.subscribe(game)
            for words in ("one", "two"):
                await say(other.games, other.ask(players[2]), game, None, words)
            head = await world.version(game)
            told = await back.subscribe(game, after=head)
            assert (told["type"], told["after"], told["version"]) == ("subscribed", head, head)
            await say(other.games, other.ask(players[2]), game, None, "three")
            told = await behind.subscribe(game, after=head)
            assert told["version"] == head + 1
            assert (await back.first("event"))["version"] == head + 1
