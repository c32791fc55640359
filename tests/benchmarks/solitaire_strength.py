"""How well `search:N` plays a game for one: its mean score against that of random play, over the same dice.

python -m tests.benchmarks.solitaire_strength [RULESET] [ITERATIONS] [GAMES] [JOBS]
"""

import multiprocessing
import sys
from hashlib import sha256
from math import sqrt
from statistics import mean, stdev

from games.dice import Dice
from games.kernel import decide, legal, start
from server.catalogue import Catalogue, setting
from server.search.searcher import choose_by_search


def play(task):
    """One game from its seed; with no iterations every answer is by chance. The score."""
    ruleset, iterations, seed = task
    entry = Catalogue.load()[ruleset]
    rules, made = entry.rules, setting(entry, 1, {})
    state, dice = rules.initial(made), Dice(_key("game", seed))
    chance = Dice(_key("chance", seed))
    start(rules, state, made, dice)
    asked = 0
    while state.outcome is None:
        answers = legal(rules, state, 0)
        if iterations and len(answers) > 1:
            action = choose_by_search(rules, state, 0, iterations, _key("search", seed, asked))
        else:
            action = chance.pick("answer", answers)
        decide(rules, state, 0, action, dice)
        asked += 1
    return state.outcome.scores[0]


def _key(*told):
    return sha256(" ".join(map(str, told)).encode()).digest()


def main(ruleset="world_war_zed", iterations=40, games=200, jobs=2):
    print("| player | games | mean score | 95 % interval |\n| --- | --- | --- | --- |")
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for name, count in (("random", 0), (f"search:{iterations}", iterations)):
            scores = pool.map(play, [(ruleset, count, seed) for seed in range(games)], chunksize=1)
            middle, off = mean(scores), 1.96 * stdev(scores) / sqrt(games)
            print(f"| {name} | {games} | {middle:.1f} | {middle - off:.1f} to {middle + off:.1f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
