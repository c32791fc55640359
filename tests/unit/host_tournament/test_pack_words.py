"""Packs that read well and yet break a game: each is refused with a sentence that names the card and the field."""

import json

import pytest

from games.content import ContentError, Shelf
from games.host_tournament.cards import Book
from games.host_tournament.pack import check
from games.host_tournament.pack_parts import Pack
from tests.unit.host_tournament.conftest import HOUSE

TYPES = ("personnel", "location", "equipment", "event", "interrupt", "chula")
PINT_ONLY = ["attach", ["pick", "FIELD", 1, "YOU"]]
DRINKING = ["drinking"]


def add(raw):
    return Shelf(Pack, check).add(json.dumps(raw).encode())


@pytest.fixture
def raw():
    return json.loads(HOUSE.read_text("utf-8"))


def card(pack, name):
    return next(one for kind in TYPES for one in pack[kind] if one["id"] == name)


def effect(pack, name, *rules):
    card(pack, name).update(effect=list(rules))


def event(*ops):
    """Road Trip with other operations."""
    return lambda pack: effect(pack, "road_trip", ["play", *ops])


def folder(*rules):
    return lambda pack: pack["type_rules"][0].update(effect=list(rules))


WORDS_OF_NO_SHAPE = {
    "rule, list": (lambda p: effect(p, "road_trip", [["x"]]), r"road_trip\.effect\[0\]: \['x'\] is none of play"),
    "rule, dict": (lambda p: effect(p, "road_trip", [{}]), r"road_trip\.effect\[0\]: \{\} is none of play"),
    "op": (event([["a"]]), r"road_trip\.effect\[0\]\.play\[0\]: \['a'\] is none of go"),
    "condition": (event(["check", [["a"]], ["go"], ["go"]]), r"check\[0\]: \['a'\] is none of at"),
    "value": (event(["score", "YOU", [["a"]]]), r"score\[1\]: \['a'\] is none of count"),
    "target": (event(["stop", [["a"]], 1]), r"stop\[0\]: \['a'\] is none of pick"),
}


@pytest.mark.parametrize("case", WORDS_OF_NO_SHAPE)
def test_a_word_that_is_no_text_is_refused_by_its_place(raw, case):
    change, sentence = WORDS_OF_NO_SHAPE[case]
    change(raw)
    with pytest.raises(ContentError, match=sentence):
        add(raw)


FAULTS = {
    # numbers
    "act -1": (lambda p: effect(p, "tamsin", ["act", -1, ["go"]]), r"tamsin\.effect\[0\]: .*1 to 3 actions.*HT-3\.1"),
    "act 9": (lambda p: effect(p, "tamsin", ["act", 9, ["go"]]), r"tamsin\.effect\[0\]: .*1 to 3 actions.*HT-3\.1"),
    "act 0": (lambda p: effect(p, "tamsin", ["act", 0, ["go"]]), r"tamsin.*: .*1 to 3 actions.*HT-3\.1"),
    "draw -5": (event(["draw", "YOU", -5]), r"road_trip\.effect\[0\]: draw: .*0 or more"),
    "drop -5": (event(["drop", "YOU", -5]), r"road_trip\.effect\[0\]: drop: .*0 or more"),
    "sift -5": (event(["sift", "YOU", -5]), r"road_trip\.effect\[0\]: sift: .*0 or more"),
    "recycle -5": (event(["recycle", "YOU", -5]), r"road_trip\.effect\[0\]: recycle: .*0 or more"),
    "stop 0": (event(["stop", "ALL", 0]), r"road_trip\.effect\[0\]: stop: .*a turn or more"),
    "wake -3": (event(["wake", "ALL", -3]), r"road_trip\.effect\[0\]: wake: .*0 or more"),
    # targets that are no personnel
    "stop a location": (event(["stop", "HERE", 1]), r"road_trip\.effect\[0\]: stop: HERE is no personnel"),
    "wake a location": (event(["wake", "HERE", 1]), r"wake: HERE is no personnel"),
    "free a player": (event(["free", "YOU"]), r"free: YOU is no personnel"),
    "move a location": (event(["move", "HERE", "any"]), r"move: HERE is no personnel"),
    "the best location": (event(["stop", ["best", "HERE", "playing"], 1]), r"HERE is no personnel"),
    "stop a pint": (event(["stop", ["on", "MINE", "pint"], 1]), r"stop: on is no personnel"),
    "SELF of an event": (event(["stop", "SELF", 1]), r"stop: SELF is no personnel"),
    "total of a location": (event(["score", "YOU", ["total", "HERE", "playing"]]), r"total: HERE is no personnel"),
    "move of both seats'": (event(["move", "ALL", "any"]), r"move: .*one seat.*one place"),
    "a buff of a location": (
        lambda p: effect(p, "corn_hall", ["during", ["buff", "HERE", "playing", 1]]),
        r"corn_hall\.effect\[0\]: buff: HERE is no personnel",
    ),
    "discard the table": (event(["discard", "TABLE"]), r"discard: TABLE is no card"),
    # subgames inside subgames
    "a session after a result": (
        lambda p: effect(p, "tamsin", ["after", "result_t", DRINKING]),
        r"no subgame.*another",
    ),
    "a session at entry": (
        lambda p: effect(p, "half_measures", ["reply", "entry_d", DRINKING]),
        r"no subgame.*another",
    ),
    "an event that runs one": (
        lambda p: effect(p, "tamsin", ["after", "result_t", ["download", "drinking_session"]]),
        r"no subgame.*another",
    ),
    "any event": (
        lambda p: effect(p, "tamsin", ["after", "result_t", ["download", ["type", "event"]]]),
        r"no subgame.*another",
    ),
    # words where they do nothing
    "stay in an ability": (lambda p: effect(p, "tamsin", ["act", 1, ["stay", "TABLE"]]), r"tamsin.*stay goes with"),
    "stay of a personnel": (lambda p: effect(p, "tamsin", ["play", ["stay", "TABLE"]]), r"tamsin.*stay goes with"),
    "download of an interrupt": (
        event(["download", "half_measures"]),
        r"half_measures is played in its window",
    ),
    "dl of a chula": (lambda p: effect(p, "tamsin", ["dl", "downpour"]), r"downpour.*window"),
    "enter without a subgame": (event(["enter", "ALL", "must", "tournament"]), r"enter goes with entry"),
    "enter of the other subgame": (
        lambda p: effect(p, "oh_go_on_then", ["reply", "entry_t", ["enter", "THEIRS", "must", "drinking"]]),
        r"enter goes with entry",
    ),
    "pace without a session": (event(["pace", 1]), r"pace goes with"),
    "two replies of a window": (
        lambda p: effect(p, "half_measures", ["reply", "open", ["go"]], ["reply", "open", ["draw", "YOU", 1]]),
        r"half_measures\.effect: one reply.*open",
    ),
    # conditions elsewhere
    "a choice in free": (
        lambda p: card(p, "pint").update(free=["ge", ["count", ["pick", "MINE", 1, "YOU"], "personnel"], 1]),
        r"equipment\.pint\.free: nothing is chosen.*HT-18\.3",
    ),
    "once in free": (lambda p: card(p, "pint").update(free=["once", "turn"]), r"equipment\.pint\.free: once goes with"),
    "GROUP in free": (
        lambda p: card(p, "pint").update(free=["ge", ["count", "GROUP", "personnel"], 1]),
        r"equipment\.pint\.free: GROUP goes with",
    ),
    "once in check": (event(["check", ["once", "turn"], ["go"], ["go"]]), r"road_trip.*once goes with"),
    "two rows of type_rules": (
        lambda p: p["type_rules"].append(p["type_rules"][0]),
        r"type_rules\[1\]: .*one row.*HT-18\.1",
    ),
    "a folder that downloads": (
        folder(["act", 1, ["when", ["once", "turn"]], ["download", ["type", "location"]]]),
        r"type_rules\[0\]\.effect\[0\]: .*HT-18\.1",
    ),
    "a folder with a condition": (
        folder(["act", 1, ["when", ["ge", ["count", "YOURS", "rules"], 5]], ["sift", "YOU", 2]]),
        r"type_rules\[0\]\.effect\[0\]: .*once.*HT-18\.1",
    ),
    "a folder for nothing": (
        folder(["act", 0, ["when", ["once", "turn"]], ["sift", "YOU", 2]]),
        r"type_rules\[0\]\.effect\[0\]: .*1 to 3 actions",
    ),
    # names
    "a persona of two kinds": (
        lambda p: (card(p, "tamsin").update(persona="zz"), card(p, "yusra").update(persona="zz", kind="universal")),
        r"personnel\.yusra\.persona: .*unique.*HT-16\.1",
    ),
    "a card called stopped": (lambda p: card(p, "road_trip").update(id="stopped"), r"event\.stopped: .*HT-0\.2"),
    "a card called personnel": (lambda p: card(p, "road_trip").update(id="personnel"), r"event\.personnel: .*HT-0\.2"),
    "a skill called london": (lambda p: p["skills"].append("london"), r"skills\[\d+\]: .*london.*HT-5\.2"),
    "a skill called stopped": (lambda p: p["skills"].append("stopped"), r"skills\[\d+\]: .*stopped.*HT-5\.2"),
    "a skill called playing": (lambda p: p["skills"].append("playing"), r"skills\[\d+\]: .*playing.*HT-5\.2"),
    "a skill twice": (lambda p: p["skills"].append("rules"), r"skills\[\d+\]: .*rules.*HT-5\.2"),
    "no name": (lambda p: card(p, "tamsin").update(name=""), r"personnel\.tamsin\.name: .*1 to 100"),
    "a long name": (lambda p: card(p, "tamsin").update(name="x" * 101), r"personnel\.tamsin\.name: .*1 to 100"),
    "a name that turns the line": (lambda p: card(p, "tamsin").update(name="a\u202eb"), r"personnel\.tamsin\.name: "),
    "a town without a name": (lambda p: p["towns"][0].update(name=" "), r"towns\[0\]\.name: .*1 to 100"),
    "a deck without a name": (lambda p: p["decks"][0].update(name=""), r"decks\.warwick_london\.name: .*1 to 100"),
    "a pack without a name": (lambda p: p.update(pack=""), r"pack: .*1 to 100"),
    "a long text": (lambda p: card(p, "tamsin").update(text="x" * 2001), r"personnel\.tamsin\.text: "),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_pack_that_would_break_a_game_is_refused(raw, case):
    change, sentence = FAULTS[case]
    change(raw)
    with pytest.raises(ContentError, match=sentence):
        add(raw)


FINE = {
    "an ability for nothing, once": lambda p: effect(p, "tamsin", ["act", 0, ["when", ["once", "turn"]], ["go"]]),
    "an ability for all actions": lambda p: effect(p, "tamsin", ["act", 3, ["go"]]),
    "one of all is moved": event(["move", ["pick", "ALL", 1, "YOU"], "any"]),
    "the location is discarded": event(["discard", "HERE"]),
    "an attached card is discarded": event(["discard", ["on", "MINE", "pint"]]),
    "two windows": lambda p: effect(p, "half_measures", ["reply", "open", ["go"]], ["reply", "roll_d", ["pace", 1]]),
    "SELF of a personnel": lambda p: effect(p, "tamsin", ["act", 1, ["stop", "SELF", 1]]),
    "a draw of nothing": event(["draw", "YOU", 0]),
    "a text of two lines": lambda p: card(p, "tamsin").update(text="One.\nTwo."),
}


@pytest.mark.parametrize("case", FINE)
def test_what_makes_sense_is_accepted(raw, case):
    FINE[case](raw)
    add(raw)


def test_deep_effects_are_refused_with_their_place(raw):
    op = ["go"]
    for _ in range(300):
        op = ["may", "YOU", op]
    event(op)(raw)
    with pytest.raises(ContentError, match=r"road_trip\.effect\[0\]: .*deep"):
        add(raw)


def test_an_open_reply_asks_for_a_place_only_if_it_speaks_of_one_itself(raw):
    """cards, 2: *here* is asked for if the rule uses it; another reply of the card does not matter."""
    there = ["reply", "roll_t", ["stop", ["pick", "THEIRS", 1, "YOU"], 1]]
    effect(raw, "half_measures", ["reply", "open", ["draw", "YOU", 1]], there)
    effect(raw, "photo_finish", ["reply", "open", ["stop", "THEIRS", 1]])
    book = Book(Shelf(Pack, check).read(json.dumps(raw).encode())[0])
    assert not book.cards["half_measures"].at_place
    assert book.cards["photo_finish"].at_place
