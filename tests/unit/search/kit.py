"""Positions to search in, of every ruleset, and what a search finds there."""

from hashlib import sha256

from games.kernel import encode, legal, pending
from server.search.searcher import choose_by_search
from tests.properties.playouts import RULESETS, play

SEED = b"a seed"


def positions(rules, *, games=2, every=7, seed=0):
    """(state, seat) of decisions with something to choose, through some random games, whoever decides."""
    for number in range(seed, seed + games):
        game = play(rules, number)
        for version in range(0, len(game.acts), every):
            state = game.state(version)
            step = pending(state)
            if step is not None and len(legal(rules, state, step.seats[0])) > 1:
                yield state, step.seats[0]


def found_everywhere(iterations):
    """One hash over what searches find, in a form that a process can print."""
    found = sha256()
    for rules in RULESETS.values():
        for state, seat in positions(rules):
            found.update(encode(choose_by_search(rules, state, seat, iterations, SEED)))
    return found.hexdigest()


if __name__ == "__main__":
    print(found_everywhere(12))  # noqa: T201 - how a process of its own tells the test
