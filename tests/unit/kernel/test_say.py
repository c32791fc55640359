"""Words come from the redacted message, so they tell no more than the data."""

import pytest

from games.kernel import Saying, redact, render, say, word
from games.kernel.visibility import declared
from tests.tiny import effects as e

TEXTS = {
    "home_chosen": "{seat} chooses {place} and buries {card}.",
    "home_chosen.hidden": "{seat} has chosen.",
    "chair_elected": "{seat} is chair{tied:seat?, drawn among $|}.",
    "police_walked": "The police roll {die}{to? and go to $| and stay}.",
    "hidden": "…",
    "seat": "seat {n}",
    "and": "and",
    "value.roof": "the roof",
    "value.none": "nobody",
    "value.true": "yes",
}


def told(effect: e.Effect, reader: int) -> Saying:
    return say(redact(effect, reader), "effect", tuple(name for name, _ in declared(type(effect))))


def test_a_complete_message_has_the_template_of_its_tag() -> None:
    saying = told(e.HomeChosen(1, "roof", "no"), 1)
    assert saying == Saying("home_chosen", {"seat": 1, "place": "roof", "card": "no"})
    assert render(saying, TEXTS) == "seat 1 chooses the roof and buries no."


def test_where_a_field_is_missing_the_hidden_template_is_used() -> None:
    saying = told(e.HomeChosen(1, "roof", "no"), 0)
    assert saying == Saying("home_chosen.hidden", {"seat": 1})
    assert render(saying, TEXTS) == "seat 1 has chosen."


def test_an_unknown_message_says_the_same_whatever_it_is() -> None:
    # Not even whether its class has fields.
    assert (
        say({"effect": "hidden"}, "effect", ("seat",))
        == say({"effect": "hidden"}, "effect", ())
        == Saying("hidden", {})
    )
    assert render(told(e.AutoPassSet(1, on=True), 0), TEXTS) == "…"


def test_a_choice_in_a_template_is_by_whether_the_field_is_set() -> None:
    assert render(told(e.PoliceWalked("yard", 3, None), 0), TEXTS) == "The police roll 3 and stay."
    assert render(told(e.PoliceWalked("yard", 3, "roof"), 0), TEXTS) == "The police roll 3 and go to the roof."
    assert render(told(e.ChairElected(0, ()), 0), TEXTS) == "seat 0 is chair."
    assert (
        render(told(e.ChairElected(2, (0, 1, 2)), 0), TEXTS)
        == "seat 2 is chair, drawn among seat 0, seat 1 and seat 2."
    )


@pytest.mark.parametrize(
    ("value", "expected"), [(0, "+seat 0"), (None, "-"), (2, "+seat 2"), ([], "-"), ([0], "+seat 0")]
)
def test_seat_zero_is_a_seat(value: object, expected: str) -> None:
    assert render(Saying("x", {"seat": value}), TEXTS | {"x": "{seat?+$|-}"}) == expected


@pytest.mark.parametrize("value", [0, False, None, "", [], (), {}])
def test_nothing_is_not_set(value: object) -> None:
    assert render(Saying("x", {"n": value}), {"x": "{n?yes|no}"}) == "no"


def test_a_missing_template_gives_the_key() -> None:
    assert render(Saying("unheard_of", {}), TEXTS) == "unheard_of"
    assert render(Saying("chair_elected.hidden", {"seat": 1}), TEXTS) == "seat 1 is chair."


def test_words_of_lists_counts_and_values() -> None:
    assert word({"grey": 2, "red": 1}, TEXTS) == "2 grey and 1 red"
    assert word(["roof", "yard", "shop"], TEXTS) == "the roof, yard and shop"
    assert (word((), TEXTS), word(None, TEXTS), word(value=True, texts=TEXTS)) == ("nobody", "nobody", "yes")
    assert word(1, TEXTS) == "1"


def test_one_of_several_of_a_kind_has_its_number() -> None:
    texts = TEXTS | {"numbered": "{name} {n}", "value.pint": "Pint"}
    assert [word(name, texts) for name in ("pint1", "pint2", "pint12", "pint", "mug3")] == [
        *("Pint", "Pint 2", "Pint 12", "Pint", "mug3"),
    ]
    assert word("pint2", TEXTS | {"value.pint": "Pint"}) == "pint2"


def test_a_kind_may_say_for_itself_how_one_of_several_is_called() -> None:
    texts = TEXTS | {"numbered": "{name} {n}", "numbered.r": "riot cop r{n}", "value.r7": "the seventh"}
    assert [word(name, texts) for name in ("r1", "r12", "r7", "r")] == [
        "riot cop r1",
        "riot cop r12",
        "the seventh",
        "r",
    ]


def test_only_the_template_knows_whether_a_number_is_a_seat() -> None:
    told = Saying("x", {"from": 3, "to": [0, 1]})
    assert render(told, TEXTS | {"x": "{from:seat} to {to:seat}"}) == "seat 3 to seat 0 and seat 1"
    assert render(told, TEXTS | {"x": "{from} to {to}"}) == "3 to 0 and 1"


def test_a_word_of_a_kind_comes_before_the_word_alone() -> None:
    texts = {"played": "{card:back}", "value.back.a/b": "A", "value.a/b": "B (back: A)", "value.c": "C"}
    assert render(Saying("played", {"card": "a/b"}), texts) == "A"
    assert render(Saying("played", {"card": "c"}), texts) == "C"


def test_pairs_of_numbers_are_cells_where_a_template_says_so():
    told = Saying("x", {"to": [3, 5], "path": [[3, 5], "pizza"], "dice": [3, 5]})
    template = "{to:cell}{path:cell? by $|}, dice {dice}"
    assert render(told, TEXTS | {"x": template}) == "(3, 5) by (3, 5) and pizza, dice 3 and 5"
