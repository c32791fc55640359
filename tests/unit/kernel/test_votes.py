"""A vote with a trade in the middle: seats that have voted may change, frames of a trade stand above the vote."""

import pytest

from games.kernel import SPECTATOR, Resign
from tests.tiny.actions import AcceptTrade, AddCard, CastVote, DeclineTrade, DropOffer, OfferTrade, SendOffer
from tests.tiny.game import Game
from tests.tiny.steps import BuildOffer, RespondTrade, Turn, Vote

HANDS = [["no", "scope"], ["smoke"], ["siren"]]


def vote(**fields: object) -> Game:
    """The first round begins with the vote of three seats."""
    base = {"revealed": True, "police": "yard", "homes": ["roof"] * 3, "hands": HANDS, "coins": [0, 1, 0]}
    return Game(base | {"floors": {"roof": {"units": [0, 1, 2]}}} | fields)


def test_who_has_voted_owes_nothing_more_but_may_change_it_once() -> None:
    game = vote().act(1, CastVote(2))
    assert (game.owing, game.step.also) == ([0, 2], (1,))
    game.act(1, CastVote(0))
    assert (game.owing, game.state.votes) == ([0, 2], {1: 0})
    assert game.refused(1, CastVote(2)) == ("TINY-2.3", "changed_already")
    assert game.refused(1, CastVote(0)) == ("TINY-2.2", "voted_so_already")


def test_the_vote_is_counted_after_the_last_one_who_owed() -> None:
    game = vote().act(2, CastVote(1)).act(0, CastVote(1)).act(1, CastVote(0))
    assert game.tags[:2] == ["vote_cast", "chair_elected"]
    assert (game.state.chair, type(game.step)) == (1, Turn)


def test_a_tie_is_broken_by_recorded_lot() -> None:
    game = vote(votes={"0": 0, "1": 1}, agenda=[{"step": "end_round"}, {"step": "vote", "seats": [2], "also": [0, 1]}])
    game.act(2, CastVote(2))
    elected = game.effects("chair_elected")[0]
    assert (elected.tied, elected.seat in elected.tied, game.dice.draws) == ((0, 1, 2), True, 1)


@pytest.mark.parametrize("voted", [False, True])
def test_a_trade_stands_above_the_vote_which_goes_on_with_all_that_was_owed(voted: bool) -> None:
    game = vote().act(2, CastVote(1))
    if voted:
        game.act(0, CastVote(1))
    owed = game.owing
    game.act(0, OfferTrade(to=1))
    assert (type(game.step), game.owing) == (BuildOffer, [0])
    assert game.refused(1, CastVote(1)) == ("TINY-0", "not_your_decision")
    assert game.refused(0, SendOffer()) == ("TINY-3.5", "empty_offer")
    game.act(0, AddCard("scope"), AddCard("no"), SendOffer())
    assert (type(game.step), game.owing) == (RespondTrade, [1])
    game.act(1, AcceptTrade())
    assert (type(game.step), game.owing, game.state.offer) == (Vote, owed, None)
    assert (game.state.hands[:2], game.state.coins) == ([[], ["smoke", "scope", "no"]], [1, 0, 0])
    assert game.step.also == ((0, 2) if voted else (2,))


def test_the_cards_of_an_offer_are_seen_by_its_parties_and_by_the_addressee_once_sent() -> None:
    game = vote().act(0, OfferTrade(to=1), AddCard("scope"))
    assert [game.view(reader).offer.cards for reader in (0, 1, 2, SPECTATOR)] == [("scope",), None, None, None]
    assert [effect.get("card") for effect in (game.seen(0)[0], game.seen(1)[0])] == ["scope", None]
    game.act(0, SendOffer())
    assert [game.view(reader).offer.cards for reader in (0, 1, 2, SPECTATOR)] == [("scope",), ("scope",), None, None]
    assert game.seen(1)[0] == {"effect": "offer_sent", "seat": 0, "to": 1, "cards": ("scope",)}
    assert game.seen(2)[0] == {"effect": "offer_sent", "seat": 0, "to": 1}


@pytest.mark.parametrize("end", ["drop", "decline"])
def test_an_offer_that_comes_to_nothing_gives_the_cards_back(end: str) -> None:
    game = vote().act(0, OfferTrade(to=1), AddCard("scope"))
    game = game.act(0, DropOffer()) if end == "drop" else game.act(0, SendOffer()).act(1, DeclineTrade())
    assert (sorted(game.state.hands[0]), game.owing) == (["no", "scope"], [0, 1, 2])
    assert game.refused(0, OfferTrade(to=1)) == ("TINY-3.2", "offered_already")


def test_offers_cannot_go_to_oneself_or_to_who_has_resigned() -> None:
    game = vote().act(2, Resign())
    assert game.refused(0, OfferTrade(to=0)) == ("TINY-3.1", "no_partner")
    assert game.refused(0, OfferTrade(to=2)) == ("TINY-3.1", "no_partner")
    assert game.refused(0, CastVote(2)) == ("TINY-2.1", "no_candidate")
