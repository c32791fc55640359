"""A node that wants to take turns which other nodes want to take too: `node_child.py DSN NAME GAMES TURNS`.

Turn n of a game is version n. Every node tries every turn, two of three under a key that all nodes share, and goes on
when it is known who won. It prints a line for each outcome: `won GAME TURN DIGEST`, `lost GAME TURN`, `repeat GAME TURN
WINNER`, and `unknown GAME TURN` when it must send again because nobody knew. TURNS 0: without end. It says `ready`, and
begins when it gets a line.
"""

import asyncio
import itertools
import os
import random
import sys

from events.event import Event
from events.postgres import PostgresStore
from events.postgres_link import PostgresLimits
from events.postgres_pool import PostgresPool
from events.store import Append, Appended, Command, Conflict, Duplicate, StoreFailed, StoreFull
from tests.integration.store_kit import AT, sealed

CHANCE_OF_REPEAT = 0.1
PAUSE_S = 0.02


def tell(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class Node:
    """One node: its name is the answer of the commands that it carried out."""

    def __init__(self, store: PostgresStore, name: str) -> None:
        self.store = store
        self.name = name
        self.random = random.Random(name)

    async def play(self, game: str, turns: int) -> None:
        """Try every turn from the one that the game is at."""
        head = await self.known(lambda: self.store.game_head(game))
        previous = await self.event(game, head[0]) if head else None
        first = head[0] + 1 if head else 1
        for turn in itertools.count(first) if turns == 0 else range(first, turns + 1):
            previous = await self.turn(game, turn, previous)

    async def turn(self, game: str, turn: int, previous: Event | None) -> Event:
        """Try one turn; the event that stands there in the end."""
        (event,) = sealed(game, 1, previous, mark=int(self.name))
        own = "" if turn % 3 else self.name
        append = Append(
            game, turn - 1, (event,), Command("all", f"{game}:{turn}:{own}", b"turn", self.name.encode(), AT)
        )
        await asyncio.sleep(self.random.uniform(0, 0.002))
        match await self.outcome(append):
            case Appended():
                tell("won", game, turn, event.digest.hex())
                if self.random.random() < CHANCE_OF_REPEAT:
                    await self.repeat(append)
                return event
            case Duplicate() as known:
                tell("repeat", game, turn, known.command.response.decode())
            case Conflict() as conflict:
                if conflict.version >= turn:
                    tell("lost", game, turn)
                else:
                    tell("wrong", game, turn, "stands at", conflict.version)
        return await self.event(game, turn)

    async def outcome(self, append: Append) -> Appended | Exception:
        """Send until it is known what became of it."""
        while True:
            try:
                return await self.store.append(append)
            except (Duplicate, Conflict) as known:
                return known
            except StoreFailed:
                tell("unknown", append.game, append.expected + 1)
            except StoreFull:
                pass
            await asyncio.sleep(PAUSE_S)

    async def repeat(self, append: Append) -> None:
        """Send what was written: a duplicate; or `written`, where the connection broke and the writer sent it twice."""
        match await self.outcome(append):
            case Duplicate() as known if known.command.response.decode() == self.name:
                pass
            case Appended(_, version, digest) if (version, digest) == (append.expected + 1, append.events[-1].digest):
                pass
            case other:
                tell("wrong", append.game, append.expected + 1, repr(other))

    async def event(self, game: str, version: int) -> Event:
        events = await self.known(lambda: self.store.read(game, version - 1, version))
        return events[0]

    async def known(self, ask):
        """The answer to a question, however often the server goes away."""
        while True:
            try:
                return await ask()
            except (StoreFailed, StoreFull):
                await asyncio.sleep(PAUSE_S)


async def main(dsn: str, name: str, games: int, turns: int) -> None:
    pool = PostgresPool(dsn, PostgresLimits(patience_s=1.5, connections_max=4))
    await pool.open()
    store = PostgresStore(pool)
    node = Node(store, name)
    tell("ready")
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(*(node.play(f"game-{n}", turns) for n in range(games)))
    await store.close()
    tell("done")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
