"""What packs other than that of the house may say is done in a game (specification, 2.7, 2.13, 4.3)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.kernel import Setting
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES
from tests.unit.portland_occupied_zone.conftest import Match

PACK = Path(__file__).parents[3] / "games/portland_occupied_zone/content/portland_occupied_zone-house-1.json"
#: A map without the Pizza; 36th Street and Main lie on the rim that it has not.
SMALL = {"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]]}
Play = Callable[..., Match]


@pytest.fixture
def pack() -> dict[str, Any]:
    return json.loads(PACK.read_text("utf-8")) | {"pack": "poz_other"}


@pytest.fixture
def play(house: str, pack: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Play:
    """A game from a position with the pack of this test, as it is when the game begins."""
    for kept in ("_packs", "_sources", "_names"):
        monkeypatch.setattr(RULES.shelf, kept, dict(getattr(RULES.shelf, kept)))

    def played(options: dict[str, Any] | None = None, dice: tuple[Any, ...] = (), **position: Any) -> Match:
        digest = RULES.shelf.add(msgspec.json.encode(pack))
        setting = Setting(digest, 1, msgspec.convert(options or {}, Options))
        RULES.check_setting(setting)
        return Match(setting, position, dice, {})

    return played


def aktion(pack: dict[str, Any], name: str) -> dict[str, Any]:
    return next(card for card in pack["aktions"] if card["id"] == name)


def test_an_aktion_about_a_place_off_the_map_is_discarded_and_another_drawn(pack: dict[str, Any], play: Play) -> None:
    aktion(pack, "junk_haul").update(refs=["pizza"], options=["stab(in(pizza),1)"])
    game = play(
        SMALL,
        phase="teach_in",
        step="1.1",
        decks={"aktion": ["junk_haul", "zine_drive", "potluck"]},
        pcs={"allison": {"seat": 0}, "kim": {"seat": 0}},
    )
    told = [(effect["card"], effect["aside"]) for effect in game.effects if effect["effect"] == "aktion_revealed"]
    assert told == [("junk_haul", True), ("zine_drive", False)]
    assert game.state.aktion == "zine_drive"
    assert game.state.decks.aktion_discard == ["junk_haul"]


def test_an_aktion_about_a_street_on_the_map_is_read(pack: dict[str, Any], play: Play) -> None:
    aktion(pack, "zine_drive").update(refs=["chavez"], options=["stab(on(chavez),1)", "pop(2)"])
    game = play(
        SMALL,
        phase="teach_in",
        step="1.1",
        decks={"aktion": ["zine_drive", "potluck"]},
        pcs={"allison": {"seat": 0}, "kim": {"seat": 0}},
    )
    assert game.state.aktion == "zine_drive"


def test_without_an_aktion_about_the_map_none_is_decided(pack: dict[str, Any], play: Play) -> None:
    for card in pack["aktions"]:
        card["refs"] = ["pizza"]
    game = play(SMALL, phase="teach_in", step="1.1", pcs={"allison": {"seat": 0}, "kim": {"seat": 0}})
    assert game.state.aktion is None
    assert game.asked() == [(0, "manage_poz")]


def test_loot_and_diseases_about_places_off_the_map_are_not_in_play(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["coop"][1]["refs"] = ["pizza"]
    pack["diseases"][1]["refs"] = ["edge_w"]
    small = play(SMALL, pcs={"allison": {"seat": 0}}, turn={"pc": "allison"}).state.decks
    assert "granola" not in small.loot["coop"]
    assert "head_lice" not in small.disease
    whole = play(pcs={"allison": {"seat": 0}}, turn={"pc": "allison"}).state.decks
    assert "granola" in whole.loot["coop"]
    assert "head_lice" in whole.disease


def test_a_swap_at_the_end_of_a_text_is_done(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["merda"][1]["effect"] = "swap(card,2)"
    game = play(pcs={"kim": {"seat": 0, "hand": ["gig_poster", "granola", "rum"]}}, turn={"pc": "kim"})
    game.do(0, "use_card", card="gig_poster")
    game.do(0, "pick_card", card="granola")
    game.do(0, "stop_paying")
    assert game.state.pcs["kim"].hand == ["rum"]


@pytest.mark.parametrize("after", ["stun()", "strike(9)", "banish()"])
def test_a_figure_that_is_gone_is_not_met_again(pack: dict[str, Any], play: Play, after: str) -> None:
    pack["loot"]["merda"][1]["effect"] = f"pick(police);banish();{after};crap(self,1)"
    game = play(pcs={"kim": {"seat": 0, "hand": ["gig_poster"]}}, turn={"pc": "kim"})
    game.do(0, "use_card", card="gig_poster")
    told = game.do(0, "pick", thing="jackson")
    assert [effect["effect"] for effect in told if effect["effect"].startswith("figure")] == ["figure_defeated"]
    assert game.state.pcs["kim"].crap == 1


def test_a_character_is_not_stunned_like_a_figure(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["merda"][1]["effect"] = "pick(char);stun();stab(target,1)"
    game = play(
        pcs={"kim": {"seat": 0, "hand": ["gig_poster"]}, "steve": {"seat": 0}, "jack": {"seat": 0}}, turn={"pc": "kim"}
    )
    game.do(0, "use_card", card="gig_poster")
    game.do(0, "pick", thing="steve")
    assert game.state.stunned == []


def test_a_building_named_in_a_text_burns(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["merda"][1].update(effect="ignite(pizza,1)", refs=["pizza"])
    game = play(pcs={"kim": {"seat": 0, "hand": ["gig_poster"]}}, turn={"pc": "kim"})
    game.do(0, "use_card", card="gig_poster")
    assert game.state.buildings["pizza"].arson == 1


def test_a_building_that_has_burnt_down_burns_no_more(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["merda"][1].update(effect="ignite(pizza,3)", refs=["pizza"])
    game = play(
        pcs={"kim": {"seat": 0, "hand": ["gig_poster"]}}, turn={"pc": "kim"}, buildings={"pizza": {"standing": False}}
    )
    game.do(0, "use_card", card="gig_poster")
    assert game.state.buildings["pizza"].arson == 0


def test_who_is_put_on_the_cell_of_a_door_is_in_the_building(pack: dict[str, Any], play: Play) -> None:
    pack["loot"]["merda"][1]["effect"] = "pick(cell);relocate(self,cell)"
    game = play(pcs={"kim": {"seat": 0, "hand": ["gig_poster"], "space": [6, 3]}}, turn={"pc": "kim"})
    game.do(0, "use_card", card="gig_poster")
    game.do(0, "pick", thing=[3, 4])
    assert game.state.pcs["kim"].space == "merda"
