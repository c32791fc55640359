"""The runner: feeds the log to read models, each with its checkpoint, and rebuilds them beside the running ones.

A read model's rows and its checkpoint change in one transaction, so a crash can neither lose nor repeat an event.
A rebuild fills tables of a new generation from the first event on and switches over when it is at the head of the log;
until then readers use the old tables. An event that a read model cannot take is put into quarantine and passed over: it
stops no start.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from sqlite3 import Connection
from typing import Protocol

from msgspec import Struct

from events.database import Database
from events.event import Event
from events.feed import Feed
from events.store import EventStore

CHECKPOINTS = (
    """create table checkpoints(
         name text not null, generation integer not null, position integer not null, active integer not null,
         primary key (name, generation)) strict, without rowid""",
)


class ReadModel(Protocol):
    """Tables folded from the log. `generation` is part of the tables' names."""

    name: str

    def create(self, connection: Connection, generation: int) -> None:
        """Make the empty tables of a generation."""

    def drop(self, connection: Connection, generation: int) -> None:
        """Drop the tables of a generation."""

    def take(self, connection: Connection, generation: int, events: Sequence[Event]) -> None:
        """Fold events into the tables, in order."""


class Status(Struct, frozen=True):
    """How far a read model is: its position and the head of the log."""

    name: str
    generation: int
    position: int
    head: int


class _Batch(Struct, frozen=True):
    """Events for one generation of a read model, from a position on; `failed` collects what it could not take."""

    model: ReadModel
    generation: int
    position: int
    events: list[Event]
    failed: list[tuple[int, str]]


class Runner:
    """Runs read models; one per process (SQLite has one)."""

    def __init__(
        self, store: EventStore, database: Database, feed: Feed, models: Sequence[ReadModel], *, batch: int
    ) -> None:
        self._store = store
        self._database = database
        self._models = {model.name: model for model in models}
        self._batch = batch
        self._feed = feed
        self._moved = asyncio.Event()
        database.migrate("checkpoints", CHECKPOINTS)

    async def prepare(self) -> None:
        """Make the tables of read models that have none yet."""
        for model in self._models.values():
            if self._active(model.name) is None:
                await self._database.write(partial(self._make, model=model, generation=1, active=True))

    async def run(self) -> None:
        """Follow the log until cancelled."""
        stop = self._feed.listen(lambda _: self._moved.set())
        try:
            while True:
                self._moved.clear()
                await self.catch_up()
                await self._moved.wait()
        finally:
            stop()

    async def catch_up(self) -> None:
        """Bring every read model to the head of the log."""
        for model in self._models.values():
            active = self._active(model.name)
            if active is None:
                await self.prepare()
                active = (1, 0)
            while await self._advance(model, active[0]):
                pass

    async def rebuild(self, name: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Fold a read model anew from the first event; `progress` is told position and head.

        Raises:
            KeyError: there is no such read model.
        """
        model = self._models[name]
        active = self._active(name)
        old = active[0] if active is not None else 0
        new = (
            max(
                (g for (g,) in self._database.read("select generation from checkpoints where name = ?", (name,))),
                default=0,
            )
            + 1
        )
        await self._database.write(lambda c: self._make(c, model, new, active=False))
        while await self._advance(model, new):
            if progress is not None:
                progress(self._position(name, new), await self._store.head())
        await self._database.write(lambda c: self._switch(c, model, old, new))

    async def status(self) -> list[Status]:
        """How far every read model is."""
        head = await self._store.head()
        found = []
        for name in self._models:
            active = self._active(name)
            if active is not None:
                found.append(Status(name, active[0], active[1], head))
        return found

    def _active(self, name: str) -> tuple[int, int] | None:
        rows = self._database.read("select generation, position from checkpoints where name = ? and active", (name,))
        return (rows[0][0], rows[0][1]) if rows else None

    def _position(self, name: str, generation: int) -> int:
        sql = "select position from checkpoints where name = ? and generation = ?"
        return int(self._database.read(sql, (name, generation))[0][0])

    @staticmethod
    def _make(connection: Connection, model: ReadModel, generation: int, *, active: bool) -> None:
        model.create(connection, generation)
        connection.execute("insert into checkpoints values (?, ?, 0, ?)", (model.name, generation, int(active)))

    @staticmethod
    def _switch(connection: Connection, model: ReadModel, old: int, new: int) -> None:
        connection.execute("update checkpoints set active = 0 where name = ?", (model.name,))
        connection.execute("update checkpoints set active = 1 where name = ? and generation = ?", (model.name, new))
        connection.execute("delete from checkpoints where name = ? and active = 0", (model.name,))
        if old:
            model.drop(connection, old)

    async def _advance(self, model: ReadModel, generation: int) -> bool:
        """Take one batch; whether there may be more."""
        position = self._position(model.name, generation)
        events = await self._store.read_all(position, self._batch)
        if not events:
            return False
        batch = _Batch(model, generation, position, events, [])
        await self._database.write(lambda connection: _take(connection, batch))
        for at, error in batch.failed:
            await self._store.quarantine(model.name, at, error)
        return len(events) == self._batch


def _take(connection: Connection, batch: _Batch) -> None:
    batch.failed.clear()
    name, generation, events = batch.model.name, batch.generation, batch.events
    moved = connection.execute(
        "update checkpoints set position = ? where name = ? and generation = ? and position = ?",
        (events[-1].position, name, generation, batch.position),
    )
    if moved.rowcount != 1:
        return  # somebody else took this batch
    if _fault(connection, batch, events) is None:
        return
    for event in events:  # one of them cannot be taken: the others go on
        fault = _fault(connection, batch, [event])
        if fault is not None:
            batch.failed.append((event.position, f"{type(fault).__name__}: {fault}"))


def _fault(connection: Connection, batch: _Batch, events: Sequence[Event]) -> Exception | None:
    """Have the read model take events, all or none; why it could not."""
    connection.execute("savepoint take")
    try:
        batch.model.take(connection, batch.generation, events)
    except Exception as error:  # noqa: BLE001 - whatever it is
        connection.execute("rollback to take")
        return error
    finally:
        connection.execute("release take")
    return None


def active_generation(database: Database, name: str) -> int | None:
    """The generation that readers of a read model use now."""
    rows = database.read("select generation from checkpoints where name = ? and active", (name,))
    return int(rows[0][0]) if rows else None
