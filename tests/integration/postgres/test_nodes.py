"""Several processes append to the same games, while they and the server are killed: one order, no loss, no double."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from events.digest import verify
from events.migrations import migrate
from tests.integration.store_kit import KEY, PostgresKit
from tests.services import Databases, PostgresServer

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CHILD = Path(__file__).with_name("node_child.py")
GAMES = 12


class NodeProcess:
    """A node in a process of its own; what it prints is gathered while it runs, and kept when it is killed."""

    def __init__(self, dsn, name, turns):
        self.name = name
        command = [sys.executable, CHILD, dsn, str(name), str(GAMES), str(turns)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.lines = []
        self.moved = threading.Event()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.endswith(b"\n"):
                self.lines.append(line.decode().split())
                self.moved.set()

    def begin(self):
        """Have it begin; it may not be ready yet."""
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return self

    def wait_until_ready(self):
        """Wait until it has said so, now or before: it says nothing more until it may begin."""
        self._wait_until_it_has_said(1)

    def wait_for(self, more):
        """Wait until it has had so many more outcomes."""
        self._wait_until_it_has_said(len(self.lines) + more)

    def _wait_until_it_has_said(self, lines):
        self.moved.clear()
        while len(self.lines) < lines:
            assert self.moved.wait(60), f"node {self.name} stands still"
            assert self.process.poll() is None
            self.moved.clear()

    def end(self, how=None):
        if how is not None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        self.reader.join(10)
        self.process.stdout.close()
        self.process.stdin.close()
        return code


def check(dsn, nodes):
    """All that the nodes were told is so in the log, which is one dense order; how often each outcome was told."""
    stored = asyncio.run(log_of(dsn))
    told = Counter(words[0] for node in nodes for words in node.lines)
    winners = {}
    for node in nodes:
        for kind, *words in node.lines:
            if kind == "won":
                game, turn, digest = words[0], int(words[1]), words[2]
                assert stored[game, turn].digest.hex() == digest, "acknowledged and lost"
                assert winners.setdefault((game, turn), node.name) == node.name, "two have won"
                assert stored[game, turn].header.seat == node.name
            elif kind == "repeat":
                assert stored[words[0], int(words[1])].header.seat == int(words[2])
            elif kind in ("lost", "unknown"):
                assert kind == "unknown" or (words[0], int(words[1])) in stored
            else:
                assert kind in ("ready", "done"), (kind, words)
    return told


async def log_of(dsn):
    """The events by game and version; their order is dense, each chain whole and each command kept once."""
    kit = PostgresKit(dsn)
    await kit.open()
    store = kit.store
    log = await store.read_all(0, 1_000_000)
    assert [event.position for event in log] == list(range(1, len(log) + 1))
    assert await store.head() == len(log)
    for game in {event.header.game for event in log}:
        verify(await store.read(game), KEY, head=await store.game_head(game))
    assert await kit.database.read("select count(*) from commands") == [(len(log),)]
    await store.close()
    return {(event.header.game, event.header.version): event for event in log}


def test_three_nodes_that_want_the_same_turns_each_win_some_and_none_twice(postgres_log):
    nodes = [NodeProcess(postgres_log, name, turns=20) for name in range(3)]
    for node in nodes:
        node.wait_until_ready()  # else the first could be done before the last is there
    for node in nodes:
        node.begin()
    assert [node.end() for node in nodes] == [0, 0, 0]
    told = check(postgres_log, nodes)
    assert told["won"] == GAMES * 20
    assert told["repeat"] > 0
    assert told["done"] == 3
    assert told["unknown"] == 0


@pytest.fixture
def private():
    with PostgresServer(durable=True) as server, Databases(server.dsn).one() as dsn:
        asyncio.run(migrate(dsn, {}))
        yield server, dsn


@pytest.mark.timeout(24 * 3600)
def test_nothing_acknowledged_is_lost_or_doubled_when_server_and_nodes_are_killed(private, pytestconfig):
    """In turn PostgreSQL, with all its processes, and a node are killed under load and started again."""
    server, dsn = private
    kills = max(3, pytestconfig.getoption("crashes") // 5)
    chance = random.Random(1)
    running = [NodeProcess(dsn, name, turns=0).begin() for name in range(2)]
    ended = []
    try:
        for kill in range(kills):
            for node in running:
                node.wait_for(chance.randint(5, 60))
            if kill % 3 == 1:
                node = running.pop(chance.randrange(2))
                assert node.end(signal.SIGKILL) == -signal.SIGKILL
                ended.append(node)
                running.append(NodeProcess(dsn, 2 + kill, turns=0).begin())
            else:
                server.kill()
                server.start()
        for node in running:
            node.wait_for(20)
    finally:
        ended += running
        for node in running:
            node.end(signal.SIGKILL)
    told = check(dsn, ended)
    assert told["won"] > 0
    outcomes = f"{told['won']} acknowledged, {told['unknown']} unknown, {told['repeat']} found again"
    print(f"{kills} kills, {outcomes}")  # noqa: T201 - shown with -s
