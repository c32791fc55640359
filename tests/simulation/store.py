"""The port EventStore, simulated: one truth, which each process sees through its own link."""

from functools import partial

from events.memory import MemoryStore
from events.store import EventStore, StoreFailed, decode_row
from tests.simulation.link import run_now


def _nobody(append, appended):
    """Nobody wants to know of an append."""


class Truth(MemoryStore):
    """What is durable. `on_append` is told of every append that was written."""

    shared = True

    def __init__(self):
        super().__init__()
        self.on_append = _nobody
        self._decoded = {}

    def _write(self, append):
        appended = super()._write(append)
        self.on_append(append, appended)
        return appended

    async def read(self, game, after=0, until=None, but=None):
        events = map(self.event, self._games.get(game, [])[after:until])
        return [event for event in events if event.header.kind != but]

    async def read_all(self, after, limit):
        rows = self._rows[after : after + limit]
        if any(row not in self._decoded for row in rows):
            return await super().read_all(after, limit)
        return [self._decoded[row] for row in rows]

    def event(self, row):
        """The event of a row, decoded once."""
        event = self._decoded.get(row)
        if event is None:
            event = self._decoded[row] = decode_row(row)
        return event

    def rows(self, game):
        """The rows of a game, in order."""
        return self._games.get(game, [])

    def all_rows(self):
        """All rows, in order."""
        return self._rows

    def commands(self):
        """Every command that was carried out, by scope and key."""
        return self._commands


class SimStore(EventStore):
    """The truth as one process sees it."""

    shared = True

    def __init__(self, truth, link):
        self._truth = truth
        self._link = link
        self._open = True

    async def append(self, append):
        if not self._open:
            raise StoreFailed("the store is closed")
        return await self._link.change(lambda: run_now(self._truth.append(append)))

    async def read(self, game, after=0, until=None, but=None):
        return await self._asked(self._truth.read, game, after, until, but)

    async def read_all(self, after, limit):
        return await self._asked(self._truth.read_all, after, limit)

    async def head(self):
        return await self._asked(self._truth.head)

    async def game_head(self, game):
        return await self._asked(self._truth.game_head, game)

    async def secret(self, game):
        return await self._asked(self._truth.secret, game)

    async def command(self, scope, key):
        return await self._asked(self._truth.command, scope, key)

    async def prune_commands(self, before):
        return await self._changed(self._truth.prune_commands, before)

    async def save_snapshot(self, snapshot):
        await self._changed(self._truth.save_snapshot, snapshot)

    async def load_snapshot(self, game):
        return await self._asked(self._truth.load_snapshot, game)

    async def drop_snapshots(self, game=None):
        return await self._changed(self._truth.drop_snapshots, game)

    async def words(self, game, version):
        return await self._asked(self._truth.words, game, version)

    async def erase_words(self, game, version):
        return await self._changed(self._truth.erase_words, game, version)

    async def quarantine(self, consumer, position, error):
        await self._changed(self._truth.quarantine, consumer, position, error)

    async def quarantined(self):
        return await self._asked(self._truth.quarantined)

    def healthy(self):
        return self._open

    async def close(self):
        self._open = False

    async def _asked(self, method, *args):
        return await self._link.ask(lambda: run_now(method(*args)))

    async def _changed(self, method, *args):
        return await self._link.change(partial(_run, method, *args))


def _run(method, *args):
    return run_now(method(*args))
