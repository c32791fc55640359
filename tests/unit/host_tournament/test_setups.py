"""Decks: what a seat may bring (HT-1.2, HT-1.4, HT-2.1, HT-18.7), and what it plays with if it brings nothing."""

import msgspec
import pytest

from games.host_tournament.cards import Book
from games.host_tournament.deck import check_copies
from games.host_tournament.options import Options
from games.host_tournament.pack_parts import Pack
from games.host_tournament.ruleset import RULES
from games.kernel import PositionError, Setting
from server.catalogue import Catalogue, InvalidSettingError, setting

FIFTY_NINE = {"bent_corner": 1, "judges_whistle": 58}
SIXTY = {"bent_corner": 1, "judges_whistle": 59}


def made(setup, **options):
    return setting(Catalogue.load()["host_tournament"], 2, options, None, {"1": setup})


@pytest.mark.parametrize(
    ("deck", "options", "sentence"),
    [
        (FIFTY_NINE, {}, r"^setups\.1\.deck: a deck has 60 cards, this one 59 \(HT-1\.2\)$"),
        ({"pint": 60}, {}, r"^setups\.1\.deck: a deck has a location to start at \(HT-2\.1\)$"),
        ({**FIFTY_NINE, "pinte": 1}, {}, r"^setups\.1\.deck\.pinte: there is no such card in this pack \(HT-0\.2\)$"),
        (
            SIXTY,
            {"max_copies": 4},
            r"^setups\.1\.deck\.judges_whistle: 59 copies of Judge's Whistle, at most 4 \(HT-18\.7\)$",
        ),
        ("leeds", {}, r"^setups\.1\.deck: there is no sample deck leeds; there is warwick_london, glasgow_cardiff$"),
        ("warwick_london", {"max_copies": 4}, r"^setups\.1\.deck\.pint: 6 copies of Pint, at most 4 \(HT-18\.7\)$"),
        *(
            ({**SIXTY, "pint": count}, {}, r"^setups\.1\.deck\.pint: it is a number from 0 to 60 \(HT-1\.2\)$")
            for count in (-1, 61, 1.5, "20", None, True, 10**40, [], {})
        ),
        ({"x" * 3000: 60}, {}, r"^setups\.1\.deck: there is no card 'x{60}' in this pack \(HT-0\.2\)$"),
        ({"a\0\u202e": 60}, {}, r"^setups\.1\.deck: there is no card 'a\\x00\\u202e' in this pack \(HT-0\.2\)$"),
        ([1], {}, r"^setups\.1\.deck"),
    ],
)
def test_a_deck_that_breaks_a_rule_is_refused_with_the_card(deck, options, sentence):
    with pytest.raises(InvalidSettingError, match=sentence):
        made({"deck": deck}, **options)


def test_any_cards_are_allowed_in_any_number():
    state = RULES.initial(made({"deck": SIXTY}))
    assert state.seats[1].deck_list == SIXTY
    assert len(state.seats[1].deck) == 60


def test_who_brings_nothing_plays_a_sample_deck(house):
    one, two = RULES.initial(Setting(house, 2, Options())).seats
    assert (one.deck_list["university_of_warwick"], two.deck_list["man_a_vault"]) == (1, 1)
    named = RULES.initial(made({"deck": "warwick_london"}))
    assert named.seats[1].deck_list == one.deck_list


@pytest.mark.parametrize("most", [1, 2, 5, 60])
def test_a_sample_deck_is_cut_to_the_limit_of_copies_and_filled_up(house, most):
    for seat in RULES.initial(Setting(house, 2, Options(max_copies=most))).seats:
        assert max(seat.deck_list.values()) <= most
        assert sum(seat.deck_list.values()) == 60


def test_a_limit_for_which_a_pack_has_too_few_cards_is_refused(house):
    pack = RULES.shelf[house]
    locations = tuple(msgspec.structs.replace(one, effect=()) for one in pack.location)
    few = Book(Pack(pack="few", skills=(), towns=pack.towns, location=locations))
    with pytest.raises(PositionError, match=r"options\.max_copies: .*HT-18\.7"):
        check_copies(few, 4)
    check_copies(few, 5)
    check_copies(few, 0)


@pytest.mark.parametrize("limit", [-1, 1001, 10**30])
def test_a_turn_limit_has_bounds(limit):
    with pytest.raises(InvalidSettingError, match=r"turn_limit"):
        made({"deck": SIXTY}, turn_limit=limit)
