"""Fire, dumpsters and cameras (specification 4.7: ALG-ARSON, ALG-PUSH; E8, E14, T11, T13 to T15, T22 to T24, T49)."""

from typing import Any

import pytest

from games.kernel import IllegalError
from games.portland_occupied_zone.sight import clear, visible

AWAY = {"on_board": False}
SIX = ("end", "end", "end")


def refused(game: Any, action: str, **fields: Any) -> str:
    """The rule that refuses an action of seat 0."""
    with pytest.raises(IllegalError) as caught:
        game.do(0, action, **fields)
    return caught.value.rule


@pytest.fixture
def scene(match: Any) -> Any:
    """Steve in the middle of his turn, with three bricks, Jeff beside nothing; other fields as given."""

    def made(dice: Any = (), steve: Any = None, jeff: Any = None, **more: Any) -> Any:
        pcs = {
            "steve": {"space": [3, 16], "bricks": 3, "hand": [], "slots": {}, **(steve or {})},
            "jeff": {"space": "dispensary", "bricks": 0, "hand": [], "slots": {}, **(jeff or {})},
        }
        position = {"pcs": pcs, "turn": {"pc": "steve", "equip_open": False}, "jackson": AWAY, "medic": AWAY, **more}
        return match(dice=dice, **position)

    return made


class TestArson:
    """ALG-ARSON."""

    def test_t13_the_second_success_burns_it_down(self, scene: Any) -> None:
        """Token 2, then gone: two injuries inside, who lies on the door's cell; 8 to place; the tunnel is open."""
        game = scene(SIX, jeff={"space": "pizza"}, buildings={"pizza": {"arson": 1}})
        game.do(0, "commit_arson", target="pizza", b=3)
        state = game.state
        assert not state.buildings["pizza"].standing
        assert (state.pcs["jeff"].injuries, state.pcs["jeff"].space) == (2, (3, 17))
        assert state.decks.loot["pizza"] == []
        assert state.supplies.arson == 12
        assert game.asked() == [(0, "place_population")]
        placed = 0
        while game.asked() != [(0, "turn")]:
            game.do(0, **game.legal(0)[0])
            placed += game.effects[0]["effect"] == "structure_placed"
        assert placed == 8

    def test_t14_no_tokens_left(self, scene: Any) -> None:
        """All twelve on the board: on an empty building nothing happens; a full one burns down, and hurts first."""
        large = {name: {"arson": 3} for name in ("merda", "coop", "herpetic")}
        none = scene(SIX, jeff={"space": "pizza"}, buildings={**large, "captains": {"arson": 3}})
        none.do(0, "commit_arson", target="pizza", b=3)
        assert (none.state.buildings["pizza"].arson, none.state.pcs["jeff"].injuries) == (0, 0)
        assert none.state.pcs["steve"].bricks == 0
        full = scene(SIX, jeff={"space": "pizza"}, buildings={**large, "captains": {"arson": 1}, "pizza": {"arson": 2}})
        full.do(0, "commit_arson", target="pizza", b=3)
        assert not full.state.buildings["pizza"].standing
        assert full.state.pcs["jeff"].injuries == 2

    def test_e8_and_t15_once_a_round(self, scene: Any) -> None:
        """As many injuries as tokens by entering; what is added in the same round hurts at the next turn's start."""
        game = scene(SIX, steve={"space": [15, 10]}, buildings={"herpetic": {"arson": 1}})
        game.do(0, "step", space="herpetic")
        assert game.state.pcs["steve"].injuries == 1
        game.do(0, "commit_arson", target="herpetic", b=3)
        assert (game.state.buildings["herpetic"].arson, game.state.pcs["steve"].injuries) == (3, 1)
        later = scene(
            steve={"space": "herpetic", "injuries": 1}, buildings={"herpetic": {"arson": 3}}, turn={"pc": "steve"}
        )
        assert later.state.pcs["steve"].injuries == 4

    def test_e14_already_burnt_this_round(self, scene: Any) -> None:
        """The start of a turn hurts too, unless this round's fire has."""
        fields = {"buildings": {"pizza": {"arson": 2}}, "turn": {"pc": "steve"}}
        assert scene(steve={"space": "pizza"}, **fields).state.pcs["steve"].injuries == 2
        assert scene(steve={"space": "pizza", "burned_by": ["pizza"]}, **fields).state.pcs["steve"].injuries == 0

    def test_t49_property_hits_burn_but_do_not_loot(self, match: Any) -> None:
        """Firebug + 2 and a flare + 3 on one flat brick: one success; they bring no loot."""
        fields = {
            "pcs": {"jack": {"space": "captains", "bricks": 2, "crap": 28, "hand": ["flare"], "slots": {}}},
            "turn": {"pc": "jack", "equip_open": False},
        }
        game = match(dice=("flat", "flat"), **fields)
        game.do(0, "use_card", card="flare")
        game.do(0, "loot", b=1)
        assert game.state.pcs["jack"].hand == []
        game.do(0, "commit_arson", target="captains", b=1)
        assert game.state.buildings["captains"].arson == 1

    @pytest.mark.parametrize(
        ("fields", "rule"),
        [
            ({"jackson": {"on_board": True}}, "POZ-DIC-3"),
            ({"jackson": {"returns_round": 2}, "medic": {"on_board": True}}, None),
        ],
    )
    def test_t11_the_courthouse_only_without_cops(self, scene: Any, fields: Any, rule: str | None) -> None:
        """Jackson inside counts, the Medic does not (POZ-R33)."""
        game = scene(("flat",), steve={"space": [8, 10]}, **fields)
        if rule is not None:
            assert refused(game, "commit_arson", target="courthouse", b=1) == rule
        else:
            game.do(0, "commit_arson", target="courthouse", b=1)
            assert game.state.buildings["courthouse"].arson == 0

    def test_the_courthouse_burns_down(self, scene: Any) -> None:
        """E11, POZ-DIC-4 to -6: no 8 population; the Commune has to be placed; prisoners are out but not awake."""
        game = scene(
            ("thin",) * 3,
            steve={"space": [8, 10]},
            jeff={"status": "jailed", "skip": 1, "space": "courthouse"},
            buildings={"courthouse": {"arson": 3}},
        )
        game.do(0, "commit_arson", target="courthouse", b=3)
        assert game.asked() == [(0, "place_commune")]
        assert game.state.lead.token == "tin_pot"
        assert (game.state.pcs["jeff"].status, game.state.pcs["jeff"].space) == ("jailed", (10, 12))
        game.do(0, "place_commune", anchor=[9, 9])
        assert game.state.battle
        assert [thing.type for thing in game.state.structures.values()] == ["commune"]

    def test_a_checkpoint_has_one_slot(self, scene: Any) -> None:
        """POZ-R37: the second success removes it, and nobody moves in."""
        game = scene(SIX, steve={"space": [6, 2]}, battle=True, checkpoints=[{"site": "n_st37"}])
        game.do(0, "commit_arson", target="k1", b=3)
        assert game.state.checkpoints == {}
        assert game.state.supplies.arson == 12
        assert game.asked() == [(0, "turn")]

    def test_not_from_a_corner(self, scene: Any) -> None:
        """POZ-ARS-3."""
        game = scene(steve={"space": [1, 16]})
        assert refused(game, "commit_arson", target="pizza", b=1) == "POZ-ARS-3"

    def test_by_way_of_a_burning_dumpster(self, scene: Any) -> None:
        """POZ-DUM-10, POZ-R38: + 3 without a brick; it is plain afterwards."""
        game = scene(steve={"space": [5, 18], "bricks": 0}, dumpsters={"d1": {"cell": [5, 17], "burning": True}})
        game.do(0, "commit_arson", target="pizza", b=0, dumpster="d1")
        assert game.state.buildings["pizza"].arson == 1
        assert not game.state.dumpsters["d1"].burning

    def test_a_dumpster_takes_three_hits(self, scene: Any) -> None:
        """POZ-ARS-15."""
        for dice, burning in ((("thin", "end"), True), (("thin", "thin"), False)):
            game = scene(dice, steve={"space": [5, 18], "bricks": 2}, dumpsters={"d1": {"cell": [5, 17]}})
            game.do(0, "commit_arson", target="d1", b=2)
            assert game.state.dumpsters["d1"].burning is burning


class TestDumpsters:
    """ALG-PUSH."""

    def test_t22_one_push_two_cops(self, scene: Any) -> None:
        """The primary opponent falls to 4, the one beside it too; both move; four movement in all."""
        game = scene(
            steve={"space": [13, 2], "bricks": 0},
            battle=True,
            dumpsters={"d1": {"cell": [13, 3], "burning": True}},
            cops={"r1": {"space": [13, 5]}, "r2": {"space": [13, 6]}},
        )
        game.do(0, "push_dumpster", dumpster="d1", direction="s")
        assert refused(game, "push_dumpster", dumpster="d1", direction="s") == "POZ-DUM-10"
        game.do(0, "push_dumpster", dumpster="d1", direction="s", primary="r1", b=0)
        state = game.state
        assert state.cops == {}
        assert state.pcs["steve"].crap == 4
        assert (state.dumpsters["d1"].cell, state.dumpsters["d1"].burning) == ((13, 5), False)
        assert (state.pcs["steve"].space, state.turn.moved) == ((13, 4), 4)

    @pytest.mark.parametrize(("b", "dice", "beaten"), [(2, ("thin", "flat"), True), (0, (), False)])
    def test_t23_against_jackson(self, scene: Any, b: int, dice: Any, beaten: bool) -> None:
        """1 + 4 defeat him; 4 do not: then nobody moves, but movement is paid and the fire is out."""
        game = scene(
            dice,
            steve={"space": [13, 2], "bricks": 2},
            dumpsters={"d1": {"cell": [13, 3], "burning": True}},
            jackson={"space": [13, 4]},
        )
        game.do(0, "push_dumpster", dumpster="d1", direction="s", primary="jackson", b=b)
        state = game.state
        assert state.jackson.on_board is not beaten
        assert state.pcs["steve"].space == ((13, 3) if beaten else (13, 2))
        assert (state.dumpsters["d1"].burning, state.turn.moved) == (False, 2)

    def test_t24_two_pushes_and_a_step(self, scene: Any) -> None:
        """Rate 5, two for each push."""
        game = scene(steve={"space": [13, 2]}, dumpsters={"d1": {"cell": [13, 3]}})
        game.do(0, "push_dumpster", dumpster="d1", direction="s")
        game.do(0, "push_dumpster", dumpster="d1", direction="s")
        assert game.legal(0, "push_dumpster") == []
        game.do(0, "step", space=[13, 3])
        assert game.legal(0, "step") == []

    def test_into_a_character_it_is_a_fight_with_four_more(self, scene: Any) -> None:
        """POZ-R39: alternatives are open; no brick is needed."""
        game = scene(
            ("flat",),
            steve={"space": [13, 2], "bricks": 1},
            jeff={"space": [13, 4]},
            dumpsters={"d1": {"cell": [13, 3], "burning": True}},
        )
        game.do(0, "push_dumpster", dumpster="d1", direction="s", primary="jeff")
        game.do(0, "commit_bricks", pc="steve", b=0)
        game.do(0, "choose_outcome", outcome="injure")
        assert game.state.pcs["jeff"].injuries == 4
        assert game.state.dumpsters["d1"].cell == (13, 3)

    @pytest.mark.parametrize(
        ("fields", "rule"),
        [
            ({"jeff": {"space": [13, 4]}}, "POZ-DUM-6"),
            ({"structures": [{"type": "tent", "anchor": [13, 4]}]}, "POZ-DUM-7"),
            ({"dumpsters": {"d1": {"cell": [13, 3]}, "d2": {"cell": [13, 4]}}}, "POZ-DUM-3"),
        ],
    )
    def test_what_stops_a_plain_one(self, scene: Any, fields: Any, rule: str) -> None:
        """POZ-DUM-3, -6, -7."""
        game = scene(**{"steve": {"space": [13, 2]}, "dumpsters": {"d1": {"cell": [13, 3]}}, **fields})
        assert refused(game, "push_dumpster", dumpster="d1", direction="s") == rule


class TestPuttingOut:
    """Cameras, fire and filth."""

    @pytest.mark.parametrize(("dice", "present"), [(("thin", "end"), False), (("thin", "thin"), True)])
    def test_cameras_fall_to_three_hits(self, scene: Any, dice: Any, present: bool) -> None:
        """POZ-CAM-2."""
        game = scene(dice, steve={"space": [5, 6], "bricks": 2})
        game.do(0, "destroy_camera", camera="c1", b=2)
        assert game.state.cameras["c1"].present is present

    def test_a_whole_turn_beside_a_fire(self, scene: Any) -> None:
        """POZ-ARS-20, -22: a token less and the turn is over; not after anything else."""
        fresh = {"turn": {"pc": "steve"}, "buildings": {"pizza": {"arson": 2}}}
        game = scene(**fresh)
        game.do(0, "extinguish", target="pizza")
        assert game.state.buildings["pizza"].arson == 1
        assert game.state.turn is None or game.state.turn.pc != "steve"
        late = scene(**fresh)
        late.do(0, "step", space=[4, 16])
        assert refused(late, "extinguish", target="pizza") == "POZ-ARS-22"

    def test_clearing_gas(self, scene: Any) -> None:
        """POZ-R28: three natural hits clear the space; fewer, and the first action in gas knocks out."""
        fields = {"steve": {"space": [6, 5], "bricks": 3}, "tokens": {"gas": [[6, 5]]}, "turn": {"pc": "steve"}}
        clean = scene(("thin",) * 3, **fields)
        clean.do(0, "clear_gas", b=3)
        assert clean.state.tokens.gas == []
        assert clean.state.pcs["steve"].status == "awake"
        foul = scene(("thin", "thin", "flat", {"foul": 2}), **fields)
        foul.do(0, "clear_gas", b=3)
        assert foul.state.pcs["steve"].status == "ko"

    def test_t26_a_mask_is_as_good_as_leaving(self, match: Any) -> None:
        """Equipped in gas it makes immune: the rest of the turn is free; without it looting is not legal."""
        game = match(
            pcs={"kim": {"space": [6, 5], "bricks": 3, "hand": ["cybergoth_respirator"], "slots": {}}, "jeff": {}},
            tokens={"gas": [[6, 5]]},
            turn={"pc": "kim"},
        )
        assert game.state.turn.in_gas
        assert refused(game, "discard", card="cybergoth_respirator") == "POZ-GAS-4"
        game.do(0, "equip", card="cybergoth_respirator", slot="apparel")
        assert not game.state.turn.in_gas


class TestSight:
    """ALG-LOS by the questions of 3.3."""

    def test_t4_a_dumpster_blocks(self, match: Any) -> None:
        """From (8, 8) to (6, 10) the line passes (7, 9)."""
        open_view = match(pcs={"steve": {}}, turn={"pc": "steve"})
        shut = match(pcs={"steve": {}}, turn={"pc": "steve"}, dumpsters={"d1": {"cell": [7, 9]}})
        assert clear(open_view.state, (8, 8), (6, 10))
        assert not clear(shut.state, (8, 8), (6, 10))

    def test_t5_through_a_corner(self, match: Any) -> None:
        """Blocked by two tents, not by one (POZ-R76)."""
        for cells, seen in (([[7, 6], [6, 7]], False), ([[7, 6]], True)):
            tents = [{"type": "tent", "anchor": cell} for cell in cells]
            game = match(pcs={"steve": {}}, turn={"pc": "steve"}, structures=tents)
            assert clear(game.state, (6, 6), (7, 7)) is seen

    @pytest.mark.parametrize(("battle", "seen"), [(False, True), (True, False)])
    def test_t3_a_corner_camera_beside_the_pulpit(self, match: Any, battle: bool, seen: bool) -> None:
        """Seen while the courthouse stands; in the battle, when the Pulpit is gone too, a tent there hides as well."""
        game = match(
            pcs={"steve": {"space": "s1"}},
            turn={"pc": "steve", "equip_open": False},
            battle=battle,
            structures=[{"type": "tent" if battle else "pulpit", "anchor": [7, 8]}],
            jackson=AWAY,
            medic=AWAY,
        )
        assert visible(game.state, "steve") is seen
