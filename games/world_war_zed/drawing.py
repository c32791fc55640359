"""The Random Region Table."""

from typing import Any

from games.kernel import Table
from games.world_war_zed.effects import RegionDrawn


def draw_region(table: Table[Any]) -> str:
    """A Region from the Random Region Table: two dice, tens and units (WWZ-4.1-03)."""
    dice = table.roll("region", 6), table.roll("region", 6)
    region: str = table.state.board.at(*dice)
    table.emit(RegionDrawn(dice, region))
    return region
