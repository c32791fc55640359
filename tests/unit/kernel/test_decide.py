"""Deciding: the menu test, refusals without a trace, answers by the kernel, stay, causes, the closing agenda_set."""

import sys
from typing import Any, ClassVar

import pytest
from msgspec import structs

from games.kernel import (
    AgendaSet,
    IllegalError,
    KernelError,
    Public,
    Resign,
    Step,
    Table,
    decide,
    decisions,
    default_action,
    encode,
    legal,
    run,
    start_at,
)
from games.kernel.table import BY_ACTION, BY_EARLIER_EVENT
from tests.tiny import RULES
from tests.tiny import effects as e
from tests.tiny import steps as s
from tests.tiny.actions import CastVote, ChooseHome, EndTurn, PassWindow, PlayCard, Shoot, TakeCard
from tests.tiny.game import Game, turn, units
from tests.tiny.steps import Damage, Turn

START = {"revealed": True, "police": "yard", "floors": units(roof=[0, 1, 2])}


def test_what_is_not_owed_or_not_on_the_menu_is_refused_with_the_menu_rule() -> None:
    game = Game(turn())
    assert game.refused(1, EndTurn()) == ("TINY-0", "not_your_decision")
    assert game.refused(0, CastVote(1)) == ("TINY-0", "not_on_menu")
    assert game.refused(7, EndTurn()) == ("TINY-0", "not_your_decision")


def test_check_names_the_first_rule_that_fails_with_details() -> None:
    game = Game(turn(actions_left=1, floors={"roof": {"collapsed": True}}))
    assert game.refused(0, Shoot("moon")) == ("TINY-4.2", "no_such_place")
    assert game.refused(0, Shoot("roof")) == ("TINY-4.3", "collapsed")
    with pytest.raises(IllegalError) as refusal:
        decide(RULES, game.state, 0, Shoot("moon"), game.dice)
    assert refusal.value.details == {"place": "moon"}
    assert str(refusal.value) == "no_such_place (TINY-4.2)"


def test_a_refused_action_leaves_no_trace() -> None:
    game = Game(turn())
    before = encode(game.state)
    for seat, action in ((0, Shoot("moon")), (1, EndTurn()), (0, CastVote(0))):
        game.refused(seat, action)
    assert (encode(game.state), game.dice.draws) == (before, 0)


def test_nothing_is_accepted_after_the_end() -> None:
    game = Game(START, seats=2).act(1, Resign())
    assert game.refused(0, EndTurn()) == ("TINY-0", "game_over")
    assert (legal(RULES, game.state, 0), decisions(game.state)) == ([], [])
    with pytest.raises(IllegalError, match="game_over"):
        game.expire(0)


def test_legal_is_in_the_order_of_the_menu_and_what_passes_check() -> None:
    game = Game(turn(floors={"roof": {"collapsed": True}}))
    places = ["cellar", "flat", "shop", "attic", "yard"]
    assert game.legal(0) == [*map(Shoot, places), TakeCard(), EndTurn()]
    assert game.legal(1) == []


def test_decisions_tell_who_owes_and_who_may() -> None:
    game = Game(START).act(1, CastVote(0))
    assert [(decision.seat, decision.owes) for decision in decisions(game.state)] == [(0, True), (1, False), (2, True)]


def test_stay_keeps_the_menu_until_another_answer_ends_it() -> None:
    game = Game(turn()).act(0, TakeCard())
    assert (type(game.step), game.owing, game.state.actions_left) == (Turn, [0], 1)
    game.act(0, EndTurn())
    assert not isinstance(game.step, Turn) or game.owing != [0]


def test_auto_answers_when_nothing_but_idle_answers_is_left() -> None:
    game = Game(turn(actions_left=1, hands=[[], [], []], floors=units(roof=[0]))).act(0, TakeCard())
    assert game.tags[:4] == ["card_paid", "card_taken", "answered", "turn_ended"]
    answered = game.effects("answered")[0]
    assert (answered.seat, answered.action, answered.why) == (0, EndTurn(), "forced")


def test_a_step_that_is_not_auto_asks_even_for_the_only_answer() -> None:
    game = Game(START, seats=1, options=None)
    assert game.legal(0) == [CastVote(0)]
    assert game.owing == [0]


def test_the_default_is_the_answer_that_declines_else_the_first() -> None:
    assert default_action(RULES, Game(turn()).state, 0) == EndTurn()
    game = Game()
    assert default_action(RULES, game.state, 2) == game.legal(2)[0] == ChooseHome("cellar", min(game.state.hands[2]))


def test_out_of_time_gives_the_default_and_says_why() -> None:
    game = Game(turn()).expire(0)
    assert game.tags[:2] == ["answered", "turn_ended"]
    assert game.effects("answered")[0].why == "expired"


def test_out_of_time_in_a_window_is_a_pass_like_any_other() -> None:
    position = turn(hands=[["no"], ["no"], []], floors=units(cellar=[1]))
    by_clock = Game(position).act(0, Shoot("cellar")).expire(0)
    by_hand = Game(position).act(0, Shoot("cellar")).act(0, PassWindow())
    assert list(map(encode, by_clock.last.effects)) == list(map(encode, by_hand.last.effects))


def test_only_who_owes_can_be_out_of_time() -> None:
    game = Game(START).act(1, CastVote(0))
    with pytest.raises(IllegalError, match="not_your_decision"):
        game.expire(1)


def test_a_decision_without_an_answer_is_a_bug_of_the_ruleset() -> None:
    class Trap(Step, frozen=True):
        menu: ClassVar[tuple[str, ...]] = ("accept_trade",)

    game = Game(turn(coins=[0, 0, 0]))
    game.state.agenda.append(Trap(seats=(0,)))
    with pytest.raises(KernelError, match="seat 0 owes"):
        default_action(RULES, game.state, 0)


def test_an_empty_agenda_without_an_outcome_is_a_bug_of_the_ruleset() -> None:
    with pytest.raises(KernelError, match="no outcome"):
        Game({"agenda": [{"step": "walk", "left": 0}]})


def test_a_loop_in_one_event_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["games.kernel.decide"], "STEPS_MAX", 50)
    monkeypatch.setattr(s.Walk, "run", lambda self, table: table.push(self))
    with pytest.raises(KernelError, match="more than 50 steps"):
        Game({"agenda": [{"step": "walk", "left": 1}]})


def test_a_dead_step_is_dropped_and_what_is_beneath_goes_on() -> None:
    game = Game(turn(curfew=True, floors=units(roof=[0])))
    assert not any(isinstance(step, Turn) and step.seats == (0,) for step in game.state.agenda[:-1])
    assert game.tags == ["position_set", "round_started"]


def test_settle_may_take_a_resigned_seat_out_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s.Vote, "settle", lambda *_: None)
    game = Game(START).act(1, Resign())
    assert (game.tags, game.owing) == (["seat_resigned"], [0, 2])
    assert isinstance(game.last.effects[-1], AgendaSet)


def test_causes_point_to_the_effect_that_pushed_the_step() -> None:
    position = turn(hands=[[], [], []], coins=[0, 0, 0], floors=units(cellar=[1]))
    game = Game(position, dice=(1, 6, 1)).act(0, Shoot("cellar"))
    causes = [game.tags[cause] if cause >= 0 else cause for cause in game.last.causes]
    assert list(zip(game.tags, causes, strict=False)) == [
        ("attack_declared", BY_ACTION),
        ("passed", "attack_declared"),
        ("passed", "attack_declared"),
        ("unit_shot", "attack_declared"),
        ("place_damaged", "unit_shot"),
        ("answered", "place_damaged"),
        ("unit_lost", "answered"),
        ("place_damaged", "unit_shot"),  # the whole queue is caused by what opened it
    ]


def test_what_an_earlier_event_pushed_is_caused_by_it() -> None:
    game = Game(START)
    for seat in (0, 1, 2):
        game.act(seat, CastVote(0))
    assert list(zip(game.tags, game.last.causes, strict=False)) == [
        ("vote_cast", BY_ACTION),
        ("chair_elected", BY_EARLIER_EVENT),
        ("turn_started", BY_EARLIER_EVENT),
    ]


def test_the_agenda_is_set_once_at_the_end_and_only_as_far_as_it_changed() -> None:
    game = Game(START)
    game.act(1, CastVote(0))
    closing = game.last.effects[-1]
    assert isinstance(closing, AgendaSet)
    assert (closing.keep, closing.steps, closing.amended) == (len(game.state.agenda) - 1, (game.step,), 1)
    game.act(1, CastVote(2))
    assert game.tags == ["vote_cast"]
    assert not game.effects("agenda_set")  # only the vote itself has changed


def test_the_agenda_tells_steps_that_were_there_before_from_new_ones() -> None:
    game = Game(turn(hands=[["scope"], ["no"], []], floors=units(cellar=[1])), dice=(1, 1))
    game.act(0, Shoot("cellar"))
    closing = game.effects("agenda_set")[0]
    assert (closing.amended, [type(step).__name__ for step in closing.steps]) == (0, ["Attack", "React"])
    game.act(0, PlayCard("scope"))
    closing = game.effects("agenda_set")[0]
    assert [type(step).__name__ for step in closing.steps] == ["React", "Resolve", "Answer"]
    assert closing.amended == 1  # the seat that played owes the window no answer now, but it is the same window
    game.act(1, PassWindow())
    # The attack has its bonus. The window asked anew, by pushing itself back: that is a new question.
    assert [(game.effects("agenda_set")[0].amended, [type(step).__name__ for step in game.state.agenda])] == [
        (1, ["EndRound", "Turn", "Attack", "React"])
    ]


def test_the_end_clears_the_agenda() -> None:
    game = Game(START, seats=2).act(1, Resign())
    assert game.effects("agenda_set") == [AgendaSet(0, ())]


def test_a_named_procedure_runs_and_what_follows_too() -> None:
    game = Game(turn(hands=[[], [], []], coins=[0, 0, 0], floors=units(flat=[1])), dice=(6, 6, 1))
    decided = run(RULES, game.state, game.dice, lambda table: RULES.position.procedures["damage"](table, "cellar"))
    places = [effect.place for effect in decided.effects if isinstance(effect, e.PlaceDamaged)]
    assert places == ["cellar", "flat", "roof"]
    assert not any(isinstance(step, Damage) for step in game.state.agenda)


def test_a_position_with_an_agenda_goes_on_where_it_is_and_one_without_begins() -> None:
    assert Game(turn()).tags == ["position_set"]
    assert Game(START).tags == ["position_set", "round_started"]


def test_a_fork_goes_on_like_the_game_it_comes_from() -> None:
    game = Game(turn(hands=[["no"], ["no"], []], floors=units(cellar=[1])), dice=()).act(0, Shoot("cellar"))
    fork = RULES.initial(game.setting)
    started = start_at(RULES, fork, game.state, game.dice)
    assert [type(effect).__name__ for effect in started.effects] == ["PositionSet"]
    assert encode(fork) == encode(game.state)
    assert RULES.effect_decoder.decode(encode(started.effects[0])) is not None


def test_actions_have_notes_for_clients() -> None:
    game = Game(turn(floors=units(cellar=[1, 2])))
    assert Shoot("cellar").notes(game.state, 0) == {"targets": 2}
    assert EndTurn().notes(game.state, 0) == {}


def test_a_copy_is_independent() -> None:
    game = Game(turn(hands=[["no"], [], []]))
    copy = RULES.copy(game.state)
    copy.hands[0].clear()
    assert game.state.hands[0] == ["no"]


def test_effects_and_steps_are_immutable() -> None:
    with pytest.raises(AttributeError):
        e.TurnEnded(0).seat = 1  # type: ignore[misc]
    assert structs.replace(Turn(seats=(0,)), seats=()) == Turn()


def test_pushed_steps_come_in_the_order_in_which_they_are_given() -> None:
    class Mark(Step, frozen=True, kw_only=True):
        n: Public[int]

        def run(self, table: Table[Any]) -> None:
            ran.append(self.n)
            if self.n == 1:
                table.push(Mark(n=10), Mark(n=11))

    ran: list[int] = []
    game = Game(turn())
    run(RULES, game.state, game.dice, lambda table: table.push(Mark(n=1), Mark(n=2)))
    assert ran == [1, 10, 11, 2]
