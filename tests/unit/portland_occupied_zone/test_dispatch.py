"""Gas, dispatch and checkpoints (specification 4.7; E13, T25, T34, T46)."""

from typing import Any

import pytest

AWAY = {"on_board": False}
NOBODY = {"jackson": AWAY, "medic": AWAY}
INDOORS = {"space": "merda", "bricks": 0}


def of(game: Any, tag: str) -> list[dict[str, Any]]:
    """The last effects of a kind."""
    return [effect for effect in game.effects if effect["effect"] == tag]


def joined(game: Any) -> list[Any]:
    """Where new riot cops stand."""
    return [
        space if isinstance(space := effect["space"], str) else tuple(space) for effect in of(game, "cop_dispatched")
    ]


class TestGas:
    """ALG-GAS."""

    @staticmethod
    def gassed(match: Any, **changed: Any) -> list[Any]:
        """The cells gassed in 2.2 for two characters at (6, 3) and (7, 3) and a riot cop at (6, 10)."""
        fields = {
            "step": "2.2",
            "battle": True,
            "cops": {"r1": {"space": [6, 10]}},
            "pcs": {"steve": {"space": [6, 3], "bricks": 0}, "jeff": {"space": [7, 3], "bricks": 0}},
            **NOBODY,
            **changed,
        }
        return [tuple(effect["cell"]) for effect in of(match(dice=(1,) * 9, **fields), "gassed")]

    def test_two_together_within_eight(self, match: Any) -> None:
        """T25: distances 7 and 8."""
        assert set(self.gassed(match)) == {(6, 3), (7, 3)}

    def test_one_too_far_is_no_group(self, match: Any) -> None:
        """T25: at (7, 2) it is nine away, and not near (6, 3)."""
        pcs = {"steve": {"space": [6, 3], "bricks": 0}, "jeff": {"space": [7, 2], "bricks": 0}}
        assert self.gassed(match, pcs=pcs) == []

    def test_a_gas_surplus_reaches_farther(self, match: Any) -> None:
        """`gas_range` + 4: (7, 2) counts, but only neighbours are a group."""
        pcs = {"steve": {"space": [6, 2], "bricks": 0}, "jeff": {"space": [7, 2], "bricks": 0}}
        assert self.gassed(match, pcs=pcs) == []
        assert set(self.gassed(match, pcs=pcs, plot="gas_surplus")) == {(6, 2), (7, 2)}

    @pytest.mark.parametrize(
        "changed",
        [
            {"plot": "ceasefire"},
            {"stunned": ["r1"]},
            {"cops": {"r1": {"space": [6, 10], "ready_round": 2}}},
            {"timed": [{"key": "hidden", "pc": pc, "until": "round"} for pc in ("steve", "jeff")]},
            {"pcs": {"steve": {"space": [6, 3], "bricks": 0}, "jeff": {"space": [7, 3], "status": "ko", "bricks": 0}}},
        ],
    )
    def test_no_gas(self, match: Any, changed: Any) -> None:
        """Not in a ceasefire, nor by who is stunned or new, nor on who is unseen, nor for one and a body."""
        assert self.gassed(match, **changed) == []

    def test_a_structure_is_gassed_on_its_anchor(self, match: Any) -> None:
        """POZ-GAS-1, -2: two in the Ball Pit, seen by a cop next to it."""
        found = self.gassed(
            match,
            structures=[{"type": "ball_pit", "anchor": [6, 8]}],
            pcs={"steve": {"space": "s1", "bricks": 0}, "jeff": {"space": "s1", "bricks": 0}},
        )
        assert found == [(6, 8)]

    def test_transitively(self, match: Any) -> None:
        """POZ-R29: three in a row are one group, although the outer ones are not near each other."""
        pcs = {
            "steve": {"space": [6, 4], "bricks": 0},
            "jeff": {"space": [6, 6], "bricks": 0},
            "jorge": {"space": [6, 5], "bricks": 0},
        }
        assert set(self.gassed(match, pcs=pcs)) == {(6, 4), (6, 5), (6, 6)}


class TestDispatch:
    """ALG-DISPATCH."""

    def test_three_to_the_north(self, match: Any) -> None:
        """E13: one on blue, one on white, the odd one on white too."""
        here = match(
            step="2.4",
            round=9,
            battle=True,
            pcs={"steve": INDOORS | {"crap": 23}, "jeff": INDOORS, "kim": INDOORS},
            dice=({"edge": 1}, {"arrow": 3}),
            **NOBODY,
        )
        assert joined(here) == [(6, 0), (13, 0), (14, 0)]
        assert {cop.ready_round for cop in here.state.cops.values()} == {10}

    def test_checkpoints_first_and_within_the_cap(self, match: Any) -> None:
        """T34: cap 5, three there: one to the checkpoint, one of three to the south, white."""
        names = ("steve", "jeff", "kim", "jack", "jorge")
        here = match(
            step="2.4",
            battle=True,
            pcs={name: INDOORS | {"crap": 23 if name == "steve" else 0} for name in names},
            cops={"r1": {"space": [0, 0]}, "r2": {"space": [20, 0]}, "r3": {"space": [20, 20]}},
            checkpoints=[{"site": "n_st37"}],
            dice=({"edge": 3}, {"arrow": 4}),
            **NOBODY,
        )
        assert joined(here) == ["k1", (13, 20)]

    def test_below_seven_none(self, match: Any) -> None:
        """T34, POZ-R54: crapulence 6 sends nobody."""
        here = match(step="2.4", battle=True, pcs={"steve": INDOORS | {"crap": 6}}, **NOBODY)
        assert joined(here) == []

    def test_before_the_battle_only_jackson_comes_back(self, match: Any) -> None:
        """POZ-JAX-3, POZ-RND-2.4."""
        here = match(
            step="2.4",
            round=4,
            pcs={"steve": INDOORS | {"crap": 23}},
            jackson={"returns_round": 4},
            medic={"returns_round": 4},
        )
        assert joined(here) == []
        assert [(effect["figure"], effect["space"]) for effect in of(here, "figure_returned")] == [
            ("jackson", "courthouse")
        ]

    def test_in_a_ceasefire_officers_still_return(self, match: Any) -> None:
        """2.14: no riot cops; Jackson and the Medic by the same edge, an arrow die for each (ALG-DISPATCH c)."""
        here = match(
            step="2.4",
            round=30,
            battle=True,
            plot="ceasefire",
            pcs={"steve": INDOORS | {"crap": 23}},
            jackson={"returns_round": 30},
            medic={"returns_round": 30},
            dice=({"edge": 2}, {"arrow": 1}, {"arrow": 2}),
        )
        assert joined(here) == []
        assert (here.state.jackson.space, here.state.medic.space) == ((20, 6), (20, 7))

    def test_an_occupied_arrow(self, match: Any) -> None:
        """A character and a structure on the arrow: the nearest legal space to its first cell."""
        here = match(
            step="2.4",
            battle=True,
            pcs={"steve": {"space": [6, 0], "crap": 7, "bricks": 0}},
            structures=[{"type": "tent", "anchor": [7, 0]}],
            dice=({"edge": 1}, {"arrow": 1}),
            **NOBODY,
        )
        assert joined(here) == [(5, 0)]

    def test_a_reduced_map(self, match: Any) -> None:
        """T46: without the western tiles 37th has one lane; its north arrow is (7, 0)."""
        here = match(
            options={"tiles": [(1, 0), (2, 0), (1, 1), (2, 1)]},
            step="2.4",
            battle=True,
            pcs={"allison": {"space": "rags", "crap": 7, "bricks": 0}},
            dice=({"edge": 1}, {"arrow": 1}),
            **NOBODY,
        )
        assert joined(here) == [(7, 0)]

    def test_reinforcements(self, match: Any) -> None:
        """The battle narrative sends one within the cap, in the Teach-In."""
        fields = {
            "step": "1.2",
            "round": 26,
            "battle": True,
            "decks": {"narrative": ["reinforcements", "press_pool"]},
            "pcs": {"steve": INDOORS},
            **NOBODY,
        }
        one = match(dice=({"edge": 4}, {"arrow": 2}), **fields)
        assert joined(one) == [(0, 6)]
        full = match(cops={"r1": {"space": [20, 20]}}, **fields)
        assert joined(full) == []


class TestCheckpoints:
    """ALG-CHECKPOINT."""

    @pytest.mark.parametrize(
        ("structures", "site"),
        [
            ([], "n_chavez"),
            (["n_chavez"], "n_st37"),
            (["n_chavez", "n_st37"], "e_madison"),
            (["n_chavez", "n_st37", "e_madison"], "e_hawthorne"),
        ],
    )
    def test_the_rolled_site_or_the_next_free_one(self, match: Any, structures: list[str], site: str) -> None:
        """North, white; else blue there, else clockwise, blue before white."""
        here = match(
            step="1.2",
            battle=True,
            decks={"narrative": ["checkpoint", "press_pool"]},
            pcs={"steve": INDOORS},
            structures=[{"type": "barricade", "site": name} for name in structures],
            dice=({"edge": 1}, {"arrow": 3}),
            **NOBODY,
        )
        assert [effect["site"] for effect in of(here, "checkpoint_placed")] == [site]

    def test_there_are_four_tiles(self, match: Any) -> None:
        """2.5: with four on the board another one has no effect."""
        here = match(
            step="1.2",
            battle=True,
            decks={"narrative": ["ring_of_steel", "press_pool"]},
            pcs={"steve": INDOORS},
            checkpoints=[{"site": site} for site in ("s_st37", "s_chavez", "w_madison")],
            dice=({"edge": 1}, {"arrow": 3}),
            **NOBODY,
        )
        assert list(here.state.checkpoints) == ["k1", "k2", "k3", "k4"]
