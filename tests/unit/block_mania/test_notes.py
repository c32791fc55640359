"""What a legal action says of itself: its cost in points, whether it kills, what it binds to (4.3, 4.4)."""

import pytest

from games.block_mania.ruleset import RULES
from games.kernel import legal, tag_of
from tests.unit.block_mania.kit import sq
from tests.unit.block_mania.test_combat import IDLE, Play, one


def notes(play, name, seat=0, **fields):
    """The notes of the one legal action with this tag and these fields."""
    found = [
        action
        for action in legal(RULES, play.state, seat)
        if tag_of(type(action)) == name and all(getattr(action, key) == value for key, value in fields.items())
    ]
    (action,) = found
    return action.notes(play.state, seat)


def activated(position, blocker, squares=None, **fields):
    play = Play(position(command_points=20, blockers=[blocker, *IDLE], squares=squares or {}, **fields))
    return play.act(0, "activate", blocker=blocker["id"])


@pytest.mark.parametrize(
    ("squares", "power", "costs"),
    [
        # Up is 2, down 1, sideways 1, any step into a Civic square nothing; each collapsed square 1 more (T12).
        ({}, True, {"TP:3,5": 0, "TP:3,3": 1, "TP:2,4": 1, "TP:4,4": 1}),
        ({}, False, {"TP:3,5": 2, "TP:3,3": 1}),
        ({"TP:3,5": {"collapsed": True}, "TP:4,4": {"collapsed": True}}, True, {"TP:3,5": 1, "TP:4,4": 2, "TP:3,3": 1}),
        ({"TP:3,4": {"collapsed": True}}, True, {"TP:3,5": 1, "TP:2,4": 2}),
    ],
)
def test_a_step_says_what_it_costs(position, squares, power, costs):
    marks = {sq(name): fate for name, fate in squares.items()}
    seats = [{"power": power}, {}]
    play = activated(position, one("j", "juves", 0, "TP:3,4"), marks, seats=seats)
    assert {name: notes(play, "walk", to=sq(name))["cost"] for name in costs} == costs


def test_activating_deploying_and_buying_say_what_they_cost(position):
    blockers = [one("fat", "fatties", 0, "TP:3,4"), one("mob", "mob", 0, "TP:4,4"), one("x", "jaeger", 0, "TP:5,4")]
    options = {"jaegers": True}
    play = Play(position(options=options, command_points=9, blockers=[*blockers, *IDLE]))
    costs = {name: notes(play, "activate", blocker=name)["cost"] for name in ("fat", "mob", "x", "idle")}
    assert costs == {"fat": 2, "mob": 4, "x": 0, "idle": 1}
    assert notes(play, "deploy_blocker") == {"cost": 4}
    play.act(0, "activate", blocker="fat")
    assert notes(play, "buy_mp", n=3) == {"cost": 3}


def test_mob_frenzy_makes_mobs_cheap(position):
    seats = [{"hand": ["electro_cordon/mob_frenzy"]}, {}]
    play = Play(position(command_points=9, seats=seats, blockers=[one("mob", "mob", 0, "TP:4,4"), *IDLE]))
    play.act(0, "play_mania", card="electro_cordon/mob_frenzy")
    assert notes(play, "activate", blocker="mob")["cost"] == 2


@pytest.mark.parametrize(("collapsed", "lethal"), [(False, False), (True, True)])
def test_a_broken_chute_says_that_it_kills(position, collapsed, lethal):  # BM-TR-5
    squares = {sq("TP:3,2"): {"collapsed": True}} if collapsed else {}
    play = activated(position, one("j", "juves", 0, "TP:3,7"), squares)
    found = notes(play, "ride_grav_chute")
    assert (found["cost"], found["lethal"]) == (1, lethal)


@pytest.mark.parametrize(("level", "lethal"), [(1, True), (4, False)])
def test_a_swing_from_too_low_says_that_it_kills(position, level, lethal):  # BM-SW-4
    options = {"robodogs_sucker_guns": True}
    swinger = one("j", "juves", 0, f"TP:7,{level}", equipment=["sucker_gun"])
    found = notes(activated(position, swinger, options=options), "sucker_swing")
    assert (found["cost"], found["lethal"]) == (1, lethal)


def test_what_must_be_left_at_once_says_so(position):  # BM-EQA-7
    options = {"trip_mines_spit_cannons": True}
    mob = one("mob", "mob", 0, "TP:4,4", equipment=["trip_mine", "demo_charge", "spit_cannon"])
    play = activated(position, mob, options=options)
    assert notes(play, "drop", token="trip_mine") == {"cost": 1, "must_leave": True}
    assert notes(play, "drop", token="demo_charge") == {"cost": 1, "must_leave": False}
    assert notes(play, "deploy_heavy", token="spit_cannon") == {"cost": 2}


def test_a_flight_costs_all_that_is_left(position):  # BM-FLY-1
    play = activated(position, one("s", "superhero", 0, "TP:7,0"))
    assert notes(play, "fly", to=sq("TP:8,9"))["cost"] == 6


def test_who_is_activated_is_told_by_its_type(position):
    play = Play(position(command_points=20, blockers=[one("b1", "mob", 0, "TP:4,4"), *IDLE]))
    assert notes(play, "activate", blocker="b1")["type"] == "mob"
