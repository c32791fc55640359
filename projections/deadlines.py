"""Deadlines: the games in which time may bring something, and when. For the sweeper, which looks at those that are due.

When something is due follows from a game's state, which no row here has: an event makes its game due at once, and who
looks at it writes down when it has to be looked at next. So the table can be folded from the log at any time, and what
was written down is lost without harm.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.database import Database, Transaction
from events.event import Event
from projections import kinds, time_kinds
from projections.generations import active_generation
from projections.kinds import ACTED, decode_details

#: Due for whoever comes first.
AT_ONCE: Final = 0


class Deadline(Struct, frozen=True):
    """A game that is due for a look: at which version, and since when, in microseconds since 1970."""

    game: str
    version: int
    due_us: int


class Deadlines:
    """The read model `deadlines`: a row a game that has a clock, and for others while something waits for answers."""

    name = "deadlines"
    shape = 1

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""
        await transaction.change(
            f"""create table deadlines_{generation}(
                  game text primary key, version integer not null, due integer) strict, without rowid"""
        )
        await transaction.change(f"create index deadlines_due_{generation} on deadlines_{generation}(due, game)")

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop those tables of a generation that are there."""
        await transaction.change(f"drop table if exists deadlines_{generation}")

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events."""
        table, newest = f"deadlines_{generation}", dict[str, int]()
        for event in events:
            header = event.header
            if header.kind != ACTED:
                match decode_details(event.details or b"null"):
                    case kinds.Created(clock=None):
                        pass
                    case kinds.Created() | kinds.UndoRequested() | time_kinds.Proposed():
                        sql = f"insert into {table} values (?, ?, ?) on conflict (game) do nothing"
                        await transaction.change(sql, (header.game, header.version, AT_ONCE))
                    case kinds.Ended():
                        await transaction.change(f"delete from {table} where game = ?", (header.game,))
                    case _:
                        pass
            newest[header.game] = header.version
        rows = [(version, AT_ONCE, game) for game, version in newest.items()]
        await transaction.change_many(f"update {table} set version = ?, due = ? where game = ?", rows)

    async def due(self, now_us: int, most: int) -> list[Deadline]:
        """The games that are due by this time, those due longest first."""
        generation = await active_generation(self._database, self)
        if generation is None:
            return []
        rows = await self._database.read(
            f"select game, version, due from deadlines_{generation} where due <= ? order by due, game limit ?",
            (now_us, most),
        )
        return [Deadline(game, version, due_us) for game, version, due_us in rows]

    async def next_us(self) -> int | None:
        """When the next game is due; None: never, as it stands."""
        generation = await active_generation(self._database, self)
        if generation is None:
            return None
        rows = await self._database.read(f"select min(due) from deadlines_{generation}")
        return None if rows[0][0] is None else int(rows[0][0])

    async def look_again(self, looked: Sequence[tuple[Deadline, int | None]]) -> None:
        """Note when games have to be looked at next (None: not before they move), unless they have moved meanwhile."""
        generation = await active_generation(self._database, self)
        rows = [(due_us, seen.game, seen.version) for seen, due_us in looked]

        async def work(transaction: Transaction) -> None:
            await transaction.change_many(
                f"update deadlines_{generation} set due = ? where game = ? and version = ?", rows
            )

        if rows and generation is not None:
            await self._database.write(work)
