"""Fights between characters and with police (specification 4.7; E2, E9, E10, T28, T29, T43, T45, T50)."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.kernel import IllegalError, encode
from games.portland_occupied_zone.ruleset import RULES

AWAY = {"on_board": False}
NOTHING: Mapping[str, Any] = {}
#: Natural hits 3 of 5 bricks, and 2 of 4 (the rulebook's own example).
THREE = ("end", "thin", "flat", "flat", "flat")
TWO = ("thin", "thin", "flat", "flat")


def refused(game: Any, seat: int, action: str, **fields: Any) -> str:
    """The rule that refuses an action."""
    with pytest.raises(IllegalError) as caught:
        game.do(seat, action, **fields)
    return caught.value.rule


@pytest.fixture
def duel(match: Any) -> Any:
    """Steve (seat 0, +1 hits) has attacked Allison (seat 1, +1 defense), who is beside him: 5 bricks against 4."""

    def made(dice: tuple[str, ...] = (*THREE, *TWO), steve: Any = NOTHING, allison: Any = NOTHING, **more: Any) -> Any:
        pcs = {
            "steve": {
                "seat": 0,
                "space": [6, 5],
                "bricks": 5,
                "hand": [],
                "slots": {"weapon": "surgical_tools"},
                **steve,
            },
            "allison": {
                "seat": 1,
                "space": [6, 6],
                "bricks": 4,
                "hand": [],
                "slots": {"apparel": "unisex_dashiki"},
                **allison,
            },
        }
        game = match(seats=2, dice=dice, pcs=pcs, turn={"pc": "steve", "equip_open": False}, **more)
        game.do(0, "attack", pc="allison")
        return game

    return made


def both(game: Any, five: int = 5, four: int = 4) -> None:
    """Both commit their bricks."""
    game.do(0, "commit_bricks", pc="steve", b=five)
    game.do(1, "commit_bricks", pc="allison", b=four)


class TestDuels:
    """ALG-PVP."""

    def test_e2_steve_and_allison(self, duel: Any) -> None:
        """A = 3 + 1, D = 2 + 1: one injury; no bricks are left to either."""
        game = duel()
        assert game.asked() == [(0, "combat"), (1, "combat")]
        both(game)
        assert game.asked() == [(0, "choose_outcome")]
        game.do(0, "choose_outcome", outcome="injure")
        state = game.state
        assert state.pcs["allison"].injuries == 1
        assert (state.pcs["steve"].bricks, state.pcs["allison"].bricks) == (0, 0)
        assert state.pcs["steve"].injuries == 0  # POZ-PVP-4

    def test_t28_a_barricade_adds_one(self, duel: Any) -> None:
        """A 4, D 4: nothing comes of it, and nothing may be chosen."""
        wall = {"type": "barricade", "site": "n_st37"}
        game = duel(steve={"space": [6, 2]}, allison={"space": "s1"}, structures=[wall])
        both(game)
        assert game.asked() == [(0, "turn")]
        assert game.state.pcs["allison"].injuries == 0

    def test_bricks_are_hidden_until_both_are_in(self, duel: Any) -> None:
        """POZ-PVP-2, 3.2: what the attacker declared is not in what the defender sees."""
        seen = []
        for five in (1, 5):
            game = duel()
            game.do(0, "commit_bricks", pc="steve", b=five)
            seen.append(encode(RULES.view(game.state, 1)))
        assert seen[0] == seen[1]

    def test_an_attacker_throws_at_least_one(self, duel: Any) -> None:
        """POZ-R89."""
        game = duel()
        assert {action["b"] for action in game.legal(0, "commit_bricks")} == {1, 2, 3, 4, 5}
        assert {action["b"] for action in game.legal(1, "commit_bricks")} == {0, 1, 2, 3, 4}

    def test_t29_to_steal_is_no_injury(self, duel: Any) -> None:
        """A random hand card instead of injuries, even if these would knock out; not from an empty hand."""
        game = duel(allison={"hand": ["slice"], "injuries": 4})
        both(game)
        game.do(0, "choose_outcome", outcome="steal")
        steve, allison = game.state.pcs["steve"], game.state.pcs["allison"]
        assert (steve.hand, allison.hand) == (["slice"], [])
        assert (allison.status, allison.injuries, steve.crap) == ("awake", 4, 0)
        poor = duel()
        both(poor)
        assert refused(poor, 0, "choose_outcome", outcome="steal") == "POZ-PVP-13"

    def test_t45_shoved_onto_needles(self, duel: Any) -> None:
        """No injuries by the fight; one and a disease by entering."""
        game = duel(structures=[{"type": "needle_pile", "anchor": [7, 6]}], orders={"disease": (("head_lice",),)})
        both(game)
        game.do(0, "choose_outcome", outcome="shove", space="s1")
        game.do(1, "choose_slot", slot="acc1")
        allison = game.state.pcs["allison"]
        assert (allison.space, allison.injuries, allison.slots.acc1) == ("s1", 1, "head_lice")

    def test_a_shove_that_knocks_out_is_nobodys_feat(self, duel: Any) -> None:
        """T45, POZ-R14."""
        game = duel(allison={"injuries": 4}, structures=[{"type": "tire_fire", "anchor": [7, 6]}])
        both(game)
        game.do(0, "choose_outcome", outcome="shove", space="s1")
        assert (game.state.pcs["allison"].status, game.state.pcs["steve"].crap) == ("ko", 0)

    def test_knocked_out_with_her_last_injury(self, duel: Any) -> None:
        """POZ-PVP-5, POZ-SCO-7: next hit after four; Steve's feat is worth 2; she is depressed (POZ-KO-2)."""
        game = duel(allison={"injuries": 4})
        both(game)
        game.do(0, "choose_outcome", outcome="injure")
        allison = game.state.pcs["allison"]
        assert (allison.status, allison.skip, allison.stability, allison.injuries) == ("ko", 1, 0, 4)
        assert game.state.pcs["steve"].crap == 2

    @pytest.mark.parametrize(("rule", "status"), [("next_hit", "awake"), ("last_slot", "ko")])
    def test_the_last_slot(self, duel: Any, rule: str, status: str) -> None:
        """POZ-R7."""
        game = duel(allison={"injuries": 3}, options={"injury_rule": rule})
        both(game)
        game.do(0, "choose_outcome", outcome="injure")
        assert game.state.pcs["allison"].status == status

    def test_a_disease_instead(self, duel: Any) -> None:
        """POZ-PVP-11, POZ-DIS-7: the card itself goes over."""
        game = duel(steve={"slots": {"weapon": "surgical_tools", "acc1": "head_lice"}})
        both(game)
        game.do(0, "choose_outcome", outcome="spread_disease", card="head_lice")
        game.do(1, "choose_slot", slot="weapon")
        steve, allison = game.state.pcs["steve"], game.state.pcs["allison"]
        assert (steve.slots.acc1, allison.slots.weapon, allison.injuries) == (None, "head_lice", 0)

    def test_into_the_dictators_jail(self, duel: Any) -> None:
        """POZ-PVP-15, POZ-DIC-14: arrested in the Commune, no crapulence for it; nobody else has a jail."""
        commune = {"type": "commune", "anchor": [9, 9]}
        fields = {"battle": True, "structures": [commune], "jackson": AWAY, "medic": AWAY}
        game = duel(allison={"crap": 9}, lead={"holder": "steve"}, orders={"disease": (("head_lice",),)}, **fields)
        both(game)
        game.do(0, "choose_outcome", outcome="jail")
        game.do(1, "choose_slot", slot="acc1")
        allison = game.state.pcs["allison"]
        assert (allison.status, allison.jail, allison.space, allison.crap) == ("jailed", "commune", "s1", 4)
        assert game.state.pcs["steve"].crap == 0
        subject = duel(lead={"holder": "allison"}, **fields)
        both(subject)
        assert refused(subject, 0, "choose_outcome", outcome="jail") == "POZ-PVP-15"

    def test_critical_hits(self, match: Any) -> None:
        """POZ-R79: Kim's Voltage adds a hit if a brick stands on its end, and only then."""
        for face, hits in (("end", 3), ("thin", 1)):
            pcs = {
                "kim": {"space": [6, 5], "bricks": 1, "hand": []},
                "jeff": {"space": [6, 6], "bricks": 0, "hand": []},
            }
            game = match(dice=(face,), pcs=pcs, turn={"pc": "kim", "equip_open": False})
            game.do(0, "attack", pc="jeff")
            game.do(0, "choose_outcome", outcome="injure")
            assert game.state.pcs["jeff"].injuries == hits

    def test_reach(self, match: Any) -> None:
        """POZ-R74, POZ-R80: beside, never diagonally; with a slingshot two more cells in sight, a tent hides."""
        pcs = {
            "steve": {"space": [6, 5], "bricks": 1, "hand": [], "slots": {"weapon": "slingshot"}},
            "jeff": {"space": [6, 8], "bricks": 0, "hand": []},
            "kim": {"space": [7, 6], "bricks": 0, "hand": []},
        }
        turn = {"pc": "steve", "equip_open": False}
        armed = match(pcs=pcs, turn=turn)
        assert [action["pc"] for action in armed.legal(0, "attack")] == ["kim", "jeff"]
        hidden = match(pcs=pcs, turn=turn, structures=[{"type": "tent", "anchor": [6, 7]}])
        assert refused(hidden, 0, "attack", pc="jeff") == "POZ-R74"
        bare = match(pcs={**pcs, "steve": {**pcs["steve"], "slots": {}}}, turn=turn)
        assert refused(bare, 0, "attack", pc="kim") == "POZ-R74"


class TestPolice:
    """ALG-HITCOP."""

    @pytest.mark.parametrize(("dice", "beaten"), [(("end", "end", "thin"), True), (("end", "thin", "thin"), False)])
    def test_e9_five_hits_in_one_attack(self, match: Any, dice: Any, beaten: bool) -> None:
        """5 defeat Jackson (Steve's feat: 2), 4 do nothing; he never strikes back (POZ-R58)."""
        game = match(
            dice=dice,
            round=3,
            pcs={"steve": {"space": [10, 14], "bricks": 3, "hand": []}},
            jackson={"space": [10, 13]},
            turn={"pc": "steve", "equip_open": False},
        )
        game.do(0, "attack_police", figure="jackson", b=3)
        state = game.state
        assert state.jackson.on_board is not beaten
        assert state.jackson.returns_round == (4 if beaten else None)
        assert (state.pcs["steve"].crap, state.pcs["steve"].injuries) == (2 if beaten else 0, 0)

    @pytest.mark.parametrize("rule", ["next_hit", "last_slot"])
    def test_e10_the_medic_strikes_back(self, match: Any, rule: str) -> None:
        """His die shows 4: 6 injuries, dead under both injury rules."""
        game = match(
            options={"injury_rule": rule},
            dice=("flat", {"medic": 4}),
            pcs={"jeff": {"space": [10, 14], "bricks": 1, "hand": []}, "steve": {"space": "pizza"}},
            medic={"space": [10, 13], "beside": ["jeff"]},
            turn={"pc": "jeff", "equip_open": False},
        )
        game.do(0, "attack_police", figure="medic", b=1)
        state = game.state
        assert state.pcs["jeff"].status == "dead"
        assert (state.medic.on_board, state.medic.attacked, state.medic.beside) == (True, True, [])

    def test_t50_both_fall(self, match: Any) -> None:
        """6 hits defeat him; 2 + 2 − 1 hurt the attacker, who has two injuries of four: dead; its cell is befouled."""
        game = match(
            dice=("thin",) * 6 + ({"medic": 2},),
            round=5,
            pcs={
                "jeff": {
                    "space": [10, 14],
                    "bricks": 6,
                    "injuries": 2,
                    "hand": [],
                    "slots": {"apparel": "tie_dye_poncho"},
                },
                "steve": {"space": "pizza"},
            },
            medic={"space": [10, 13]},
            turn={"pc": "jeff", "equip_open": False},
        )
        game.do(0, "attack_police", figure="medic", b=6)
        state = game.state
        assert (state.medic.on_board, state.medic.returns_round) == (False, 7)
        assert (state.pcs["jeff"].status, state.pcs["jeff"].crap) == ("dead", 3)
        assert (10, 14) in state.tokens.befoul

    def test_t43_through_a_door(self, match: Any) -> None:
        """From inside a business one attacks who stands before its door; a wall is none."""
        fields = {
            "pcs": {"steve": {"space": "pizza", "bricks": 3, "hand": []}},
            "battle": True,
            "jackson": AWAY,
            "medic": AWAY,
            "turn": {"pc": "steve", "equip_open": False},
        }
        door = match(cops={"r1": {"space": [3, 16]}}, **fields)
        assert {action["figure"] for action in door.legal(0, "attack_police")} == {"r1"}
        wall = match(cops={"r1": {"space": [2, 16]}}, **fields)
        assert refused(wall, 0, "attack_police", figure="r1", b=1) == "POZ-R74"

    @pytest.mark.parametrize(
        ("target", "check"),
        [
            ("r1", lambda state: state.cops == {} and state.pcs["jeff"].crap == 1),
            ("k1", lambda state: state.checkpoints["k1"].arson == 1),
            ("kim", lambda state: state.pcs["kim"].injuries == 3),
        ],
    )
    def test_bottle_rockets(self, match: Any, target: str, check: Any) -> None:
        """Op `strike(4)`: enough for a riot cop, one success on a checkpoint; a character throws its one brick."""
        game = match(
            dice=("thin",),
            battle=True,
            jackson=AWAY,
            medic=AWAY,
            pcs={
                "jeff": {"space": [13, 4], "bricks": 0, "hand": ["bottle_rockets"]},
                "kim": {"space": [14, 4], "bricks": 1, "hand": [], "slots": {}},
            },
            cops={"r1": {"space": [13, 5]}},
            checkpoints=[{"site": "n_chavez"}],
            turn={"pc": "jeff", "equip_open": False},
        )
        game.do(0, "use_card", card="bottle_rockets")
        game.do(0, "pick", thing=target)
        if target == "kim":
            game.do(0, "commit_bricks", pc="kim", b=1)
        assert check(game.state)
