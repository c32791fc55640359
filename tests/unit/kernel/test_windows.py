"""Reaction windows, damage queues and collapse cascades; answers that nest and cancel (docs/adr/0002)."""

import pytest

from games.kernel import SPECTATOR, KernelError, Table, encode
from tests.tiny.actions import GiveUp, PassWindow, PayRansom, PlayCard, SetAutoPass, Shoot
from tests.tiny.game import Game, turn, units
from tests.tiny.state import Options
from tests.tiny.steps import Answer, Attack, React, Turn

PASS = PassWindow()
REST = PassWindow(rest=True)


def attack(dice: tuple[int, ...] = (), hands: tuple[tuple[str, ...], ...] = ((), (), ()), **fields: object) -> Game:
    """Seat 0 is about to shoot at the cellar, where seats 1 and 2 have units."""
    floors = units(cellar=[1, 2, 1], roof=[0, 0, 2])
    return Game(turn(floors=floors, hands=hands, coins=[0, 0, 0], **fields), dice=dice)


def test_the_firer_is_asked_first_then_the_owners_of_targets_one_at_a_time() -> None:
    game = attack(hands=(("no",), ("no",), ("no",)), dice=(1, 1, 1, 1)).act(0, Shoot("cellar"))
    assert (type(game.step), game.owing) == (React, [0])
    assert game.refused(1, PASS) == ("TINY-0", "not_your_decision")
    assert game.act(0, PASS).owing == [1]
    assert game.act(1, PASS).owing == [2]
    game.act(2, PASS)
    assert game.tags == ["passed", "unit_shot", "unit_shot", "unit_shot", "place_damaged"]
    assert (type(game.step), game.owing) == (Turn, [0])


def test_nobody_else_is_asked_and_being_asked_depends_on_the_number_of_cards_alone() -> None:
    game = Game(turn(floors=units(cellar=[2]), hands=[["no"], ["smoke"], []]), dice=(1, 1)).act(0, Shoot("cellar"))
    # Seat 1 has a card that would fit, but no unit there; seat 2 has a unit, but no card.
    assert [effect.seat for effect in game.act(0, PASS).effects("passed")] == [0, 2]
    assert type(game.step) is Turn


def test_a_seat_without_a_fitting_card_is_asked_all_the_same() -> None:
    game = attack(hands=(("no",), ("scope",), ())).act(0, Shoot("cellar"), PASS)
    assert game.owing == [1]
    assert game.legal(1) == [PASS, REST]


def test_with_the_option_seats_without_cards_are_asked_too() -> None:
    position = turn(floors=units(cellar=[1]), hands=[[], [], []])
    assert Game(position, options=Options(ask="always")).act(0, Shoot("cellar")).owing == [0]


def test_a_bonus_card_amends_the_attack_beneath() -> None:
    game = attack(hands=(("scope", "scope"), ("smoke",), ()), dice=(3, 2, 3, 1)).act(0, Shoot("cellar"))
    game.act(0, PlayCard("scope"))  # its answer window asks seat 1, then seat 0
    assert type(game.step) is Answer
    game.act(1, PASS).act(0, PASS)
    assert next(step.bonus for step in game.state.agenda if isinstance(step, Attack)) == 2
    assert (type(game.step), game.owing) == (React, [0])  # who played is asked again
    game.act(0, PASS).act(1, PASS)
    assert [(shot.seat, shot.die, shot.bonus, shot.hit) for shot in game.effects("unit_shot")] == [
        (1, 3, 2, True),
        (2, 2, 2, False),
        (1, 3, 2, True),
    ]


def test_both_sides_amend_the_same_attack() -> None:
    game = attack(hands=(("scope",), ("smoke",), ()), dice=(4, 4, 5, 1)).act(0, Shoot("cellar"))
    game.act(0, PlayCard("scope")).act(1, PASS)  # seat 0 has no card left, so nobody else is asked
    game.act(1, PlayCard("smoke"))
    assert [shot.bonus for shot in game.effects("unit_shot")] == [0, 0, 0]


def test_who_passed_an_attack_window_is_out_of_it_for_good() -> None:
    game = attack(hands=(("scope",), ("smoke", "smoke"), ())).act(0, Shoot("cellar"), PASS)
    game.act(1, PlayCard("smoke")).act(0, PASS).act(1, PASS)
    assert (type(game.step), game.owing) == (React, [1])


def test_an_answer_nests_and_the_last_announced_resolves_first() -> None:
    game = attack(hands=(("scope", "no"), ("no", "no"), ()), dice=(3, 3, 3, 1)).act(0, Shoot("cellar"))
    game.act(0, PlayCard("scope")).act(1, PlayCard("no"))
    assert (game.step.subject, game.owing) == (2, [0])
    game.act(0, PlayCard("no"))  # cancels the cancelling
    assert (game.step.subject, game.owing) == (3, [1])
    assert [card.answers for card in game.state.announced] == [None, 1, 2]
    game.act(1, PASS)
    # Card 3 is carried out, so the window on card 2 closes at once, card 2 fails, and the window on card 1 goes on.
    assert game.tags == ["passed", "passed", "passed", "card_resolved", "card_cancelled", "card_failed"]
    assert (game.step.subject, game.owing) == (1, [1])


def test_a_card_played_in_an_answer_window_empties_passed() -> None:
    game = attack(hands=(("scope",), ("siren",), ("no", "no"))).act(0, Shoot("cellar"), PlayCard("scope"))
    game.act(1, PASS)
    assert (game.step.passed, game.owing) == ((1,), [2])
    game.act(2, PlayCard("no")).act(1, PASS).act(2, PASS)
    # The scope is cancelled: its own window closed without asking seat 1 again, though it had a right to.
    assert game.tags[-4:] == ["card_resolved", "card_cancelled", "card_failed", "passed"]
    assert (type(game.step), game.owing) == (React, [1])  # asked about the attack, after seat 0 without cards


def test_an_uncancelled_subject_gives_everybody_another_chance_after_a_play() -> None:
    game = attack(hands=(("scope", "no"), ("siren",), ("no",))).act(0, Shoot("cellar"), PlayCard("scope"))
    game.act(1, PASS).act(2, PlayCard("no")).act(0, PlayCard("no")).act(1, PASS)
    assert (game.step.subject, game.step.passed, game.owing) == (1, (), [1])


def test_a_standing_pass_is_seen_by_its_owner_only() -> None:
    game = attack(hands=(("no",), ("smoke",), ("smoke",))).act(0, Shoot("cellar"), PASS).act(1, REST)
    assert game.seen(1)[0] == {"effect": "passed", "seat": 1, "rest": True}
    for reader in (0, 2, SPECTATOR):
        assert game.seen(reader)[0] == {"effect": "passed", "seat": 1}
    assert game.view(1).passes == (True, False)
    assert game.view(2).passes == (False, False)
    seen = [encode(game.view(reader)) for reader in (0, 2, SPECTATOR)]
    game.state.standing.clear()
    assert [encode(game.view(reader)) for reader in (0, 2, SPECTATOR)] == seen


def test_a_standing_pass_passes_in_the_event_that_opens_the_window() -> None:
    game = attack(hands=(("no",), ("smoke",), ("smoke",)), dice=(1, 1, 1, 1))
    game.act(0, Shoot("cellar"), REST).act(1, REST).act(2, PASS)
    game.act(0, Shoot("cellar"))
    assert (game.tags, game.owing) == (["attack_declared", "passed", "passed"], [2])
    # What others get is what a pass by hand gives them: an effect that says who passes, and no `answered`.
    assert game.seen(2)[1:3] == [{"effect": "passed", "seat": 0}, {"effect": "passed", "seat": 1}]


def test_a_standing_pass_ends_with_the_turn() -> None:
    position = turn(hands=[[], ["smoke"], []], standing=[1])
    position["agenda"].insert(1, {"step": "begin_turn", "seat": 2})
    assert Game(position).state.standing == [1]
    game = Game(position)
    game.act(0, *[action for action in game.legal(0) if type(action).__name__ == "EndTurn"])
    assert game.state.standing == []


def test_an_act_out_of_turn_is_invisible_to_all_others() -> None:
    game = attack(hands=(("no",), ("smoke",), ("smoke",))).act(0, Shoot("cellar"))
    views = [encode(game.view(reader)) for reader in (0, 2, SPECTATOR)]
    game.act(1, SetAutoPass(on=True))
    assert game.seen(1) == [{"effect": "auto_pass_set", "seat": 1, "on": True}]
    assert [game.seen(reader) for reader in (0, 2, SPECTATOR)] == [[{"effect": "hidden"}]] * 3
    assert [encode(game.view(reader)) for reader in (0, 2, SPECTATOR)] == views
    assert game.owing == [0]
    assert SetAutoPass(on=False) not in game.legal(1)
    assert game.refused(1, SetAutoPass(on=True)) == ("TINY-5.5", "set_already")


def test_an_act_out_of_turn_is_also_the_pass_of_the_seat_that_is_asked() -> None:
    game = attack(hands=(("no",), ("smoke",), ("smoke",))).act(0, Shoot("cellar"), PASS)
    game.act(1, SetAutoPass(on=True))
    assert (game.tags, game.owing) == (["auto_pass_set", "passed"], [2])


def test_a_curfew_cuts_the_turn_short_once_the_attack_is_finished() -> None:
    game = attack(hands=((), ("siren",), ()), dice=(1, 1, 1, {"damage": 1})).act(0, Shoot("cellar"))
    assert (game.state.actions_left, game.owing) == (1, [1])
    game.act(1, PlayCard("siren"))
    assert game.tags.index("curfew_called") < game.tags.index("unit_shot") < game.tags.index("place_damaged")
    assert "turn_ended" not in game.tags
    assert not any(isinstance(step, Turn) for step in game.state.agenda)
    assert game.state.round == 2


def test_the_damage_queue_is_first_in_first_out_and_collapses_what_stands_above() -> None:
    position = turn(floors=units(flat=[1], roof=[2]), hands=[[], [], []], coins=[0, 0, 0])
    position["agenda"].append({"step": "damage", "entries": ["cellar", "shop"]})
    game = Game(position, dice=({"damage": 6}, 6, 6, 6, 6))
    # The cellar falls and adds the flat behind the shop, the shop adds the attic behind the flat, and so on.
    assert [hit.place for hit in game.effects("place_damaged")] == ["cellar", "shop", "flat", "attic", "roof"]
    assert game.tags.count("unit_lost") == 2
    assert game.state.lost == [0, 1, 1]


def test_a_decision_falls_between_two_entries_of_the_queue() -> None:
    position = turn(floors=units(cellar=[1, 2], flat=[2]), hands=[[], [], []], coins=[0, 1, 1])
    position["agenda"].append({"step": "damage", "entries": ["cellar", "shop"]})
    game = Game(position, dice=(6, 1, 6, 1))
    assert (game.tags, game.owing) == (["position_set", "place_damaged"], [1])
    assert game.refused(1, PlayCard("no")) == ("TINY-0", "not_on_menu")
    assert game.act(1, PayRansom()).owing == [2]
    game.act(2, PayRansom())  # then the shop holds, the flat falls, and its unit of seat 2 has no coin left
    assert game.tags == ["ransom_paid", "place_damaged", "place_damaged", "answered", "unit_lost", "place_damaged"]
    assert game.effects("answered")[0].why == "forced"
    assert game.state.floors["yard"].units == [1, 2]
    assert game.owing == [0]


def test_a_ransom_that_can_be_paid_is_asked_for() -> None:
    position = turn(floors=units(cellar=[1]), hands=[[], [], []], coins=[0, 1, 0])
    position["agenda"].append({"step": "damage", "entries": ["cellar"]})
    game = Game(position, dice=(6, 1)).act(1, GiveUp())
    assert game.tags == ["unit_lost", "place_damaged"]
    assert game.state.coins == [0, 1, 0]


def test_amending_a_step_that_is_not_there_is_a_bug_of_the_ruleset() -> None:
    game = Game()
    table = Table(game.state, game.dice)
    with pytest.raises(KernelError, match="no Attack on the agenda"):
        table.amend(Attack, bonus=1)
