"""Section 3.3: what a position means, and which are impossible."""

import json

import pytest

from games.block_mania.ruleset import RULES
from games.kernel import PositionError

TP, GR = "tallow_point", "gantry_row"
JUVE = {"type": "juves", "seat": 0, "at": f"{TP}:7,4"}


def test_what_is_not_listed_is_as_it_is_in_the_specification(position):
    state = position(blockers=[JUVE])
    assert (state.phase, state.phasing, state.turn_no, state.command_points) == ("command", 0, 1, 0)
    assert state.boards == (TP, GR)
    assert [seat.power for seat in state.seats] == [True, True]
    assert (state.blockers["b1"].side, state.blockers["b1"].controller, len(state.mania_deck)) == ("in", 0, 54)


def test_named_blockers_and_tokens_have_left_their_pools(position):
    state = position(
        blockers=[JUVE | {"equipment": ["spray_paint"]}, {"type": "klegg", "seat": 1, "at": f"{GR}:3,3"}],
        squares={f"{TP}:4,4": {"tokens": [{"token": "demo_charge", "by": 1}]}, f"{TP}:4,8": {"cars": 1}},
    )
    assert state.seats[0].blocker_pool["juves/H"] == 2
    assert (state.hardware_pool["spray_paint"], state.armory_pool["demo_charge"]) == (15, 7)
    assert (state.klegg_supply, state.cars_supply) == (5, 2)


def test_cards_not_named_lie_behind_those_that_are(position):
    state = position(mania_deck=["judge_dredd/kaboom_thermo"], setup_discard=["judges/smoke_bombs"])
    assert state.mania_deck[:2] == ["judge_dredd/kaboom_thermo", "riot_foam/reinforcements"]
    assert (len(state.mania_deck), state.mania_deck.count("judges/smoke_bombs")) == (53, 1)


def test_in_the_endgame_they_lie_in_the_justice_deck(position):
    state = position(endgame=True, justice_deck=["judge_dredd/kaboom_thermo"])
    assert (state.mania_deck, len(state.justice_deck), state.justice_deck[0]) == ([], 54, "judge_dredd/kaboom_thermo")


def test_who_comes_first_in_the_list_arrived_first(position):
    hero = {"type": "superhero", "seat": 0, "at": f"{TP}:4,4"}
    state = position(blockers=[JUVE | {"at": f"{TP}:4,4"}, hero])
    assert [one.arrived for one in state.blockers.values()] == [1, 2]


def test_a_dumped_position_loads_to_the_same_one_through_json(position):
    state = position(
        count=3,
        options={"mine_bluffing": True, "trip_mines_spit_cannons": True, "plascrete_virus": True},
        boards=["gantry_row", "saltmarsh_rise", "tallow_point"],
        blockers=[
            {"id": "x", "type": "juves", "seat": 2, "at": f"{TP}:7,4", "equipment": ["bat_suit"], "mp_left": 3}
            | {"activated_this_turn": True}
        ],
        squares={f"{TP}:4,4": {"tokens": [{"token": "trip_mine", "by": 1, "face_down": True}], "virus": True}},
        units=[{"kind": "sonic_cannon", "at": "gantry_row:1,4", "block": 0}],
    )
    dumped = json.loads(json.dumps(RULES.position.dump(state)))
    again = position(
        count=3,
        options={"mine_bluffing": True, "trip_mines_spit_cannons": True, "plascrete_virus": True},
        **dumped,
    )
    assert again == state


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"blockers": [JUVE | {"at": f"{TP}:4,{level}"} for level in range(5)]}, "blockers: seat 0 has no more juves"),
        ({"blockers": [JUVE, JUVE | {"type": "spugs"}]}, "blockers: b2 cannot be in"),
        ({"blockers": [JUVE | {"at": f"{TP}:8,4"}]}, r"blockers\[0\]\.at: it would fall"),
        ({"blockers": [JUVE | {"at": f"{TP}:0,4"}]}, r"blockers\[0\]\.at: there is no square"),
        ({"blockers": [JUVE | {"side": "-"}]}, r"blockers\[0\]\.side: the sides of"),
        (
            {"blockers": [JUVE | {"type": "superhero", "equipment": ["spitgun"]}]},
            r"equipment: a superhero cannot carry",
        ),
        ({"blockers": [JUVE | {"type": "mob", "equipment": ["bat_suit"]}]}, r"equipment: a mob cannot carry"),
        ({"blockers": [JUVE | {"equipment": ["mdl"], "deployed": ["flamer"]}]}, "deployed: it is a part"),
        ({"blockers": [JUVE | {"equipment": ["flamer"], "deployed": ["flamer"]}]}, "deployed: only heavy"),
        ({"blockers": [JUVE | {"equipment": ["robodog"]}]}, "blockers: there are more robodog than exist"),
        ({"blockers": [JUVE | {"seat": 2}]}, r"blockers\[0\]: there is no such type, or no such seat"),
        ({"blockers": [JUVE | {"stuck_until": 2}]}, r"blockers\[0\]: the seats are 0 to 1"),
        ({"squares": {f"{TP}:4,4": {"cars": 4}}}, "more Kleggs, cars or Justice tokens"),
        ({"squares": {"nowhere:1,1": {"fire": 1}}}, "squares.nowhere:1,1: there is no such square"),
        ({"squares": {f"{TP}:4,4": {"tokens": [{"token": "brick", "by": 0}]}}}, "there is no brick"),
        ({"units": [{"kind": "h_wagon", "at": f"{TP}:8,0"}] * 3}, "more Kleggs, cars or Justice tokens"),
        ({"mania_deck": ["judge_dredd/kaboom_thermo"] * 2}, "cards: there is no 'judge_dredd/kaboom_thermo'"),
        ({"seats": {"0": {"hand": ["nobody/nothing"]}}}, "cards: there is no 'nobody/nothing'"),
        ({"seats": {"2": {}}}, "seats: the seats are 0 to 1"),
        ({"seats": {"0": {"dp": 7}}}, r"seats\[0\]\.dp: it follows from the rest and is 0"),
        ({"boards": [TP, TP]}, "boards: they are of"),
        ({"boards": [TP]}, "boards: there is one for each seat"),
        ({"turn_order": [0, 0]}, "turn_order: it has each seat once"),
        ({"phasing": 2}, "phasing: the seats are 0 to 1"),
        ({"active": "b7"}, "active: there is no blocker b7"),
        ({"phase": "over"}, "outcome: a game that is over"),
        ({"agenda": [{"step": "activation", "seats": [0], "blocker": "b7"}]}, r"agenda\[0\]\.blocker: there is no"),
        ({"agenda": [{"step": "enter", "seats": [0], "phase": "shoot"}]}, r"agenda\[0\]: enter asks nobody"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_impossible_position_is_refused_with_its_field(position, fields, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(**fields)


def test_pinned_pairs_and_pairs_with_a_superhero_are_possible(position):
    at = f"{TP}:4,4"
    state = position(
        blockers=[
            {"type": "juves", "seat": 0, "at": at},
            {"type": "spugs", "seat": 1, "at": at},
            {"type": "mob", "seat": 0, "at": f"{TP}:3,4"},
            {"type": "superhero", "seat": 0, "at": f"{TP}:3,4"},
        ]
    )
    assert len(state.blockers) == 4
