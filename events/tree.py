"""The hashes of the log's Merkle tree, kept so that no root and no proof needs more than a few reads.

Kept are the hashes of the complete subtrees of 256, 256², 256³ … events; those below are computed from the events'
digests when a proof wants them. So a proof over n events reads at most some 256 hashes for each of its at most
2·log₂₅₆(n) tiles, 1 row is kept for 256 events, and nothing is kept that the log does not give again (`forget`).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from events import merkle
from events.database import Database, Transaction, change
from events.merkle import Span, Subtree

#: Levels of the tree that one tile spans: it has 2**8 = 256 hashes.
TILE_LEVELS: Final = 8
TILE: Final = 1 << TILE_LEVELS
#: Tiles that are read and hashed between two turns of the loop.
TILES_AT_ONCE: Final = 4
#: Levels above this one would take more events than any log has.
LEVEL_MAX: Final = 56

SCHEMA: Final = (
    """create table tree_nodes(
         level integer not null, number integer not null, hash blob not null, primary key (level, number)
       ) strict, without rowid""",
)

_DIGESTS = "select digest from events where position > ? and position <= ? order by position"
_LAST = """select version, position, digest from events where game = ? and version <= ? and position <= ?
  order by version desc limit 1"""
_NODES = "select hash from tree_nodes where level = ? and number >= ? and number < ? order by number"
_COUNT = "select coalesce(max(number) + 1, 0) from tree_nodes where level = ?"
_KEEP = "insert into tree_nodes(level, number, hash) values (?, ?, ?) on conflict do nothing"


class Place(NamedTuple):
    """Where an event stands."""

    version: int
    position: int
    digest: bytes


class TreeBroken(Exception):
    """The log and the hashes kept of it do not fit: events are missing, or were changed. One sentence."""


class Tree:
    """The tree over the events of the log in this database, as far as the log goes.

    Any process may let it grow: what is kept at a place does not depend on who computed it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        database.migrate("tree_nodes", SCHEMA)

    async def root(self, size: int) -> bytes:
        """The root over the first `size` events. Raises TreeBroken if there are fewer."""
        await self.grow(size)
        return (await self._hashes([(0, size)]))[0]

    async def inclusion(self, position: int, size: int) -> list[bytes]:
        """The proof that the event at a position is in the tree of this size. Raises ValueError, TreeBroken."""
        spans = merkle.inclusion_spans(position - 1, size)
        await self.grow(size)
        return await self._hashes(spans)

    async def consistency(self, old: int, new: int) -> list[bytes]:
        """The proof that the tree of one size goes on from that of an older one. Raises ValueError, TreeBroken."""
        spans = merkle.consistency_spans(old, new)
        await self.grow(new)
        return await self._hashes(spans)

    async def grow(self, size: int) -> None:
        """Keep the hashes of all complete tiles of the first `size` events. Raises TreeBroken if there are fewer."""
        for level in range(TILE_LEVELS, LEVEL_MAX + 1, TILE_LEVELS):
            wanted = size >> level
            if not wanted:
                return
            kept = await self._count(level)
            while kept < wanted:
                until = min(kept + TILES_AT_ONCE, wanted)
                await self._keep(level, kept, await self._tiles(level, kept, until))
                kept = until
                await asyncio.sleep(0)

    async def recheck(self, start: int, end: int) -> None:
        """Compute anew all that is kept of the events with start < position <= end, as far as it is complete.

        Raises TreeBroken if it comes out differently.
        """
        for level in range(TILE_LEVELS, LEVEL_MAX + 1, TILE_LEVELS):
            kept = await self._count(level)
            if not kept:
                return
            last = min(-(-end >> level), kept)  # rounded up: a tile that the span cuts, too
            for at in range(max(start, 0) >> level, last, TILES_AT_ONCE):
                until = min(at + TILES_AT_ONCE, last)
                await self._compare(level, at, until)
                await asyncio.sleep(0)

    async def forget(self) -> None:
        """Drop all that is kept; it is computed anew when it is wanted."""
        await change(self._database, "delete from tree_nodes")

    async def last_of(self, game: str, until: int, size: int) -> Place | None:
        """The last event of a game, up to a version, that is among the first `size` events of the log."""
        rows = await self._database.read(_LAST, (game, until, size))
        return Place(rows[0][0], rows[0][1], bytes(rows[0][2])) if rows else None

    async def digests(self, start: int, end: int) -> list[bytes]:
        """The digests of the events with start < position <= end. Raises TreeBroken if one is missing."""
        rows = await self._database.read(_DIGESTS, (start, end))
        if len(rows) != end - start:
            raise TreeBroken(f"the log has only {len(rows)} of the events at positions {start + 1} to {end}")
        return [bytes(row[0]) for row in rows]

    async def _count(self, level: int) -> int:
        return int((await self._database.read(_COUNT, (level,)))[0][0])

    async def _keep(self, level: int, first: int, hashes: Sequence[bytes]) -> None:
        rows = [(level, number, found) for number, found in enumerate(hashes, first)]

        async def work(transaction: Transaction) -> None:
            await transaction.change_many(_KEEP, rows)

        await self._database.write(work)

    async def _tiles(self, level: int, start: int, end: int) -> list[bytes]:
        """The hashes of the tiles start … end-1 whose tops are on this level, from what is below them."""
        below = await self._entries(level - TILE_LEVELS, start * TILE, end * TILE)
        return [merkle.subtree_hash(below[n : n + TILE]) for n in range(0, len(below), TILE)]

    async def _compare(self, level: int, start: int, end: int) -> None:
        found, kept = await self._tiles(level, start, end), await self._entries(level, start, end)
        for number, (computed, stored) in enumerate(zip(found, kept, strict=True), start):
            if computed != stored:
                where = f"{(number << level) + 1} to {number + 1 << level}"
                raise TreeBroken(f"the events at positions {where} are not those of which the hash was kept")

    async def _entries(self, level: int, start: int, end: int) -> list[bytes]:
        """The hashes number start … end-1 of a level that is kept, or of the leaves."""
        if level == 0:
            return [merkle.leaf_hash(digest) for digest in await self.digests(start, end)]
        rows = await self._database.read(_NODES, (level, start, end))
        if len(rows) != end - start:
            raise TreeBroken(f"hashes of level {level} are missing: let them be computed anew (turnlog heads rebuild)")
        return [bytes(row[0]) for row in rows]

    async def _hashes(self, spans: Sequence[Span]) -> list[bytes]:
        """The hash of each span, with one read for each tile that they touch."""
        parts = [merkle.subtrees(span) for span in spans]
        found = await self._subtrees(part for group in parts for part in group)
        return [merkle.fold([found[part] for part in group]) for group in parts]

    async def _subtrees(self, wanted: Iterable[Subtree]) -> dict[Subtree, bytes]:
        by_tile: dict[tuple[int, int], list[tuple[Subtree, int, int]]] = defaultdict(list)
        for one in wanted:
            base = one.level // TILE_LEVELS * TILE_LEVELS
            start, end = (n << one.level - base for n in (one.number, one.number + 1))
            by_tile[base, start // TILE].append((one, start, end))
        found = {}
        for (base, _), members in by_tile.items():
            first = min(start for _, start, _ in members)
            entries = await self._entries(base, first, max(end for _, _, end in members))
            for one, start, end in members:
                found[one] = merkle.subtree_hash(entries[start - first : end - first])
        return found
