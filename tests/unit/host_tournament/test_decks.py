"""What is no deck is refused before the game begins, with the rule that says so."""

import pytest

from server.catalogue import Catalogue, InvalidSettingError, setting

ENTRY = Catalogue.load()["host_tournament"]


def refused(cards, options=None):
    with pytest.raises(InvalidSettingError) as refusal:
        setting(ENTRY, 2, options or {}, None, {"0": {"deck": cards}})
    return str(refusal.value)


@pytest.mark.parametrize("pints", [58, 60])
def test_a_deck_has_60_cards(pints):
    assert "HT-1.2" in refused({"bent_corner": 1, "pint": pints})


def test_a_deck_has_a_location():
    assert "HT-2.1" in refused({"pint": 60})


def test_a_deck_has_cards_of_the_pack():
    assert "no_such_card" in refused({"bent_corner": 1, "no_such_card": 59})


def test_more_copies_than_the_option_allows_are_refused():
    assert "HT-18.7" in refused({"bent_corner": 1, "pint": 4, "fresher": 55}, {"max_copies": 3})


def test_as_many_copies_as_the_option_allows_are_not():
    cards = {"bent_corner": 20, "pint": 20, "fresher": 20}
    setting(ENTRY, 2, {"max_copies": 20}, None, {"0": {"deck": cards}, "1": {"deck": cards}})


@pytest.mark.parametrize("seats", [1, 3])
def test_the_game_is_for_two(seats):
    with pytest.raises(InvalidSettingError):
        setting(ENTRY, seats, {})
