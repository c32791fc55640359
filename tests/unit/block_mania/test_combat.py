"""4.6 to 4.10: attacks step by step, where the rule cases do not go: several sides, several charges, long lists."""

import msgspec
import pytest

from games.block_mania.messages import AnyAction
from games.block_mania.ruleset import RULES
from games.dice import Dice, Script
from games.kernel import IllegalError, decide, decisions, legal, start_at, tag_of
from tests.unit.block_mania.kit import area, sq, standing

TP, GR = "tallow_point", "gantry_row"


class Play:
    """A position played on, with scripted dice."""

    def __init__(self, state, *dice):
        self.dice = Dice(b"key", script=Script(dice=dice))
        self.state = RULES.copy(state)
        self.effects = start_at(RULES, self.state, state, self.dice).effects

    def act(self, seat, action, **fields):
        decoded = msgspec.convert({"action": action} | fields, AnyAction)
        self.effects = decide(RULES, self.state, seat, decoded, self.dice).effects
        return self

    def told(self, *names):
        found = [effect for effect in self.effects if tag_of(type(effect)) in names]
        return [msgspec.to_builtins(effect) for effect in found]

    def owed(self):
        return [(one.seat, tag_of(type(one.step))) for one in decisions(self.state)]

    def listed(self, seat, *names):
        found = [msgspec.to_builtins(action) for action in legal(RULES, self.state, seat)]
        return [action for action in found if action["action"] in names]


def one(name, kind, seat, at, **more):
    board, _, cell = at.partition(":")
    return {"id": name, "type": kind, "seat": seat, "at": f"{ {'TP': TP, 'GR': GR}[board] }:{cell}"} | more


IDLE = [one("idle", "citi_def", 0, "TP:6,9"), one("blue", "citi_def", 1, "GR:5,9")]


def test_a_futsy_that_charges_its_activators_fatty_gives_it_no_weight(position):
    blockers = [
        one("fat", "fatties", 0, "TP:4,3"),
        one("mad", "futsy", 1, "TP:4,4", activated_this_turn=True),
        *IDLE,
    ]
    play = Play(position(phase="assault", blockers=blockers), 1, 4)
    play.act(0, "charge", blocker="mad", to=sq("TP:4,3"))
    (fight,) = play.told("fight_rolled")
    # The Fatty is the phasing side, and did not charge: 1+4 to 4+1.
    assert (fight["attacker"], fight["totals"], fight["loser"]) == ("fat", (5, 5), None)
    assert {effect["blocker"] for effect in play.told("blocker_flipped")} == {"fat", "mad"}
    assert play.owed() == [(0, "arson")]


def test_of_two_activated_futsies_the_one_that_charges_attacks(position):
    blockers = [
        one("here", "futsy", 1, "TP:4,3", activated_this_turn=True),
        one("there", "futsy", 0, "TP:4,4", activated_this_turn=True),
        *IDLE,
    ]
    play = Play(position(phase="assault", blockers=blockers), 6, 1).act(0, "charge", blocker="there", to=sq("TP:4,3"))
    (fight,) = play.told("fight_rolled")
    assert (fight["attacker"], fight["loser"]) == ("there", "here")


def test_the_same_enemy_is_charged_by_one_after_the_other(position):  # BM-R86
    blockers = [one("a", "juves", 0, "TP:4,3"), one("b", "juves", 0, "TP:4,5"), one("mob", "mob", 1, "TP:4,4"), *IDLE]
    play = Play(position(phase="assault", blockers=blockers), 1, 6, 6, 1)
    play.act(0, "charge", blocker="a", to=sq("TP:4,4"))
    assert play.told("blocker_killed")[0]["blocker"] == "a"
    play.act(0, "charge", blocker="b", to=sq("TP:4,4"))
    assert play.told("blocker_killed")[0]["blocker"] == "mob"


def test_a_fight_against_two_sides_names_one_of_them(position):
    blockers = [
        one("k", "klegg", 1, "TP:4,4", controller=0),
        one("s", "superhero", 1, "TP:4,4"),
        one("f", "futsy", 0, "TP:4,4"),
        *IDLE,
    ]
    play = Play(position(phase="assault", blockers=blockers), 6, 1)
    assert [action["against"] for action in play.listed(0, "fight")] == [1, 0]
    assert not play.listed(0, "end_step")
    play.act(0, "fight", square=sq("TP:4,4"), side="-", against=0)
    assert play.told("fight_rolled")[0]["loser"] == "f"
    # It has fought, and need not fight again.
    assert not play.listed(0, "fight")


def test_charges_that_a_fire_sets_off_are_not_checked_again(position):
    # The Armory of Tallow Point: the shot leaves the carrier alive, the fire explodes and the charge with it.
    blockers = [
        one("gun", "mob", 0, "TP:4,6", equipment=["flamer"]),
        one("mob", "mob", 1, "TP:3,6", equipment=["demo_charge"]),
        *IDLE,
    ]
    dice = (1, 5, 1, 1, 6, 1, 1, 1, 1, 1, 1)
    play = Play(position(phase="shoot", blockers=blockers), *dice)
    play.act(0, "aim", blocker="gun", token="flamer", mode="shot")
    play.act(0, "shoot", square=sq("TP:3,6"), side="-")
    play.act(0, "choose_fire", n=1)
    assert len(play.told("demo_checked")) == 1
    assert [effect["what"] for effect in play.told("exploded")] == ["armory", "demo_charge"]


def test_a_homing_missile_has_the_whole_map_and_the_list_stays_short(position):
    gun = one("gun", "mob", 0, "TP:4,4", equipment=["missile_launcher"], deployed=["missile_launcher"])
    blockers = [gun, one("far", "juves", 3, "GR:2,4"), *IDLE]
    state = position(count=4, phase="shoot", blockers=blockers)
    play = Play(state)
    play.act(0, "aim", blocker="gun", token="missile_launcher", mode="explosive_homing")
    attacks = play.listed(0, "attack_block")
    here = state.map
    windows = [s.id for s in here.squares.values() if s.cls == "window"]
    ways = [s.id for s in here.squares.values() if s.block is None and s.tags & {"mega_way", "pedway"}]
    assert {action["square"] for action in attacks} == {*windows, *ways} - {sq("GR:2,4")}
    assert play.listed(0, "shoot") == [{"action": "shoot", "square": sq("GR:2,4"), "side": "in"}]


def test_everything_that_may_be_shot_at_is_in_sight_and_in_range(position):
    blockers = [
        one("gun", "mob", 0, "TP:7,4", equipment=["spitgun"]),
        *(one(f"x{n}", kind, 1, at) for n, (kind, at) in enumerate([
            ("juves", "GR:2,4"), ("juves", "GR:2,2"), ("spugs", "GR:1,0"), ("spugs", "GR:2,9"), ("mob", "TP:6,4"),
            ("crocks", "TP:7,5"), ("crocks", "GR:3,4"), ("citi_def", "GR:2,0"),
        ])),
        *IDLE,
    ]  # fmt: skip
    state = position(phase="shoot", blockers=blockers)
    play = Play(state)
    play.act(0, "aim", blocker="gun", token="spitgun", mode="shot")
    shot = {(action["square"], action["side"]) for action in play.listed(0, "shoot")}
    sight, firer = standing(state.map), area(state.map, "TP:7,4 in")
    for other in state.blockers.values():
        target = (other.at, other.side)
        away = sight.range(firer, target)
        fits = other.id != "gun" and sight.visible(firer, target) and away is not None and away <= 6
        assert (target in shot) is fits, other.id


@pytest.mark.parametrize(
    ("blocker", "rule"),
    [("flipped", "BM-3CI-1"), ("pinned", "BM-SH-1"), ("packed", "BM-SH-1"), ("mad", "BM-BLK-5"), ("blue", "BM-3CI-1")],
)
def test_why_not_names_the_rule(position, blocker, rule):
    heavy = {"equipment": ["mdl"]}
    blockers = [
        one("flipped", "juves", 0, "TP:4,3", flipped=True, **heavy, deployed=["mdl"]),
        one("pinned", "juves", 0, "TP:4,4", **heavy, deployed=["mdl"]),
        one("foe", "spugs", 1, "TP:4,4"),
        one("packed", "juves", 0, "TP:4,6", **heavy),
        one("mad", "futsy", 0, "TP:4,7", **heavy, deployed=["mdl"]),
        one("ready", "juves", 0, "TP:7,6", **heavy, deployed=["mdl"]),
        *IDLE,
    ]
    play = Play(position(phase="shoot", blockers=blockers))
    assert {action["blocker"] for action in play.listed(0, "aim")} == {"ready"}
    with pytest.raises(IllegalError) as refused:
        play.act(0, "aim", blocker=blocker, token="mdl", mode="shot")
    assert refused.value.rule == rule


def test_an_h_wagon_shoots_all_in_the_area_and_what_a_charge_kills_counts(position):  # BM-R88
    blockers = [
        one("a", "citi_def", 1, "TP:7,6", equipment=["demo_charge"]),
        one("s", "superhero", 1, "TP:7,6"),
        *IDLE,
    ]
    # The laser kills the Citi-Def (4+6-1) and spares nobody else: 1+6-2 is 5; the charge goes off: 4+4-2 kills.
    units = [{"kind": "h_wagon", "at": sq("TP:8,6")}]
    play = Play(position(phase="combat_justice", endgame=True, units=units, blockers=blockers), 4, 1, 6, 4, 1)
    killed = [(effect["blocker"], effect["dp_seat"]) for effect in play.told("blocker_killed")]
    assert killed == [("a", None), ("s", 1)]
