"""States of the game as the tests of its pure procedures need them."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import Setting
from games.tpoc.game import Game
from games.tpoc.ruleset import RULES
from games.tpoc.state import Options
from server.catalogue import Catalogue


@pytest.fixture(scope="session")
def pack() -> str:
    """The SHA-256 of the house pack."""
    Catalogue.load()
    return next(iter(RULES.shelf))


@pytest.fixture
def position(pack: str) -> Callable[..., Game]:
    """A state from a position: `position([seat, seat, seat], option=…, field=…)`."""

    def made(seats: list[dict[str, Any]], options: dict[str, Any] | None = None, **fields: Any) -> Game:
        setting = Setting(pack, len(seats), Options(**(options or {})))
        return RULES.position.load({"seats": seats, **fields}, setting, "new")

    return made
