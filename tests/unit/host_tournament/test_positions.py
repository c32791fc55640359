"""Impossible positions are refused with their field; what is accepted can be viewed, listed and played (3.4)."""

import json
from copy import deepcopy
from random import Random

import msgspec
import pytest

from games.dice import Dice
from games.host_tournament.options import Options
from games.host_tournament.ruleset import RULES
from games.kernel import PositionError, Setting, decide, decisions, encode, legal, start_at
from tests.unit.host_tournament.conftest import play

FIELD = {
    "bent_corner1": {"card": "bent_corner", "owner": 0},
    "wee_cellar1": {"card": "wee_cellar", "owner": 1},
    "tamsin1": {"card": "tamsin", "owner": 0, "at": "bent_corner"},
    "callan1": {"card": "callan", "owner": 1, "at": "bent_corner"},
}
TAMSIN = FIELD["tamsin1"]
ROLL = {"kind": "tournament", "event": "host_tournament1", "place": "bent_corner"}
DRINK = ROLL | {"kind": "drinking", "event": "drinking_session1"}
MAIN = {"step": "main_action", "seats": [0]}
OVER = {"winners": [0], "scores": [100, 0], "places": [1, 2], "reason": "score"}


def field(**more):
    return {"in_play": {**FIELD, **more}}


def asks(step, **fields):
    return {"in_play": FIELD, "agenda": [MAIN, {"step": step, **fields}]}


def frame(card, rule=0, **more):
    return {"you": 0, "card": card, "rule": rule, **more}


def in_roll(step, roll=None, **fields):
    return asks(step, **fields) | {"roll": roll or ROLL}


IMPOSSIBLE = {
    # the table
    "called like nothing": (field(xx={"card": "yusra", "owner": 0, "at": "bent_corner"}), "in_play.xx"),
    "called like another": (field(pint1={"card": "yusra", "owner": 0, "at": "bent_corner"}), "in_play.pint1"),
    "called like a place": (field(wee_cellar={"card": "yusra", "owner": 0, "at": "bent_corner"}), "in_play.wee_cellar"),
    "a stasis of another kind": (field(tamsin1=TAMSIN | {"stasis": "junk"}), "in_play"),
    "who moves without a move": (field(tamsin1=TAMSIN | {"moving": True}), "in_play.tamsin1.moving"),
    "counted down": (field(pint1={"card": "pint", "owner": 0, "at": "tamsin1", "counter": 0}), "in_play.pint1.counter"),
    "a countdown too long": (
        field(pint1={"card": "pint", "owner": 0, "at": "tamsin1", "counter": 99}),
        "in_play.pint1.counter",
    ),
    "an interrupt that lies": (
        field(photo_finish1={"card": "photo_finish", "owner": 0, "at": "table"}),
        "photo_finish1",
    ),
    "a chula on the table": (field(the_station1={"card": "the_station", "owner": 0, "at": "table"}), "the_station1.at"),
    "an event that does not stay": (
        field(road_trip1={"card": "road_trip", "owner": 0, "at": "bent_corner"}),
        "road_trip1",
    ),
    "a place of another name": (
        {"in_play": {"bent_corner1": FIELD["bent_corner1"]}, "places": [{"pid": "x", "copies": ["bent_corner1"]}]},
        "places.x.pid",
    ),
    "a town that is not the card's": (
        {
            "in_play": {"bent_corner1": FIELD["bent_corner1"]},
            "places": [{"pid": "bent_corner", "town": "leeds", "copies": ["bent_corner1"]}],
        },
        "places.bent_corner.town",
    ),
    "universal ones stacked": (
        {
            "in_play": {f"house_party{n}": {"card": "house_party", "owner": n - 1} for n in (1, 2)},
            "places": [{"pid": "house_party1", "town": "leeds", "copies": ["house_party1", "house_party2"]}],
        },
        "places.house_party1.copies",
    ),
    "an entry to come that was": (field() | {"entry_no": 2}, "entry_no"),
    # seats
    "a score of all": (field() | {"phase": "start_places", "seats": [{"score": 10**30}, {}]}, "seats"),
    "a deck list without end": (field() | {"seats": [{"deck_list": {"pint": 10**7}}, {}]}, "seats"),
    "a deck list of nobody": (
        field() | {"seats": [{"deck_list": {"nobody": 60, "bent_corner": 1, "tamsin": 1}}, {}]},
        "seats.0",
    ),
    "nowhere to start": ({"phase": "start_places", "seats": [{"deck": ["pint"] * 60}, {}]}, "seats.0.deck"),
    "nowhere to start, later": ({"phase": "first_player", "seats": [{}, {"deck": ["pint"] * 60}]}, "seats.1.deck"),
    "resigned and going on": (field() | {"resigned": [0]}, "resigned"),
    "won by nobody there": (field() | {"phase": "ended", "outcome": OVER | {"winners": [7]}}, "outcome"),
    "no throws": ({"phase": "first_player", "rps": []}, "rps"),
    "three throws": ({"phase": "first_player", "rps": [None, None, None]}, "rps"),
    # what is announced, and subgames
    "a play of seat 7": (
        field() | {"plays": [{"name": "pint1", "kind": "equipment", "seat": 7, "card": "pint", "target": "tamsin1"}]},
        "plays[0]",
    ),
    "a play with nothing to do": (
        field() | {"plays": [{"name": "pint1", "kind": "equipment", "seat": 0, "card": "pint", "target": "tamsin1"}]},
        "plays",
    ),
    "a subgame with nothing to do": (field() | {"roll": ROLL}, "agenda"),
    "a subgame nowhere": (in_roll("count", ROLL | {"place": "nope"}), "roll.place"),
    "one answer of two": (in_roll("count", ROLL | {"chosen": [None]}), "roll"),
    "entrants without dice": (in_roll("count", ROLL | {"entrants": ["tamsin1"]}), "agenda[1]"),
    "a session without a pace": (in_roll("drink", DRINK), "agenda[1]"),
    # the agenda
    "nothing at the bottom": (field() | {"agenda": [{"step": "settle"}]}, "agenda[0]"),
    "the other's turn": (field() | {"agenda": [MAIN | {"seats": [1]}]}, "agenda[0].seats"),
    "both at once": (field() | {"agenda": [MAIN | {"seats": [0, 1]}]}, "agenda[0].seats"),
    "asked twice": (field() | {"agenda": [MAIN | {"seats": [0, 0]}]}, "agenda[0]"),
    "a turn of seat 5": (field() | {"agenda": [{"step": "begin_turn", "seat": 5}]}, "agenda[0].seat"),
    "a deal in play": (field() | {"agenda": [{"step": "deal"}]}, "agenda[0]"),
    "a start in play": (asks("start_place", seats=[0]), "agenda[1]"),
    "a throw in play": (asks("throw", seats=[0, 1]), "agenda[1]"),
    "a rule that is not there": (asks("do", frame=frame("pint", 9)), "agenda[1].frame"),
    "a card that is not there": (asks("do", frame=frame("nobody")), "agenda[1].frame"),
    "a seat that is not there": (asks("do", frame=frame("road_trip") | {"you": 9}), "agenda[1].frame"),
    "a path to nowhere": (asks("do", frame=frame("road_trip"), path=[5, 5]), "agenda[1].path"),
    "an operation after the last": (asks("do", frame=frame("road_trip"), at=3), "agenda[1].path"),
    "an answer to nothing": (asks("do", frame=frame("club_newsletter"), chosen=[["zz"]]), "agenda[1].chosen"),
    "a choice of no text": (
        asks("card_choice", seat=0, kind="pick", zone="play", offer=["tamsin1"], seats=[0]),
        "agenda[1].kind",
    ),
    "a download of no text": (
        asks("card_choice", seat=0, kind="download", zone="deck", open=False, seats=[0]),
        "agenda[1].kind",
    ),
    "a hand card that is not there": (
        asks("card_choice", seat=0, kind="drop", zone="hand", offer=["zz"], open=False, seats=[0]),
        "agenda[1].offer",
    ),
    "a choice of seat 5": (asks("card_choice", seat=5, kind="drop", zone="hand", open=False), "agenda[1].seat"),
    "a choice put to the other": (
        asks("card_choice", seat=0, kind="drop", zone="hand", open=False, seats=[1]),
        "agenda[1].seat",
    ),
    "movers of nowhere": (asks("movers", seat=0, to="y", movers=["q"], carry=[], seats=[0]) | {}, "agenda[1]"),
    "nobody moves": (
        asks("movers", seat=0, **{"from": "bent_corner"}, to="wee_cellar", movers=[], carry=[], seats=[0]),
        "agenda[1].movers",
    ),
    "movers of the other seat": (
        asks("movers", seat=0, **{"from": "bent_corner"}, to="wee_cellar", movers=["callan1"], carry=[], seats=[0]),
        "agenda[1].movers",
    ),
    "an arrival nowhere": (asks("arrive", seat=0, **{"from": "x"}, to="y", movers=["q"], carry=[]), "agenda[1].movers"),
    "a window of no roll": (asks("react", window="roll", order=[0, 1], seats=[0]), "agenda[1].window"),
    "a window of seat 7": (asks("react", window="after_action", order=[7]), "agenda[1].order"),
    "a window of no move": (asks("react", window="motion", order=[1, 0], subject="zz", seats=[1]), "agenda[1].subject"),
    "a window of nothing": (
        asks("react", window="announce", order=[1, 0], subject="zz", about="event", seats=[1], opened=True),
        "agenda[1].seats",
    ),
    "an entry of no roll": (asks("entry", place="bent_corner", asked=[0], seats=[0]), "agenda[1]"),
    **{
        f"{step} of no roll": (asks(step), "agenda")
        for step in ("force_entry", "enter", "count", "drink", "end_subgame")
    },
    "an order of no roll": (asks("make_order", classes=[["q"]]), "agenda"),
    "an order of junk": (in_roll("make_order", classes=[["q"]]), "agenda[1].classes"),
    "ties of nothing": (asks("arrange_ties", seat=0, cards=["zz"], seats=[0]), "agenda[1].cards"),
    "places of junk": (asks("displace", seat=0, places=["zz"], seats=[0]), "agenda[1].places"),
    "an icon of junk": (asks("choose_icon", seat=0, card="zz", seats=[0]), "agenda[1].card"),
    "a countdown of junk": (asks("countdown", queue=["zz"]), "agenda[1].queue"),
    "a finish of junk": (asks("finish", card="zz"), "agenda[1].card"),
    "a moment that is none": (asks("fire", timing="zz"), "agenda[1].timing"),
    "a rule that does not fire": (asks("fire", timing="start", queue=[["tamsin1", 7]]), "agenda[1].queue"),
    "a play of junk": (asks("resolve", play="zz"), "agenda[1].play"),
    "a subgame of junk": (asks("subgame", kind="tournament", event="zz", place="zz"), "agenda[1].place"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_refused_with_its_field(position, case):
    fields, told = IMPOSSIBLE[case]
    with pytest.raises(PositionError) as refused:
        position(**fields)
    assert told in str(refused.value).partition(": ")[0]


@pytest.fixture(scope="module")
def dumps(house):
    """Positions of two random games, every fifth decision."""
    found = []

    def keep(state, _, count):
        if count % 5 == 0 or state.outcome is not None:
            found.append((state.options, json.loads(encode(RULES.position.dump(state)))))

    for seed, options in enumerate(({}, {"static_after_free": True, "entry_order": "active_first"})):
        play(Setting(house, 2, msgspec.convert(options, Options)), seed, keep)
    return found


def test_every_position_of_a_game_is_accepted(dumps, house):
    for options, dumped in dumps:
        RULES.position.load(dumped, Setting(house, 2, options), "new")


def spots(node, path=()):
    """All places in a tree."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in list(pairs):
        yield (*path, key)
        yield from spots(part, (*path, key))


def mutate(dumped, chance):
    """One value is another one, of the same tree or of none, is gone or stands twice."""
    made = deepcopy(dumped)
    top = chance.choice([name for name in made if name != "made" and made[name] not in ([], {}, None)])
    if chance.random() < 0.5 and made["agenda"]:
        top = "agenda"
    whole = list(spots(made[top], (top,))) or [(top,)]
    *above, key = chance.choice(whole)
    parent = made
    for part in above:
        parent = parent[part]
    old = parent[key]
    strings = [*made["in_play"], *made["seats"][0]["hand"], "table", "bent_corner", "zz", ""]
    others = [None, 0, 1, 2, -1, 7, [], ["tamsin1"], {}, True, chance.choice(strings), chance.choice(strings)]
    match chance.randrange(4):
        case 0 if isinstance(parent, list):
            parent.pop(key)
        case 1 if isinstance(parent, list):
            parent.insert(key, deepcopy(old))
        case 2 if isinstance(old, int):
            parent[key] = old + chance.choice((-1, 1, 5))
        case _:
            parent[key] = chance.choice(others)
    return made


@pytest.mark.parametrize("seed", range(8))
def test_a_position_that_was_tampered_with_is_refused_or_can_be_played(dumps, house, seed):
    chance = Random(seed)
    refused = 0
    for _ in range(60):
        options, dumped = chance.choice([one for one in dumps if one[1]["outcome"] is None])
        made = mutate(dumped, chance)
        setting = Setting(house, 2, options)
        try:
            loaded = RULES.position.load(made, setting, "new")
        except PositionError:
            refused += 1
            continue
        run(loaded, setting, chance)
    assert 10 < refused < 60


def run(loaded, setting, chance):
    """View it, list what is legal, and play on for a while."""
    state, dice = RULES.initial(setting), Dice(bytes(32))
    start_at(RULES, state, loaded, dice)
    for _ in range(30):
        for reader in (0, 1):
            encode(RULES.view(state, reader))
        if state.outcome is not None:
            return
        seat = chance.choice([owed.seat for owed in decisions(state) if owed.owes])
        decide(RULES, state, seat, chance.choice(list(legal(RULES, state, seat))), dice)
