"""Section 8: what a position means, and which are impossible."""

import pytest

from games.kernel import PositionError
from games.world_war_zed.ruleset import RULES


def test_military_leaves_the_pool_for_the_map_and_the_box(position):
    state = position(place=[{"what": "ng", "at": "DC.city", "n": 3}], box={"ng": 2})
    assert (state.pool["ng"], state.box["ng"], list(state.units)) == (1, 2, ["ng1", "ng2", "ng3"])


def test_lists_replace_those_of_the_base_and_maps_are_laid_over_it(position):
    state = position("forewarned", cities=["DC", "NEN"], zeds={"DC": 2}, tracks={"food": 0})
    assert [name for name, region in state.regions.items() if region.city] == ["DC", "NEN"]
    assert (state.tracks.food, state.tracks.air, state.zeds_seen) == (0, 3, True)
    assert len(state.units) == 2


def test_a_dumped_position_loads_over_any_base(position):
    state = position("cold_war_1962", turn=3, phase="player", step="build", zeds={"DC": 4})
    dumped = RULES.position.dump(state)
    again = position("basic", **dumped)
    assert RULES.position.dump(again) == dumped


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"zeds": {"XXX": 1}}, "zeds: there is no Region XXX"),
        ({"tracks": {"burst_min": 5}}, "tracks: burst_min is below"),
        ({"tracks": {"food": 7}}, "tracks.food: "),
        ({"riots": ["GPL"]}, "riots: there is no City in GPL"),
        ({"place": [{"what": "survivalist", "at": "DC.city"}]}, "units.surv1: Survivalists"),
        ({"place": [{"what": "refugee", "at": "DZ.cascades"}]}, "units.ref1: Refugees"),
        ({"place": [{"what": "ng", "at": "GPL.city"}]}, "units.ng1: there is no place GPL.city"),
        ({"place": [{"what": "ng", "at": "DC.city", "n": 7}]}, "pool: pool, box and map have 6 ng"),
        ({"pool": {"ng": 1}}, "pool: pool, box and map have 6 ng"),
        ({"units": {"ng01": {"type": "ng", "at": "DC.city"}}}, "units.ng01: the id of a ng"),
        ({"forts": ["DC.city", "DC.city"]}, "forts: one Fort"),
        ({"forts": ["GPL.city"]}, "forts: there is no place GPL.city"),
        ({"boss": "DC"}, "boss: it has a Zed beside it"),
        ({"boss": "asleep"}, "boss: a Region"),
        ({"score": 3}, "score: it follows from the rest and is 61"),
        ({"nukes_used": 2}, "nukes_used: there are 0"),
        ({"zeds": {"DC": 1}, "zeds_seen": False}, "zeds_seen: there are Zeds"),
        ({"phase": "over"}, "outcome: a game that is over"),
        ({"scenario": "holiday"}, "scenario: there is no holiday"),
        ({"phase": "zed1", "step": "build"}, "step: only the Player Phase"),
        ({"group": {"n": 2, "region": "DC"}}, "group: Zeds are on the move"),
        ({"resigned": [0]}, "resigned: who resigns"),
        ({"agenda": [{"step": "player_build", "seats": [0]}]}, r"agenda\[0\]: the step is None"),
        ({"agenda": [{"step": "player_build"}]}, r"agenda\[0\]: it asks the player"),
        ({"agenda": [{"step": "roll_pp", "seats": [0]}]}, r"agenda\[0\]: nobody is asked"),
        ({"agenda": [{"step": "event_op", "event": "party", "op": 0}]}, r"agenda\[0\]: there is no such op"),
        ({"agenda": [{"step": "march", "phase": 1, "region": "DC"}]}, r"agenda\[0\]\.region: "),
        ({"agenda": [{"step": "assign_riot", "seats": [0], "kind": "cities", "left": 10}]}, r"agenda\[0\]\.left: "),
        (
            {
                "agenda": [
                    {
                        "step": "choose_event_target",
                        "seats": [0],
                        "event": "panic_buying",
                        "op": 0,
                        "candidates": ["DC"],
                    }
                ]
            },
            r"agenda\[0\]\.candidates: ",
        ),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_impossible_position_is_refused_by_its_field(position, fields, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(**fields)
