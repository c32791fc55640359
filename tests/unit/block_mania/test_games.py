"""Whole games with option vectors that hold every pair of values, for two, three and four seats."""

from itertools import combinations
from random import Random
from typing import get_args, get_type_hints

import msgspec
import pytest

from games.block_mania.options import Options
from games.block_mania.ruleset import RULES, check_setting
from games.dice import Dice
from games.kernel import SPECTATOR, PositionError, Setting, decide, decisions, encode, fold, legal, start, tag_of
from tests.unit.block_mania.kit import DIGEST

LIST_MAX = 2000
#: Numbers of which a few values stand for all.
SAMPLES = {"discard": ("auto", 0, 40), "max_reshuffles": (3, 0, 1), "seats": (2, 3, 4)}


def values():
    """Every option with its values (the boards are chosen in the game)."""
    found = dict(SAMPLES)
    for name, hint in get_type_hints(Options).items():
        if hint is bool:
            found[name] = (False, True)
        elif name not in SAMPLES and name != "first_boards":
            found[name] = get_args(hint)
    return found


def pairwise(seed):
    """Vectors of values that have every pair of values of two options somewhere: each the best of some by chance."""
    options, chance = values(), Random(seed)
    left = {
        frozenset([(one, a), (other, b)])
        for one, other in combinations(options, 2)
        for a in options[one]
        for b in options[other]
    }
    vectors = []
    while left:
        tried = [{name: chance.choice(found) for name, found in options.items()} for _ in range(30)]
        best = max(tried, key=lambda vector: len(left & covered(vector)))
        left -= covered(best)
        vectors.append(best)
    return vectors


def covered(vector):
    return {frozenset(pair) for pair in combinations(vector.items(), 2)}


VECTORS = pairwise(1)


def setting(vector):
    options = {name: value for name, value in vector.items() if name != "seats"}
    return Setting(DIGEST, vector["seats"], msgspec.convert(options, Options))


def test_the_vectors_have_every_pair():
    pairs = set().union(*map(covered, VECTORS))
    assert frozenset([("mine_bluffing", True), ("reaction_prompt", "eligible_card")]) in pairs
    assert len(VECTORS) < 60


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(VECTORS)))
def test_a_game_with_each_vector_keeps_its_pieces_and_ends(number):
    made = setting(VECTORS[number])
    chance, dice = Random(number), Dice(number.to_bytes(32, "big"))
    state = RULES.initial(made)
    pieces = RULES.components(state)
    start(RULES, state, made, dice)
    folded = RULES.copy(state)
    for decided in range(RULES.bound):
        if state.outcome is not None:
            break
        seat = chance.choice([decision.seat for decision in decisions(state)])
        answers = legal(RULES, state, seat)
        assert 0 < len(answers) < LIST_MAX
        kind = type(chance.choice(list({type(answer): answer for answer in answers}.values())))
        wanted = [answer for answer in answers if type(answer) is kind] if chance.random() < 0.5 else answers
        fold(folded, decide(RULES, state, seat, chance.choice(wanted), dice).effects)
        assert RULES.components(state) == pieces
        if decided % 20 == 0:
            assert encode(folded) == encode(state)
            for reader in (*range(made.seats), SPECTATOR):
                encode(RULES.view(state, reader))
    assert state.outcome is not None


#: What a long-winded player likes, best first; it comes to anything else only where it must.
TALK = (
    "deploy_blocker", "activate", "walk", "toggle_power", "buy_mp", "ride_elevator", "ride_pedway", "end_step",
    "end_command", "end_activation", "pass_defensive_fire", "pass",
)  # fmt: skip
HARMLESS = ("sonic_cannon", "fire_department", "kleggs_go_home", "pat_wagon", "h_wagon", "electro_cordon")
CROWD = 24


def reluctance(state, seat, action, chance):
    """How little a long-winded player likes an action: it takes many small steps, and spares all blockers."""
    tag = tag_of(type(action))
    if tag == "play_mania" and action.card.partition("/")[2] in ("reinforcements", "ra_ra_ra"):
        return 0, 0
    if tag == "play_justice":
        kind = action.card.partition("/")[0]
        return HARMLESS.index(kind) if kind in HARMLESS else len(HARMLESS), chance.random()
    if tag == "discard":
        return 0, sum(card.partition("/")[0] in HARMLESS for card in action.cards) + chance.random()
    crowded = tag == "deploy_blocker" and sum(one.controller == seat for one in state.blockers.values()) >= CROWD
    if tag not in TALK or crowded or (tag == "buy_mp" and action.n > 1):
        return len(TALK), chance.random()
    return TALK.index(tag), type(action).notes(action, state, seat).get("cost", 0) + chance.random() / 2


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_a_long_winded_player_stays_far_from_the_bound(seats):
    made, chance, dice = Setting(DIGEST, seats, Options()), Random(seats), Dice(bytes([seats] * 32))
    state = RULES.initial(made)
    start(RULES, state, made, dice)
    decided = 0
    while state.outcome is None:
        seat = decisions(state)[0].seat
        answers = legal(RULES, state, seat)
        decide(RULES, state, seat, min(answers, key=lambda one: reluctance(state, seat, one, chance)), dice)
        decided += 1
        assert decided < RULES.bound / 3
    assert decided > 1000 * seats  # long-winded it was


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (4, {"discard": 51}, "options.discard: it leaves 3 cards"),
        (2, {"discard": 47, "opening_hand": 3}, "options.discard: it leaves 1 cards"),
        (2, {"first_boards": ["tallow_point"]}, "options.first_boards: a board of the pack for each seat"),
        (2, {"first_boards": ["tallow_point", "elsewhere"]}, "options.first_boards"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(seats, options, sentence):
    with pytest.raises(PositionError, match=sentence):
        check_setting(Setting(DIGEST, seats, msgspec.convert(options, Options)))


@pytest.mark.parametrize(("seats", "out", "draws"), [(2, 18, 18), (3, 12, 14), (4, 6, 12)])
def test_the_discard_leaves_each_seat_as_many_turns(seats, out, draws):
    made = Setting(DIGEST, seats, Options())
    state = RULES.initial(made)
    start(RULES, state, made, Dice(bytes(32)))
    assert (sum(state.setup_discard.values()), len(state.mania_deck)) == (out, seats * draws)


def test_fixed_boards_are_not_chosen():
    made = Setting(DIGEST, 2, Options(first_boards=("gantry_row", "tallow_point")))
    state = RULES.initial(made)
    start(RULES, state, made, Dice(bytes(32)))
    assert state.boards == tuple(seat.board for seat in state.seats) == ("gantry_row", "tallow_point")
    assert state.phase == "setup_blockers"
