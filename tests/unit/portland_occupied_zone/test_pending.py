"""Section 3.3: an agenda that could not be carried out is refused, and so is what is under way without its step."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import PositionError
from games.portland_occupied_zone.ruleset import RULES

STEVE, KIM, JEFF = (
    {"seat": 0, "space": [6, 6], "bricks": 3, "hand": ["rum", "slice"]},
    {"seat": 1, "space": [7, 6], "bricks": 2, "hand": ["popcorn", "rum", "granola"]},
    {"seat": 1, "space": [6, 7], "bricks": 0, "hand": []},
)
PCS = {"steve": STEVE, "kim": KIM, "jeff": JEFF}
TURN = {"pcs": PCS, "turn": {"pc": "steve", "moved": 0}}
MANAGE = {
    "pcs": PCS,
    "lead": {"holder": "steve"},
    "step": "1.4",
    "structures": [{"type": "tent", "anchor": [x, 20]} for x in range(3)],
}
AKTION = {"pcs": PCS, "lead": {"holder": "steve"}, "step": "1.1", "decks": {"aktion": ["zine_drive"]}}
HEX = {"pcs": PCS | {"steve": STEVE | {"hand": ["chili_flakes", "slice"]}}, "turn": {"pc": "steve", "moved": 0}}
DIVE = TURN | {"pcs": PCS | {"steve": STEVE | {"space": [7, 1]}}, "decks": {"garbage": ["rum", "slice"]}}
LAB = {
    "pcs": PCS | {"steve": STEVE | {"space": "s1", "hand": ["rum", "slice", "popcorn"]}},
    "structures": [{"type": "meth_lab", "cells": [[6, 6], [7, 6]], "npcs": 2}],
    "turn": {"pc": "steve", "moved": 0},
}
LAB["pcs"] = LAB["pcs"] | {"kim": KIM | {"space": [10, 6]}}

#: Where a game waits: a position, and what is answered until it does.
WAITS: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "turn": (TURN, []),
    "manage": (MANAGE, []),
    "vote": (AKTION, []),
    "leader": (AKTION | {"decks": {"aktion": ["call_for_unity"]}}, []),
    "place": (MANAGE, [{"action": "exchange_structures", "type": "needle_pile"}]),
    "pay": (
        MANAGE,
        [
            {"action": "exchange_structures", "type": "needle_pile"},
            {"action": "place_structure", "anchor": [0, 0]},
        ],
    ),
    "fight": (TURN, [{"action": "attack", "pc": "kim"}]),
    "offer": (TURN, [{"action": "offer_trade", "to": "kim"}, {"action": "add_item", "item": "rum"}]),
    "answer": (
        TURN,
        [
            {"action": "offer_trade", "to": "kim"},
            {"action": "add_item", "item": "rum"},
            {"action": "ask_item", "item": "any"},
            {"action": "send_offer"},
        ],
    ),
    "pick": (HEX, [{"action": "use_card", "card": "chili_flakes"}]),
    "dive": (DIVE, [{"action": "dumpster_dive", "dumpster": "d1"}]),
    "cook": (LAB, [{"action": "use_structure", "structure": "s1", "ability": "cook", "recipe": "home_remedy"}]),
}
CASTLE = {"step": "place_structure", "seats": [0], "type": "castle"}


@pytest.fixture
def waiting(match: Callable[..., Any]) -> Callable[[str], tuple[Any, dict[str, Any]]]:
    """A game at a decision, and its position."""

    def made(name: str) -> tuple[Any, dict[str, Any]]:
        position, answers = WAITS[name]
        game = match(seats=2, options={"characters_per_seat": [1, 2]}, **position)
        for answer in answers:
            game.do(0, **answer)
        return game, game.dump()

    return made


def load(game: Any, position: dict[str, Any]) -> Any:
    """Load a position in the setting of a game."""
    return RULES.position.load(position, game.setting, "new")


def top(position: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The position with other fields of the step on top."""
    agenda = position["agenda"]
    return position | {"agenda": [*agenda[:-1], agenda[-1] | fields]}


def put(position: dict[str, Any], *steps: dict[str, Any], keep: int | None = None) -> dict[str, Any]:
    """The position with other steps on its agenda, above the lowest `keep`."""
    return position | {"agenda": [*position["agenda"][:keep], *steps]}


def answered(position: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    """Other steps on the turn, which has been answered."""
    return put(top(position, seats=[]), *steps)


def under(position: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The position with other fields of the step below the top."""
    agenda = position["agenda"]
    return position | {"agenda": [*agenda[:-2], agenda[-2] | fields, agenda[-1]]}


Change = Callable[[dict[str, Any]], dict[str, Any]]
FAULTS: dict[str, tuple[str, Change, str]] = {
    "place_structure of type castle": ("manage", lambda at: put(at, CASTLE), r"agenda\[7\]\.type"),
    "place_structure that cannot be paid": ("place", lambda at: top(at, type="meth_lab"), r"agenda\[7\]\.exchange"),
    "place_structure without an exchange": ("place", lambda at: top(at, exchange=False), r"agenda\[7\]\.exchange"),
    "pay_exchange without an exchange": ("pay", lambda at: at | {"exchange": None}, "exchange"),
    "exchange.type castle": (
        "pay",
        lambda at: at | {"exchange": at["exchange"] | {"type": "castle"}},
        r"exchange\.type",
    ),
    "an exchange that gives what is not there": (
        "pay",
        lambda at: at | {"exchange": at["exchange"] | {"given": ["s9"]}},
        r"exchange\.given",
    ),
    "an exchange in the courthouse": (
        "pay",
        lambda at: at | {"exchange": at["exchange"] | {"cells": [[10, 10]]}},
        r"exchange\.cells",
    ),
    "combat without a combat": ("fight", lambda at: at | {"combat": None}, "combat"),
    "a combat against oneself": ("fight", lambda at: at | {"combat": at["combat"] | {"defender": "steve"}}, "combat"),
    "a combat with more bricks than there are": (
        "fight",
        lambda at: top(at | {"combat": at["combat"] | {"declared": {"kim": 3}}}, seats=[0]),
        r"combat\.declared",
    ),
    "a combat that asks who has declared": (
        "fight",
        lambda at: at | {"combat": at["combat"] | {"declared": {"kim": 1}}},
        "combat",
    ),
    "choose_outcome without a combat": (
        "turn",
        lambda at: answered(at, {"step": "choose_outcome", "seats": [0]}),
        "combat",
    ),
    "choose_outcome before the throw": (
        "fight",
        lambda at: put(at, {"step": "choose_outcome", "seats": [0]}, keep=-1),
        "combat",
    ),
    "vote without a ballot": ("vote", lambda at: at | {"ballot": None}, "ballot"),
    "a vote on other options": ("vote", lambda at: at | {"ballot": at["ballot"] | {"options": ["yes"]}}, "ballot"),
    "a vote that asks who has voted": (
        "vote",
        lambda at: at | {"ballot": at["ballot"] | {"votes": {"0": "a"}}},
        r"agenda\[10\]\.seats",
    ),
    "a vote on new plans in step 1.1": ("vote", lambda at: top(at, purpose="redraw"), r"ballot|agenda\[10\]"),
    "leader_choice without an aktion": ("leader", lambda at: at | {"aktion": None}, "aktion"),
    "build_offer without an offer": ("offer", lambda at: at | {"offer": None}, "offer"),
    "offer.items nonsense": (
        "offer",
        lambda at: at | {"offer": at["offer"] | {"items": ["nonsense"]}},
        r"offer\.items",
    ),
    "offer.items not in the hand": (
        "answer",
        lambda at: at | {"offer": at["offer"] | {"items": ["mending"]}},
        r"offer\.items",
    ),
    "a brick offered in a turn": (
        "offer",
        lambda at: at | {"offer": at["offer"] | {"items": ["brick"]}},
        r"offer\.items",
    ),
    "a back that the other hand does not show": (
        "answer",
        lambda at: at | {"offer": at["offer"] | {"asks": ["hexen"]}},
        r"offer\.asks",
    ),
    "more asked than the other one has": (
        "answer",
        lambda at: at | {"offer": at["offer"] | {"asks": ["any"] * 4}},
        r"offer\.asks",
    ),
    "given before the offer is accepted": (
        "answer",
        lambda at: at | {"offer": at["offer"] | {"given": ["rum"]}},
        r"offer\.given",
    ),
    "an offer to oneself": ("offer", lambda at: at | {"offer": at["offer"] | {"to": "steve"}}, r"offer\.to"),
    "an offer that is not made": ("answer", lambda at: at | {"offer": at["offer"] | {"sent": False}}, r"offer\.sent"),
    "ops with a text castle(((": (
        "turn",
        lambda at: answered(at, {"step": "ops", "text": "castle(((", "me": "steve"}, CASTLE | {"type": "tent"}),
        r"agenda\[4\]\.text",
    ),
    "ops beyond the end of the text": ("pick", lambda at: under(at, at=9), r"agenda\[4\]\.at"),
    "ops bound to nobody": ("pick", lambda at: under(at, bound={"target": "pope"}), r"agenda\[4\]\.bound"),
    "ops of a drug that is none": ("pick", lambda at: under(at, drug="slice"), r"agenda\[4\]\.drug"),
    "ops of nobody": ("pick", lambda at: under(at, me="pope"), r"agenda\[4\]"),
    "turn without a turn": ("turn", lambda at: at | {"turn": None}, r"agenda\[2\]\.pc"),
    "turn of another one": ("turn", lambda at: top(at, pc="kim"), r"agenda\[3\]\.pc"),
    "turn of an unconscious one": (
        "turn",
        lambda at: at | {"pcs": at["pcs"] | {"steve": at["pcs"]["steve"] | {"status": "ko", "skip": 1}}},
        r"agenda\[3\]\.pc",
    ),
    "turn without its end": ("turn", lambda at: put(at, at["agenda"][-1], keep=2), r"agenda\[2\]"),
    "manage_poz without seats": ("manage", lambda at: top(at, seats=[]), r"agenda\[6\]"),
    "manage_poz of another seat": ("manage", lambda at: top(at, seats=[1]), r"agenda\[6\]\.seats"),
    "manage_poz of a seat that is not": ("manage", lambda at: top(at, seats=[2]), r"agenda\[6\]"),
    "manage_poz alone": ("manage", lambda at: at | {"agenda": at["agenda"][-1:]}, "agenda"),
    "manage_poz in the turns": (
        "turn",
        lambda at: put(at, {"step": "manage_poz", "seats": [0]}, keep=2),
        r"agenda\[2\]",
    ),
    "no decision": ("manage", lambda at: put(at, keep=-1), "agenda"),
    "end_round alone": ("manage", lambda at: at | {"agenda": [{"step": "end_round"}]}, "agenda"),
    "a step that never waits": ("manage", lambda at: put(at, {"step": "start_round"}, CASTLE), r"agenda\[7\]"),
    "disease_slot without catching": (
        "turn",
        lambda at: answered(at, {"step": "disease_slot", "seats": [0], "pc": "steve", "card": "head_lice"}),
        r"pcs\.steve\.catching",
    ),
    "pick with no things": ("pick", lambda at: top(at, things=[]), r"agenda\[5\]\.things"),
    "pick of things that are not": ("pick", lambda at: top(at, things=["pope", "kim"]), r"agenda\[5\]\.things"),
    "pick without a text": ("pick", lambda at: put(at, at["agenda"][-1], keep=-2), r"agenda\[4\]"),
    "pick_back with no garbage": (
        "dive",
        lambda at: at | {"decks": at["decks"] | {"garbage": []}},
        r"agenda\[4\]: seat 0 could not answer it",
    ),
    "pick_back of no cards": ("dive", lambda at: top(at, left=0), r"agenda\[4\]\.left"),
    "pay_cards with an empty hand": (
        "cook",
        lambda at: at | {"pcs": at["pcs"] | {"steve": at["pcs"]["steve"] | {"hand": []}}},
        r"agenda\[4\]\.left",
    ),
    "pay_cards for no recipe": ("cook", lambda at: top(at, recipe="rum"), r"agenda\[4\]\.left"),
    "a police target in a turn": (
        "turn",
        lambda at: answered(
            at, {"step": "choose_police_target", "seats": [0], "figure": "jackson", "pcs": ["steve", "kim"]}
        ),
        r"agenda\[4\]",
    ),
    "a defense without an attacker": (
        "turn",
        lambda at: answered(at, {"step": "defend", "seats": [0], "pc": "steve"}),
        r"agenda\[4\]\.figure",
    ),
    "a second Commune": (
        "turn",
        lambda at: answered(at, {"step": "place_commune", "seats": [0]}),
        r"structures|agenda\[4\]",
    ),
}


@pytest.mark.parametrize("name", WAITS)
def test_a_game_that_waits_can_be_written_down_and_read(waiting: Any, name: str) -> None:
    game, position = waiting(name)
    assert load(game, position) == game.state


@pytest.mark.parametrize("fault", FAULTS)
def test_an_agenda_that_cannot_be_is_refused_by_its_field(waiting: Any, fault: str) -> None:
    name, change, field = FAULTS[fault]
    game, position = waiting(name)
    with pytest.raises(PositionError, match=f"^({field})"):
        load(game, change(position))


def test_without_a_commune_nobody_is_jailed_in_it(waiting: Any) -> None:
    """The Tin Pot of a scenario without a battle made `jail` legal, and impossible to carry out."""
    game, position = waiting("fight")
    with pytest.raises(PositionError, match=r"^lead\.token"):
        load(game, position | {"lead": position["lead"] | {"token": "tin_pot"}})


def test_who_is_asked_to_stand_firm_when_another_has_resigned_may_be_asked_still(match: Callable[..., Any]) -> None:
    """The others agree now, but the one who was asked has not answered yet."""
    game = match(
        seats=3,
        pcs={"steve": STEVE, "kim": KIM, "jeff": JEFF | {"seat": 2}},
        step="1.1",
        decks={"aktion": ["zine_drive"]},
    )
    for seat, option in ((0, "a"), (1, "a"), (2, "b")):
        game.do(seat, "cast_vote", option=option)
    game.do(2, "resign")
    assert load(game, game.dump()) == game.state
