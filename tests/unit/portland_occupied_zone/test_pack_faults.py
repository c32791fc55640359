"""Packs that would break a game, or the check itself, are refused with the place of the fault (2.3 to 2.14)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.content import ContentError
from games.portland_occupied_zone.ruleset import RULES

ROOT = Path(__file__).parents[3]
PACK = ROOT / "games/portland_occupied_zone/content/portland_occupied_zone-house-1.json"

Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture
def pack() -> dict[str, Any]:
    return json.loads(PACK.read_text("utf-8"))


def refusal(pack: dict[str, Any]) -> str:
    with pytest.raises(ContentError) as error:
        RULES.shelf.read(msgspec.json.encode(pack))
    return str(error.value)


#: Texts of a card that is used, by what is wrong with them.
TEXTS = {
    "a street that there is not": "stab(on(nowhere),1)",
    "a type of card that there is not": "stab(holding(socks),1)",
    "a place that there is not": "stab(in(nowhere),1)",
    "a selector with a named argument": "stab(in(x=1),1)",
    "a selector with a number": "stab(on(1),1)",
    "a selector within a selector": "stab(on(on(st37)),1)",
    "a selector with too many arguments": "stab(on(st37,chavez),1)",
    "a condition on a type of card that there is not": "has(rum)?stab(self,1)",
    "a condition without its type of card": "has()?stab(self,1)",
    "a condition without its place": "at()?stab(self,1)",
    "a condition with a number": "at(3)?stab(self,1)",
    "a condition on a place that there is not": "at(nowhere)?stab(self,1)",
    "a condition on a structure that there is not": "staffed(pizza)?stab(self,1)",
    "a condition with an argument too many": "battle(1)?stab(self,1)",
    "a condition on somebody else than the target": "ko(steve)?stab(self,1)",
    "a number that is not in ASCII": "stab(all,²)",
    "a number with Arabic digits": "stab(all,\u0661)",
    "a number that is far too large": "stab(all,100000000000000000000)",
    "nesting without end": "stab(" + "on(" * 3000 + "st37" + ")" * 3000 + ",1)",
    "a text without end": ";".join(["stab(self,1)"] * 3000),
    "no comma between arguments": "stab(self 1)",
    "a comma too many": "stab(self,1,)",
    "a named argument given twice": "pick(char,range=1,range=2);stab(target,1)",
    "a negative number of NPCs": "npc(-1)",
    "a negative number of cards": "loot(all,coop,-1)",
    "no checkpoints": "checkpoint(0)",
    "a negative range": "pick(char,range=-1);stab(target,1)",
    "a place of an op that there is not": "relocate(self,nowhere)",
    "somewhere that nobody can be put": "pick(dumpster);relocate(self,dumpster)",
    "a character for a place": "pick(char);befoul(target)",
    "a target that nobody has picked": "stab(target,1)",
    "an attack on what nobody has picked": "strike(3)",
    "a cell that nobody has picked": "befoul(cell)",
    "a deck that nobody has picked": "loot(self,picked,1)",
    "a target that is picked too late": "stab(target,1);pick(char)",
    "bricks for cards that nobody has given": "bricks(self,swapped)",
    "the Commune built by a card": "build(commune)",
    "the Pulpit built by a card": "build(pulpit)",
    "a range of what has none": "pick(deck,range=3);loot(self,picked,1)",
    "a filter of something else": "pick(char,filter=food);stab(target,1)",
    "a plot that is none": "mod(move,1,for=plot)",
    "a personal effect that can be gained": "gain(self,skateboard)",
    "a lead passed by a card": "pass_lead()",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_is_refused_for(pack: dict[str, Any], text: str) -> None:
    pack["loot"]["merda"][1]["effect"] = text
    assert refusal(pack).startswith("cards.gig_poster.effect: ")


#: Texts that are right where something is done, but not where they stand.
ELSEWHERE: dict[str, tuple[Spoil, str]] = {
    "equipment that does something": (
        lambda pack: pack["personal"][0].update(effect="stab(self,1)"),
        "cards.mobility_scooter.effect",
    ),
    "equipment for a time": (
        lambda pack: pack["personal"][0].update(effect="mod(move,2,for=turn)"),
        "cards.mobility_scooter.effect",
    ),
    "a disease that does something": (
        lambda pack: pack["diseases"][0].update(effect="stab(self,1)"),
        "diseases.scabies.effect",
    ),
    "catching a disease that does more": (
        lambda pack: pack["diseases"][0].update(contracted="hurt(self,1)"),
        "diseases.scabies.contracted",
    ),
    "a tail that does more": (lambda pack: pack["homebrew"][0].update(tail="stab(self,1)"), "cards.meth.tail"),
    "a power that does something by itself": (
        lambda pack: pack["characters"][0]["powers"][2].update(passive="stab(self,1)"),
        "characters.magic_pink.padded.passive",
    ),
    "a structure that does more to who comes in": (
        lambda pack: pack["structures"][3].update(entering="stab(self,1)"),
        "structures.needle_pile.entering",
    ),
    "a structure that hurts others": (
        lambda pack: pack["structures"][3].update(entering="hurt(all,1)"),
        "structures.needle_pile.entering",
    ),
    "a structure that adds to what no structure adds to": (
        lambda pack: pack["structures"][5].update(mods="mod(defense,1)"),
        "structures.brick_pile.mods",
    ),
    "a plot that does something once": (
        lambda pack: pack["narratives"]["standard"][7].update(effect="stab(all,1)"),
        "narratives.marathon.effect",
    ),
    "a plot with a condition": (
        lambda pack: pack["narratives"]["standard"][7].update(effect="battle?mod(move,1,who=all,for=plot)"),
        "narratives.marathon.effect",
    ),
    "a plot for some": (
        lambda pack: pack["narratives"]["standard"][7].update(effect="mod(move,1,who=top,for=plot)"),
        "narratives.marathon.effect",
    ),
    "a plot for a round": (
        lambda pack: pack["narratives"]["standard"][7].update(effect="mod(move,1,who=all,for=round)"),
        "narratives.marathon.effect",
    ),
    "a majority that decides on something else": (
        lambda pack: pack["aktions"][20].update(options=["pop(2)"]),
        "aktions.leadership_challenge.options[0]",
    ),
    "a power of each Teach-In that is no ideology": (
        lambda pack: pack["characters"][0]["powers"][0].update(teach_in="stab(self,1)"),
        "characters.magic_pink.snuggle.teach_in",
    ),
}


@pytest.mark.parametrize(("spoil", "field"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_text_is_refused_where_it_stands(pack: dict[str, Any], spoil: Spoil, field: str) -> None:
    spoil(pack)
    assert refusal(pack).startswith(f"{field}: ")


def _arrows_empty(pack: dict[str, Any]) -> None:
    for colours in pack["map"]["arrows"].values():
        colours.update(blue=[], white=[])


def _everyone_has_scabies(pack: dict[str, Any]) -> None:
    for pc in pack["characters"]:
        pc["disease"] = "scabies"


def _lanes_aside(pack: dict[str, Any]) -> None:
    """All arrows at streets that do not cross the centre tile."""
    here = pack["map"]
    here["arrows"] = {
        "n": {"blue": [[0, 0]], "white": [[20, 0]]},
        "e": {"blue": [[20, 0]], "white": [[20, 20]]},
        "s": {"blue": [[0, 20]], "white": [[20, 20]]},
        "w": {"blue": [[0, 0]], "white": [[0, 20]]},
    }
    sites = [[0, 1], [20, 1], [19, 0], [19, 20], [0, 19], [20, 19], [1, 0], [1, 20]]
    here["barricade_sites"] = {f"site{number}": [cell] for number, cell in enumerate(sites)}
    for x, y in sites:
        row = here["rows"][y]
        here["rows"][y] = f"{row[:x]}={row[x + 1 :]}"


def _square_everywhere(pack: dict[str, Any]) -> None:
    pack["map"]["courthouse_square"] = [0, 0, 20, 20]


#: Maps on which a game could not go on.
MAPS: dict[str, tuple[Spoil, str]] = {
    "no arrows": (_arrows_empty, "map.arrows.n.blue"),
    "an arrow off the map": (
        lambda pack: pack["map"]["arrows"]["n"].update(blue=[[6, 40], [7, 40]]),
        "map.arrows.n.blue",
    ),
    "an arrow not on the rim": (
        lambda pack: pack["map"]["arrows"]["n"].update(blue=[[6, 2], [7, 2]]),
        "map.arrows.n.blue",
    ),
    "an arrow without a site behind": (
        lambda pack: pack["map"]["barricade_sites"].update(n_st37=[[13, 1], [14, 1]]),
        "map.barricade_sites.n_chavez",
    ),
    "an arrow with half a site behind": (
        lambda pack: pack["map"]["barricade_sites"].update(n_st37=[[6, 1]]),
        "map.arrows.n.blue",
    ),
    "an arrow of no street": (lambda pack: pack["map"]["streets"].pop("st37"), "map.arrows.n.blue"),
    "no arrow near the centre": (_lanes_aside, "map.arrows"),
    "a square without end": (_square_everywhere, "map.courthouse_square"),
    "a square without the courthouse": (
        lambda pack: pack["map"].update(courthouse_square=[8, 8, 10, 12]),
        "map.courthouse_square",
    ),
    "a circle off the map": (
        lambda pack: pack["map"]["buildings"]["courthouse"]["circles"].update(jackson=[60, 60]),
        "map.buildings.courthouse.circles",
    ),
    "both circles on a cell": (
        lambda pack: pack["map"]["buildings"]["courthouse"]["circles"].update(jackson=[11, 10]),
        "map.buildings.courthouse.circles",
    ),
    "a jail outside": (
        lambda pack: pack["map"]["buildings"]["courthouse"].update(jail=[8, 8]),
        "map.buildings.courthouse.jail",
    ),
    "a corner camera off the map": (
        lambda pack: pack["map"]["buildings"]["courthouse"]["corner_cameras"].__setitem__(0, [60, 60]),
        "map.buildings.courthouse.corner_cameras",
    ),
    "a corner camera in a building": (
        lambda pack: pack["map"]["buildings"]["courthouse"]["corner_cameras"].__setitem__(0, [9, 9]),
        "map.buildings.courthouse.corner_cameras",
    ),
    "two dumpsters on a cell": (lambda pack: pack["map"]["dumpsters"].update(d1=[19, 8]), "map.dumpsters"),
    "two cameras on a cell": (lambda pack: pack["map"]["cameras"].update(c1=[15, 5]), "map.cameras"),
    "a lane off the map": (
        lambda pack: pack["map"]["streets"]["st37"].update(lanes=[6, 30]),
        "map.streets.st37.lanes",
    ),
    "a lane through a building": (
        lambda pack: pack["map"]["streets"]["st37"].update(lanes=[3]),
        "map.streets.st37.lanes",
    ),
    "a cell of no kind": (
        lambda pack: pack["map"]["rows"].__setitem__(0, "Z" + "." * 20),
        "map.rows",
    ),
    "a cell of a building beside it": (
        lambda pack: pack["map"]["rows"].__setitem__(0, "M" + "." * 20),
        "map.rows",
    ),
    "two buildings of one glyph": (
        lambda pack: pack["map"]["buildings"]["pizza"].update(glyph="M"),
        "map.buildings",
    ),
    "a glyph of open ground": (
        lambda pack: pack["map"]["buildings"]["pizza"].update(glyph="."),
        "map.buildings.pizza.glyph",
    ),
    "a building of another size": (
        lambda pack: pack["map"]["buildings"]["pizza"].update(size="large"),
        "map.buildings.pizza.rect",
    ),
    "a rainbow off the map": (
        lambda pack: pack["map"].update(rainbow_crosswalk=[[30, 30]]),
        "map.rainbow_crosswalk",
    ),
    "one id for a dumpster and a building": (
        lambda pack: pack["map"]["dumpsters"].update(pizza=pack["map"]["dumpsters"].pop("d1")),
        "map.pizza",
    ),
}


@pytest.mark.parametrize(("spoil", "field"), MAPS.values(), ids=MAPS)
def test_a_map_is_refused_for(pack: dict[str, Any], spoil: Spoil, field: str) -> None:
    spoil(pack)
    assert refusal(pack).startswith(f"{field}: ")


def _narrative_with_two_effects(pack: dict[str, Any]) -> None:
    pack["narratives"]["battle"][9]["effect"] = "pop(1)"


def _rename_card(pack: dict[str, Any], name: str) -> None:
    pack["loot"]["merda"][1]["id"] = name


PARTS: dict[str, tuple[Spoil, str]] = {
    "more who start with a disease than there are of it": (_everyone_has_scabies, "diseases.scabies.n"),
    "one power on two boards": (
        lambda pack: pack["characters"][1]["powers"][0].update(id="snuggle"),
        "powers.snuggle",
    ),
    "a personal effect of two characters": (
        lambda pack: pack["characters"][0].update(personal="skateboard"),
        "characters.jeff.personal",
    ),
    "an ideology that is reached": (
        lambda pack: pack["characters"][0]["powers"][5].update(at=3),
        "characters.magic_pink.radical_tenderness.at",
    ),
    "a character with the id of a building": (
        lambda pack: pack["characters"][0].update(id="pizza"),
        "characters.pizza",
    ),
    "a structure with the id of a building": (
        lambda pack: pack["structures"].append({**pack["structures"][1], "id": "pizza"}),
        "structures.pizza",
    ),
    "one narrative with two effects": (_narrative_with_two_effects, "narratives.battle.camera_repair"),
    "a loot card brick": (lambda pack: _rename_card(pack, "brick"), "loot.merda.brick"),
    "a loot card any": (lambda pack: _rename_card(pack, "any"), "loot.merda.any"),
    "an id that is not in ASCII": (lambda pack: _rename_card(pack, "rüm"), "loot.merda.rüm"),
    "a character like a riot cop": (lambda pack: pack["characters"][0].update(id="r1"), "characters.r1"),
    "a character like Jackson": (lambda pack: pack["characters"][0].update(id="jackson"), "characters.jackson"),
    "a large Pulpit": (lambda pack: pack["structures"][0].update(size=[2, 2]), "structures.pulpit.size"),
    "a small Commune": (lambda pack: pack["structures"][14].update(size=[2, 2]), "structures.commune.size"),
    "a Commune for sale": (lambda pack: pack["structures"][14].update(buyable=True), "structures.commune.buyable"),
    "a Pulpit that is a trap": (lambda pack: pack["structures"][0].update(trap=True), "structures.pulpit.trap"),
    "a structure for nothing": (lambda pack: pack["structures"][8].update(pop=0), "structures.altar.pop"),
    "a tent of two": (lambda pack: pack["structures"][1].update(pop=2), "structures.tent.pop"),
    "a narrative about nowhere": (
        lambda pack: pack["narratives"]["standard"][9].update(refs=["nowhere"]),
        "narratives.standard.news_crew.refs",
    ),
    "an Aktion about nowhere": (
        lambda pack: pack["aktions"][0].update(refs=["nowhere"]),
        "aktions.bake_sale.refs",
    ),
    "a narrative that does not say what it is about": (
        lambda pack: pack["narratives"]["standard"][15].pop("refs"),
        "narratives.standard.street_fair.refs",
    ),
    "an Aktion that does not say what it is about": (
        lambda pack: pack["aktions"][0].update(options=["stab(in(pizza),1)", "heal(all,1)"]),
        "aktions.bake_sale.refs",
    ),
    "a plan with Arabic digits": (lambda pack: pack["plans"][0].update(needs="turn.steps>=\u0663"), "plans.leap.needs"),
    "a plan with a number without end": (
        lambda pack: pack["plans"][0].update(needs="turn.steps>=" + "9" * 5000),
        "plans.leap.needs",
    ),
    "a plan that counts what has no types": (
        lambda pack: pack["plans"][0].update(needs="poz.npcs(tent)>=1"),
        "plans.leap.needs",
    ),
    "a state of mind twice": (
        lambda pack: pack["characters"][0].update(track=[["flat", 0], ["flat", 1]]),
        "characters.magic_pink.track",
    ),
}


@pytest.mark.parametrize(("spoil", "field"), PARTS.values(), ids=PARTS)
def test_a_pack_is_refused_for(pack: dict[str, Any], spoil: Spoil, field: str) -> None:
    spoil(pack)
    assert refusal(pack).startswith(f"{field}: ")


def _lots_of_cards(pack: dict[str, Any]) -> None:
    pack["loot"]["merda"][1]["n"] = 10**9


def _far_away(pack: dict[str, Any]) -> None:
    pack["map"]["buildings"]["pizza"]["rect"] = [0, 0, 10**9, 10**9]


def _giant(pack: dict[str, Any]) -> None:
    pack["structures"][3]["size"] = [10**6, 10**6]


SIZES: dict[str, tuple[Spoil, str]] = {
    "a thousand million cards": (_lots_of_cards, "$.loot[...][1].n"),
    "a building without end": (_far_away, "$.map.buildings[...].rect[2]"),
    "a structure without end": (_giant, "$.structures[3].size[0]"),
}


@pytest.mark.parametrize(("spoil", "field"), SIZES.values(), ids=SIZES)
def test_a_number_is_refused_for(pack: dict[str, Any], spoil: Spoil, field: str) -> None:
    spoil(pack)
    assert field in refusal(pack)
