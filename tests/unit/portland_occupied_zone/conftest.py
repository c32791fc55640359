"""Packs, positions and games as the tests of this ruleset need them."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.dice import Dice, Script
from games.kernel import EVERYTHING, Effect, Setting, decide, decisions, legal, redact, start, start_at, tag_of
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES
from server.catalogue import Catalogue


@pytest.fixture(scope="session")
def house() -> str:
    """The SHA-256 of the house pack."""
    Catalogue.load()
    found = RULES.shelf.find("poz_house")
    assert found is not None
    return found


class Match:
    """A game under test: `do` decides an action written as a dict, and gives the effects as dicts."""

    def __init__(self, setting: Setting, position: dict[str, Any] | None, dice: tuple[Any, ...], orders: Any) -> None:
        self.setting = setting
        self.dice = Dice(bytes(32), script=Script(dice, orders))
        self.state: Game = RULES.initial(setting)
        if position is None:
            decided = start(RULES, self.state, setting, self.dice)
        else:
            loaded = RULES.position.load(position, setting, "new")
            decided = start_at(RULES, self.state, loaded, self.dice)
        self.effects = _told(decided.effects)

    def do(self, seat: int, action: str, **fields: Any) -> list[dict[str, Any]]:
        """Decide an action; IllegalError if it is refused."""
        wanted = msgspec.convert({"action": action, **fields}, RULES.actions)
        self.effects = _told(decide(RULES, self.state, seat, wanted, self.dice).effects)
        return self.effects

    def legal(self, seat: int, action: str | None = None) -> list[dict[str, Any]]:
        """The legal actions of a seat, of one type."""
        found = legal(RULES, self.state, seat)
        return [msgspec.to_builtins(one) for one in found if action in (None, tag_of(type(one)))]

    def asked(self) -> list[tuple[int, str]]:
        """Who owes what."""
        return [(one.seat, tag_of(type(one.step))) for one in decisions(self.state) if one.owes]

    def dump(self) -> dict[str, Any]:
        """The position."""
        return RULES.position.dump(self.state)


def _told(effects: tuple[Effect, ...]) -> list[dict[str, Any]]:
    return [redact(effect, EVERYTHING) for effect in effects]


@pytest.fixture
def match(house: str) -> Callable[..., Match]:
    """A game from a position: `match(seats=2, options={…}, dice=(…), orders={…}, pcs={…}, turn={…})`."""

    def made(
        seats: int = 1,
        options: dict[str, Any] | None = None,
        dice: tuple[Any, ...] = (),
        orders: dict[str, tuple[tuple[Any, ...], ...]] | None = None,
        **position: Any,
    ) -> Match:
        setting = Setting(house, seats, msgspec.convert(options or {}, Options))
        RULES.check_setting(setting)
        return Match(setting, position or None, dice, orders or {})

    return made
