"""The log in memory, for tests and simulations: as every store, but it ends with its process."""

# ruff: noqa: D102 - the protocol says what each method does

from __future__ import annotations

import asyncio
from hashlib import sha256

from events.event import Event, Undecodable
from events.store import (
    Append,
    Appended,
    Command,
    Conflict,
    Duplicate,
    EventStore,
    KeyReused,
    Quarantined,
    Row,
    Snapshot,
    StoreFailed,
    check_append,
    decode_row,
)


class MemoryStore(EventStore):
    """An EventStore in lists and dicts. It keeps rows, as the others do, and decodes them when they are read."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._games: dict[str, list[Row]] = {}
        self._commands: dict[tuple[str, str], Command] = {}
        self._secrets: dict[str, bytes] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._words: dict[tuple[str, int], bytes] = {}
        self._quarantined: dict[tuple[str, int], str] = {}
        self._open = True

    async def append(self, append: Append) -> Appended:
        check_append(append)
        await asyncio.sleep(0)  # other tasks get their turn here, as they do where a disk is waited for
        if not self._open:
            raise StoreFailed("the store is closed")
        if append.command is not None:
            self._judge(append.command)
        rows = self._games.get(append.game, [])
        if len(rows) != append.expected or (rows and append.follows not in (None, rows[-1][4])):
            raise Conflict(len(rows))
        return self._write(append)

    def _judge(self, command: Command) -> None:
        known = self._commands.get((command.scope, command.key))
        if known is not None:
            raise Duplicate(known) if known.request == command.request else KeyReused(command.key)

    def _write(self, append: Append) -> Appended:
        rows = self._games.setdefault(append.game, [])
        for event in append.events:
            row = (len(self._rows) + 1, append.game, event.header.version, event.data, event.digest)
            self._rows.append(row)
            rows.append(row)
        if append.command is not None:
            self._commands[append.command.scope, append.command.key] = append.command
        if append.secret is not None:
            self._secrets[append.game] = append.secret
        self._words.update({(append.game, version): words for version, words in append.erasable})
        return Appended(len(self._rows), len(rows), append.events[-1].digest)

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        events = [decode_row(row) for row in self._games.get(game, [])[after:until]]
        return [event for event in events if event.header.kind != but]

    async def read_all(self, after: int, limit: int) -> list[Event]:
        events: list[Event] = []
        for row in self._rows[after:]:
            if len(events) == limit:
                break
            try:
                events.append(decode_row(row))
            except Undecodable as error:
                await self.quarantine("read_all", row[0], str(error))
        return events

    async def head(self) -> int:
        return len(self._rows)

    async def game_head(self, game: str) -> tuple[int, bytes] | None:
        rows = self._games.get(game)
        return (len(rows), rows[-1][4]) if rows else None

    async def secret(self, game: str) -> bytes | None:
        return self._secrets.get(game)

    async def command(self, scope: str, key: str) -> Command | None:
        return self._commands.get((scope, key))

    async def prune_commands(self, before: str) -> int:
        old = [name for name, command in self._commands.items() if command.at < before]
        for name in old:
            del self._commands[name]
        return len(old)

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        kept = self._snapshots.get(snapshot.game)
        if kept is None or kept.version <= snapshot.version:
            self._snapshots[snapshot.game] = snapshot

    async def load_snapshot(self, game: str) -> Snapshot | None:
        snapshot = self._snapshots.get(game)
        if snapshot is not None and sha256(snapshot.state).digest() != snapshot.digest:
            del self._snapshots[game]
            return None
        return snapshot

    async def drop_snapshots(self, game: str | None = None) -> int:
        dropped = [name for name in self._snapshots if game in (None, name)]
        for name in dropped:
            del self._snapshots[name]
        return len(dropped)

    async def words(self, game: str, version: int) -> bytes | None:
        return self._words.get((game, version))

    async def erase_words(self, game: str, version: int) -> bool:
        return self._words.pop((game, version), None) is not None

    async def quarantine(self, consumer: str, position: int, error: str) -> None:
        self._quarantined.setdefault((consumer, position), error)

    async def quarantined(self) -> list[Quarantined]:
        return [Quarantined(*name, error) for name, error in sorted(self._quarantined.items())]

    def healthy(self) -> bool:
        return self._open

    async def close(self) -> None:
        self._open = False
