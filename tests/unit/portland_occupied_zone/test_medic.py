"""The Medic (specification 4.7, ALG-MEDIC; T12, T50)."""

from typing import Any

import pytest

AWAY = {"on_board": False}
INDOORS = {"space": "merda", "bricks": 0}


def of(game: Any, tag: str) -> list[dict[str, Any]]:
    """The last effects of a kind."""
    return [effect for effect in game.effects if effect["effect"] == tag]


def walked(game: Any) -> list[Any]:
    """Where he went, for what, and why he stopped."""
    return [
        (list(map(tuple, effect["path"])), effect.get("target"), effect.get("end", "arrived"))
        for effect in of(game, "figure_moved")
        if effect["figure"] == "medic"
    ]


class TestErrands:
    """POZ-MED-3: burning building, burning dumpster, injured character, the nearest of each."""

    @pytest.mark.parametrize(
        ("fires", "target"),
        [
            ({"buildings": {"captains": {"arson": 1}}, "dumpsters": {"d3": {"burning": True}}}, "captains"),
            ({"dumpsters": {"d3": {"burning": True}}}, "d3"),
            ({"buildings": {"pizza": {"arson": 1}, "dispensary": {"arson": 1}}}, "dispensary"),
            ({}, "steve"),
        ],
    )
    def test_what_he_seeks(self, match: Any, fires: Any, target: str) -> None:
        """Far fires come before near patients."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 13], "injuries": 1, "bricks": 0}},
            medic={"space": [10, 14]},
            jackson=AWAY,
            **fires,
        )
        assert walked(here)[0][1] == target

    def test_he_walks_six_and_stops_beside_the_fire(self, match: Any) -> None:
        """From the door to the burning dispensary: its nearest side is four steps off; then he tends it."""
        here = match(step="2.3", pcs={"steve": INDOORS}, jackson=AWAY, buildings={"dispensary": {"arson": 1}})
        assert walked(here) == [([(10, 12), (10, 13), (10, 14), (10, 15), (10, 16)], "dispensary", "arrived")]
        assert here.state.medic.tending == "dispensary"
        far = match(step="2.3", pcs={"steve": INDOORS}, jackson=AWAY, buildings={"captains": {"arson": 1}})
        assert len(walked(far)[0][0]) == 6
        assert walked(far)[0][2] == "spent"
        assert far.state.medic.tending is None

    def test_somebody_awake_in_his_way_ends_the_walk_without_a_fight(self, match: Any) -> None:
        """POZ-MED-7: he never starts one."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 14], "bricks": 0}},
            jackson=AWAY,
            buildings={"dispensary": {"arson": 1}},
        )
        assert walked(here) == [([(10, 12), (10, 13)], "dispensary", "pc")]
        assert not of(here, "figure_attacked")
        assert here.state.medic.beside == ["steve"]

    def test_nothing_to_do(self, match: Any) -> None:
        """He stays in the courthouse."""
        here = match(step="2.3", pcs={"steve": INDOORS}, jackson=AWAY)
        assert walked(here) == [([], None, "stayed")]


class TestAid:
    """What a whole round at his side or his work does."""

    def test_a_token_less_and_a_wound_less(self, match: Any) -> None:
        """POZ-MED-4, POZ-MED-6."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 15], "injuries": 3, "bricks": 0}},
            jackson=AWAY,
            medic={"space": [10, 16], "tending": "dispensary", "beside": ["steve"]},
            buildings={"dispensary": {"arson": 2}},
        )
        assert here.state.buildings["dispensary"].arson == 1
        assert here.state.pcs["steve"].injuries == 2
        assert (here.state.medic.tending, here.state.medic.beside) == ("dispensary", ["steve"])

    def test_attacked_he_helps_nobody_this_once(self, match: Any) -> None:
        """POZ-MED-9: no aid; but he goes on tending, for the next round."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 15], "injuries": 3, "bricks": 0}},
            jackson=AWAY,
            medic={"space": [10, 16], "tending": "dispensary", "attacked": True},
            buildings={"dispensary": {"arson": 2}},
        )
        assert here.state.buildings["dispensary"].arson == 2
        assert here.state.pcs["steve"].injuries == 3
        assert (here.state.medic.tending, here.state.medic.attacked) == ("dispensary", False)

    @pytest.mark.parametrize(("cell", "burning"), [([12, 14], False), ([12, 0], True)])
    def test_he_follows_a_dumpster_that_was_pushed_away(self, match: Any, cell: Any, burning: bool) -> None:
        """POZ-MED-5: as far as six steps."""
        here = match(
            step="2.3",
            pcs={"steve": INDOORS},
            jackson=AWAY,
            medic={"space": [12, 18], "tending": "d3"},
            dumpsters={"d3": {"cell": cell, "burning": True}},
        )
        assert here.state.dumpsters["d3"].burning is burning

    def test_in_the_burning_courthouse_he_is_beside_it(self, match: Any) -> None:
        """ALG-MEDIC 4: inside counts."""
        here = match(
            step="2.3",
            pcs={"steve": INDOORS},
            jackson=AWAY,
            medic={"tending": "courthouse"},
            buildings={"courthouse": {"arson": 2}},
        )
        assert here.state.buildings["courthouse"].arson == 1
        assert walked(here) == [([], "courthouse", "arrived")]

    def test_on_his_break_he_does_nothing(self, match: Any) -> None:
        """2.14: `medic_idle` skips his activation."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 15], "injuries": 3, "bricks": 0}},
            jackson=AWAY,
            timed=[{"key": "medic_idle", "until": "round"}],
        )
        assert not of(here, "figure_moved")

    @pytest.mark.parametrize("idle", [{"stunned": ["medic"]}, {"timed": [{"key": "medic_idle", "until": "round"}]}])
    def test_attacked_the_round_before_he_helps_after_a_round_without_an_activation(
        self, match: Any, idle: Any
    ) -> None:
        """POZ-MED-9: "that round"; idle or stunned beside fire and wounded for the next one, he helps in the third."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 15], "injuries": 3, "bricks": 0}},
            jackson=AWAY,
            medic={"space": [10, 16], "tending": "dispensary", "attacked": True},
            buildings={"dispensary": {"arson": 2}},
            **idle,
        )
        assert (here.state.buildings["dispensary"].arson, here.state.pcs["steve"].injuries) == (2, 3)
        medic = here.state.medic
        assert (medic.tending, medic.beside, medic.attacked) == ("dispensary", ["steve"], False)


class TestReturn:
    """T12 (POZ-R44)."""

    def test_absent_for_a_round_then_before_the_courthouse_and_acting(self, match: Any) -> None:
        """Defeated in round 5: back at the start of 2.3 of round 7."""
        fields = {"step": "2.3", "pcs": {"steve": INDOORS}, "jackson": AWAY, "buildings": {"dispensary": {"arson": 1}}}
        absent = match(round=6, medic={"returns_round": 7}, **fields)
        assert not absent.state.medic.on_board
        back = match(round=7, medic={"returns_round": 7}, **fields)
        assert [tuple(effect["space"]) for effect in of(back, "figure_returned")] == [(10, 12)]
        assert walked(back)[0][0][0] == (10, 13)

    def test_without_a_courthouse_he_comes_with_the_dispatch_and_waits(self, match: Any) -> None:
        """T12: 2.4 of round 7, edge d4, arrow d4."""
        here = match(
            step="2.3",
            round=7,
            battle=True,
            pcs={"steve": INDOORS},
            jackson=AWAY,
            medic={"returns_round": 7},
            dice=({"edge": 3}, {"arrow": 4}),
        )
        assert here.state.medic.space == (13, 20)
        assert walked(here) == []

    @pytest.mark.parametrize(("armed", "shots"), [(True, 1), (False, 0)])
    def test_he_shoots_if_the_option_lets_him(self, match: Any, armed: bool, shots: int) -> None:
        """POZ-R56: d4 + 2, deadly; `medic_shoots = false` disarms him."""
        here = match(
            options={"medic_shoots": armed},
            step="2.3",
            battle=True,
            plot="weapons_free",
            pcs={"steve": {"space": [10, 14], "injuries": 4, "bricks": 0}, "jeff": INDOORS},
            jackson=AWAY,
            medic={"space": [10, 15]},
            dice=({"medic": 1},) if armed else (),
        )
        assert len(of(here, "figure_attacked")) == shots
        assert here.state.pcs["steve"].status == ("dead" if armed else "awake")
