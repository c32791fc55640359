"""The signed heads of the log in this database, and the keys that signed them. Both are only ever added to."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.database import Database, Transaction
from events.heads import Keyring, Successor
from events.notes import Note, PublicKey

SCHEMA: Final = (
    "create table tree_heads(size integer primary key, note text not null, at text not null) strict",
    "create table tree_keys(first integer primary key, key text not null, endorsed text) strict",
    """create trigger heads_are_not_updated before update on tree_heads
       begin select raise(abort, 'heads are append-only'); end""",
    """create trigger heads_are_not_deleted before delete on tree_heads
       begin select raise(abort, 'heads are append-only'); end""",
    """create trigger keys_are_not_updated before update on tree_keys
       begin select raise(abort, 'keys are append-only'); end""",
    """create trigger keys_are_not_deleted before delete on tree_keys
       begin select raise(abort, 'keys are append-only'); end""",
)

_LAST = 2**63 - 1


class SignedHead(Struct, frozen=True):
    """A head as it was signed. size: that of its tree. at: when, in RFC 3339; not signed itself."""

    size: int
    note: str
    at: str


class SignedHeads:
    """Heads and keys, each with compare-and-set, so that several processes may sign."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.migrate("tree", SCHEMA)

    async def latest(self) -> SignedHead | None:
        """The head of the largest tree."""
        found = await self.before(None, 1)
        return found[0] if found else None

    async def before(self, size: int | None, limit: int) -> list[SignedHead]:
        """At most so many heads of trees smaller than `size`, the largest first."""
        sql = "select size, note, at from tree_heads where size < ? order by size desc limit ?"
        return [SignedHead(*row) for row in await self._database.read(sql, (_LAST if size is None else size, limit))]

    async def within(self, start: int, end: int) -> list[SignedHead]:
        """The heads with start < size <= end, the smallest first."""
        sql = "select size, note, at from tree_heads where size > ? and size <= ? order by size"
        return [SignedHead(*row) for row in await self._database.read(sql, (start, end))]

    async def after(self, size: int, limit: int) -> list[SignedHead]:
        """At most so many heads of trees larger than `size`, the smallest first."""
        sql = "select size, note, at from tree_heads where size > ? order by size limit ?"
        return [SignedHead(*row) for row in await self._database.read(sql, (size, limit))]

    async def get(self, size: int) -> SignedHead | None:
        """The head of exactly this size."""
        rows = await self._database.read("select size, note, at from tree_heads where size = ?", (size,))
        return SignedHead(*rows[0]) if rows else None

    async def add(self, head: SignedHead, after: int, key: PublicKey) -> bool:
        """Keep a head that `key` signed, if the latest is of size `after` and no newer key is in force; whether so."""

        async def work(transaction: Transaction) -> bool:
            latest = (await transaction.read("select coalesce(max(size), 0) from tree_heads"))[0][0]
            newest = await transaction.read("select key from tree_keys order by first desc limit 1")
            if latest != after or not newest or newest[0][0] != key.text:
                return False
            sql = "insert into tree_heads(size, note, at) values (?, ?, ?)"
            return await transaction.change(sql, (head.size, head.note, head.at)) == 1

        return await self._database.write(work)

    async def keyring(self) -> Keyring:
        """All keys. Raises NoteError if they do not follow from one another: somebody changed them."""
        rows = await self._database.read("select first, key, endorsed from tree_keys order by first")
        return Keyring([_successor(*row) for row in rows])

    async def add_key(self, new: Successor, after: PublicKey | None) -> bool:
        """Keep a key as the newest, if that was `after` and no head of its sizes is signed yet; whether so."""

        async def work(transaction: Transaction) -> bool:
            newest = await transaction.read("select key from tree_keys order by first desc limit 1")
            latest = (await transaction.read("select coalesce(max(size), 0) from tree_heads"))[0][0]
            if [row[0] for row in newest] != ([] if after is None else [after.text]) or latest >= new.first:
                return False
            sql = "insert into tree_keys(first, key, endorsed) values (?, ?, ?)"
            endorsed = None if new.endorsed is None else new.endorsed.source
            return await transaction.change(sql, (new.first, new.key.text, endorsed)) == 1

        return await self._database.write(work)


def _successor(first: int, key: str, endorsed: str | None) -> Successor:
    return Successor(PublicKey.parse(key), first, None if endorsed is None else Note.parse(endorsed))
