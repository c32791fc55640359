"""A log whose heads are signed by one process after another, and a hand in its file."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from events.database import CannotOpen
from events.heads import Head
from events.merkle import Frontier
from events.notes import Note, PrivateKey
from events.sqlite import ADD_EVENT, SqliteStore
from events.sqlite_file import SqliteFile
from server.leases import EverybodyHolds, Leases
from server.metrics import Metrics
from server.settings import Settings
from server.signing import Parts, Signer
from server.simulate import SeededRandom, SteppingClock

ORIGIN = "example.org/games"
STRANGER, NEXT = PrivateKey(ORIGIN, bytes([9]) * 32), PrivateKey(ORIGIN, bytes([8]) * 32)


class OneHolds(Leases):
    """A node's leases where whoever was first has one until it is given back; `holders`: of all nodes, by lease."""

    def __init__(self, holders: dict[str, "OneHolds"]) -> None:
        self._holders = holders

    async def hold(self, name: str) -> bool:
        return self._holders.setdefault(name, self) is self

    async def release(self, name: str) -> None:
        if self._holders.get(name) is self:
            del self._holders[name]


class Node:
    """One process on a log; `moves` lets it grow by events that are nothing but their digests."""

    def __init__(
        self,
        folder: Path,
        settings: dict[str, object],
        database: SqliteFile | None = None,
        leases: Leases | None = None,
    ) -> None:
        path = str(folder / "a.db")
        self.settings = Settings(database=path, heads_origin=ORIGIN, **settings)
        self.database = database or SqliteFile(path)
        self.store = SqliteStore(self.database)
        self.metrics = Metrics()
        random = SeededRandom(str(folder))
        parts = Parts(self.store, self.database, SteppingClock(), random, self.metrics, leases or EverybodyHolds())
        self.signer = Signer(self.settings, parts)

    async def moves(self, count: int) -> None:
        first = await self.signer.size() + 1

        def work(connection):
            rows = (("g", n, "acted", b"{}", n.to_bytes(32, "big")) for n in range(first, first + count))
            connection.executemany(ADD_EVENT, rows)

        await self.database.write_now(work)

    async def signed_at(self, size: int) -> bool:
        return await self.signer.heads.get(size) is not None

    async def faulty(self) -> bool:
        return self.metrics.value("turnlog_head_faults_total") > 0

    async def head(self) -> Head:
        """The latest head, opened by the keys of the log."""
        latest = await self.signer.heads.latest()
        head = (await self.signer.heads.keyring()).open(Note.parse(latest.note))
        assert head.size == latest.size
        return head


async def until(holds) -> None:
    while not await holds():  # noqa: ASYNC110 - what is waited for is in a database
        await asyncio.sleep(0.005)


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @asynccontextmanager
    async def node(self, *, ready: bool = True, **settings):
        node = Node(self.folder, settings)
        try:
            if ready:
                await node.signer.prepare()
            yield node
        finally:
            await node.store.close()

    def tamper(self, *statements: str) -> None:
        connection = sqlite3.connect(self.folder / "a.db")
        triggers = connection.execute("select name, sql from sqlite_schema where type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()
        connection.close()

    async def refuses(self, **settings) -> str:
        """The sentence with which a server does not start."""
        async with self.node(ready=False, **settings) as node:
            with pytest.raises(CannotOpen) as refused:
                await node.signer.prepare()
        sentence = str(refused.value)
        assert sentence.startswith("the log is not the one whose heads were signed: ")
        assert sentence.endswith(".")
        assert "\n" not in sentence
        return sentence

    async def signed(self, events: int, **settings) -> None:
        """A log with so many events, signed in three steps."""
        async with self.node(**settings) as node:
            for count in (events // 3, events // 3, events - events // 3 * 2):
                await node.moves(count)
                await node.signer.sign()


def root(size: int) -> bytes:
    frontier = Frontier()
    frontier.extend(n.to_bytes(32, "big") for n in range(1, size + 1))
    return frontier.root()
