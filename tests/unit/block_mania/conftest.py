"""Positions and games as the tests of this ruleset need them."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from games.block_mania.messages import Game
from games.block_mania.options import Options
from games.block_mania.ruleset import RULES
from games.kernel import Setting
from tests.unit.block_mania.kit import DIGEST


@pytest.fixture
def position() -> Callable[..., Game]:
    """A state from a position: `position(count=3, options={…}, blockers=[…])`."""

    def made(count: int = 2, options: dict[str, Any] | None = None, **fields: Any) -> Game:
        setting = Setting(DIGEST, count, msgspec.convert(options or {}, Options))
        return RULES.position.load(fields, setting, "new")

    return made
