"""All that one card says works and adds up; of several copies of it one counts (HT-17.1, HT-R36, section 4.4.5)."""

import copy
import json
from pathlib import Path

import pytest

from games.dice import Dice, Script
from games.host_tournament.moves import cost
from games.host_tournament.options import Options
from games.host_tournament.ordering import session_pace
from games.host_tournament.ruleset import RULES
from games.host_tournament.state import Roll
from games.host_tournament.values import level, rated
from games.kernel import Setting, decide, decisions, legal, start_at

ROOT = Path(__file__).parents[3]
PACK = json.loads((ROOT / "tests/packs/host_tournament/test_pack.json").read_text("utf-8"))
HOST = {"bent_corner1": {"card": "bent_corner", "owner": 0}, "ines1": {"card": "ines", "owner": 0, "at": "bent_corner"}}


@pytest.fixture
def table(house):
    """A game with a card of the pack changed, which goes on from what is in play: `table("fresher", {…}, in_play)`."""

    def made(card, fields, in_play, dice=(), **rest):
        pack = copy.deepcopy(PACK)
        kinds = ("personnel", "location", "equipment", "event", "interrupt", "chula")
        found = next(one for kind in kinds for one in pack[kind] if one["id"] == card)
        found |= fields
        setting = Setting(RULES.shelf.add(json.dumps(pack).encode()), 2, Options())
        loaded = RULES.position.load({"in_play": in_play, "seats": [{}, {}]} | rest, setting, "new")
        state, rolled = RULES.initial(setting), Dice(bytes(32), script=Script(dice))
        start_at(RULES, state, loaded, rolled)
        return state, rolled

    return made


def fresher(number, at="bent_corner", owner=0):
    return {f"fresher{number}": {"card": "fresher", "owner": owner, "at": at}}


def end_turn(state, dice):
    """The seat whose turn it is ends it, and whoever is asked then passes."""
    seat, turn = state.active, state.turn
    decide(RULES, state, seat, next(a for a in legal(RULES, state, seat) if getattr(a, "draw", None) == 0), dice)
    while state.turn == turn:
        one = decisions(state)[0].seat
        decide(RULES, state, one, next(a for a in legal(RULES, state, one) if type(a).declines), dice)


TWICE = [["end", ["score", "YOU", 1]], ["end", ["score", "YOU", 4]]]


def test_two_rules_of_one_card_for_one_moment_both_work(table):
    state, dice = table("fresher", {"effect": TWICE}, HOST | fresher(1))
    end_turn(state, dice)
    assert state.seats[0].score == 5


def test_two_rules_at_the_start_both_work_the_second_by_its_condition(table):
    rules = [["start", ["score", "YOU", 1]], ["start", ["when", ["at", "social"]], ["score", "YOU", 2]]]
    state, dice = table("fresher", {"effect": rules}, HOST | fresher(1))
    end_turn(state, dice)
    end_turn(state, dice)
    assert state.seats[0].score == 3


def test_of_two_copies_one_works_with_all_its_rules(table):
    state, dice = table("fresher", {"effect": TWICE}, HOST | fresher(1) | fresher(2))
    end_turn(state, dice)
    assert state.seats[0].score == 5


def test_a_copy_works_where_the_first_one_could_not(table):
    rules = [["end", ["when", ["at", "tournament"]], ["score", "YOU", 1]]]
    there = {"man_a_vault1": {"card": "man_a_vault", "owner": 0}} | fresher(2, "man_a_vault")
    state, dice = table("fresher", {"effect": rules}, HOST | there | fresher(1))
    end_turn(state, dice)
    assert state.seats[0].score == 1


def test_a_copy_that_has_gone_has_worked_all_the_same(table):
    rules = [["end", ["score", "YOU", 1], ["discard", "SELF"]]]
    state, dice = table("fresher", {"effect": rules}, HOST | fresher(1) | fresher(2))
    end_turn(state, dice)
    assert (state.seats[0].score, "fresher2" in state.in_play) == (1, True)


@pytest.mark.parametrize(
    ("rules", "playing"),
    [
        (
            [
                ["during", ["buff", "SELF", "playing", 1]],
                ["during", ["when", ["at", "social"]], ["buff", "SELF", "playing", 2]],
            ],
            3,
        ),
        ([["during", ["buff", "SELF", "playing", 3], ["buff", "SELF", "every_stat", -1]]], 2),
    ],
    ids=["two rules", "one rule"],
)
def test_two_modifiers_of_one_card_add_up(table, rules, playing):
    state, _ = table("ines", {"effect": rules}, HOST)
    assert rated(state, "ines1", "playing") == 5 + playing


def test_of_two_copies_the_stronger_sum_counts(table):
    rules = [
        ["during", ["buff", "MINE", "playing", 2]],
        ["during", ["when", ["ge", ["count", "MINE", "ines"], 1]], ["buff", "MINE", "playing", 2]],
    ]
    state, _ = table("fresher", {"effect": rules}, HOST | fresher(1) | fresher(2))
    assert rated(state, "ines1", "playing") == 5 + 4


def test_two_skills_of_one_card_add_up(table):
    rules = [["during", ["grant", "SELF", "quiz", 1], ["grant", "SELF", "quiz", 2]]]
    state, _ = table(
        "tamsin", {"effect": rules}, HOST | {"tamsin1": {"card": "tamsin", "owner": 0, "at": "bent_corner"}}
    )
    assert level(state, "tamsin1", "quiz") == 3


def test_two_fees_of_one_card_add_up(table):
    rules = [["during", ["fee", "ALL", "move", 1], ["fee", "ALL", "move_town", 1]]]
    there = {"wee_cellar1": {"card": "wee_cellar", "owner": 0}}
    state, _ = table("bent_corner", {"effect": rules}, HOST | there)
    assert cost(state, "bent_corner", "wee_cellar", ("ines1",)) == 4


PLAYERS = HOST | {"nell1": {"card": "nell", "owner": 1, "at": "bent_corner"}}


@pytest.mark.parametrize(
    ("cum", "played", "pace"),
    [
        (False, [("town_crier1", -2), ("town_crier2", -2)], 4),
        (True, [("town_crier1", -2), ("town_crier2", -2)], 2),
        (False, [("town_crier1", -2), ("town_crier1", -1)], 3),
    ],
    ids=["two copies", "two cumulative copies", "twice in one text"],
)
def test_each_play_that_changes_the_pace_is_a_copy_of_its_own(table, cum, played, pace):
    state, _ = table("town_crier", {"cum": cum}, PLAYERS)
    state.roll = Roll(kind="drinking", event="drinking_session1", place="bent_corner", pace=6, paces=played)
    assert session_pace(state) == pace
