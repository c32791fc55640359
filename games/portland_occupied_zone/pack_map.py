"""What makes the map of a pack valid (specification, 2.3)."""

from games.content import expect
from games.portland_occupied_zone.pack_faults import expect_unique
from games.portland_occupied_zone.pack_parts import Building, Cell, Map

GROUND = ".,:=s"  # cells one can walk on
DUMPSTERS = 4  # POZ-DUM-1
CAMERAS = 4  # POZ-SET-1.4
SITES = 8  # POZ-BLD-7
BUSINESSES = 8  # POZ-SET-1.2
TILES = 9  # POZ-SET-1.1
COURTHOUSE = "courthouse"


def check_map(here: Map) -> None:
    """Test a map against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    side = here.tile * 3
    expect(
        len(here.rows) == side and all(len(row) == side for row in here.rows),
        "map.rows",
        f"{TILES} tiles of {here.tile} x {here.tile} cells",
        "POZ-SET-1.1",
    )
    expect_unique((*here.buildings, *here.dumpsters, *here.cameras, *here.streets), "map", "POZ-SET-1.1")
    _check_buildings(here)
    _check_things(here)
    for edge in ("n", "e", "s", "w"):
        colours = here.arrows.get(edge, {})
        expect(set(colours) == {"blue", "white"}, f"map.arrows.{edge}", "it has both arrows", "POZ-DSP-3")
    expect(len(here.edge_roll) == 4 and len(here.arrow_roll) == 4, "map.edge_roll", "a d4 has four faces", "POZ-DSP-2")


def _check_buildings(here: Map) -> None:
    expect(
        COURTHOUSE in here.buildings and len(here.buildings) == BUSINESSES + 1,
        "map.buildings",
        f"{BUSINESSES} businesses and the courthouse",
        "POZ-SET-1.2",
    )
    for name, building in here.buildings.items():
        field = f"map.buildings.{name}"
        tiles = {(x // here.tile, y // here.tile) for x, y in building.cells()}
        expect(len(tiles) == 1, f"{field}.rect", "a building lies on one tile", "POZ-ALT-2")
        drawn = {cell for cell in building.cells() if _glyph(here, cell) == building.glyph}
        expect(drawn == set(building.cells()), f"{field}.rect", "its cells have its glyph", "POZ-SET-1.2")
        _check_door(here, building, field)
    house = here.buildings[COURTHOUSE]
    expect(
        house.circles is not None and house.jail is not None and len(house.corner_cameras) == 4,
        f"map.buildings.{COURTHOUSE}",
        "it has circles, a jail and four corner cameras",
        "POZ-SET-3.1",
    )


def _check_door(here: Map, building: Building, field: str) -> None:
    (ax, ay), (bx, by) = building.door
    inside, outside = building.door
    expect(
        abs(ax - bx) + abs(ay - by) == 1 and inside in building.cells() and _glyph(here, outside) in GROUND,
        f"{field}.door",
        "a cell of the building and the open cell next to it",
        "POZ-ARS-24",
    )
    if building.tunnel is not None:
        expect(building.tunnel in building.cells(), f"{field}.tunnel", "it is a cell of the building", "POZ-ARS-12")


def _check_things(here: Map) -> None:
    for field, things, count, rule in (
        ("dumpsters", here.dumpsters, DUMPSTERS, "POZ-DUM-1"),
        ("cameras", here.cameras, CAMERAS, "POZ-SET-1.4"),
        ("barricade_sites", here.barricade_sites, SITES, "POZ-BLD-7"),
    ):
        expect(len(things) == count, f"map.{field}", f"there are {count}", rule)
    for name, cell in {**here.dumpsters, **here.cameras}.items():
        expect(_glyph(here, cell) in GROUND, f"map.{name}", "it stands on open ground", "POZ-DUM-1")
    for name, cells in here.barricade_sites.items():
        marked = all(_glyph(here, cell) == "=" for cell in cells)
        expect(bool(cells) and marked, f"map.barricade_sites.{name}", "its cells are marked crosswalks", "POZ-BAT-9")


def _glyph(here: Map, cell: Cell) -> str:
    x, y = cell
    side = len(here.rows)
    return here.rows[y][x] if 0 <= x < side and 0 <= y < side else " "
