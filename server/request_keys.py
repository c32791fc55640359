"""Idempotency keys of requests that make no event: each is carried out once, and the same again gets its answer."""

from collections.abc import Awaitable, Callable

from events.database import Database, Row, Transaction, change
from server.asks import Once, key_reused
from server.ports import Clock, timestamp
from server.problems import Problem

KEEP_REQUEST = "insert into requests values (?, ?, ?, ?, ?)"
FIND_REQUEST = "select request, response from requests where scope = ? and key = ?"

Work = Callable[[Transaction], Awaitable[None]]


class KeyedRecords:
    """Tables in which a request with a key changes something once; their table `requests` keeps the keys."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def known(self, once: Once | None) -> bytes | None:
        """The answer given to this key before, if any.

        Raises:
            Problem: `already_done` if it was a secret, `key_reused` if it was for another request.
        """
        rows = [] if once is None else await self._database.read(FIND_REQUEST, (once.scope, once.key))
        return _answered(once, rows[0]) if once is not None and rows else None

    async def keep(self, once: Once | None) -> None:
        """Note that a request was carried out whose answer is not kept.

        Raises:
            Problem: `already_done` if it was before, `key_reused`.
        """

        async def work(transaction: Transaction) -> None:
            """Nothing besides."""

        if once is not None:
            await self._write(work, once)

    async def prune(self, before: str) -> int:
        """Forget keys used before this time; how many."""
        return await change(self._database, "delete from requests where at < ?", before)

    async def _write(self, work: Work, once: Once | None, response: bytes | None = None) -> bytes | None:
        """Do what a request asks for, in one transaction with keeping its key and its answer (None: it holds a secret).

        The answer to give: the first one, if the key was used before for the same.

        Raises:
            Problem: `already_done` or `key_reused` for a key that was used before, and what `work` raises.
        """
        at = timestamp(self._clock.now())

        async def judged(transaction: Transaction) -> bytes | None:
            if once is not None:
                rows = await transaction.read(FIND_REQUEST, (once.scope, once.key))
                if rows:
                    return _answered(once, rows[0])
                await transaction.change(KEEP_REQUEST, (once.scope, once.key, once.request, response, at))
            await work(transaction)
            return response

        return await self._database.write(judged)


def _answered(once: Once, row: Row) -> bytes:
    request, response = row  # bytes, and bytes or nothing
    if request != once.request:
        raise key_reused()
    if response is None:
        sentence = "This was done before; its answer held a secret, which is not kept. Use a new key to make another."
        raise Problem("already_done", sentence)
    return bytes(response)
