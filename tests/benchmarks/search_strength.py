"""How much better than chance the bot `search:N` plays: one search seat against random ones in TPOC with three seats.

    python tests/benchmarks/search_strength.py [ITERATIONS] [GAMES] [SECONDS]

The search seat goes round the table. Games are played on two processes until GAMES are done or SECONDS are over; those
under way then still count, so that short games are not preferred. A shared win counts by its share.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from math import sqrt
from pathlib import Path
from random import Random
from time import monotonic, process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.dice import Dice
from games.kernel import Setting, decide, legal, pending, start
from server.catalogue import Catalogue
from server.search.searcher import choose_by_search

SEATS = 3
PROCESSES = 2

RULES = Catalogue.load()["tpoc"].rules


def play(number: int, iterations: int) -> tuple[float, int, float, int, float]:
    """One game: share of the win, searches, seconds in them, own votes, mean votes of the others."""
    chance, mine = Random(f"search strength {number}"), number % SEATS
    setting = Setting(next(iter(RULES.shelf)), SEATS, RULES.options())
    state, dice = RULES.initial(setting), Dice(chance.randbytes(32))
    start(RULES, state, setting, dice)
    searches, seconds = 0, 0.0
    while state.outcome is None:
        seat = pending(state).seats[0]
        answers = legal(RULES, state, seat)
        if seat == mine and len(answers) > 1:
            before = process_time()
            action = choose_by_search(RULES, state, seat, iterations, chance.randbytes(32))
            seconds += process_time() - before
            searches += 1
        else:
            action = chance.choice(answers)
        decide(RULES, state, seat, action, dice)
    winners, votes = state.outcome.winners, state.outcome.scores
    share = 1 / len(winners) if mine in winners else 0.0
    return share, searches, seconds, votes[mine], (sum(votes) - votes[mine]) / (SEATS - 1)


def games(iterations: int, most: int, seconds: float) -> Iterator[tuple[float, int, float, int, float]]:
    """The games played, as many as the time allows."""
    end, number, under_way = monotonic() + seconds, 0, set()
    with ProcessPoolExecutor(PROCESSES) as pool:
        while under_way or (number < most and monotonic() < end):
            while len(under_way) < PROCESSES and number < most and monotonic() < end:
                under_way.add(pool.submit(play, number, iterations))
                number += 1
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def interval(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of Wilson (1927) for a share of `count` games."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    width = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return middle - width, middle + width


def main(iterations: int = 50, most: int = 100, seconds: float = 150) -> None:
    """Play, and print a line of the table in games/tpoc/README.md."""
    played = list(games(iterations, most, seconds))
    count = len(played)
    share = sum(game[0] for game in played) / count
    low, high = interval(share, count)
    own, others = sum(game[3] for game in played) / count, sum(game[4] for game in played) / count
    spent = 1000 * sum(game[2] for game in played) / sum(game[1] for game in played)
    print("| iterations | games | share of wins | 95 % interval | votes, own and others | CPU a decision |")
    wins = f"{share:.0%} | {low:.0%} to {high:.0%}"
    print(f"| {iterations} | {count} | {wins} | {own:.1f} and {others:.1f} | {spent:.0f} ms |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
