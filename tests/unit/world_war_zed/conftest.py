"""Packs, states and games as the tests of this ruleset need them."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice, Script
from games.kernel import PositionError, Setting, Table, decide, legal, start
from games.world_war_zed.game import Game
from games.world_war_zed.options import Options
from games.world_war_zed.ruleset import RULES, check_setting
from server.catalogue import Catalogue

SMALL = Path(__file__).parent / "pack_small.json"


@pytest.fixture(scope="session")
def house() -> str:
    """The SHA-256 of the house pack."""
    Catalogue.load()
    found = RULES.shelf.find("world_war_zed-house-1")
    assert found is not None
    return found


@pytest.fixture(scope="session")
def small(house: str) -> str:
    """The SHA-256 of the pack with five Regions."""
    return RULES.shelf.add(SMALL.read_bytes())


@pytest.fixture(params=["house", "small"])
def pack(request: pytest.FixtureRequest) -> str:
    """One pack after the other."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def position(house: str) -> Callable[..., Game]:
    """A state from a position over a base: `position("basic", options, zeds={…})`."""

    def made(base: str = "basic", options: dict[str, Any] | None = None, pack: str = house, **fields: Any) -> Game:
        setting = Setting(pack, 1, msgspec.convert(options or {}, Options))
        return RULES.position.load(fields, setting, base)

    return made


@pytest.fixture
def table() -> Callable[..., Table[Game]]:
    """A table with scripted dice: `table(state, 1, 2)`."""
    return lambda state, *dice: Table(state, Dice(bytes(32), script=Script(dice)))


def settings(pack: str, scenario: str) -> list[Setting]:
    """The settings to play a scenario with: as it is, and with every option put the other way."""
    other = {
        "unmatched_roll": "halt",
        "arrival_attack": "all_in_region",
        "riot_counting": "total",
        "riot_relief": "every_turn",
        "dz_crossing": "stop_in_dz",
        "zed_boss": "on",
        "counter_limits": {"zeds": 30, "refugees": 3, "survivalists": 2, "riots": 2, "forts": 1},
        "start": {"defcon": 1, "air": 6, "food": 3, "research": 6},
    }
    return [_made(pack, scenario, options) for options in ({}, other, {"start": {"defcon": 3, "research": 4}})]


def _made(pack: str, scenario: str, options: dict[str, Any]) -> Setting:
    """A setting with these options, without the start of tracks where the scenario does not allow it."""
    setting = Setting(pack, 1, msgspec.convert({**options, "scenario": scenario}, Options))
    try:
        check_setting(setting)
    except PositionError:
        return _made(pack, scenario, {name: value for name, value in options.items() if name != "start"})
    return setting


def play(setting: Setting, seed: int, watch: Callable[[Game, tuple[Any, ...], int], None]) -> Game:
    """A random game; `watch` gets the state, effects and actions so far after every event."""
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    decided, actions = start(RULES, state, setting, dice), 0
    while True:
        watch(state, decided.effects, actions)
        if state.outcome is not None:
            return state
        answers = legal(RULES, state, 0)
        kind = type(chance.choice(list({type(answer): answer for answer in answers}.values())))
        wanted = [answer for answer in answers if type(answer) is kind] if chance.random() < 0.7 else answers
        decided = decide(RULES, state, 0, chance.choice(wanted), dice)
        actions += 1
