"""What others do not see: hands, hidden equipment, face-down tokens, standing passes (3.1, BM-R57)."""

import pytest
from msgspec import UNSET

from games.block_mania.actions.cards import Pass
from games.block_mania.actions.shooting import Aim, Shoot
from games.block_mania.effects import EquipmentGiven, EquipmentReturned
from games.block_mania.ruleset import RULES
from games.block_mania.steps.shooting import Aftermath
from games.dice import Dice, Script
from games.kernel import EVERYTHING, SPECTATOR, decide, decisions, encode, legal, redact, start_at, tag_of

HIDDEN = {"equipment_visible": "hidden"}
AT = "tallow_point:4,4"


def blocker_of(view, name):
    return next(one for one in view.blockers if one.id == name)


def test_hidden_equipment_is_counted_and_shown_to_its_seat_alone(position):
    state = position(
        options=HIDDEN,
        blockers=[{"type": "juves", "seat": 0, "at": AT, "equipment": ["spitgun", "buzz_saw"], "shown": ["buzz_saw"]}],
    )
    for reader in (1, SPECTATOR):
        seen = blocker_of(RULES.view(state, reader), "b1")
        assert (seen.equipment, seen.equipment_size, seen.shown) == (UNSET, 2, ("buzz_saw",))
        assert RULES.view(state, reader).armory_pool is UNSET
    for reader in (0, EVERYTHING):
        assert blocker_of(RULES.view(state, reader), "b1").equipment == ("spitgun", "buzz_saw")


def test_of_two_alike_one_that_is_shown_does_not_show_the_other(position):
    juve = {"type": "juves", "seat": 0, "at": AT, "equipment": ["spitgun", "spitgun"], "shown": ["spitgun"]}
    state = position(options=HIDDEN, blockers=[juve])
    assert blocker_of(RULES.view(state, 1), "b1").equipment is UNSET


def test_the_equipment_of_a_futsy_lies_open_for_any_seat_may_activate_it(position):
    state = position(options=HIDDEN, blockers=[{"type": "futsy", "seat": 0, "at": AT, "equipment": ["spitgun"]}])
    assert blocker_of(RULES.view(state, 1), "b1").equipment == ("spitgun",)


def test_a_face_down_token_is_known_to_its_dropper_and_who_has_looked(position):
    token = {"token": "trip_mine", "by": 0, "face_down": True, "seen": [2]}
    state = position(
        count=4,
        options={"mine_bluffing": True, "trip_mines_spit_cannons": True},
        squares={AT: {"tokens": [token]}},
    )
    kinds = [RULES.view(state, reader).squares[AT].tokens[0].token for reader in (0, 1, 2, 3, SPECTATOR)]
    assert kinds == ["trip_mine", UNSET, "trip_mine", UNSET, UNSET]


def test_a_standing_pass_looks_like_a_pass(position):
    state = position(
        phase="roll",
        blockers=[{"type": "juves", "seat": 0, "at": AT}],
        seats={"1": {"hand": ["judges/smoke_bombs"]}},
    )
    dice = Dice(bytes(32))
    start_at(RULES, state, state, dice)
    told = {}
    for rest in (False, True):
        effects = decide(RULES, RULES.copy(state), 1, Pass(rest), dice).effects
        told[rest] = [encode(redact(effect, 0)) for effect in effects]
    assert told[False] == told[True]


def test_a_standing_pass_answers_for_the_rest_of_the_turn(position):
    state = position(
        command_points=9,
        blockers=[{"type": "juves", "seat": 0, "at": AT}],
        seats={"1": {"hand": ["judges/smoke_bombs"], "standing": ["H"]}},
    )
    start_at(RULES, state, state, Dice(bytes(32)))
    for action in ("activate", "walk"):
        chosen = next(one for one in legal(RULES, state, 0) if RULES.action_types[action] is type(one))
        decide(RULES, state, 0, chosen, Dice(bytes(32)))
    assert legal(RULES, state, 1) == []
    assert any(RULES.action_types["walk"] is type(one) for one in legal(RULES, state, 0))


def test_dealt_anew_a_state_keeps_all_that_a_reader_sees(position):
    state = position(
        options=HIDDEN,
        blockers=[
            {"type": "juves", "seat": 0, "at": AT, "equipment": ["spitgun"]},
            {"type": "mob", "seat": 1, "at": "gantry_row:4,4", "equipment": ["vibro_drill", "buzz_saw"]},
        ],
        seats={"0": {"hand": ["judges/smoke_bombs"]}, "1": {"hand": ["riot_foam/kleggs", "sonic_cannon/stuck"]}},
    )
    deals = [RULES.resample(state, 0, Dice(bytes([number] * 32))) for number in range(12)]
    assert len({encode(RULES.view(deal, 0)) for deal in deals}) == 1
    assert len({tuple(deal.seats[1].hand) for deal in deals}) > 1
    assert len({deal.blockers["b2"].equipment for deal in deals}) > 1
    assert all(RULES.components(deal) == RULES.components(state) for deal in deals)


def test_a_face_down_token_is_dealt_anew_for_who_has_not_seen_it(position):
    state = position(
        count=3,
        options={"mine_bluffing": True, "trip_mines_spit_cannons": True},
        squares={AT: {"tokens": [{"token": "trip_mine", "by": 0, "face_down": True, "seen": [1]}]}},
    )
    found = {
        reader: {RULES.resample(state, reader, Dice(bytes([n] * 32))).squares[AT].tokens[0].token for n in range(12)}
        for reader in range(3)
    }
    assert found[0] == found[1] == {"trip_mine"}
    assert len(found[2]) > 1


BURNT = [
    {"type": "juves", "seat": 0, "at": AT, "equipment": ["flamer"]},
    {"id": "alive", "type": "fatties", "seat": 1, "at": "tallow_point:4,3", "equipment": ["demo_charge", "spitgun"]},
    {"id": "hero", "type": "superhero", "seat": 1, "at": "tallow_point:4,3"},
]


def choosing_fire(position, dice, equipment):
    """A flamer has been fired at a Fatty with this equipment and a Superhero; its fire is to be chosen."""
    target = BURNT[1] | {"equipment": equipment}
    blockers = [BURNT[0], target, BURNT[2], {"type": "juves", "seat": 1, "at": "gantry_row:4,4", "equipment": ["mdl"]}]
    state = position(phase="shoot", options=HIDDEN, blockers=blockers)
    scripted = Dice(bytes(32), script=Script(dice=dice))
    effects = [*start_at(RULES, state, state, scripted).effects]
    for action in (Aim("b1", "flamer", "shot"), Shoot("tallow_point:4,3", "-")):
        effects += decide(RULES, state, 0, action, scripted).effects
    assert [tag_of(type(decision.step)) for decision in decisions(state)] == ["choose_fire"]
    return state, effects


@pytest.mark.parametrize("die", [1, 6])
def test_while_fire_is_chosen_nobody_is_told_who_carries_charges(position, die):
    told = {}
    for held in (("demo_charge", "spitgun"), ("stump_gun", "spitgun")):
        state, effects = choosing_fire(position, [die, 1], held)
        shown = [encode(redact(effect, 0)) for effect in effects], [encode(redact(step, 0)) for step in state.agenda]
        told[held] = shown, encode(RULES.view(state, 0))
    assert len(set(map(str, told.values()))) == 1


def charges(state):
    (after,) = (step for step in state.agenda if isinstance(step, Aftermath))
    return {carrier.blocker: carrier.charges for carrier in after.carriers}


def test_charges_that_were_shot_at_are_dealt_anew_with_the_tokens(position):
    state, _ = choosing_fire(position, [1, 1], ("demo_charge", "spitgun"))
    deals = [RULES.resample(state, 0, Dice(bytes([n] * 32))) for n in range(20)]
    assert {charges(deal)["alive"] for deal in deals} >= {0, 1}
    assert all(charges(deal)["alive"] == deal.blockers["alive"].equipment.count("demo_charge") for deal in deals)
    assert all(charges(RULES.resample(state, 1, Dice(bytes([n] * 32))))["alive"] == 1 for n in range(8))


def test_charges_of_the_dead_are_dealt_anew_but_for_their_seat(position):
    state, _ = choosing_fire(position, [6, 1], ("demo_charge", "spitgun"))
    assert "alive" not in state.blockers
    assert {charges(RULES.resample(state, 0, Dice(bytes([n] * 32))))["alive"] for n in range(20)} >= {0, 1}
    assert {charges(RULES.resample(state, 1, Dice(bytes([n] * 32))))["alive"] for n in range(8)} == {1}


def test_what_an_open_blocker_gives_is_known_to_all(position):
    blockers = [
        {"id": "mad", "type": "futsy", "seat": 0, "at": AT, "equipment": ["spitgun"]},
        {"id": "j", "type": "juves", "seat": 0, "at": "tallow_point:4,5", "mp_left": 2, "activated_this_turn": True},
    ]
    state = position(options=HIDDEN, blockers=blockers)
    EquipmentGiven(0, "mad", "j", "spitgun", open=True).fold(state)
    assert blocker_of(RULES.view(state, 1), "j").shown == ("spitgun",)


def test_of_two_alike_the_shown_one_goes_and_the_other_stays_unknown(position):
    juve = {"type": "juves", "seat": 0, "at": AT, "equipment": ["demo_charge", "demo_charge"], "shown": ["demo_charge"]}
    state = position(options=HIDDEN, blockers=[juve])
    EquipmentReturned(0, "b1", "demo_charge", "exploded", open=True).fold(state)
    assert (state.blockers["b1"].equipment, state.blockers["b1"].shown) == (("demo_charge",), ())
