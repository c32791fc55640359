"""The server stops and comes back: sockets are told, and clients resume from their versions."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.stream_messages import CLOSES
from tests.integration.stream.kit import Client, running

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


async def test_stopping_says_closing_and_when_to_come_back():
    async with running() as world:
        game = await world.create(await world.players(3))
        async with world.client() as one, world.client() as two:
            await one.subscribe(game)
            world.server.should_exit = True
            assert [await one.closed(), await two.closed()] == [1012, 1012]
            for client in (one, two):
                closing = client.got[-1]
                assert (closing["type"], closing["code"]) == ("closing", 1012)
                assert 1 <= closing["retry_after"] <= 5
            await world.serving


async def test_an_act_under_way_is_finished_before_the_server_stops():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, actions = await world.choices(game)
        head = await world.version(game)
        async with world.client(player) as client:
            async with world.games.game(game):
                await client.send("act", id="last", game=game, seat=seat, action=actions[0], if_version=head)
                await world.until(lambda: world.games._tasks)
                world.server.should_exit = True
                await world.until(lambda: world.services.stopping)
            assert await client.closed() == 1012
            assert [m["version"] for m in client.got if m["type"] == "accepted"] == [head + 1]


async def test_new_commands_are_refused_while_the_server_stops():
    async with running() as world:
        game = await world.create(await world.players(3))
        player, seat, actions = await world.choices(game)
        async with world.client(player) as client:
            await world.games.stop()
            told = await client.ask("act", id="late", game=game, seat=seat, action=actions[0], if_version="*")
            assert (told["problem"]["code"], told["problem"]["retry_after"]) == ("unavailable", 2)


class Process:
    """A server in a process of its own on a database file."""

    def __init__(self, database):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.stream.child", str(database)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    async def told(self):
        """What it prints once it serves: port, and the first time game and token."""
        return (await asyncio.to_thread(self.process.stdout.readline)).split()

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()
        self.process.stdout.close()


async def play_on(client, game, kept, count):
    """Play own decisions from what the stream says, keeping its events, until so many more are kept."""
    goal, told = len(kept) + count, {}
    while len(kept) < goal and told.get("kind") != "ended":
        told = await client.next()
        if told["type"] != "event":
            continue
        kept.append(told["version"])
        for decision in told.get("decisions", ()):
            if decision.get("actions"):
                version, action = told["version"], decision["actions"][0]["action"]
                await client.send("act", id=f"at-{version}", game=game, seat=0, action=action, if_version=version)


async def test_after_kill_9_and_a_restart_clients_resume_and_play_on(tmp_path):
    database = tmp_path / "turnlog.db"
    server = Process(database)
    kept = []
    try:
        port, game, token = await server.told()
        async with Client(f"ws://127.0.0.1:{port}/v1/stream", token) as client:
            await client.subscribe(game, after=0)
            await play_on(client, game, kept, 15)
            server.kill()
            assert await client.closed() == 1006
            kept += [m["version"] for m in client.got if m["type"] == "event" and m["version"] > kept[-1]]
        server = Process(database)
        (port,) = await server.told()
        async with Client(f"ws://127.0.0.1:{port}/v1/stream", token) as client:
            told = await client.subscribe(game, after=kept[-1])
            assert told["version"] >= kept[-1]
            if told["version"] == kept[-1]:  # nothing new to answer: ask for the newest state
                await client.subscribe(game, after=kept[-1] - 1)
                assert (await client.first("event"))["version"] == kept[-1]
                offered = [d for d in client.got[-1]["decisions"] if d.get("actions")]
                for decision in offered:
                    action = decision["actions"][0]["action"]
                    await client.send("act", id="again", game=game, seat=0, action=action, if_version=kept[-1])
            await play_on(client, game, kept, 15)
        assert kept == list(range(1, len(kept) + 1))
        assert len(kept) >= 30
    finally:
        server.kill(signal.SIGTERM)


def test_every_close_code_is_documented_with_what_to_do():
    page = (ROOT / "docs" / "stream.md").read_text()
    for close in CLOSES:
        advice = "reconnect" if close.again else "terminal"
        assert f"| {close.code} | {advice} |" in page
