"""Nothing of a hand shows in a window: who is asked, what others see of it, what they may do (HT 4.4.3, 4.4.4)."""

from random import Random

import pytest

from games.dice import Dice
from games.host_tournament.actions.windows import SetAutoPass
from games.host_tournament.passing import Pass
from games.host_tournament.ruleset import RULES
from games.host_tournament.state import KINDS, AutoPass
from games.host_tournament.steps.ops import CardChoice, Do
from games.host_tournament.steps.turns import StartPlace
from games.host_tournament.steps.windows import React
from games.kernel import SPECTATOR, Setting, decide, decisions, encode, legal, redact, start

FIELD = {
    "bent_corner1": {"card": "bent_corner", "owner": 0},
    "tamsin1": {"card": "tamsin", "owner": 0, "at": "bent_corner"},
    "callan1": {"card": "callan", "owner": 1, "at": "bent_corner"},
}
SEATS = [{"hand": ["tamsin", "pint"]}, {"hand": ["second_wind"]}]


def asked(state):
    return [(d.seat, type(d.step).__name__) for d in decisions(state)]


def act(state, dice, seat, tag, **fields):
    action = next(
        a
        for a in legal(RULES, state, seat)
        if type(a).__name__ == tag and all(getattr(a, k) == v for k, v in fields.items())
    )
    return decide(RULES, state, seat, action, dice)


@pytest.mark.parametrize(
    ("hand", "owing"),
    [
        ([], [(0, "MainAction")]),
        (["second_wind"], [(1, "React")]),
        (["pint"], [(1, "React")]),
        (["judges_whistle", "tamsin"], [(1, "React")]),
    ],
)
def test_who_is_asked_follows_from_the_size_of_the_hand_alone(begun, hand, owing):
    state, dice = begun(turn=3, in_play=FIELD, seats=[{"hand": []}, {"hand": hand}])
    state.seats[0].hand = ["fresher"]
    told = act(state, dice, 0, "PlayCard")
    assert asked(state) == owing
    window = [redact(effect, 0) for effect in told.effects][-3:]
    assert ({"effect": "passed", "seat": 1} in window) == (not hand)


def test_with_smart_reactions_only_who_has_an_answer_is_asked(begun):
    for hand, owing in ((["pint"], 0), (["fire_alarm"], 1)):
        state, dice = begun(
            {"reactions": "smart"}, turn=3, in_play=FIELD, seats=[{"hand": ["fresher"]}, {"hand": hand}]
        )
        act(state, dice, 0, "PlayCard")
        assert asked(state)[0][0] == owing


def test_rest_covers_windows_up_to_the_next_action_or_the_turn(begun):
    for rest, later in (("window", 1), ("action", 1), ("turn", 0)):
        state, dice = begun(turn=3, in_play=FIELD, seats=[{"hand": ["fresher", "fresher"]}, {"hand": ["fire_alarm"]}])
        act(state, dice, 0, "PlayCard")
        decide(RULES, state, 1, Pass(rest), dice)
        act(state, dice, 0, "PlayCard")
        assert asked(state)[0][0] == later, rest
    assert state.seats[1].auto_pass.rest == "turn"


@pytest.mark.parametrize(
    ("kept", "owing"),
    [
        (SetAutoPass(("after_action",), wake=()), 0),
        (SetAutoPass(("turn_end",), wake=()), 1),
        (SetAutoPass(KINDS, "cancelled"), 0),
        (SetAutoPass(()), 1),
    ],
)
def test_a_preference_answers_in_the_event_that_opens_the_window(begun, kept, owing):
    state, dice = begun(turn=3, in_play=FIELD, seats=[{"hand": ["fresher"]}, {"hand": ["fire_alarm"]}])
    told = decide(RULES, state, 1, kept, dice)
    assert [redact(effect, 0) for effect in told.effects] == [{"effect": "hidden"}]
    act(state, dice, 0, "PlayCard")
    assert asked(state)[0][0] == owing


@pytest.mark.parametrize(("wake", "owing"), [((), 0), (("event",), 0), (("own_target",), 0), (("answer",), 1)])
def test_what_wakes_suspends_a_preference_for_one_window(begun, wake, owing):
    """Seat 0 moves and could answer the chula that seat 1 plays."""
    field = FIELD | {"wee_cellar1": {"card": "wee_cellar", "owner": 0}, "corn_hall1": {"card": "corn_hall", "owner": 1}}
    seats = [{"hand": ["pint"]}, {"hand": ["the_station"]}]
    state, dice = begun(turn=3, in_play=field, seats=seats)
    decide(RULES, state, 0, SetAutoPass(KINDS, wake=wake), dice)
    act(state, dice, 0, "MoveGroup")
    act(state, dice, 1, "PlayChula")
    named = owing or ("own_target" in wake)
    assert isinstance(state.agenda[-1], React) == bool(named)


def test_until_says_when_a_preference_ends(begun):
    kept = {}
    for until in ("end_of_turn", "my_turn", "cancelled"):
        state, dice = begun(turn=3, in_play=FIELD, seats=[{"hand": []}, {"hand": ["pint"]}])
        decide(RULES, state, 0, SetAutoPass(KINDS, until), dice)
        decide(RULES, state, 1, SetAutoPass(KINDS, until), dice)
        act(state, dice, 0, "EndTurn", draw=0)
        kept[until] = [bool(seat.auto_pass.kinds) for seat in state.seats]
    assert kept == {"end_of_turn": [False, False], "my_turn": [True, False], "cancelled": [True, True]}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_by_another_hand_looks_the_same(house, seed):
    """In random games: whatever the other seat holds, a seat sees the same views, lists and effects of its own acts.

    Also if it holds cards that are not in its deck at all (specification, 3.4). Stricter than the shared property: a
    pass of the other seat tells nothing of its hand, so it ends no comparison.
    """
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    setting = Setting(house, 2, RULES.options(turn_limit=40))
    state = RULES.initial(setting)
    start(RULES, state, setting, dice)
    compared = 0
    while state.outcome is None:
        seat = chance.choice([d.seat for d in decisions(state) if d.owes])
        action = chance.choice(legal(RULES, state, seat))
        twin = RULES.resample(state, seat, Dice(seed.to_bytes(32, "little"), dice.draws))
        twin.seats[1 - seat].auto_pass = state.seats[1 - seat].auto_pass
        if not twin.plays and not any(isinstance(step, (Do, CardChoice, StartPlace)) for step in twin.agenda):
            other_cards(twin.seats[1 - seat], sorted(twin.book.cards), chance)
        assert encode(RULES.view(twin, seat)) == encode(RULES.view(state, seat))
        assert encode(legal(RULES, twin, seat)) == encode(legal(RULES, state, seat))
        both = RULES.resample(state, SPECTATOR, Dice(bytes(32), dice.draws))
        assert encode(RULES.view(both, SPECTATOR)) == encode(RULES.view(state, SPECTATOR))
        draws = dice.draws
        here = decide(RULES, state, seat, action, dice).effects
        there = decide(RULES, twin, seat, action, Dice(dice.key, draws)).effects
        compared += same_until_told(here, there, seat)
    assert compared > 200


def other_cards(seat, ids, chance):
    """Half of what nobody has seen of a seat becomes other cards of the pack (the sample decks shuffle none back)."""
    for zone, known in ((seat.hand, len(seat.shown)), (seat.deck, 0)):
        for index in range(known, len(zone)):
            if chance.random() < 0.5:
                zone[index] = chance.choice(ids)


def same_until_told(here, there, reader):
    """Compare up to the first effect that gives the reader or chance something new; how many were compared."""
    for count, (one, two) in enumerate(zip(here, there, strict=False)):
        new = one.tells == ("*",) or "seat" in one.tells or (one.tells == ("*", "-seat") and one.seat != reader)
        if new and type(one).__name__ != "Passed":
            return count
        assert redact(one, reader) == redact(two, reader)
    assert len(here) == len(there)
    return len(here)


def test_the_default_preference_is_none():
    assert AutoPass() == AutoPass((), "end_of_turn", ("own_target", "event"), "window")
