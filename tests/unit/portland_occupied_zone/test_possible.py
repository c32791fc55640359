"""Section 3.3: pieces where or as many as they cannot be, and parts that do not go together, are refused by field."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import PositionError, Setting
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES

STEVE = {"steve": {"hand": [], "bricks": 0}}
BASE = {"pcs": STEVE, "step": "1.4"}
BATTLE = {"battle": True, "round": 26}
COMMUNE = {"type": "commune", "anchor": [9, 9]}
OVER = {"winners": [], "scores": [0], "places": [1], "reason": "resigned"}
SIX = ["leap", "grain", "lights_out", "furnace", "scorched", "culture"]


def pc(**fields: Any) -> dict[str, Any]:
    """Steve, with these fields."""
    return {"pcs": {"steve": STEVE["steve"] | fields}}


def pile(**piles: Any) -> dict[str, Any]:
    """Piles of cards."""
    return {"decks": piles}


def stands(kind: str, *cells: list[int]) -> dict[str, Any]:
    """A structure on these cells."""
    return {"structures": [{"type": kind, "cells": list(cells)}]}


def tent(name: str) -> dict[str, Any]:
    """A tent with this id."""
    return {"structures": {name: {"type": "tent", "anchor": [6, 6]}}}


def cops(*spaces: Any) -> dict[str, Any]:
    """Riot cops."""
    return {"cops": [{"space": space} for space in spaces]}


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    # more than exists
    "four scabies": (pc(hand=[]) | pile(disease=["scabies"] * 4), "card.scabies"),
    "three skateboards": (pc(hand=["skateboard"] * 3), "card.skateboard"),
    "skateboard twice in removed": (pile(removed=["skateboard", "skateboard"]), "card.skateboard"),
    "meth 99": (pile(homebrew={"meth": 99}), "card.meth"),
    "aktion bake_sale three times": (pile(aktion=["bake_sale"] * 3), "aktions|decks.aktion"),
    "shown leap seven times": (pile(shown=["leap"] * 7), "plans|decks.plans"),
    "a narrative twice": (pile(narrative=["press_pool", "press_pool"], standard_left=0), "decks.narrative"),
    "the plot in the deck as well": ({"plot": "marathon"} | pile(narrative=["marathon"]), "decks.narrative"),
    "supplies.bricks 1000": ({"supplies": {"bricks": 1000}}, "bricks"),
    "supplies.npc 22": ({"supplies": {"npc": 22}}, "npc"),
    "supplies.structures castle": ({"supplies": {"structures": {"castle": 1}}}, "supplies.structures.castle"),
    "supplies.structures tent 31": ({"supplies": {"structures": {"tent": 31}}}, "structure.tent"),
    "six plans shown": (pile(shown=SIX), "decks.shown"),
    # tokens
    "befoulment off the map": ({"tokens": {"befoul": [[-1, 0]]}}, "tokens.befoul"),
    "befoulment inside a building": ({"tokens": {"befoul": [[2, 2]]}}, "tokens.befoul"),
    "befoulment twice on a cell": ({"tokens": {"befoul": [[0, 0], [0, 0]]}}, "tokens.befoul"),
    "gas off the map": ({"tokens": {"gas": [[21, 0]]}}, "tokens.gas"),
    # structures and checkpoints
    "tent with no cells": (stands("tent"), "structures.s1.cells"),
    "tent with five cells": (stands("tent", *([6, y] for y in range(5, 10))), "structures.s1.cells"),
    "meth lab across a corner": (stands("meth_lab", [6, 6], [7, 7]), "structures.s1.cells"),
    "barricade off its sites": (stands("barricade", [6, 6], [7, 6]), "structures.s1.cells"),
    "checkpoint off its sites": ({"checkpoints": [{"cells": [[6, 6], [7, 6]]}]}, "checkpoints.k1.cells"),
    "five checkpoints": (
        {"checkpoints": [{"site": site} for site in ("n_st37", "n_chavez", "s_st37", "s_chavez", "w_madison")]},
        "checkpoints",
    ),
    "structure id pizza": (tent("pizza"), "structures.pizza"),
    "structure id steve": (tent("steve"), "structures.steve"),
    "structure id s²": (tent("s²"), "structures.s²"),
    "structure id s0": (tent("s0"), "structures.s0"),
    "made.s below the ids": (tent("s3") | {"made": {"s": 0}}, "structures.s3"),
    "two dumpsters on a cell": ({"dumpsters": {"d1": {"cell": [0, 0]}, "d2": {"cell": [0, 0]}}}, "dumpsters.d2.cell"),
    # police
    "cop id jackson": ({"cops": {"jackson": {"space": [6, 6]}}}, "cops.jackson"),
    "two figures on a cell": (cops([6, 6], [6, 6]), "cops.r1.space"),
    "Jackson and the Medic on a cell": ({"jackson": {"space": [6, 6]}, "medic": {"space": [6, 6]}}, "jackson.space"),
    "riot cop on a dumpster": (cops([8, 1]), "cops.r1.space"),
    "riot cop in a business": (cops("pizza"), "cops.r1.space"),
    "riot cop in the courthouse": (cops("courthouse"), "cops.r1.space"),
    "Jackson in a business": ({"jackson": {"space": "pizza"}}, "jackson.space"),
    "riot cop in the Commune": (BATTLE | {"structures": [COMMUNE]} | cops("s1"), "cops.r1.space"),
    "riot cop on a needle pile": (stands("needle_pile", [6, 6]) | cops("s1"), "cops.r1.space"),
    "nine riot cops": (cops(*([6, y] for y in range(9))), "cops"),
    "jackson on_board with returns_round": ({"jackson": {"on_board": True, "returns_round": 3}}, "jackson.returns"),
    "jackson off for ever": ({"jackson": {"on_board": False, "returns_round": None}}, "jackson.returns_round"),
    "jackson due in a round that is over": ({"round": 5, "jackson": {"returns_round": 4}}, "jackson.returns_round"),
    "jackson on the board nowhere": ({"jackson": {"space": None}}, "jackson.space"),
    "the Medic beside a fire while off the board": (
        {"medic": {"returns_round": 3, "tending": "pizza"}},
        "medic.tending",
    ),
    "the Medic tends a tent": (tent("s1") | {"medic": {"tending": "s1"}}, "medic.tending"),
    "stunned twice": ({"stunned": ["jackson", "jackson"]}, "stunned"),
    "stunned off the board": ({"stunned": ["r1"]}, "stunned"),
    # characters
    "jailed on the street": (pc(status="jailed", jail="courthouse", space=[6, 6]), "pcs.steve.space"),
    "jailed without a jail before the battle": (pc(status="jailed", jail=None, space=[6, 6]), "pcs.steve.jail"),
    "in the courthouse's jail in the battle": (BATTLE | pc(status="jailed", jail="courthouse"), "pcs.steve.space"),
    "awake in jail": (pc(jail="courthouse", space="courthouse"), "pcs.steve.jail"),
    "unconscious in the courthouse": (pc(status="ko", space="courthouse"), "pcs.steve.space"),
    "dead with bricks": (pc(status="dead", bricks=3), "pcs.steve.bricks"),
    "awake but loses a turn": (pc(skip=1), "pcs.steve.skip"),
    "never so crapulent": (pc(crap=9, crap_best=8), "pcs.steve.crap_best"),
    "a stability off the track": (pc(stability=99), "pcs.steve.stability"),
    "burned by a bank": (pc(burned_by=["bank"]), "pcs.steve.burned_by"),
    "five diseases": (
        pc(
            slots={"weapon": "head_lice", "apparel": "pink_eye", "acc1": "bed_bugs", "acc2": "ringworm"},
            catching=["scabies"],
        ),
        "pcs.steve.catching",
    ),
    "hand with a disease": (pc(hand=["head_lice"]), "pcs.steve.hand"),
    "hand with a card that is not written so": (pc(hand=["coop:horse_paste"]), "pcs.steve.hand"),
    "garbage with a disease": (pile(garbage=["head_lice"]), "decks.garbage"),
    "store with a disease": (pile(store=["head_lice"]), "decks.store"),
    "store with loot": (pile(store=["rum"]), "decks.store"),
    "catching rum": (pc(catching=["rum"]), "pcs.steve.catching"),
    "catching head lice with a turn": (pc(catching=["head_lice"]) | {"step": "turns"}, "pcs.steve.catching"),
    "a granola that wears off": (pc(drug_tail=[{"card": "granola"}]), "pcs.steve.drug_tail"),
    "a rum that is kept": (pc(drug_tail=[{"card": "rum", "kept": True}]), "pcs.steve.drug_tail"),
    # where play is
    "over without an outcome": ({"phase": "over"}, "phase"),
    "an outcome, but not over": ({"outcome": OVER}, "phase"),
    "an outcome without places": ({"phase": "over", "outcome": OVER | {"places": []}}, "outcome"),
    "phase turns with step 1.1": ({"phase": "turns", "step": "1.1"}, "step"),
    "phase turns without a step": ({"phase": "turns", "step": None}, "step"),
    "round 0": ({"round": 0}, "round"),
    "lead null": ({"lead": None}, "lead"),
    "tin pot before the battle": ({"lead": {"token": "tin_pot"}}, "lead.token"),
    "pillow in the battle": (BATTLE | {"lead": {"token": "pillow"}}, "lead.token"),
    "Commune before the battle": ({"structures": [COMMUNE | {"anchor": [5, 12]}]}, "structures"),
    "Pulpit in the battle": (BATTLE | {"structures": [{"type": "pulpit", "anchor": [6, 6]}]}, "structures"),
    "no Commune in the battle": (BATTLE | {"dumpsters": {"d1": {"cell": [10, 10]}}} | {"structures": []}, "structures"),
    "courthouse in the battle": (BATTLE | {"buildings": {"courthouse": {"standing": True}}}, "buildings.courthouse"),
    "no courthouse before": ({"buildings": {"courthouse": {"standing": False}}}, ""),
    "no narratives before the battle": (pile(narrative=[]), "decks.narrative"),
    "more standard narratives than narratives": (pile(narrative=["marathon"], standard_left=2), "decks.standard_left"),
    "a battle narrative on top": (pile(narrative=["press_pool"], standard_left=1), "decks.standard_left"),
    "standard narratives in the battle": (
        BATTLE | pile(narrative=["marathon", "press_pool"], standard_left=1),
        "decks.standard_left",
    ),
    "an event as plot": ({"plot": "parade"}, "plot"),
    "a deck that is not": (pile(unshuffled=["loot"]), "decks.unshuffled"),
    "a crackdown for one": ({"timed": [{"key": "jackson_move", "until": "round", "pc": "steve"}]}, "timed"),
    "a rate of nobody": ({"timed": [{"key": "move", "until": "round"}]}, "timed"),
    "turn of a dead PC": (pc(status="dead") | {"step": "turns", "turn": {"pc": "steve", "moved": 1}}, "turn.pc"),
    "turn of an unconscious PC": (pc(status="ko") | {"step": "turns", "turn": {"pc": "steve", "moved": 1}}, "turn.pc"),
    "a turn in the Teach-In": ({"turn": {"pc": "steve", "moved": 1}}, "turn"),
    "another one's turn": ({"step": "turns", "turn_index": 1, "turn": {"pc": "steve", "moved": 1}}, "turn"),
    "a power used twice": ({"step": "turns", "turn": {"pc": "steve", "used": ["power", "power"]}}, "turn.used"),
    "all have resigned": ({"resigned": [0]}, "resigned"),
    "the disease of a character that can be chosen is gone": (
        {"phase": "setup", "step": None, "pcs": {}} | pile(disease=["head_lice"]),
        "decks.disease",
    ),
    # what is under way without an agenda
    "exchange.type castle": ({"exchange": {"type": "castle", "cells": [[6, 6]]}}, "exchange"),
    "offer.items nonsense": ({"offer": {"pc": "steve", "to": "steve", "items": ["nonsense"]}}, "offer"),
    "a vote that nobody holds": ({"ballot": {"options": ["a", "b"]}}, "ballot"),
    "a fight that nobody fights": ({"combat": {"attacker": "steve", "defender": "steve"}}, "combat"),
    "an aktion that nobody has turned over": ({"aktion": "bake_sale"}, "aktion"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_position_that_cannot_be_is_refused_by_its_field(match: Callable[..., Any], fault: str) -> None:
    position, field = FAULTS[fault]
    match(**BASE)
    with pytest.raises(PositionError) as error:
        match(**(BASE | position))
    assert any(str(error.value).startswith(start) for start in field.split("|")), str(error.value)


@pytest.mark.parametrize(
    "position",
    [
        pc(status="ko", skip=1),
        pc(status="dead"),
        pc(status="jailed"),
        BATTLE | pc(status="jailed"),
        BATTLE | pc(status="jailed", jail=None, space=[6, 6]),
        pc(drug_tail=[{"card": "meth", "kept": True}]),
        {"tokens": {"befoul": [[3, 4]], "gas": [[3, 4]]}},
        {"medic": {"returns_round": 3}},
        {"jackson": {"on_board": False}},
        {"phase": "over", "step": None, "outcome": OVER},
        stands("meth_lab", [6, 6], [6, 7]),
        {"checkpoints": [{"site": "n_st37"}], "cops": [{"space": "k1"}]},
    ],
)
def test_what_can_be_is_not_refused(match: Callable[..., Any], position: dict[str, Any]) -> None:
    match(**(BASE | position))


def test_a_battle_has_its_commune_where_the_courthouse_was(match: Callable[..., Any]) -> None:
    state = match(**(BASE | BATTLE | {"structures": [{"type": "tent", "anchor": [6, 6]}]})).state
    assert (state.structures["s2"].type, state.structures["s2"].cells[0]) == ("commune", (9, 9))


def test_the_plot_is_not_in_its_deck(match: Callable[..., Any]) -> None:
    state = match(**(BASE | {"plot": "marathon", "round": 1})).state
    assert "marathon" not in state.decks.narrative


def test_a_hand_limit_is_never_below_none(match: Callable[..., Any]) -> None:
    timed = [{"key": "hand_limit", "n": -30, "until": "round", "pc": "steve"}]
    game = match(pcs=STEVE, turn={"pc": "steve", "moved": 0}, timed=timed)
    assert game.legal(0, "end_turn")


@pytest.mark.parametrize(
    ("seats", "pcs", "field"),
    [
        ([["steve", "steve"]], {}, "seats"),
        ([["steve"]], {"steve": {"seat": 3}}, "pcs.steve.seat"),
        ([["steve"], ["kim"]], {}, "pcs.kim.seat"),
        ([[]], {}, "seats"),
        ([["steve"]], {"kim": {}}, "pcs.kim"),
    ],
    ids=["twice", "elsewhere", "a seat too many", "nobody", "nobody's"],
)
def test_characters_of_no_seat_or_two_are_refused(house: str, seats: Any, pcs: Any, field: str) -> None:
    with pytest.raises(PositionError, match=f"^{field}: "):
        RULES.position.load({"seats": seats, "pcs": pcs, "step": "1.4"}, Setting(house, 1, Options()), "new")


def test_a_position_is_read_with_the_setting_of_its_game(house: str) -> None:
    with pytest.raises(PositionError, match="befoul"):
        RULES.position.load(
            BASE | {"tokens": {"befoul": [[0, 0], [1, 0]]}}, Setting(house, 1, Options(befoul_tokens=1)), "new"
        )
