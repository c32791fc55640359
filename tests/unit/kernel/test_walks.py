"""Police that walk by themselves between decisions, each die recorded; a game of one seat."""

import pytest

from games.kernel import Resign
from tests.tiny.actions import CastVote, EndTurn, PayRansom, Shoot
from tests.tiny.game import Game, turn, units
from tests.tiny.state import Options
from tests.tiny.steps import Ransom, Turn, Vote


def patrol(*dice: int, **fields: object) -> Game:
    position = turn(hands=[[], [], []], **fields)
    position["agenda"].insert(1, {"step": "walk", "left": 3})
    return Game(position, dice=dice, options=Options(rounds=1)).act(0, EndTurn())


def walked(game: Game) -> list[tuple[str, int, str | None]]:
    return [(step.at, step.die, step.to) for step in game.effects("police_walked")]


def test_the_police_walk_without_being_asked_and_every_die_is_an_effect() -> None:
    game = patrol(1, 3, 2, 5, 6, floors=units(roof=[0]))
    assert walked(game) == [
        ("yard", 1, "cellar"),
        ("cellar", 3, None),  # no exit on this die: another one
        ("cellar", 2, "shop"),
        ("shop", 5, None),
        ("shop", 6, "attic"),
    ]
    assert (game.state.police, game.dice.draws) == ("attic", 5)
    assert game.tags[-1] == "game_ended"


def test_they_stop_for_a_decision_and_walk_on_after_it() -> None:
    game = patrol(1, 1, 1, floors=units(cellar=[1, 2]), coins=[0, 1, 0])
    assert walked(game) == [("yard", 1, "cellar")]
    assert (type(game.step), game.owing) == (Ransom, [1])
    game.act(1, PayRansom())
    assert walked(game) == [("cellar", 1, "shop"), ("shop", 1, "yard")]


def test_who_cannot_pay_is_not_asked_and_they_walk_on_in_the_same_event() -> None:
    game = patrol(1, 1, 1, floors=units(cellar=[1, 2]), coins=[0, 0, 0])
    assert game.tags[:4] == ["turn_ended", "police_walked", "answered", "unit_lost"]
    assert len(walked(game)) == 3


def test_the_walk_is_part_of_the_state_between_its_decisions() -> None:
    game = patrol(1, floors=units(cellar=[1]), coins=[0, 1, 0])
    assert [type(step).__name__ for step in game.state.agenda] == ["EndRound", "Walk", "Ransom"]
    assert game.state.agenda[1].left == 2


def test_one_seat_plays_alone_to_the_end() -> None:
    game = Game(seats=1, options=Options(rounds=1, patrol=False))
    assert game.owing == [0]
    game.act(0, game.legal(0)[0])
    assert type(game.step) is Vote
    game.act(0, CastVote(0))
    assert (type(game.step), game.state.chair) == (Turn, 0)
    game.act(0, Shoot("yard"))
    while game.state.outcome is None:
        game.act(0, next(action for action in game.legal(0) if action.declines))
    assert (game.state.outcome.winners, game.state.outcome.reason) == ((0,), "rounds")


def test_a_seat_alone_that_resigns_leaves_no_winner() -> None:
    game = Game(seats=1).act(0, Resign())
    assert game.tags == ["seat_resigned", "game_ended"]
    assert (game.state.outcome.winners, game.state.outcome.reason) == ((), "resigned")


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_resigning_one_after_another_ends_any_number_of_seats(seats: int) -> None:
    game = Game(seats=seats)
    for seat in range(max(1, seats - 1)):
        game.act(seat, Resign())
    assert game.state.outcome is not None
