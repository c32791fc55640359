"""Benches `fold`, `library` and `open`: from stored bytes to a state, and appending them."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from events.digest import ZERO, salt_key
from events.event import Event, Header, NewEvent, seal
from events.sqlite import SqliteStore
from events.sqlite_file import MEMORY, SqliteFile
from events.store import Append, Command
from projections.decoding import decode_effects
from projections.game import begin, setting_of
from projections.history import keep_snapshot, open_game
from tests.benchmarks.measure import Contest, compete, computed, rate
from tests.benchmarks.peers import Library
from tests.benchmarks.recorded import CATALOGUE, RULES, Table

GAMES = 30
ANSWERS = 100
LONG_EVENTS = 5000
#: How far the newest snapshot of a game is behind it, on average.
TAIL_EVENTS = 500
REPEATS = 5
REBUILT_EVENTS = 1000
APPENDS = 500
RULESETS = {name: entry.rules for name, entry in CATALOGUE.items()}
AT = "2026-11-30T10:00:00.000000Z"


@contextmanager
def store_in_file() -> Iterator[SqliteStore]:
    """A store in a new file, on the disk that the project is on."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        store = SqliteStore(SqliteFile(Path(folder) / "log.db"))
        yield store
        asyncio.run(store.close())


async def some_games() -> list[list[Event]]:
    """The logs of games played to the last turns."""
    store = SqliteStore(SqliteFile(MEMORY))
    table = Table(store)
    logs = [await store.read(await _whole_game(table)) for _ in range(GAMES)]
    await store.close()
    return logs


async def _whole_game(table: Table) -> str:
    """A game played to its last turns, with nothing taken back; its id."""
    game = await table.create()
    for _ in range(ANSWERS):
        async with table.games.game(game) as live:
            if live.state.outcome is not None:
                break
        await table.act(game)
    return game


def fold_all(logs: list[list[Event]]) -> int:
    """Decode and fold the effects of these games; how many there were."""
    count = 0
    for log in logs:
        state = RULES.initial(setting_of(RULES, begin(log[0])))
        for event in log:
            effects = decode_effects(RULES, event)
            for effect in effects:
                effect.fold(state)
            count += len(effects)
    return count


def decode_all(logs: list[list[Event]]) -> int:
    """The limit of folding: decoding the same effects alone."""
    return sum(len(decode_effects(RULES, event)) for log in logs for event in log)


def bench_fold(rounds: int) -> None:
    """Decode and fold, in memory, against decoding alone and the package in its own memory."""
    logs = asyncio.run(some_games())
    effects = [msgspec.json.decode(effect) for log in logs for event in log for effect in event.effects]
    library = Library(None)
    facts = library.record(effects[:2000])

    def reconstitute() -> int:
        return library.repository.get(facts).count

    ours = lambda: computed(lambda: sum(fold_all(logs) for _ in range(REPEATS)))  # noqa: E731 - one of a pair
    alone = lambda: computed(lambda: sum(decode_all(logs) for _ in range(REPEATS)))  # noqa: E731
    compete(
        [
            Contest("decode and fold", "effects", ours, "decoding alone (limit)", alone, aim_rate=400_000),
            Contest(
                "decode and fold", "effects", ours, "eventsourcing, memory", lambda: computed(reconstitute), aim=15
            ),
        ],
        rounds,
    )


def _append(store: SqliteStore, game: str, effects: list[bytes], per_event: int) -> int:
    """Append one event after the other, each with its command; the number of effects."""
    key = salt_key(bytes(32))

    async def run() -> None:
        digest = ZERO
        for version, first in enumerate(range(0, len(effects), per_event), 1):
            part = tuple(effects[first : first + per_event])
            header = Header(game, version, "acted", AT, "player-1", seat=0, causes=(-1,) * len(part))
            event = seal(NewEvent(header, details=b'{"kind":"acted"}', effects=part), digest, key)
            command = Command("player-1", f"{game} {version}", b"request", b"answer", AT)
            await store.append(Append(game, version - 1, (event,), command))
            digest = event.digest

    asyncio.run(run())
    return len(effects)


def bench_library(rounds: int) -> None:
    """Appending and rebuilding, both in SQLite files that wait for the disk."""
    logs = asyncio.run(some_games())
    raw = [bytes(effect) for log in logs for event in log for effect in event.effects]
    told = [msgspec.json.decode(effect) for effect in raw]
    with store_in_file() as store, tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        library = Library(Path(folder) / "library.db")
        games = asyncio.run(_games_of(store, REBUILT_EVENTS))
        facts = library.record(told[:1000], per_save=1000)
        numbers = iter(range(1_000_000))

        def append(per_event: int) -> float:
            count = APPENDS * per_event
            return rate(lambda: _append(store, f"game {next(numbers)}", raw[:count], per_event))

        def save(per_save: int) -> float:
            count = APPENDS * per_save
            library.record(told[:1])
            return rate(lambda: len(told[:count]) + 0 * bool(library.record(told[:count], per_save)))

        total = sum(effects_in(asyncio.run(store.read(game))) for game in games)

        async def rebuild() -> int:
            for game in games:
                await open_game(store, RULESETS, game)
            return total

        compete(
            [
                Contest("append, one effect each", "effects", lambda: append(1), "eventsourcing", lambda: save(1)),
                Contest("append, four effects each", "effects", lambda: append(4), "eventsourcing", lambda: save(4)),
                Contest(
                    "rebuild games, 1,000 events in all",
                    "effects",
                    lambda: computed(lambda: asyncio.run(rebuild())),
                    "eventsourcing",
                    lambda: computed(lambda: library.repository.get(facts).count),
                    aim=15,
                ),
            ],
            rounds,
        )
        library.close()


def effects_in(log: list[Event]) -> int:
    """How many effects a log has."""
    return sum(len(event.effects) for event in log)


async def _games_of(store: SqliteStore, events: int) -> list[str]:
    """Whole games, at least so many events in all."""
    table = Table(store)
    games: list[str] = []
    while await store.head() < events:
        games.append(await _whole_game(table))
    return games


async def _long_game(store: SqliteStore, version: int) -> str:
    table = Table(store)
    game = await table.create()
    await table.grow(game, version)
    return game


def bench_open(rounds: int) -> None:
    """Opening a game of 5,000 events, which was rewound to its start some forty times."""
    with store_in_file() as store:
        game = asyncio.run(_long_game(store, LONG_EVENTS - TAIL_EVENTS))
        live = asyncio.run(open_game(store, RULESETS, game))
        table = Table(store)

        async def finish() -> None:
            await table.grow(game, LONG_EVENTS)

        asyncio.run(finish())

        def opening() -> float:
            return computed(lambda: 1 if asyncio.run(open_game(store, RULESETS, game)) else 0)

        def cold() -> float:
            asyncio.run(store.drop_snapshots())
            return opening()

        def warm() -> float:
            asyncio.run(keep_snapshot(store, live))
            return opening()

        def reading() -> float:
            return computed(lambda: 1 if asyncio.run(store.read(game)) else 0)

        compete(
            [
                Contest("open 5,000 events, from the log", "openings", cold, "reading the events (limit)", reading),
                Contest("open 5,000 events, snapshot", "openings", warm, "reading the events", reading, aim_rate=20),
            ],
            rounds,
        )
