"""2.9: who is asked in which order, and what closes a window."""

from games.block_mania.steps.window import Window, attack_windows
from tests.unit.block_mania.kit import sq
from tests.unit.block_mania.test_combat import GR, TP, Play, one

SMOKE = {"hand": ["judges/smoke_bombs"]}
CARD = {"hand": ["riot_foam/reinforcements"]}


def orders(steps):
    return [(step.kind, step.order) for step in steps if isinstance(step, Window)]


def test_the_owners_of_targets_are_asked_from_the_seat_after_the_phasing_one(position):
    state = position(count=4, seats=[CARD, CARD, CARD, CARD], turn_order=[0, 1, 2, 3], phasing=1)
    # Seat 3 fires defensively at an area of seats 0, 1 and 2: after seat 1 come 2, 3, 0.
    assert orders(attack_windows(state, 3, {0, 1, 2})) == [("A+", (3,)), ("A-", (2, 0, 1))]
    # Whoever shoots at its own blockers too may smoke itself out, and does so first.
    assert orders(attack_windows(state, 1, {0, 1, 2})) == [("A+", (1,)), ("A-", (1, 2, 0))]


def test_both_sides_of_a_fight_are_asked_in_both_windows(position):
    state = position(count=3, seats=[CARD, CARD, CARD], phasing=2)
    assert orders(attack_windows(state, 2, (1,), close=True)) == [("A+", (2, 1)), ("A-", (2, 1))]


def test_there_are_no_windows_without_cards_nor_in_the_endgame(position):
    assert attack_windows(position(), 0, (1,)) == ()
    assert attack_windows(position(seats=[CARD, CARD], endgame=True), 0, (1,)) == ()


def test_defensive_fire_asks_the_firer_then_the_owners(position):
    blockers = [
        one("j", "juves", 0, "TP:4,4", activated_this_turn=True),
        one("s", "spugs", 1, "TP:4,4"),
        {"id": "gun", "type": "crocks", "seat": 2, "at": f"{TP}:4,3", "equipment": ["spitgun"]},
        one("blue", "citi_def", 1, "GR:5,9"),
    ]
    # Smoke from both: 6+3-2-2 against the Juve is 5, 6+3-3-4 no better.
    play = Play(position(count=3, phase="defensive", seats=[SMOKE, SMOKE, {}], blockers=blockers), 6, 6)
    play.act(2, "defensive_fire", blocker="gun", token="spitgun", mode="shot", target="j")
    assert play.owed() == [(1, "window")]
    play.act(1, "play_mania", card="judges/smoke_bombs")
    assert play.owed() == [(0, "window")]
    play.act(0, "play_mania", card="judges/smoke_bombs")
    assert [effect["score"] for effect in play.told("attack_rolled")] == [3, 2]


def test_a_card_that_arrests_the_mover_closes_the_window(position):
    blockers = [
        {"id": "j", "type": "juves", "seat": 0, "at": f"{TP}:4,3"},
        one("idle", "citi_def", 0, "TP:6,9"),
        {"id": "blue", "type": "citi_def", "seat": 1, "at": f"{GR}:5,9"},
    ]
    hands = [{}, {"hand": ["kleggs_go_home/judges_arrest", "stumm_gas/tap_gang"]}, CARD]
    play = Play(position(count=3, command_points=9, seats=hands, blockers=blockers))
    play.act(0, "activate", blocker="j").act(0, "walk", to=sq("TP:4,4"))
    play.act(1, "play_mania", card="kleggs_go_home/judges_arrest")
    assert [effect["cause"] for effect in play.told("blocker_removed")] == ["card"]
    assert play.owed() == [(0, "command")]
    assert play.state.seats[0].dead_blockers == 0
