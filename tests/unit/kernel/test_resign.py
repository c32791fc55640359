"""Resigning inside each flow: what is owed is settled, what was answered stands, the last seat ends the game."""

import pytest

from games.kernel import Resign
from tests.tiny.actions import (
    AddCard,
    CastVote,
    ChooseHome,
    OfferTrade,
    PassWindow,
    PlayCard,
    SendOffer,
    SetAutoPass,
    Shoot,
)
from tests.tiny.game import Game, turn, units
from tests.tiny.steps import Answer, React, RespondTrade, Turn, Vote

CARDS = [["scope", "no"], ["smoke", "no"], ["no"]]


def attack(**fields: object) -> Game:
    floors = units(cellar=[1, 2], roof=[0, 1])
    return Game(turn(floors=floors, hands=CARDS, coins=[0, 0, 0], **fields), dice=(1, 1, 1)).act(0, Shoot("cellar"))


def test_before_a_sealed_choice_the_default_is_sealed_for_the_seat() -> None:
    game = Game()
    first = game.legal(1)[0]
    game.act(1, Resign())
    assert game.tags == ["seat_resigned", "answered", "home_chosen"]
    assert (game.effects("answered")[0].action, game.effects("answered")[0].why) == (first, "resigned")
    assert game.owing == [0, 2]
    # The kernel's answer is as secret as the seat's own would be.
    assert game.seen(0)[1] == {"effect": "answered", "seat": 1, "action": {"action": "choose_home"}, "why": "resigned"}


def test_after_a_sealed_choice_it_stands() -> None:
    game = Game()
    game.act(1, ChooseHome("shop", game.state.hands[1][0])).act(1, Resign())
    assert (game.tags, game.owing, game.state.homes[1]) == (["seat_resigned"], [0, 2], "shop")


def test_the_last_one_who_owes_a_sealed_choice_reveals_all_by_resigning() -> None:
    game = Game()
    for seat in (0, 2):
        game.act(seat, game.legal(seat)[0])
    game.act(1, Resign())
    assert game.tags[:4] == ["seat_resigned", "answered", "home_chosen", "home_revealed"]
    assert (type(game.step), game.owing) == (Vote, [0, 2])


def test_the_seat_that_a_window_asks_passes_by_resigning() -> None:
    game = attack().act(0, PassWindow()).act(1, Resign())
    assert (game.tags, game.owing) == (["seat_resigned", "passed"], [2])


def test_a_seat_that_a_window_has_not_yet_asked_is_not_asked_any_more() -> None:
    game = attack().act(1, Resign())
    assert (game.tags, game.owing) == (["seat_resigned"], [0])
    assert [passed.seat for passed in game.act(0, PassWindow()).effects("passed")] == [0, 1]
    assert game.owing == [2]


def test_the_firer_resigns_and_its_attack_is_carried_out() -> None:
    game = attack().act(0, PassWindow()).act(0, Resign()).act(1, PassWindow()).act(2, PassWindow())
    assert game.tags[:3] == ["passed", "unit_shot", "unit_shot"]
    assert "turn_ended" in game.tags
    assert not any(isinstance(step, Turn) for step in game.state.agenda)


def test_the_player_of_a_card_resigns_while_others_may_answer_it() -> None:
    game = attack().act(0, PlayCard("scope"))
    assert type(game.step) is Answer
    game.act(0, Resign())
    assert game.owing == [1]
    game.act(1, PassWindow()).act(2, PassWindow())
    assert "card_resolved" in game.tags
    assert (type(game.step), game.owing) == (React, [1])


def test_before_voting_the_default_vote_is_cast() -> None:
    game = Game({"hands": CARDS, "revealed": True, "police": "yard"}).act(1, Resign())
    assert game.tags == ["seat_resigned", "answered", "vote_cast"]
    assert game.owing == [0, 2]


def test_after_voting_the_vote_stands_and_cannot_be_changed() -> None:
    game = Game({"hands": CARDS, "revealed": True, "police": "yard"}).act(1, CastVote(0), Resign())
    assert game.tags == ["seat_resigned"]
    assert game.state.votes == {1: 0}
    assert game.step.also == (1,)
    assert game.legal(1) == []
    assert game.refused(1, CastVote(2)) == ("TINY-0", "already_resigned")
    assert game.refused(1, OfferTrade(to=0)) == ("TINY-0", "already_resigned")


def test_the_offerer_resigns_while_it_builds_an_offer() -> None:
    game = Game({"hands": CARDS, "revealed": True, "police": "yard"})
    game.act(0, OfferTrade(to=1), AddCard("scope")).act(0, Resign())
    # First the trade above, then what it owed beneath.
    assert game.tags == ["seat_resigned", "answered", "offer_closed", "answered", "vote_cast"]
    assert (sorted(game.state.hands[0]), game.owing) == (["no", "scope"], [1, 2])


@pytest.mark.parametrize(("seat", "owing"), [(1, [0, 2]), (0, [1])])
def test_a_party_of_a_sent_offer_resigns(seat: int, owing: list[int]) -> None:
    game = Game({"hands": CARDS, "revealed": True, "police": "yard"})
    game.act(0, OfferTrade(to=1), AddCard("scope"), SendOffer()).act(seat, Resign())
    assert game.owing == owing
    assert isinstance(game.step, Vote if seat == 1 else RespondTrade)


def test_in_the_own_turn_it_ends_and_later_turns_are_passed_over() -> None:
    game = Game(turn(hands=CARDS)).act(0, Resign())
    assert game.tags[:3] == ["seat_resigned", "answered", "turn_ended"]
    game = Game({"hands": CARDS, "revealed": True, "police": "yard", "floors": units(roof=[0, 1, 2])}).act(1, Resign())
    game.act(0, CastVote(0)).act(2, CastVote(0))
    while game.state.round == 1:
        game.act(game.owing[0], next(a for a in game.legal(game.owing[0]) if a.declines))
        assert game.state.active != 1


def test_in_a_decision_of_the_damage_queue_the_unit_is_given_up() -> None:
    position = turn(floors=units(cellar=[1, 2]), hands=CARDS, coins=[0, 1, 1])
    position["agenda"].append({"step": "damage", "entries": ["cellar"]})
    game = Game(position, dice=(6, 1)).act(1, Resign())
    assert game.tags == ["seat_resigned", "answered", "unit_lost"]
    assert game.owing == [2]


def test_a_seat_that_resigned_resigns_no_more_and_does_nothing_out_of_turn() -> None:
    game = Game().act(1, Resign())
    assert game.refused(1, Resign()) == ("TINY-7", "already_resigned")
    assert game.refused(1, SetAutoPass(on=True)) == ("TINY-0", "already_resigned")


@pytest.mark.parametrize("seat", [-1, 3])
def test_who_has_no_seat_cannot_resign(seat: int) -> None:
    assert Game().refused(seat, Resign()) == ("TINY-7", "not_your_decision")


def flows() -> dict[str, Game]:
    """A game of three seats, inside each flow."""
    vote = Game({"hands": CARDS, "revealed": True, "police": "yard"})
    rubble = turn(floors=units(cellar=[1, 2]), hands=CARDS, coins=[0, 1, 1])
    rubble["agenda"].append({"step": "damage", "entries": ["cellar", "shop"]})
    return {
        "sealed": Game(),
        "turn": Game(turn(hands=CARDS, floors=units(roof=[0, 1, 2]))),
        "window": attack(),
        "answer": attack().act(0, PlayCard("scope")),
        "vote": vote,
        "trade": Game({"hands": CARDS, "revealed": True, "police": "yard"}).act(0, OfferTrade(to=1)),
        "queue": Game(rubble, dice=(6,)),
    }


@pytest.mark.parametrize("flow", flows())
@pytest.mark.parametrize("left", [0, 1, 2])
def test_the_last_seat_left_wins_at_once_inside_any_flow(flow: str, left: int) -> None:
    game = flows()[flow]
    first, second = (seat for seat in range(3) if seat != left)
    game.act(first, Resign())
    assert game.state.outcome is None
    game.act(second, Resign())
    assert game.tags == ["seat_resigned", "game_ended"]
    assert (game.state.outcome.winners, game.state.outcome.reason) == ((left,), "last_seat")
    assert (game.state.agenda, game.step, game.owing, game.legal(left)) == ([], None, [], [])
    assert game.refused(left, Resign()) == ("TINY-7", "game_over")
