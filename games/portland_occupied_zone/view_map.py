"""The map as it is drawn: what never changes in a game, and where the rest of the view lies on it."""

from functools import cache

from msgspec import Struct

from games.drawing import Kind, Layer
from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.options import Tile
from games.portland_occupied_zone.pack_parts import Building, Cell, Street

#: What the cells are; where a building has burnt down, its glyph is open ground (POZ-TRN-18).
GROUND = {
    ".": Kind("street", "road"),
    ",": Kind("lot", "grass"),
    ":": Kind("crosswalk", "crossing"),
    "=": Kind("site", "barrier"),
    "s": Kind("square", "plaza"),
}
RUIN = Kind("ruin", "ruin")

#: What lies on the cells, the lowest first; who owns a cell as in ALG of 4.6: building, structure, checkpoint.
LAYERS = (
    Layer(
        name="building", part="map.buildings", shape="area", at="cells", state="buildings", when="standing", cls="house"
    ),
    Layer(
        name="structure",
        part="structures",
        shape="area",
        at="cells",
        type="type",
        looks="staffed",
        tells=("npcs", "slots", "pop", "staffed"),
        cls="built",
    ),
    Layer(name="checkpoint", part="checkpoints", shape="area", at="cells", cls="police"),
    Layer(name="door", part="map.buildings", shape="mark", at="door.1", state="buildings", when="standing"),
    Layer(name="tunnel", part="map.buildings", shape="mark", at="tunnel", state="buildings", when="standing"),
    Layer(name="arrow", part="map.arrows", shape="mark", at=""),
    Layer(name="site", part="map.sites", shape="mark", at="", cls="told"),
    Layer(name="rainbow_crosswalk", part="map.rainbow_crosswalk", shape="mark", at="", cls="told"),
    Layer(name="camera", part="map.cameras", shape="piece", at="", state="cameras", when="present", cls="thing"),
    Layer(name="watched", part="map.buildings", shape="mark", at="watched", state="buildings", when="standing"),
    Layer(
        name="dumpster", part="dumpsters", shape="piece", at="cell", looks="burning", tells=("burning",), cls="thing"
    ),
    Layer(name="fire", part="buildings", shape="mark", count="arson", cls="peril"),
    Layer(name="fire", part="checkpoints", shape="mark", count="arson", cls="peril"),
    Layer(name="npcs", part="structures", shape="mark", count="npcs"),
    Layer(name="befoul", part="tokens.befoul", shape="mark", at="", cls="peril"),
    Layer(name="gas", part="tokens.gas", shape="mark", at="", cls="peril"),
    Layer(name="character", part="pcs", shape="piece", at="space", seat="seat", looks="status", tells=("status",)),
    Layer(name="officer", part="jackson", shape="piece", at="space", when="on_board", cls="police"),
    Layer(name="riot_cop", part="cops", shape="piece", at="space", tells=("ready_round",), cls="police"),
    Layer(name="officer", part="medic", shape="piece", at="space", when="on_board", tells=("tending",), cls="police"),
)


class BuildingMap(Struct, frozen=True, omit_defaults=True):
    """A building: its cells, its door (inside cell, outside cell), its tunnel, the cells that its own cameras watch."""

    name: str
    cells: tuple[Cell, ...]
    door: tuple[Cell, Cell]
    tunnel: Cell | None = None
    watched: tuple[Cell, ...] = ()


class MapView(Struct, frozen=True):
    """The map: `rows` as in the content pack with blanks where no tile is, sites and arrows by name.

    `kinds` and `layers` say how to draw it (see `games.drawing`).
    """

    rows: tuple[str, ...]
    kinds: dict[str, Kind]
    buildings: dict[str, BuildingMap]
    sites: dict[str, tuple[Cell, ...]]
    arrows: dict[str, tuple[Cell, ...]]
    cameras: dict[str, Cell]
    streets: dict[str, Street]
    rainbow_crosswalk: tuple[Cell, ...]
    layers: tuple[Layer, ...]


@cache
def map_view(pack: str, tiles: tuple[Tile, ...] | None) -> MapView:
    """The map of a pack with these tiles (None: all)."""
    here = board(pack, tiles)
    rows = here.pack.map.rows
    cells = set(here.cells)
    return MapView(
        rows=tuple("".join(c if (x, y) in cells else " " for x, c in enumerate(row)) for y, row in enumerate(rows)),
        kinds=GROUND | {building.glyph: RUIN for building in here.buildings.values()},
        buildings={name: _building(building, cells) for name, building in here.buildings.items()},
        sites=dict(here.sites),
        arrows={f"{edge}_{colour}": arrow.cells for (edge, colour), arrow in here.arrows.items()},
        cameras=dict(here.cameras),
        streets=dict(here.pack.map.streets),
        rainbow_crosswalk=tuple(cell for cell in here.pack.map.rainbow_crosswalk if cell in cells),
        layers=LAYERS,
    )


def _building(building: Building, cells: set[Cell]) -> BuildingMap:
    watched = tuple(cell for cell in building.corner_cameras if cell in cells)
    return BuildingMap(building.name, building.cells(), building.door, building.tunnel, watched)
