"""Texts of a game name the cards, towns and skills of its pack, whichever that is."""

import json

from games.host_tournament.ruleset import RULES
from games.kernel import Saying, render
from server.catalogue import Catalogue
from tests.unit.host_tournament.conftest import FOLDER


def say(pack, word):
    return render(
        Saying("told", {"card": word}), Catalogue.load()[RULES.id].of_pack(pack).texts["en"] | {"told": "{card}"}
    )


def test_a_card_of_another_pack_has_its_name_in_texts(odd):
    """The house pack has neither of them."""
    assert say(odd, "market_hall") == "Market Hall"
    assert say(odd, "small_table") == "The Small Table"
    assert say(odd, "blunt_pencil2").startswith("Blunt Pencil")


def test_the_words_of_one_pack_are_not_those_of_another(odd, house):
    assert say(house, "market_hall") == "market_hall"
    assert "value.market_hall" not in Catalogue.load()[RULES.id].texts["en"]


def test_the_house_pack_is_told_as_the_text_file_says(house):
    texts = json.loads((FOLDER / "text/en.json").read_text("utf-8"))
    assert Catalogue.load()[RULES.id].of_pack(house).texts["en"] == texts
