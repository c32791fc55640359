"""Sgt. Jackson and the riot cops: routes, walks, fights, shots (specification 4.7; T1 to T10, T36, T40, T47, E15)."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from games.kernel import Setting
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES

AWAY = {"on_board": False}
NOBODY = {"jackson": AWAY, "medic": AWAY}
INDOORS = {"space": "merda", "bricks": 0}


@pytest.fixture
def loaded(house: str) -> Callable[..., Game]:
    """A position as it stands, before anything goes on from it."""
    return lambda **position: RULES.position.load(position, Setting(house, 1, msgspec.convert({}, Options)), "new")


def of(game: Any, tag: str) -> list[Any]:
    """The last effects of a kind."""
    return [SimpleNamespace(**effect) for effect in game.effects if effect["effect"] == tag]


def moves(game: Any, figure: str) -> list[Any]:
    """The walks of a figure: where it went, what for, why it ended."""
    found = [effect for effect in of(game, "figure_moved") if effect.figure == figure]
    return [(list(effect.path), effect.target, effect.end) for effect in found]


class TestRoutes:
    """ALG-ROUTE."""

    def test_out_of_the_courthouse_by_its_door_and_the_cheapest_way(self, match: Any) -> None:
        """T1: cost 6, and with movement 5 he stops two cells short, without a fight."""
        here = match(step="2.3", pcs={"steve": {"space": [6, 10], "bricks": 0}}, medic=AWAY)
        way = [(10, 12), (9, 12), (8, 12), (8, 11), (8, 10)]
        assert moves(here, "jackson") == [(way, "steve", "spent")]
        assert not of(here, "figure_attacked")

    def test_the_question_route(self, loaded: Any) -> None:
        """T1: the whole way, as the question answers it."""
        state = loaded(step="2.3", pcs={"steve": {"space": [6, 10]}})
        cells = [(10, 12), (9, 12), (8, 12), (8, 11), (8, 10), (7, 10)]
        assert RULES.position.questions["route"](state, figure="jackson", to="steve") == {"cost": 6, "cells": cells}

    @pytest.mark.parametrize(
        ("start", "to", "way"),
        [
            ([6, 7], [9, 5], [(6, 6), (6, 5), (7, 5), (8, 5)]),  # north before east
            ([6, 7], [8, 13], [(7, 7), (8, 7), (8, 8), (8, 9), (8, 10), (8, 11), (8, 12)]),  # east before south
            ([7, 7], [5, 13], [(7, 8), (7, 9), (7, 10), (7, 11), (7, 12), (7, 13), (6, 13)]),  # south before west
        ],
    )
    def test_of_cheapest_ways_north_east_south_west(self, loaded: Any, start: Any, to: Any, way: Any) -> None:
        """At each step the first neighbour in that order on a cheapest path (ALG-ROUTE)."""
        state = loaded(step="2.3", battle=True, cops={"r1": {"space": start}}, pcs={"steve": {"space": to}}, **NOBODY)
        found = RULES.position.questions["route"](state, figure="r1", to="steve")
        assert found == {"cost": len(way), "cells": way}

    def test_laundry_costs_two_and_a_large_structure_one(self, loaded: Any) -> None:
        """Spaces, not cells, are paid for; laundry slows (POZ-RED-6, POZ-TRN-19)."""
        wall = [{"type": "barricade", "site": "n_st37", "id": "s9"}]
        ball = {"type": "ball_pit", "anchor": [6, 3], "id": "s1"}
        pile = {"type": "laundry", "anchor": [6, 3], "id": "s1"}
        costs = []
        for thing in (ball, pile):
            state = loaded(
                step="2.3",
                battle=True,
                structures=[*wall, thing],
                cops={"r1": {"space": [6, 2]}},
                pcs={"steve": {"space": [6, 6]}},
                **NOBODY,
            )
            costs.append(RULES.position.questions["route"](state, figure="r1", to="steve"))
        assert costs[0] == {"cost": 2, "cells": ["s1", (6, 5)]}
        assert costs[1] == {"cost": 4, "cells": ["s1", (6, 4), (6, 5)]}

    @pytest.mark.parametrize(
        ("cops", "dumpster", "cost"),
        [({}, [15, 0], 4), ({"r2": {"space": [5, 1]}}, [15, 0], 6), ({"r2": {"space": [5, 1]}}, [8, 1], 16)],
    )
    def test_barricades_other_cops_and_dumpsters_bar_the_way(
        self, loaded: Any, cops: Any, dumpster: Any, cost: int
    ) -> None:
        """POZ-RAI-7, POZ-R48: round the barricade by the west; by the east; only round a whole block."""
        state = loaded(
            step="2.3",
            battle=True,
            structures=[{"type": "barricade", "site": "n_st37"}],
            cops={"r1": {"space": [6, 0]}, **cops},
            pcs={"steve": {"space": [6, 3]}},
            dumpsters={"d1": {"cell": dumpster}},
            **NOBODY,
        )
        assert RULES.position.questions["route"](state, figure="r1", to="steve")["cost"] == cost

    def test_closed_in_there_is_no_way(self, match: Any) -> None:
        """T47: a dumpster before the door keeps Jackson in."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": [10, 14], "bricks": 0}},
            dumpsters={"d1": {"cell": [10, 12]}},
            medic=AWAY,
        )
        assert moves(here, "jackson") == [([], None, "stayed")]

    def test_the_medic_goes_round_dangers(self, loaded: Any) -> None:
        """A needle pile lets a riot cop through, not the Medic (POZ-R48)."""
        pile = [{"type": "needle_pile", "anchor": [6, 3]}]
        fields = {"step": "2.3", "battle": True, "structures": pile, "pcs": {"steve": {"space": [6, 5]}}}
        cop = loaded(**fields, cops={"r1": {"space": [6, 2]}}, **NOBODY)
        medic = loaded(**fields, jackson=AWAY, medic={"space": [6, 2]})
        ask = RULES.position.questions["route"]
        assert ask(cop, figure="r1", to="steve") == {"cost": 2, "cells": ["s1", (6, 4)]}
        assert ask(medic, figure="medic", to="steve") == {"cost": 4, "cells": [(7, 2), (7, 3), (7, 4), (7, 5)]}


class TestJackson:
    """ALG-JACKSON."""

    def test_on_the_pulpit_nobody_far_off_is_seen(self, match: Any) -> None:
        """T2: no viewpoint is next to the Pulpit; he stays."""
        here = match(
            step="2.3",
            pcs={"steve": {"space": "s1", "bricks": 0}},
            structures=[{"type": "pulpit", "anchor": [6, 10]}],
            medic=AWAY,
        )
        assert moves(here, "jackson") == [([], None, "stayed")]

    def test_who_is_in_his_way_is_fought_instead(self, match: Any) -> None:
        """T9: he stops before an awake character of less crapulence and fights it."""
        here = match(
            step="2.3",
            pcs={
                "steve": {"space": [10, 16], "crap": 9, "bricks": 0},
                "kim": {"space": [10, 14], "crap": 2, "bricks": 0},
            },
            medic=AWAY,
            dice=({"cop": 1},),
        )
        assert moves(here, "jackson") == [([(10, 12), (10, 13)], "steve", "pc")]
        assert [(effect.figure, effect.pc) for effect in of(here, "figure_attacked")] == [("jackson", "kim")]

    def test_an_unconscious_one_does_not_stop_him(self, match: Any) -> None:
        """T9, POZ-R46: a body is no obstacle."""
        here = match(
            step="2.3",
            pcs={
                "steve": {"space": [10, 16], "crap": 9, "bricks": 0},
                "kim": {"space": [10, 14], "status": "ko", "skip": 1, "bricks": 0},
            },
            medic=AWAY,
            dice=({"cop": 1},),
        )
        assert moves(here, "jackson") == [([(10, 12), (10, 13), (10, 14), (10, 15)], "steve", "arrived")]
        assert [effect.pc for effect in of(here, "figure_attacked")] == ["steve"]

    def test_he_cleans_filth_and_does_no_more(self, match: Any) -> None:
        """T10: the befoulment ends his activation, although he is next to his target."""
        here = match(
            step="2.3", pcs={"steve": {"space": [10, 14], "bricks": 0}}, tokens={"befoul": [[10, 13]]}, medic=AWAY
        )
        assert moves(here, "jackson") == [([(10, 12), (10, 13)], "steve", "befouled")]
        assert here.state.tokens.befoul == []
        assert not of(here, "figure_attacked")

    def test_through_the_door(self, match: Any) -> None:
        """T47: he fights from inside whoever stands before the door; d4 + 1 − 1 (handkerchief)."""
        here = match(step="2.3", pcs={"steve": {"space": [10, 12], "bricks": 0}}, medic=AWAY, dice=({"cop": 2},))
        assert moves(here, "jackson") == [([], "steve", "arrived")]
        assert here.state.pcs["steve"].injuries == 2

    def test_a_trap_is_his_end_for_a_round(self, match: Any) -> None:
        """POZ-JAX-7, -8, POZ-R69: the needle pile is gone, Jackson until 2.4 of the next round; nobody is credited."""
        here = match(
            step="2.3",
            round=3,
            pcs={"steve": {"space": [10, 14], "bricks": 0}},
            structures=[{"type": "needle_pile", "anchor": [10, 13]}],
            medic=AWAY,
        )
        assert moves(here, "jackson") == [([(10, 12)], "steve", "danger")]
        assert here.state.structures == {}
        assert (here.state.jackson.on_board, here.state.jackson.returns_round) == (False, 4)
        assert here.state.pcs["steve"].crap == 0

    def test_equally_crapulent_the_leader_decides(self, match: Any) -> None:
        """POZ-R18: the Speaker, who is not one of them, says whom he pursues."""
        here = match(
            step="2.3",
            seats=3,
            pcs={
                "allison": INDOORS | {"space": "rags"},
                "steve": {"space": [10, 14], "crap": 3, "bricks": 0},
                "jeff": {"space": [14, 10], "crap": 3, "bricks": 0},
            },
            medic=AWAY,
            dice=({"cop": 1},),
        )
        assert here.asked() == [(0, "choose_police_target")]
        here.do(0, "choose_police_target", pc="jeff")
        assert moves(here, "jackson")[0][1] == "jeff"

    def test_a_stunned_one_misses_his_turn(self, match: Any) -> None:
        """A skipped activation takes the stun off (ALG-JACKSON)."""
        here = match(step="2.3", pcs={"steve": {"space": [10, 14], "bricks": 0}}, stunned=["jackson"], medic=AWAY)
        assert here.state.stunned == []
        assert not of(here, "figure_moved")

    def test_arrested_before_the_battle_killed_in_it(self, match: Any) -> None:
        """POZ-PVP-6, -7, POZ-R97: 5 injuries on 5 filled slots, by a cop."""
        fields = {
            "step": "2.3",
            "pcs": {
                "steve": {"space": [10, 13], "bricks": 0, "injuries": 5},
                "jeff": INDOORS | {"space": "dispensary"},
            },
            "medic": AWAY,
        }
        before = match(**fields, jackson={"space": [10, 12]}, dice=({"cop": 1},))
        assert before.state.pcs["steve"].status == "jailed"
        after = match(**fields, battle=True, jackson={"space": [10, 12]}, dice=({"cop": 1},))
        assert after.state.pcs["steve"].status == "dead"


class TestRiotCops:
    """ALG-RIOT."""

    def test_slowed_by_laundry_which_it_leaves_alone(self, match: Any) -> None:
        """T7: 1 + 2 + 1 movement, then it stands beside the laundry and does nothing to it."""
        here = match(
            step="2.3",
            structures=[{"type": "laundry", "anchor": [6, 2]}, {"type": "tent", "anchor": [6, 9]}],
            cops={"r1": {"space": [6, 0]}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        assert moves(here, "r1") == [([(6, 1), "s1", (6, 3)], "s2", "spent")]
        assert set(here.state.structures) == {"s1", "s2"}

    def test_into_the_needles(self, match: Any) -> None:
        """T8: it makes for the drum circle and ends in the pile."""
        here = match(
            step="2.3",
            structures=[{"type": "needle_pile", "anchor": [6, 3]}, {"type": "drum_circle", "anchor": [6, 7]}],
            cops={"r1": {"space": [6, 0]}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        assert moves(here, "r1") == [([(6, 1), (6, 2)], "s2", "danger")]
        assert set(here.state.structures) == {"s2"}
        assert here.state.cops == {}

    def test_a_barricade_first_and_from_where_it_stands(self, match: Any) -> None:
        """T6, POZ-RAI-2: the barricade before a Commune of more population; it is next to it already."""
        here = match(
            step="2.3",
            battle=True,
            structures=[{"type": "barricade", "site": "n_st37"}, {"type": "commune", "anchor": [9, 9], "npcs": 1}],
            cops={"r1": {"space": [6, 0]}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        [move] = of(here, "figure_moved")
        assert (move.path, move.target, move.rule, move.end) == ((), "s1", "POZ-RAI-2", "arrived")
        assert set(here.state.structures) == {"s2"}

    def test_npcs_then_the_most_crapulent_then_the_barricade(self, match: Any) -> None:
        """E15: four attacks on a barricade with 2 NPCs and characters of crapulence 9 and 12."""
        here = match(
            step="2.3",
            battle=True,
            structures=[{"type": "barricade", "site": "n_st37", "npcs": 2}],
            cops={
                name: {"space": cell} for name, cell in zip(("r1", "r2", "r3"), ([5, 1], [6, 0], [7, 0]), strict=True)
            },
            pcs={
                "steve": {"space": "s1", "crap": 9, "bricks": 0},
                "jeff": {"space": "s1", "crap": 12, "bricks": 0},
            },
            dice=({"cop": 4},),
            **NOBODY,
        )
        assert [effect.by for effect in of(here, "npc_killed")] == ["r1", "r2"]
        assert [(effect.figure, effect.pc) for effect in of(here, "figure_attacked")] == [("r3", "jeff")]
        assert here.state.pcs["jeff"].injuries == 3  # 4 less the barricade's 1
        empty = match(
            step="2.3",
            battle=True,
            structures=[{"type": "barricade", "site": "n_st37"}],
            cops={"r1": {"space": [6, 0]}},
            pcs={"steve": {"space": "s1", "status": "ko", "skip": 1, "bricks": 0}, "jeff": INDOORS},
            **NOBODY,
        )
        assert [effect.structure for effect in of(empty, "structure_destroyed")] == ["s1"]
        assert empty.state.pcs["steve"].space == (6, 1)

    def test_two_defenders_alike_the_leader_chooses(self, match: Any) -> None:
        """T30: damage 4, one natural hit, dashiki and barricade: one injury."""
        here = match(
            step="2.3",
            seats=2,
            battle=True,
            structures=[{"type": "barricade", "site": "n_st37"}],
            cops={"r1": {"space": [6, 0]}},
            pcs={
                "allison": {"space": "s1", "crap": 12, "bricks": 1, "slots": {"apparel": "unisex_dashiki"}},
                "jeff": {"space": "s1", "crap": 12, "bricks": 0},
            },
            lead={"holder": "jeff"},
            dice=(
                {"cop": 4},
                "thin",
            ),
            **NOBODY,
        )
        assert here.asked() == [(1, "choose_police_target")]
        here.do(1, "choose_police_target", pc="allison")
        assert here.asked() == [(0, "defend")]
        here.do(0, "commit_bricks", pc="allison", b=1)
        assert here.state.pcs["allison"].injuries == 1

    def test_the_commune_falls(self, match: Any) -> None:
        """T40: its NPC, then the character in it, then all is lost; T48: one in jail is no defender."""
        fields = {"step": "2.3", "battle": True, **NOBODY}
        dead = match(
            **fields,
            structures=[{"type": "commune", "anchor": [9, 9], "npcs": 1}],
            cops={"r1": {"space": [9, 8]}, "r2": {"space": [10, 8]}, "r3": {"space": [11, 8]}},
            pcs={"steve": {"space": "s1", "injuries": 5, "bricks": 0}, "jeff": INDOORS},
            dice=({"cop": 4},),
        )
        assert [effect.by for effect in of(dead, "npc_killed")] == ["r1"]
        assert [effect.figure for effect in of(dead, "figure_attacked")] == ["r2"]
        assert dead.state.outcome.reason == "commune_taken"
        assert dead.state.outcome.winners == ()
        jailed = match(
            **fields,
            structures=[{"type": "commune", "anchor": [9, 9]}],
            cops={"r1": {"space": [9, 8]}},
            pcs={"steve": {"space": "s1", "status": "jailed", "bricks": 0}, "jeff": INDOORS},
        )
        assert jailed.state.outcome.reason == "commune_taken"

    def test_nothing_to_raid_it_pursues_and_shoots(self, match: Any) -> None:
        """T36: four cells towards a character in sight; not next to it, it shoots: no bricks, and that is deadly."""
        here = match(
            step="2.3",
            battle=True,
            buildings={"hexen": {"standing": False}},
            structures=[{"type": "commune", "anchor": [2, 9]}],
            plot="weapons_free",
            cameras={name: {"present": False} for name in ("c1", "c2", "c3", "c4")},
            cops={"r1": {"space": [13, 20]}},
            pcs={"steve": {"space": [13, 3], "injuries": 5, "bricks": 5}, "jeff": INDOORS},
            dice=({"cop": 3},),
            **NOBODY,
        )
        [move] = of(here, "figure_moved")
        assert (move.path[-1], move.target, move.rule) == ((13, 16), "steve", "POZ-R49")
        assert [effect.shot for effect in of(here, "figure_attacked")] == [True]
        assert here.state.pcs["steve"].status == "dead"

    def test_option_hold_keeps_it_where_it_is(self, match: Any) -> None:
        """POZ-R49: with `hold` it pursues nobody."""
        here = match(
            options={"riot_fallback": "hold"},
            step="2.3",
            cops={"r1": {"space": [13, 20]}},
            pcs={"steve": {"space": [13, 3], "bricks": 0}},
            **NOBODY,
        )
        assert moves(here, "r1") == [([], None, "stayed")]

    def test_nobody_in_sight_it_marches_to_the_commune(self, match: Any) -> None:
        """POZ-R49: the prime target, seen or not."""
        here = match(
            step="2.3",
            battle=True,
            plot=None,
            cameras={name: {"present": False} for name in ("c1", "c2", "c3", "c4")},
            structures=[{"type": "commune", "anchor": [9, 9], "npcs": 1}],
            cops={"r1": {"space": [0, 0]}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        [move] = of(here, "figure_moved")
        assert (move.target, move.rule, move.end, len(move.path)) == ("s1", "POZ-R49", "spent", 4)

    def test_the_best_structure_it_is_next_to_is_attacked(self, match: Any) -> None:
        """POZ-RAI-3: on its way to the altar it ends up beside a tent and a brick pile."""
        here = match(
            step="2.3",
            structures=[
                {"type": "tent", "anchor": [13, 4]},
                {"type": "brick_pile", "anchor": [15, 4]},
                {"type": "altar", "anchor": [14, 8]},
            ],
            cops={"r1": {"space": [14, 0]}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        assert moves(here, "r1") == [([(14, 1), (14, 2), (14, 3), (14, 4)], "s3", "spent")]
        assert [effect.structure for effect in of(here, "structure_destroyed")] == ["s2"]

    def test_dispatched_this_round_it_waits(self, match: Any) -> None:
        """T35: ready in the next round only."""
        here = match(
            step="2.3",
            round=26,
            battle=True,
            structures=[{"type": "tent", "anchor": [6, 1]}],
            cops={"r1": {"space": [6, 0], "ready_round": 27}},
            pcs={"steve": INDOORS},
            **NOBODY,
        )
        assert not of(here, "figure_moved")
