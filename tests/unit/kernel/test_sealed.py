"""Sealed simultaneous choices: kept from all others until the last one is in, then shown in seat order."""

from itertools import permutations

from games.kernel import SPECTATOR, encode
from tests.tiny.actions import ChooseHome
from tests.tiny.game import Game
from tests.tiny.steps import Vote

HOMES = ("cellar", "shop", "roof")


def choice(game: Game, seat: int) -> ChooseHome:
    return ChooseHome(HOMES[seat], min(game.state.hands[seat]))


def test_all_seats_owe_at_once_and_who_has_answered_owes_no_more() -> None:
    game = Game()
    assert game.owing == [0, 1, 2]
    game.act(1, choice(game, 1))
    assert game.owing == [0, 2]
    assert game.refused(1, choice(game, 1)) == ("TINY-0", "not_your_decision")


def test_others_learn_only_who_has_answered() -> None:
    game = Game()
    made = choice(game, 1)
    game.act(1, made)
    for reader in (0, 2, SPECTATOR):
        assert game.seen(reader)[0] == {"effect": "home_chosen", "seat": 1}
        assert game.view(reader).sealed == (False, True, False)
        assert game.view(reader).homes == (None, None, None)
    assert game.seen(1)[0] == {"effect": "home_chosen", "seat": 1, "place": made.place, "card": made.card}


def test_the_reveal_is_in_seat_order_whatever_the_order_of_answers() -> None:
    ends = set()
    for order in permutations(range(3)):
        game = Game()
        for seat in order:
            game.act(seat, choice(game, seat))
        assert [(shown.seat, shown.place) for shown in game.effects("home_revealed")] == list(enumerate(HOMES))
        assert isinstance(game.step, Vote)
        # Not only the reveal: nothing at all is left of the order.
        ends.add((encode(game.state), tuple(map(encode, game.last.effects[1:]))))
    assert len(ends) == 1


def test_the_set_up_deals_what_only_the_owner_sees() -> None:
    game = Game()
    assert game.tags == ["deck_shuffled", *["card_taken"] * 12]
    assert game.seen(SPECTATOR)[:2] == [{"effect": "deck_shuffled"}, {"effect": "card_taken", "seat": 0}]
    assert [sum("card" in effect for effect in game.seen(reader)) for reader in (0, 1, 2, SPECTATOR)] == [4, 4, 4, 0]
