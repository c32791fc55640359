"""Benches `playouts` and `length`: deciding, and what an action costs late in a long game."""

import asyncio
import itertools
import random
import time

import chess

from tests.benchmarks.decoding import store_in_file
from tests.benchmarks.measure import Contest, compete, computed, timed
from tests.benchmarks.recorded import Table, playout

GAMES = 20
CHESS_GAMES = 20
CHESS_PLIES = 150
SHORT, LONG = 10, 10_000
ACTIONS = 60


def bench_playouts(rounds: int) -> None:
    """Random games with the full list of legal actions at each decision, against python-chess with its moves."""
    seeds = itertools.count()

    def ours() -> float:
        return computed(lambda: sum(playout(f"playout {next(seeds)}") for _ in range(GAMES)))

    def theirs() -> float:
        return computed(lambda: sum(_chess(next(seeds)) for _ in range(CHESS_GAMES)))

    compete([Contest("random playouts, full lists", "positions", ours, "python-chess", theirs, aim=1.5)], rounds)


def _chess(seed: int) -> int:
    chance, board = random.Random(seed), chess.Board()
    for ply in range(CHESS_PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return ply
        board.push(chance.choice(moves))
    return CHESS_PLIES


def bench_length(rounds: int) -> None:
    """Durable actions on the core from event 10,000 on, against those from event 10 on: 1 if length costs nothing."""
    with store_in_file() as store:
        table = Table(store, snapshot_events=1000)
        long = asyncio.run(table.create())

        async def grow() -> None:
            await table.grow(long, LONG)

        asyncio.run(grow())

        async def play(game: str) -> float:
            with timed(time.process_time) as seconds:
                for _ in range(ACTIONS):
                    await table.act(game)
            return ACTIONS / seconds()

        async def late() -> float:
            await table.rewind(long)
            return await play(long)

        async def early() -> float:
            return await play(await table.create())

        ours, theirs = lambda: asyncio.run(late()), lambda: asyncio.run(early())
        compete([Contest("actions at event 10,000", "actions", ours, "at event 10", theirs, aim=0.9)], rounds)
