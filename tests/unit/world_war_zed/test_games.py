"""Random games of every scenario of both packs, under every option: what has to hold in any of them."""

from functools import partial

import msgspec
import pytest

from games.kernel import IllegalError, encode, fold, legal
from games.world_war_zed.board import board
from games.world_war_zed.places import exists
from games.world_war_zed.ruleset import RULES
from games.world_war_zed.starts import TRACKS
from games.world_war_zed.state import TURNS
from tests.unit.world_war_zed.conftest import play, settings

HOUSE = ["basic", "forewarned", "many_fires", "the_boss", "empty_silos", "frontier_1876"]
HOUSE += ["home_front_1944", "cold_war_1962"]
GAMES = [("house", name) for name in HOUSE] + [("small", "basic"), ("small", "siege")]


@pytest.mark.slow
@pytest.mark.parametrize(("pack", "scenario"), GAMES, indirect=["pack"])
def test_games_fold_load_and_stay_within_the_rules(pack, scenario):
    for number, setting in enumerate(settings(pack, scenario)):
        for seed in range(3):
            folded = RULES.initial(setting)
            watch = partial(compare, setting, folded, RULES.components(folded))
            end = play(setting, 100 * number + seed, watch)
            assert end.turn <= TURNS
            assert end.agenda == []


def compare(setting, folded, counts, state, effects, actions):  # noqa: PLR0917
    fold(folded, [RULES.effect_decoder.decode(encode(effect)) for effect in effects])
    assert encode(folded) == encode(state)
    dumped = msgspec.json.decode(encode(RULES.position.dump(state)))
    assert encode(RULES.position.load(dumped, setting, "new")) == encode(state)
    assert RULES.components(state) == counts
    assert actions <= RULES.bound
    invariants(state)


def invariants(state):
    """Section 3: tracks in range, every counter where it may be, no group at a decision, limits kept."""
    tracks = state.tracks
    for name, (low, high) in TRACKS.items():
        assert low <= getattr(tracks, name) <= high
    assert tracks.burst_min < tracks.burst_max
    assert state.group is None
    for unit in state.units.values():
        area = state.board.areas[unit.at]
        assert exists(state, area)
        assert unit.type != "survivalist" or area.kind == "open"
        assert unit.type != "refugee" or area.kind != "dz"
    assert len(set(state.forts)) == len(state.forts)
    assert all(exists(state, state.board.areas[place]) for place in state.forts)
    assert all(region.zeds >= 0 for region in state.regions.values())
    assert all(region.city or not region.riot for region in state.regions.values())
    assert (state.boss == "on_map") == (state.boss_at is not None)
    if state.boss_at is not None:
        assert state.regions[state.boss_at].zeds
    limits = state.options.counter_limits
    if limits is not None:
        assert limits.zeds is None or state.zeds() <= limits.zeds
        placed = [unit.type for unit in state.units.values()]
        assert limits.refugees is None or placed.count("refugee") <= max(limits.refugees, started(state, "refugee"))


def started(state, kind):
    return sum(placed.n for placed in state.start.place if placed.what == kind)


@pytest.mark.slow
def test_lists_are_exactly_what_the_checks_allow(house):
    """What an action could name is on the list or refused by its check, never both and never neither."""

    def watch(state, effects, actions):
        if not state.agenda or actions % 7:
            return
        listed = set(map(encode, legal(RULES, state, 0)))
        for tag in state.agenda[-1].menu:
            kind = RULES.action_types[tag]
            for action in every(kind, state):
                assert (encode(action) in listed) == passes(action, state), action

    for scenario in ("basic", "home_front_1944", "cold_war_1962", "the_boss"):
        for setting in settings(house, scenario):
            play(setting, 7, watch)


def passes(action, state):
    try:
        action.check(state, 0)
    except IllegalError:
        return False
    return True


def every(kind, state):
    """Every action of a type with every word of the game in its fields."""
    words = {
        "unit": list(state.units),
        "to": list(state.board.areas),
        "area": list(state.board.areas),
        "region": list(state.regions),
        "type": ["fort", "ng", "army", "marines"],
        "direction": ["toward_1", "toward_5"],
        "option": ["strength", "toughness", "burst_min", "burst_max", "biochem"],
        "target": [*state.regions, *state.units],
    }
    found = [{}]
    for name in kind.__struct_fields__:
        found = [{**fields, name: word} for fields in found for word in words[name]]
    return [kind(**fields) for fields in found]


def test_a_game_keeps_the_pack_it_was_made_with(small):
    state = RULES.initial(settings(small, "basic")[0])
    assert list(state.regions) == ["NOR", "EAS", "SOU", "WES", "MID"]
    assert RULES.state_decoder.decode(encode(state)).board is board(small)
