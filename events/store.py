"""The port to the log: what every event store does, whatever keeps it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from msgspec import Struct

from events.event import Event, Undecodable, decode


class Command(Struct, frozen=True):
    """A request that was carried out, so that its repeat gets the same answer.

    scope and key: whose idempotency key. request: a hash of the request. response: the answer's bytes.
    at: RFC 3339 in UTC.
    """

    scope: str
    key: str
    request: bytes
    response: bytes
    at: str


class Append(Struct, frozen=True):
    """Events to append to one game, all or none, with what must be durable together with them.

    expected: the version the game has now; 0 creates it. follows: the digest of that version, which the first event's
    digest goes on from; None: it is not looked at. events: sealed, of versions expected+1, expected+2, …
    secret: the server seed, only with expected == 0. erasable: (version, words) of events in this append.
    """

    game: str
    expected: int
    events: tuple[Event, ...]
    command: Command | None = None
    secret: bytes | None = None
    erasable: tuple[tuple[int, bytes], ...] = ()
    follows: bytes | None = None


class Appended(Struct, frozen=True):
    """Where the last of the appended events stands."""

    position: int
    version: int
    digest: bytes


class Snapshot(Struct, frozen=True):
    """A cached state at a version. format: of what program and schema. digest: SHA-256 of state."""

    game: str
    version: int
    format: str
    state: bytes
    digest: bytes


class Quarantined(Struct, frozen=True):
    """An event that a consumer could not take and went past."""

    consumer: str
    position: int
    error: str


class Conflict(Exception):
    """The game is not at the expected version but at `version` (0: there is no such game). Nothing was written.

    It may be at that very version, which is another one than the append follows on.
    """

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class Duplicate(Exception):
    """The same request under the same scope and key was carried out before: `command`. Nothing was written."""

    def __init__(self, command: Command) -> None:
        super().__init__(f"the key {command.key!r} was carried out at {command.at}")
        self.command = command


class KeyReused(Exception):
    """The scope and key are known for another request. Nothing was written."""


class StoreFull(Exception):
    """More waits to be written than the store's limit: ask again later. Nothing was written."""


class StoreFailed(Exception):
    """Writing failed and the outcome is unknown: resend the command.

    A store in a file takes no more writes until it is reopened; one that processes share goes on.
    """


class EventStore(Protocol):
    """An append-only log of all games, in one dense global order, and what belongs to its transactions.

    shared: whether other processes may append to it meanwhile.
    """

    shared: bool = False

    async def append(self, append: Append) -> Appended:
        """Write; return once it is durable. Judged in this order: command known, expected version, write.

        Raises Duplicate, KeyReused, Conflict, StoreFull (nothing was written) or StoreFailed (outcome unknown: resend
        the command). A cancelled append may have been written too. A repeat of the very same events may be answered as
        the append that it is, where a store had to find out what became of it.
        """

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        """The events of a game with after < version <= until, in order, without those of the kind `but`.

        Raises Undecodable, naming the row.
        """

    async def read_all(self, after: int, limit: int) -> list[Event]:
        """The next `limit` events behind a global position, in order; fewer only at the end of the log.

        What cannot be decoded goes into quarantine under the consumer "read_all" and is passed over.
        """

    async def head(self) -> int:
        """The last global position; 0 when the log is empty."""

    async def game_head(self, game: str) -> tuple[int, bytes] | None:
        """Version and digest of the game's last event; None when there is no such game."""

    async def secret(self, game: str) -> bytes | None:
        """The server seed written with the game's first event."""

    async def command(self, scope: str, key: str) -> Command | None:
        """The command carried out under this scope and key."""

    async def prune_commands(self, before: str) -> int:
        """Forget commands with `at` before this time; return how many."""

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep this snapshot of its game, unless one of a later version is kept."""

    async def load_snapshot(self, game: str) -> Snapshot | None:
        """The snapshot of a game. One whose digest does not match is dropped and not returned."""

    async def drop_snapshots(self, game: str | None = None) -> int:
        """Drop all snapshots, or that of one game, which loses nothing but time; return how many."""

    async def words(self, game: str, version: int) -> bytes | None:
        """The erasable words of an event, None if it has none or they were erased."""

    async def erase_words(self, game: str, version: int) -> bool:
        """Erase the words of an event for good; return whether there were any."""

    async def quarantine(self, consumer: str, position: int, error: str) -> None:
        """Note that a consumer went past an event, and why. The first note for a position stays."""

    async def quarantined(self) -> list[Quarantined]:
        """All that is in quarantine, by consumer and position."""

    def healthy(self) -> bool:
        """Whether the store takes writes."""

    async def close(self) -> None:
        """Finish what is waiting and let go of the files. Closing twice does nothing."""


def check_append(append: Append) -> None:
    """Refuse, by ValueError, an append that no store could take: a fault of the caller, not of the moment."""
    if append.expected < 0 or not append.events:
        raise ValueError("an append holds at least one event, and is to version 0 or later")
    for version, event in enumerate(append.events, append.expected + 1):
        if (event.header.game, event.header.version) != (append.game, version):
            found = f"version {event.header.version} of {event.header.game}"
            raise ValueError(f"version {version} of {append.game} was to be appended, not {found}")
    if append.secret is not None and append.expected != 0:
        raise ValueError("a secret is written with a game's first event or never")
    last = append.events[-1].header.version
    spoken = [version for version, _ in append.erasable]
    if not all(append.expected < version <= last for version in spoken) or len(set(spoken)) != len(spoken):
        raise ValueError("erasable words belong to an event of the same append, which has them once")


Row = tuple[int, str, int, bytes, bytes]
"""What a store keeps of an event: position, game, version, data, digest."""


def decode_row(row: Row) -> Event:
    """The event of a row. Raises Undecodable, naming the row, also when its bytes are those of another event."""
    position, game, version, data, digest = row
    try:
        event = decode(data, digest, position)
    except Undecodable as error:
        raise Undecodable(error.reason, position, game, version) from None
    if (event.header.game, event.header.version) != (game, version):
        reason = f"its header says game {event.header.game}, version {event.header.version}"
        raise Undecodable(reason, position, game, version)
    return event


async def read_decodable(
    rows_behind: Callable[[int, int], Awaitable[Sequence[Row]]],
    note: Callable[[str, int, str], Awaitable[None]],
    after: int,
    limit: int,
) -> list[Event]:
    """`limit` events behind a position, fewer only at the end; what cannot be decoded is noted and passed over.

    rows_behind: the rows behind a position, at most so many. note: puts into quarantine (consumer, position, error).
    """
    events: list[Event] = []
    while (wanted := limit - len(events)) > 0:
        rows = await rows_behind(after, wanted)
        if not rows:
            break
        for row in rows:
            try:
                events.append(decode_row(row))
            except Undecodable as error:
                await note("read_all", row[0], str(error))
        after = rows[-1][0]
    return events
