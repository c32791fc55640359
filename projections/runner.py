"""The runner: feeds the log to read models, each with its checkpoint, and rebuilds them beside the running ones.

A read model's rows and its checkpoint change in one transaction, so a crash can neither lose nor repeat an event.
A rebuild fills tables of a new generation from the first event on and switches over when it is at the head of the log;
until then readers use the old tables. An event that a read model cannot take is put into quarantine and passed over: it
stops no start.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial

from msgspec import Struct

from events.database import Database, Transaction, Unfit
from events.event import Event
from events.feed import Feed
from events.store import EventStore
from projections.generations import (
    CHECKPOINTS,
    FIND_OTHERS,
    ReadModel,
    active,
    drop_others,
    key,
    make,
    shape_of,
    switch,
)

#: Is told position and head, in events, while a read model is folded.
Progress = Callable[[int, int], None]


class Status(Struct, frozen=True):
    """How far a read model is: its position and the head of the log."""

    name: str
    shape: int
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

    @property
    def shapes(self) -> str:
        """The read models with their shapes."""
        return ", ".join(map(shape_of, self._models.values()))

    async def prepare(self) -> None:
        """Make the tables of read models that have none of this shape yet. Those of another shape stay as they are.

        Of nodes that start at the same time, one does.
        """
        for model in self._models.values():
            if await active(self._database, model) is None:
                await self._add(model, active=True)

    async def tidy(self) -> list[Status]:
        """Drop the tables of all shapes but this program's; what was dropped.

        A program that still uses them loses nothing by it but time: it makes and folds them anew.
        """
        dropped = await self.others()
        for model in self._models.values():
            async with self._making(model):
                await self._database.write(partial(drop_others, model=model))
        return dropped

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
        """Bring every read model to the head of the log.

        Raises:
            Unfit: the tables of one are not those that its fold knows. It stays where it is; the others are folded.
        """
        unfit: list[Unfit] = []
        for model in self._models.values():
            try:
                await self._follow(model)
            except Unfit as error:
                unfit.append(error)
        if unfit:
            raise unfit[0]

    async def catch_up_with(self, name: str, progress: Progress | None = None) -> None:
        """Bring one read model to the head of the log.

        Raises:
            KeyError: there is no such read model.
            Unfit: as `catch_up`.
        """
        await self._follow(self._models[name], progress)

    async def rebuild(self, name: str, progress: Progress | None = None) -> None:
        """Fold a read model anew from the first event.

        Raises:
            KeyError: there is no such read model.
            Unfit: another program has dropped the new tables meanwhile. Readers use what they used.
        """
        model = self._models[name]
        async with self._database.exclusive(f"rebuild {name}"):
            new = await self._add(model, active=False)
            await self._fold(model, new, progress)
            await self._database.write(lambda transaction: switch(transaction, model, new))

    async def status(self) -> list[Status]:
        """How far every read model is."""
        head = await self._store.head()
        found = []
        for model in self._models.values():
            current = await active(self._database, model)
            if current is not None:
                found.append(Status(model.name, model.shape, *current, head))
        return found

    async def others(self) -> list[Status]:
        """The generations that are of other shapes, and how far their programs have folded them."""
        head = await self._store.head()
        found = []
        for model in self._models.values():
            for shape, generation, position in await self._database.read(FIND_OTHERS, key(model)):
                found.append(Status(model.name, shape, generation, position, head))
        return found

    def _making(self, model: ReadModel) -> AbstractAsyncContextManager[None]:
        """Within it nobody else makes or drops tables of this read model, of whatever shape."""
        return self._database.exclusive(f"make {model.name}", always=True)

    async def _add(self, model: ReadModel, *, active: bool) -> int:
        async with self._making(model):
            return await self._database.write(partial(make, model=model, active=active))

    async def _position(self, model: ReadModel, generation: int) -> int | None:
        """The checkpoint of a generation; None if it is no more."""
        sql = "select position from checkpoints where name = ? and shape = ? and generation = ?"
        rows = await self._database.read(sql, (*key(model), generation))
        return int(rows[0][0]) if rows else None

    async def _follow(self, model: ReadModel, progress: Progress | None = None) -> None:
        current = await active(self._database, model)
        generation = await self._add(model, active=True) if current is None else current[0]
        await self._fold(model, generation, progress)

    async def _fold(self, model: ReadModel, generation: int, progress: Progress | None) -> None:
        while await self._advance(model, generation):
            if progress is not None:
                progress(await self._position(model, generation) or 0, await self._store.head())

    async def _advance(self, model: ReadModel, generation: int) -> bool:
        """Take one batch; whether there may be more."""
        position = await self._position(model, generation)
        events = [] if position is None else await self._store.read_all(position, self._batch)
        if position is None or not events:
            return False
        batch = _Batch(model, generation, position, events, [])
        await self._database.write(lambda transaction: _take(transaction, batch))
        for at, error in batch.failed:
            await self._store.quarantine(model.name, at, error)
        return len(events) == self._batch


async def _take(transaction: Transaction, batch: _Batch) -> None:
    batch.failed.clear()
    events = batch.events
    moved = await transaction.change(
        "update checkpoints set position = ? where name = ? and shape = ? and generation = ? and position = ?",
        (events[-1].position, *key(batch.model), batch.generation, batch.position),
    )
    if moved != 1:
        return  # somebody else took this batch, or the generation is no more
    if await _fault(transaction, batch, events) is None:
        return
    for event in events:  # one of them cannot be taken: the others go on
        fault = await _fault(transaction, batch, [event])
        if fault is not None:
            batch.failed.append((event.position, f"{type(fault).__name__}: {fault}"))


async def _fault(transaction: Transaction, batch: _Batch, events: Sequence[Event]) -> Exception | None:
    """Have the read model take events, all or none; why it could not. Raises Unfit, for which no event is to blame."""
    try:
        async with transaction.attempt():
            await batch.model.take(transaction, batch.generation, events)
    except Unfit:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    return None
