"""4.9: fire, damage, explosions and collapses as one queue, by the specification's examples and by random fires."""

from collections import Counter
from random import Random

import msgspec
import pytest

from games.block_mania.engine import Engine
from games.block_mania.scoring import dp
from games.block_mania.steps.endphase import EndFire, EndVirus
from games.dice import Dice
from games.kernel import Table
from tests.unit.block_mania.kit import FOUR, sq, state_of, table_of, told, used_up


def drained(table, what, square, cause="attack", n=1):
    engine = Engine(table)
    getattr(engine, what)(sq(square), cause, n)
    engine.drain()


def collapsed(state):
    return {name for name, here in state.squares.items() if here.collapsed}


def test_cascades_are_worked_off_first_in_first_out():  # T1
    state = state_of(squares={"TP:4,6": {"damage": 2}})
    table = table_of(state, 4, 6, 2, 3, 1, 1, 1)
    drained(table, "damage", "TP:4,6")
    assert used_up(table)
    order = [effect["square"] for effect in told(table, "damage_added")]
    assert order == list(map(sq, ("TP:4,6", "TP:3,7", "TP:4,7", "TP:5,7", "TP:2,8", "TP:3,8", "TP:4,8")))
    assert collapsed(state) == {sq("TP:4,6"), sq("TP:3,7")}
    assert (dp(state, 0), dp(state, 1)) == (17, 0)


def test_a_damaged_armory_that_explodes_has_one_roll_and_no_collapse_roll():  # T2
    state = state_of([("citi", "citi_def", 1, "TP:3,6", "vibro_drill"), ("juve", "juves", 0, "TP:4,5")])
    table = table_of(state, 5, 4, 4, 1, 1, 1)
    drained(table, "damage", "TP:3,6")
    assert used_up(table)
    assert not state.blockers
    assert [effect["square"] for effect in told(table, "damage_added")][1:] == list(
        map(sq, ("TP:2,7", "TP:3,7", "TP:4,7"))
    )
    (fell,) = told(table, "square_collapsed")
    assert (fell["square"], fell["cause"], fell["die"]) == (sq("TP:3,6"), "explosion", None)
    assert [seat.dead_blockers for seat in state.seats] == [1, 1]


def test_cascade_damage_explodes_no_armory_but_its_collapse_may():  # T3
    state = state_of([("spug", "spugs", 0, "GR:7,5")])
    table = table_of(state, 1, 1, 6, 5, 5, 1, 1, 1)
    engine = Engine(table)
    engine.collapse(sq("GR:5,3"), "attack")
    engine.drain()
    assert used_up(table)
    tokens = told(table, "damage_added")
    assert [effect["square"] for effect in tokens] == list(
        map(sq, ("GR:4,4", "GR:5,4", "GR:6,4", "GR:5,5", "GR:6,5", "GR:7,5"))
    )
    assert all(effect["explosion"] is None for effect in tokens)
    # The die of the explosion, then that against the Spug: 5+3-3.
    assert not told(table, "attack_rolled")[0]["success"]
    assert state.square(sq("GR:6,4")).collapsed


def test_the_third_fire_goes_onto_the_square_that_the_second_collapsed():  # T4
    state = state_of([("firer", "citi_def", 0, "TP:4,6", "flamer")])
    table = table_of(state, 3, 5, 5, 1, 1, 1)
    drained(table, "fire", "TP:3,6", n=3)
    assert "firer" not in state.blockers
    assert (state.square(sq("TP:3,6")).fire, state.square(sq("TP:3,6")).collapsed) == (1, True)
    assert used_up(table)


def test_a_demo_charge_takes_half_a_die_of_damage_one_after_the_other():
    state = state_of([("citi", "citi_def", 0, "TP:6,2")])
    table = table_of(state, 3, 5, 4, 5, 1, 1, 1)
    engine = Engine(table)
    engine.demo(sq("TP:6,2"))
    engine.drain()
    assert used_up(table)
    assert not state.blockers
    assert collapsed(state) == {sq("TP:6,2")}
    assert dp(state, 0) == 1 + 6 + 3


def test_a_demo_charge_sets_off_another_that_somebody_carries():
    state = state_of([("a", "mob", 0, "TP:6,2", "demo_charge"), ("b", "futsy", 1, "TP:6,2")])
    # Against the Mob 1+4-4, the Futsy 3+4-1; half of 2; the Mob's charge on a 6: against it 1+4-4; half of 1.
    table = table_of(state, 1, 3, 2, 6, 1, 1, 1)
    engine = Engine(table)
    engine.demo(sq("TP:6,2"))
    engine.drain()
    assert used_up(table)
    assert state.blockers["a"].equipment == ()
    assert state.armory_pool == {"demo_charge": 1}
    assert state.square(sq("TP:6,2")).damage == 1
    assert state.seats[1].dead_blockers == 1


@pytest.mark.parametrize(
    ("square", "marks", "fate"),
    [
        ("TP:8,5", {}, {"damage": 1}),
        ("TP:8,5", {"damage": 1}, {"collapsed": True}),
        ("TP:8,5", {"collapsed": True}, {"collapsed": True, "severed": True}),
        ("TP:8,5", {"collapsed": True, "severed": True}, {"collapsed": True, "severed": True}),
        ("TP:8,2", {}, {"damage": 1}),
        ("TP:8,2", {"collapsed": True}, {"collapsed": True}),
        ("TP:8,0", {}, {}),
        ("TP:8,8", {}, {}),
    ],
)
def test_ways_take_damage_without_a_roll(square, marks, fate):  # BM-SD-2, -3, BM-R40
    state = state_of(squares={square: marks} if marks else {})
    table = table_of(state)
    Engine(table)._damage(sq(square), "attack")
    assert msgspec.to_builtins(state.square(sq(square))) == fate
    assert used_up(table)


def test_a_cascade_does_not_sever_a_pedway():  # BM-COL-3
    state = state_of(squares={"TP:8,5": {"collapsed": True}})
    table = table_of(state)
    drained(table, "damage", "TP:8,5", "cascade")
    assert not table.effects


@pytest.mark.parametrize(
    ("dice", "target", "fate"),
    [
        ((4, 3), {}, "fire_lost"),
        ((5, 6), {"fire": 2}, "fire_spread"),
        ((5, 6), {"fire": 3}, "fire_lost"),
        ((5, 6), {"collapsed": True}, "fire_lost"),
    ],
)
def test_a_fourth_fire_spreads_by_two_dice_and_once(dice, target, fate):  # T17
    squares = {"TP:5,7": {"fire": 3}} | ({"TP:6,8": target} if target else {})
    state = state_of(squares=squares)
    table = table_of(state, *dice)
    drained(table, "fire", "TP:5,7")
    assert used_up(table)
    assert [effect["effect"] for effect in told(table, "fire_lost", "fire_spread", "fire_added")] == [fate]
    assert state.square(sq("TP:5,7")).fire == 3


def test_two_full_squares_beside_each_other_lose_their_fourth_markers():  # T18
    state = state_of(squares={"TP:4,4": {"fire": 3}, "TP:5,4": {"fire": 3}})
    table = table_of(state, 5, 3, 1, 4, 3, 3)
    EndFire().run(table)
    assert (state.square(sq("TP:4,4")).fire, state.square(sq("TP:5,4")).fire) == (3, 3)
    assert len(told(table, "fire_lost")) == 2


def test_the_first_damage_to_a_tank_puts_out_the_fires_below_it():  # T27
    fires = {"TP:3,9": {"fire": 1}, "TP:4,9": {"fire": 2}, "TP:4,7": {"fire": 3}, "TP:4,6": {"fire": 1}}
    state = state_of(squares=fires)
    drained(table_of(state, 1), "damage", "TP:4,10")
    assert {name for name, here in state.squares.items() if here.fire} == {sq("TP:3,9"), sq("TP:4,6")}
    row = state_of(squares=fires, options={"water_tank_douse": "row_below"})
    drained(table_of(row, 1), "damage", "TP:4,10")
    assert {name for name, here in row.squares.items() if here.fire} == {sq("TP:4,7"), sq("TP:4,6")}


def test_the_virus_eats_its_square_and_walks_on_inside_the_block():  # T23
    state = state_of(squares={"TP:2,4": {"virus": True}})
    # The die, the cascade into 2,5 and 3,5; west is air, both 3-4 is here, then east and down.
    table = table_of(state, 4, 1, 1, 1, 3, 3, 4, 5, 1)
    EndVirus().run(table)
    assert used_up(table)
    assert (state.square(sq("TP:2,4")).collapsed, state.square(sq("TP:2,4")).virus) == (True, False)
    assert state.square(sq("TP:3,3")).virus


def dice_told(effects):
    """How many dice stand in these effects."""
    count = 0
    for effect in effects:
        raw = msgspec.to_builtins(effect)
        count += sum(raw.get(name) is not None for name in ("die", "explosion")) + len(raw.get("dice") or ())
    return count


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_whatever_burns_every_die_is_told_and_every_token_is_somewhere(seed):
    chance = Random(seed)
    tower = [name for block in FOUR.tower for name in block]
    kinds = ["citi_def", "mob", "juves", "futsy", "superhero"]
    people = [
        (f"b{n}", kind, n % 4, _short(chance.choice(tower)), *(() if kind == "superhero" else ["demo_charge"]))
        for n, kind in enumerate(chance.choices(kinds, k=24))
    ]
    squares = {
        _short(name): {"damage": chance.randrange(5), "fire": chance.randrange(4)} for name in chance.sample(tower, 120)
    }
    state = state_of(people, squares, seats=4)
    tokens = sum(len(blocker.equipment) for blocker in state.blockers.values())
    table = Table(state, Dice(seed.to_bytes(4, "big")))
    engine = Engine(table)
    for name in chance.sample(tower, 12):
        chance.choice((engine.damage, engine.fire))(name, "attack", 3)
        engine.drain()
    EndFire().run(table)
    assert dice_told(table.effects) == table.dice.draws
    left = sum(len(blocker.equipment) for blocker in state.blockers.values())
    assert left + sum(state.armory_pool.values()) == tokens
    dead = Counter(effect["dp_seat"] for effect in told(table, "blocker_killed"))
    assert [seat.dead_blockers for seat in state.seats] == [dead[seat] for seat in range(4)]
    for name, here in state.squares.items():
        assert here.fire <= 3
        assert not (here.collapsed and here.damage), name
        assert here.damage < 6 or "armory" in FOUR.squares[name].tags


def _short(name):
    board, cell = name.split(":")
    return {"tallow_point": "TP", "gantry_row": "GR", "quillon_house": "QH", "saltmarsh_rise": "SR"}[board] + f":{cell}"
