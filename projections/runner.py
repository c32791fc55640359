"""The runner: feeds the log to read models, each with its checkpoint, and rebuilds them beside the running ones.

A read model's rows and its checkpoint change in one transaction, so a crash can neither lose nor repeat an event.
A rebuild fills tables of a new generation from the first event on and switches over when it is at the head of the log;
until then readers use the old tables. An event that a read model cannot take is put into quarantine and passed over: it
stops no start.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct

from events.database import Database, Transaction
from events.event import Event
from events.feed import Feed
from events.store import EventStore

CHECKPOINTS = (
    """create table checkpoints(
         name text not null, generation integer not null, position integer not null, active integer not null,
         primary key (name, generation)) strict, without rowid""",
    "alter table checkpoints add column shape integer not null default 1",
)


FIND_ACTIVE = "select generation, position from checkpoints where name = ? and active = 1"

#: The generations of a read model whose tables are those of an earlier program (or of a later one).
FIND_OTHERS = "select generation from checkpoints where name = ? and shape <> ?"


class ReadModel(Protocol):
    """Tables folded from the log. `generation` is part of the tables' names; `shape` goes up when they change."""

    name: str
    shape: int

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop the tables of a generation."""

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events into the tables, in order."""


class Status(Struct, frozen=True):
    """How far a read model is: its position and the head of the log."""

    name: str
    generation: int
    position: int
    head: int


class Turn(Struct, frozen=True):
    """Whether it is for this node to follow the log; if not, it asks again after so long.

    That saves work and nothing else: a batch that two nodes fold is taken from one of them.
    """

    mine: Callable[[], Awaitable[bool]]
    ask_again_s: float = 1.0


async def _always() -> bool:
    return True


class _Batch(Struct, frozen=True):
    """Events for one generation of a read model, from a position on; `failed` collects what it could not take."""

    model: ReadModel
    generation: int
    position: int
    events: list[Event]
    failed: list[tuple[int, str]]


class Runner:
    """Runs read models. Several nodes may do so on one database: of each batch one of them wins."""

    def __init__(
        self, store: EventStore, database: Database, feed: Feed, models: Sequence[ReadModel], *, batch: int
    ) -> None:
        self._store = store
        self._database = database
        self._models = {model.name: model for model in models}
        self._batch = batch
        self._feed = feed
        self._moved = asyncio.Event()
        self.turn = Turn(_always)
        database.migrate("checkpoints", CHECKPOINTS)

    async def prepare(self) -> None:
        """Make the tables of read models that have none yet, or have those of an earlier program, which are dropped.

        Of nodes that start at the same time, one does.
        """
        for model in self._models.values():
            if await self._active(model.name) is None or await self._database.read(FIND_OTHERS, _shape(model)):
                async with self._database.exclusive(f"make {model.name}"):
                    await self._database.write(partial(self._make_first, model=model))

    async def run(self) -> None:
        """Follow the log until cancelled."""
        stop = self._feed.listen(lambda _: self._moved.set())
        try:
            while True:
                self._moved.clear()
                if await self.turn.mine():
                    await self.catch_up()
                    await self._moved.wait()
                else:
                    await asyncio.sleep(self.turn.ask_again_s)
        finally:
            stop()

    async def catch_up(self) -> None:
        """Bring every read model to the head of the log."""
        for model in self._models.values():
            active = await self._active(model.name)
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
        async with self._database.exclusive(f"rebuild {name}"):
            made = await self._database.read("select generation from checkpoints where name = ?", (name,))
            new = max((generation for (generation,) in made), default=0) + 1
            await self._database.write(lambda transaction: self._make(transaction, model, new, active=False))
            while await self._advance(model, new):
                if progress is not None:
                    progress(await self._position(name, new), await self._store.head())
            await self._database.write(lambda transaction: self._switch(transaction, model, new))

    async def status(self) -> list[Status]:
        """How far every read model is."""
        head = await self._store.head()
        found = []
        for name in self._models:
            active = await self._active(name)
            if active is not None:
                found.append(Status(name, active[0], active[1], head))
        return found

    async def _active(self, name: str) -> tuple[int, int] | None:
        rows = await self._database.read(FIND_ACTIVE, (name,))
        return (rows[0][0], rows[0][1]) if rows else None

    async def _position(self, name: str, generation: int) -> int:
        sql = "select position from checkpoints where name = ? and generation = ?"
        return int((await self._database.read(sql, (name, generation)))[0][0])

    async def _make_first(self, transaction: Transaction, model: ReadModel) -> None:
        for (generation,) in await transaction.read(FIND_OTHERS, _shape(model)):
            await model.drop(transaction, generation)
        await transaction.change("delete from checkpoints where name = ? and shape <> ?", _shape(model))
        if not await transaction.read(FIND_ACTIVE, (model.name,)):  # no other node was faster
            await self._make(transaction, model, 1, active=True)

    @staticmethod
    async def _make(transaction: Transaction, model: ReadModel, generation: int, *, active: bool) -> None:
        await model.create(transaction, generation)
        row = (model.name, generation, int(active), model.shape)
        await transaction.change("insert into checkpoints values (?, ?, 0, ?, ?)", row)

    @staticmethod
    async def _switch(transaction: Transaction, model: ReadModel, new: int) -> None:
        """Have readers use a new generation. The one until now stays till the next time: somebody may be reading it."""
        run, name = transaction.change, model.name
        rows = await transaction.read("select generation, active from checkpoints where name = ?", (name,))
        for generation, active in rows:
            if not active and generation != new:
                await run("delete from checkpoints where name = ? and generation = ?", (name, generation))
                await model.drop(transaction, generation)
        await run("update checkpoints set active = 0 where name = ?", (name,))
        await run("update checkpoints set active = 1 where name = ? and generation = ?", (name, new))

    async def _advance(self, model: ReadModel, generation: int) -> bool:
        """Take one batch; whether there may be more."""
        position = await self._position(model.name, generation)
        events = await self._store.read_all(position, self._batch)
        if not events:
            return False
        batch = _Batch(model, generation, position, events, [])
        await self._database.write(lambda transaction: _take(transaction, batch))
        for at, error in batch.failed:
            await self._store.quarantine(model.name, at, error)
        return len(events) == self._batch


async def _take(transaction: Transaction, batch: _Batch) -> None:
    batch.failed.clear()
    name, generation, events = batch.model.name, batch.generation, batch.events
    moved = await transaction.change(
        "update checkpoints set position = ? where name = ? and generation = ? and position = ?",
        (events[-1].position, name, generation, batch.position),
    )
    if moved != 1:
        return  # somebody else took this batch
    if await _fault(transaction, batch, events) is None:
        return
    for event in events:  # one of them cannot be taken: the others go on
        fault = await _fault(transaction, batch, [event])
        if fault is not None:
            batch.failed.append((event.position, f"{type(fault).__name__}: {fault}"))


async def _fault(transaction: Transaction, batch: _Batch, events: Sequence[Event]) -> Exception | None:
    """Have the read model take events, all or none; why it could not."""
    try:
        async with transaction.attempt():
            await batch.model.take(transaction, batch.generation, events)
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    return None


def _shape(model: ReadModel) -> tuple[str, int]:
    return model.name, model.shape


async def active_generation(database: Database, name: str) -> int | None:
    """The generation that readers of a read model use now."""
    rows = await database.read(FIND_ACTIVE, (name,))
    return int(rows[0][0]) if rows else None
