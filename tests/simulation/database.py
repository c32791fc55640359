"""The port Database, simulated: one SQLite in memory, which each process sees through its own link, as PostgreSQL."""

import asyncio
from contextlib import asynccontextmanager

from events.database import Database, Limits, tell_nobody
from events.sqlite_file import MEMORY, SqliteFile, _fitting, _Pending, _run_now, _Transaction


class SharedDatabase:
    """The tables, and the locks that all processes share."""

    def __init__(self):
        self.file = SqliteFile(MEMORY, Limits())
        self._rooms = set()
        self._locks = {}
        self.on_write = lambda: None

    def migrate(self, name, statements):
        """Make the tables of a room, once."""
        if name not in self._rooms:
            self._rooms.add(name)
            self.file.migrate(name, statements)

    def write(self, work, *, again=False):
        """Do work in a transaction, at once; `again`: after a first time that is undone, as others got in its way."""

        def step(connection):
            if again:
                connection.execute("savepoint in_vain")
                try:
                    _run_now(work(_Transaction(connection)))
                finally:
                    connection.execute("rollback to in_vain")
                    connection.execute("release in_vain")
            return _run_now(work(_Transaction(connection)))

        result, error = self.file._transact([_Pending(step, None)])[0]
        if error is not None:
            raise error
        self.on_write()
        return result

    async def lock(self, name, process, loop):
        """Take a lock, which ends with its process at the latest."""
        holder = self._locks.setdefault(name, _Lock())
        await holder.take(process, loop)
        return holder


class _Lock:
    def __init__(self):
        self._holder = None
        self._waiting = []

    async def take(self, process, loop):
        if self._holder is not None and self._holder.alive:
            turn = loop.create_future()
            self._waiting.append((process, turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.release(process)
                raise
        else:
            self._give(process)

    def release(self, process):
        if self._holder is process:
            self._holder = None
            while self._waiting:
                following, turn = self._waiting.pop(0)
                if following.alive and not turn.done():
                    self._give(following)
                    turn.set_result(None)
                    return

    def _give(self, process):
        self._holder = process
        process.on_death.append(lambda: self.release(process))


class SimDatabase(Database):
    """The tables as one process sees them."""

    shared = True

    def __init__(self, world, tables, link, process):
        self._world = world
        self._tables = tables
        self._link = link
        self._process = process
        self.on_commit = tell_nobody

    def migrate(self, name, statements):
        self._tables.migrate(name, statements)

    async def open(self):
        await self._link.ask(lambda: None)

    async def write(self, work):
        again = self._world.chance.random() < self._world.faults.write_again
        return await self._link.change(lambda: self._tables.write(work, again=again))

    async def read(self, sql, parameters=()):
        with _fitting:
            return await self._link.ask(lambda: self._tables.file.read_now(sql, parameters))

    @asynccontextmanager
    async def exclusive(self, name, *, always=False):
        del always
        lock = await self._tables.lock(name, self._process, self._world.loop)
        try:
            yield
        finally:
            lock.release(self._process)

    @property
    def waiting(self):
        return 0

    def healthy(self):
        return True

    async def close(self):
        pass
