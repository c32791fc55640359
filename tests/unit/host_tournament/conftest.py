"""Packs, states and games as the tests of this ruleset need them."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice, Script
from games.host_tournament.game import Game
from games.host_tournament.options import Options
from games.host_tournament.ruleset import RULES
from games.kernel import Setting, decide, decisions, legal, start, start_at
from server.catalogue import Catalogue

FOLDER = Path(__file__).parents[3] / "games/host_tournament"
HOUSE = FOLDER / "content/host_tournament-house-1.json"


@pytest.fixture(scope="session")
def house() -> str:
    """The SHA-256 of the house pack."""
    Catalogue.load()
    found = RULES.shelf.find("host_tournament-house-1")
    assert found is not None
    return found


@pytest.fixture(scope="session")
def odd(house: str) -> str:
    """The SHA-256 of the pack with cards for what no house card does."""
    return RULES.shelf.add((FOLDER.parents[1] / "tests/packs/host_tournament/test_pack.json").read_bytes())


@pytest.fixture
def position(house: str) -> Callable[..., Game]:
    """A state from a position: `position(options, in_play={…})`."""

    def made(options: dict[str, Any] | None = None, **fields: Any) -> Game:
        return RULES.position.load(fields, Setting(house, 2, msgspec.convert(options or {}, Options)), "new")

    return made


@pytest.fixture
def begun(position: Callable[..., Game], house: str) -> Callable[..., tuple[Game, Dice]]:
    """A game that goes on from a position, at its first decision, with its dice."""

    def made(options: dict[str, Any] | None = None, dice: tuple[int, ...] = (), **fields: Any) -> tuple[Game, Dice]:
        loaded = position(options, **fields)
        setting = Setting(house, 2, loaded.options)
        state, rolled = RULES.initial(setting), Dice(bytes(32), script=Script(dice))
        start_at(RULES, state, loaded, rolled)
        return state, rolled

    return made


Watch = Callable[[Game, tuple[Any, ...], int], None]


def play(setting: Setting, seed: int, watch: Watch = lambda *_: None) -> tuple[Game, int]:
    """A random game and how many decisions it took; `watch` gets state, effects and decisions so far after each."""
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    decided, count = start(RULES, state, setting, dice), 0
    watch(state, decided.effects, count)
    while state.outcome is None:
        seat = chance.choice([d.seat for d in decisions(state) if d.owes])
        answers = legal(RULES, state, seat)
        kind = type(chance.choice(list({type(answer): answer for answer in answers}.values())))
        wanted = [answer for answer in answers if type(answer) is kind] if chance.random() < 0.5 else answers
        decided = decide(RULES, state, seat, chance.choice(wanted), dice)
        count += 1
        watch(state, decided.effects, count)
    return state, count
