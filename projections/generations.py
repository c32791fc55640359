"""Generations: the tables of read models, and the checkpoints that say of which shape they are and who reads which.

Programs whose read models have other shapes may use the same database at the same time (ADR 0016). Each makes, folds
and reads generations of its own shape alone, and no two generations of a read model have the same number.
"""

from collections.abc import Sequence
from typing import Protocol

from events.database import Database, Transaction, Unfit
from events.event import Event

CHECKPOINTS = (
    """create table checkpoints(
         name text not null, generation integer not null, position integer not null, active integer not null,
         primary key (name, generation)) strict, without rowid""",
    "alter table checkpoints add column shape integer not null default 1",
)

#: The generation that readers of a read model of this shape use.
FIND_ACTIVE = "select generation, position from checkpoints where name = ? and shape = ? and active = 1"

#: The generations of a read model that are those of other programs.
FIND_OTHERS = """select shape, generation, position from checkpoints where name = ? and shape <> ?
  order by shape, generation"""


class ReadModel(Protocol):
    """Tables folded from the log. `generation` is part of the tables' names; `shape` goes up when they change."""

    name: str
    shape: int

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop those tables of a generation that are there: it may be of another shape."""

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events into the tables, in order."""


def key(model: ReadModel) -> tuple[str, int]:
    """What finds the rows of a read model of this program, and not those of another one."""
    return model.name, model.shape


def shape_of(model: ReadModel) -> str:
    """A read model with its shape, for the names of leases: programs that have the same fold the same tables."""
    return f"{model.name} {model.shape}"


async def active(database: Database, model: ReadModel) -> tuple[int, int] | None:
    """The generation that readers of a read model use now, and its checkpoint."""
    rows = await database.read(FIND_ACTIVE, key(model))
    return (int(rows[0][0]), int(rows[0][1])) if rows else None


async def active_generation(database: Database, model: ReadModel) -> int | None:
    """The generation that readers of a read model use now."""
    found = await active(database, model)
    return found[0] if found else None


async def make(transaction: Transaction, *, model: ReadModel, active: bool) -> int:
    """Make the empty tables of a generation, under a number of its own; which. An active one is not made twice."""
    if active and (found := await transaction.read(FIND_ACTIVE, key(model))):
        return int(found[0][0])  # another node was faster
    rows = await transaction.read("select max(generation) from checkpoints where name = ?", (model.name,))
    generation = int(rows[0][0] or 0) + 1
    await model.drop(transaction, generation)  # what a program that did not know all tables of this shape has left
    await model.create(transaction, generation)
    row = (model.name, generation, int(active), model.shape)
    await transaction.change("insert into checkpoints values (?, ?, 0, ?, ?)", row)
    return generation


async def switch(transaction: Transaction, model: ReadModel, new: int) -> None:
    """Have readers use a new generation. The one until now stays till the next time: somebody may be reading it.

    Raises:
        Unfit: the new one is no more, and its number may be another program's by now. Readers use what they used.
    """
    run, name = transaction.change, model.name
    rows = await transaction.read("select generation, active from checkpoints where name = ? and shape = ?", key(model))
    for generation, active in rows:
        if not active and generation != new:
            await run("delete from checkpoints where name = ? and generation = ?", (name, generation))
            await model.drop(transaction, generation)
    await run("update checkpoints set active = 0 where name = ? and shape = ?", key(model))
    sql = "update checkpoints set active = 1 where name = ? and shape = ? and generation = ?"
    if await run(sql, (*key(model), new)) != 1:
        raise Unfit(f"another program has dropped the new tables of {name} before they were in use; rebuild it again")


async def drop_others(transaction: Transaction, *, model: ReadModel) -> None:
    """Drop all generations of other shapes."""
    for _, generation, _ in await transaction.read(FIND_OTHERS, key(model)):
        await model.drop(transaction, generation)
    await transaction.change("delete from checkpoints where name = ? and shape <> ?", key(model))
