"""The map as it is drawn: what never changes in a game."""

from functools import cache

from msgspec import Struct

from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.options import Tile
from games.portland_occupied_zone.pack_parts import Cell


class BuildingMap(Struct, frozen=True, omit_defaults=True):
    """A building: its cells, its door (inside cell, outside cell), its tunnel."""

    name: str
    cells: tuple[Cell, ...]
    door: tuple[Cell, Cell]
    tunnel: Cell | None = None


class MapView(Struct, frozen=True):
    """The map: `rows` as in the content pack with blanks where no tile is, sites and arrows by name."""

    rows: tuple[str, ...]
    buildings: dict[str, BuildingMap]
    sites: dict[str, tuple[Cell, ...]]
    arrows: dict[str, tuple[Cell, ...]]
    cameras: dict[str, Cell]
    streets: dict[str, str]
    rainbow_crosswalk: tuple[Cell, ...]


@cache
def map_view(pack: str, tiles: tuple[Tile, ...] | None) -> MapView:
    """The map of a pack with these tiles (None: all)."""
    here = board(pack, tiles)
    rows = here.pack.map.rows
    cells = set(here.cells)
    return MapView(
        rows=tuple("".join(c if (x, y) in cells else " " for x, c in enumerate(row)) for y, row in enumerate(rows)),
        buildings={
            name: BuildingMap(building.name, building.cells(), building.door, building.tunnel)
            for name, building in here.buildings.items()
        },
        sites=dict(here.sites),
        arrows={f"{edge}_{colour}": arrow.cells for (edge, colour), arrow in here.arrows.items()},
        cameras=dict(here.cameras),
        streets={name: street.name for name, street in here.pack.map.streets.items()},
        rainbow_crosswalk=here.pack.map.rainbow_crosswalk,
    )
