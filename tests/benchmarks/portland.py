"""How fast Portland Occupied Zone is, and where the time goes: `python -m tests.benchmarks.portland [profile]`.

Random games with whole lists of legal actions, police included; and one round's Police Business at its busiest, with
all decisions of it: eight riot cops, Jackson, Medic, shots, a checkpoint, twenty structures, four characters.
"""

import cProfile
import pstats
import sys
from random import Random
from statistics import median
from time import process_time

import msgspec

from games.dice import Dice
from games.kernel import Setting, decide, decisions, legal, start, start_at
from games.portland_occupied_zone.ruleset import RULES
from server.catalogue import Catalogue

GAMES = 3
ROUNDS = 15
TABLES = {
    "4 seats of one character": (4, {}),
    "1 seat with four": (1, {"characters_per_seat": 4}),
    "1 seat with eight": (1, {"characters_per_seat": 8}),
    "8 seats of one": (8, {}),
}
CORNERS = [[0, 6], [6, 0], [13, 0], [19, 6], [19, 13], [13, 19], [6, 19], [0, 13]]
TENTS = [[x, y] for y in (5, 14) for x in (1, 3, 5, 14, 16, 18)] + [[x, y] for y in (8, 11) for x in (4, 5, 14)]
BUSY = {
    "battle": True,
    "round": 26,
    "step": "2.1",
    "lead": {"token": "tin_pot", "holder": "steve"},
    "pcs": {
        "steve": {"seat": 0, "space": [6, 9], "crap": 12},
        "kim": {"seat": 1, "space": [13, 12], "crap": 9},
        "jack": {"seat": 2, "space": [10, 15], "crap": 20},
        "jeff": {"seat": 3, "space": [6, 5], "crap": 3},
    },
    "structures": [
        {"type": "commune", "anchor": [9, 9], "npcs": 1},
        {"type": "pulpit", "anchor": [7, 10]},
        *({"type": "tent", "anchor": cell} for cell in TENTS),
    ],
    "cops": [{"space": cell, "ready_round": 1} for cell in CORNERS],
    "jackson": {"space": [10, 6], "on_board": True},
    "medic": {"space": [6, 13], "on_board": True},
    "timed": [{"key": "police_shoot", "until": "round"}],
    "checkpoints": {"k1": {"cells": [[6, 1], [7, 1]]}},
    "buildings": {"pizza": {"arson": 2}, "merda": {"arson": 1}},
}


def setting(seats, options):
    return Setting(RULES.shelf.find("poz_house"), seats, msgspec.convert(options, RULES.options))


def answer(state, chance, dice):
    """One decision by chance, of the whole lists of all who may decide."""
    answers = {one.seat: found for one in decisions(state) if (found := legal(RULES, state, one.seat))}
    seat = chance.choice(list(answers))
    decide(RULES, state, seat, chance.choice(answers[seat]), dice)


def game(seats, options, seed):
    """A random game; how many decisions."""
    made, chance, dice = setting(seats, options), Random(seed), Dice(seed.to_bytes(32, "big"))
    state, count = RULES.initial(made), 0
    start(RULES, state, made, dice)
    while state.outcome is None:
        answer(state, chance, dice)
        count += 1
    return count


def police():
    """One round's Police Business; the seconds it took."""
    made, chance, dice = setting(4, {}), Random(1), Dice(bytes(32))
    state, position = RULES.initial(made), RULES.position.load(BUSY, made, "new")
    before = process_time()
    start_at(RULES, state, position, dice)
    while state.phase == "police" and state.outcome is None:
        answer(state, chance, dice)
    return process_time() - before


def main(profile=None):
    Catalogue.load()
    game(4, {}, 99)
    print("| what | measured |\n| --- | --- |")
    for name, (seats, options) in TABLES.items():
        before = process_time()
        count = sum(game(seats, options, seed) for seed in range(GAMES))
        print(f"| random games, {name} | {count / (process_time() - before):,.0f} actions/s |", flush=True)
    times = sorted(police() for _ in range(ROUNDS))
    print(f"| Police Business | {1000 * median(times):.0f} ms, at most {1000 * times[-1]:.0f} |", flush=True)
    if profile is not None:
        for what in (lambda: game(4, {}, 1), police):
            watch = cProfile.Profile()
            watch.runcall(what)
            pstats.Stats(watch).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main(*sys.argv[1:])
