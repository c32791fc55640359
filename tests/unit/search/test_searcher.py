"""What the search is: the same for the same bytes, blind to what its seat cannot see, and no fool."""

import os
import subprocess
import sys
from math import ceil, sqrt
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from games.dice import Dice
from games.kernel import KernelError, Setting, encode, legal, pending, start_at
from games.tpoc import RULES as TPOC
from server.search import searcher
from server.search.searcher import SearchDice, choose_by_search
from tests import tiny
from tests.properties.playouts import RULESETS, play
from tests.unit.search.kit import SEED, positions

ROOT = Path(__file__).parents[3]
BOTH = pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)


def tpoc_at(position):
    """A position of TPOC that waits for a decision."""
    return TPOC.position.load(position, Setting(next(iter(TPOC.shelf)), 3, TPOC.options()), "new")


@pytest.mark.slow
def test_the_same_bytes_give_the_same_action_whatever_the_hash_seed():
    command = [sys.executable, "-m", "tests.unit.search.kit"]
    told = {
        subprocess.check_output(command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, text=True)
        for seed in ("0", "4242")
    }
    assert len(told) == 1


@BOTH
def test_the_seed_decides(rules):
    state, seat = max(positions(rules), key=lambda one: len(legal(rules, *one)))
    found = [choose_by_search(rules, state, seat, 3, b"%d" % n) for n in range(8)]
    assert found == [choose_by_search(rules, state, seat, 3, b"%d" % n) for n in range(8)]
    assert len(set(map(encode, found))) > 1


@BOTH
@pytest.mark.slow
def test_what_the_seat_cannot_see_changes_nothing(rules):
    dice = SearchDice(Random(1))
    hidden = 0
    for state, seat in positions(rules, seed=3):
        other = rules.resample(state, seat, dice)
        hidden += encode(other) != encode(state)
        assert choose_by_search(rules, state, seat, 12, SEED) == choose_by_search(rules, other, seat, 12, SEED)
    assert hidden > 5 or rules.seats == range(1, 2)  # alone, nothing is hidden from a seat


@pytest.mark.slow
def test_a_search_that_looks_at_hidden_cards_would_be_noticed():
    looks = replace(TPOC, resample=lambda state, *_: TPOC.copy(state))
    dice = SearchDice(Random(1))
    assert any(
        choose_by_search(looks, state, seat, 12, SEED)
        != choose_by_search(looks, TPOC.resample(state, seat, dice), seat, 12, SEED)
        for state, seat in positions(TPOC, seed=3)
    )


@BOTH
def test_what_is_dealt_depends_on_what_the_seat_sees_and_the_dice(rules):
    for state, seat in positions(rules, games=4):
        other = rules.resample(state, seat, SearchDice(Random(1)))
        dealt = [rules.resample(one, seat, SearchDice(Random(2))) for one in (state, other)]
        assert encode(dealt[0]) == encode(dealt[1])


@BOTH
def test_the_state_stays_as_it_is(rules):
    for state, seat in positions(rules, games=1):
        before = encode(state)
        choose_by_search(rules, state, seat, 2, SEED)
        assert encode(state) == before


@BOTH
def test_every_answer_is_legal(rules):
    for state, seat in positions(rules, games=3, every=5):
        assert choose_by_search(rules, state, seat, 2, SEED) in legal(rules, state, seat)


def never(*_):
    raise AssertionError("there is nothing to search for")


def test_a_single_legal_action_is_answered_at_once():
    game = play(TPOC, 2)
    states = [game.state(version) for version in range(len(game.acts) - 1)]
    single = [s for s in states if len(legal(TPOC, s, pending(s).seats[0])) == 1]
    assert single
    for state in single:
        seat = pending(state).seats[0]
        assert [choose_by_search(replace(TPOC, resample=never), state, seat, 9, SEED)] == legal(TPOC, state, seat)


def test_a_seat_that_is_not_asked_has_nothing_to_choose():
    state = tpoc_at({"phase": "play", "active": 1})
    with pytest.raises(KernelError, match="nothing to choose"):
        choose_by_search(TPOC, state, 0, 1, SEED)


def tie(**more):
    """Seat 0 breaks a tie between itself and seat 1 for the last villager, which decides the game."""
    state = tpoc_at(
        {
            "phase": "sudden_death",
            "contenders": [0, 1],
            "bag": ["red/blue"],
            "seats": {
                "0": {"platform": ["red", "blue"], "leaders": ["red"]},
                "1": {"platform": ["red", "blue"], "won": {"blue/red": 1}},
            },
            **more,
        }
    )
    board = TPOC.initial(Setting(state.pack, 3, state.options))
    start_at(TPOC, board, state, Dice(bytes(32)))
    return board


@pytest.mark.parametrize("rules", [TPOC, replace(TPOC, evaluate=None)], ids=["evaluate", "to the end"])
def test_it_takes_the_win(rules):
    state = tie()
    assert [a.winner for a in legal(rules, state, 0)] == [0, 1]
    assert all(choose_by_search(rules, state, 0, 8, b"%d" % n).winner == 0 for n in range(5))


def searched(rules, state, seat, iterations):
    search = searcher._Search(rules, seat, legal(rules, state, seat), Random(5))
    for _ in range(iterations):
        search.iterate(rules.resample(state, seat, search.dice))
    return search


def setup_of_tpoc():
    state = play(TPOC, 0).state(0)
    return state, pending(state).seats[0]


def test_sealed_choices_of_others_are_one_edge():
    state, seat = setup_of_tpoc()
    search = searched(TPOC, state, seat, 120)
    below = [key for child in search._root.children.values() for key in child.children]
    other = pending(state).seats[1]
    assert below
    assert set(below) == {b'%d {"action":"choose_setup"}' % other}


def test_a_long_menu_is_sampled():
    state, seat = setup_of_tpoc()
    assert len(legal(TPOC, state, seat)) > 60
    root = searched(TPOC, state, seat, 100)._root
    assert root.visits == 100 == sum(child.visits for child in root.children.values())
    assert len(root.children) <= ceil(searcher.WIDTH * sqrt(100)) + 1


def test_rare_types_come_first():
    state = next(s for s, seat in positions(TPOC, every=1) if len({type(a) for a in legal(TPOC, s, seat)}) > 3)
    seat = pending(state).seats[0]
    kinds = {type(action) for action in legal(TPOC, state, seat)}
    root = searched(TPOC, state, seat, 200)._root
    assert {msgspec.json.decode(key.partition(b" ")[2])["action"] for key in root.children} == {
        kind.__struct_config__.tag for kind in kinds
    }


def test_values_of_a_node_are_those_of_who_decided():
    root = searched(TPOC, *setup_of_tpoc(), 60)._root
    for child in root.children.values():
        assert 0 <= child.total <= child.visits <= child.available
        for grandchild in child.children.values():
            assert 0 <= grandchild.total <= grandchild.visits <= child.visits


def test_games_of_one_seat_and_of_many_are_searched():
    for seats in tiny.RULES.seats:
        game = next(g for seed in range(50) if (g := play(tiny.RULES, seed)).setting.seats == seats)
        state = game.state(len(game.acts) // 2)
        seat = pending(state).seats[0]
        assert choose_by_search(tiny.RULES, state, seat, 10, SEED) in legal(tiny.RULES, state, seat)
