"""What makes the map of a pack valid (specification, 2.3)."""

from collections.abc import Iterable

from games.content import expect
from games.portland_occupied_zone.pack_faults import expect_unique
from games.portland_occupied_zone.pack_parts import Building, Cell, Edge, Map, Street

GROUND = ".,:=s"  # cells one can walk on
DUMPSTERS = 4  # POZ-DUM-1
CAMERAS = 4  # POZ-SET-1.4
SITES = 8  # POZ-BLD-7
BUSINESSES = 8  # POZ-SET-1.2
TILES = 9  # POZ-SET-1.1
COURTHOUSE = "courthouse"
CENTRE = (1, 1)
#: The sides of a building, the shorter one first (2.1: 9 or 6 squares).
SIDES = {"large": (3, 3), "small": (2, 3)}
#: From the rim inwards, for each edge.
INWARDS: dict[Edge, Cell] = {"n": (0, 1), "e": (-1, 0), "s": (0, -1), "w": (1, 0)}


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
    expect_unique(here.barricade_sites, "map.barricade_sites", "POZ-BLD-7")
    _check_buildings(here)
    _check_courthouse(here)
    _check_things(here)
    for name, street in here.streets.items():
        ground = bool(street.lanes) and all(_open(here, cell) for cell in _cells(here, street))
        expect(ground, f"map.streets.{name}.lanes", "open ground from rim to rim", "POZ-DSP-3")
    _check_arrows(here)
    expect(len(here.edge_roll) == 4, "map.edge_roll", "a d4 has four faces", "POZ-DSP-2")
    expect(len(here.arrow_roll) == 4, "map.arrow_roll", "a d4 has four faces", "POZ-DSP-3")


def _check_buildings(here: Map) -> None:
    expect(
        COURTHOUSE in here.buildings and len(here.buildings) == BUSINESSES + 1,
        "map.buildings",
        f"{BUSINESSES} businesses and the courthouse",
        "POZ-SET-1.2",
    )
    for name, building in here.buildings.items():
        glyph = len(building.glyph) == 1 and building.glyph not in GROUND
        expect(glyph, f"map.buildings.{name}.glyph", f"one character, none of {GROUND}", "POZ-SET-1.2")
    glyphs = {building.glyph for building in here.buildings.values()}
    expect(len(glyphs) == len(here.buildings), "map.buildings", "each has another glyph", "POZ-SET-1.2")
    for name, building in here.buildings.items():
        _check_building(here, building, f"map.buildings.{name}")
    drawn = sum(row.count(glyph) for row in here.rows for glyph in glyphs)
    built = sum(len(building.cells()) for building in here.buildings.values())
    ground = sum(row.count(glyph) for row in here.rows for glyph in GROUND)
    whole = drawn == built and drawn + ground == len(here.rows) ** 2
    expect(whole, "map.rows", "every cell is open ground or of a building", "POZ-SET-1.1")


def _check_building(here: Map, building: Building, field: str) -> None:
    x0, y0, x1, y1 = building.rect
    sides = tuple(sorted((x1 - x0 + 1, y1 - y0 + 1)))
    expect(sides == SIDES[building.size], f"{field}.rect", f"{building.size} is {SIDES[building.size]}", "POZ-SET-1.2")
    tiles = {(x // here.tile, y // here.tile) for x, y in building.cells()}
    expect(len(tiles) == 1, f"{field}.rect", "a building lies on one tile", "POZ-ALT-2")
    drawn = {cell for cell in building.cells() if _glyph(here, cell) == building.glyph}
    expect(drawn == set(building.cells()), f"{field}.rect", "its cells have its glyph", "POZ-SET-1.2")
    (ax, ay), (bx, by) = inside, outside = building.door
    door = abs(ax - bx) + abs(ay - by) == 1 and inside in building.cells() and _open(here, outside)
    expect(door, f"{field}.door", "a cell of the building and the open cell next to it", "POZ-ARS-24")
    tile = (bx // here.tile, by // here.tile)
    expect(tile in tiles, f"{field}.door", "it opens to the tile of the building", "POZ-ALT-2")
    if building.tunnel is not None:
        expect(building.tunnel in building.cells(), f"{field}.tunnel", "it is a cell of the building", "POZ-ARS-12")


def _check_courthouse(here: Map) -> None:
    house, field = here.buildings[COURTHOUSE], f"map.buildings.{COURTHOUSE}"
    cells = set(house.cells())
    centre = {(x // here.tile, y // here.tile) for x, y in cells} == {CENTRE}
    expect(centre and house.size == "large", f"{field}.rect", "it is large, and on the centre tile", "POZ-ALT-2")
    circles = () if house.circles is None else (house.circles.jackson, house.circles.medic)
    expect(len(cells & set(circles)) == 2, f"{field}.circles", "two cells of the courthouse", "POZ-SET-3.1")
    expect(house.jail in cells, f"{field}.jail", "a cell of the courthouse", "POZ-ARR-1")
    lenses = len(house.corner_cameras) == 4 and all(_open(here, cell) for cell in house.corner_cameras)
    expect(lenses, f"{field}.corner_cameras", "there are four, on open ground", "POZ-SET-3.1")
    x0, y0, x1, y1 = here.courthouse_square
    around = all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in cells)
    own = {(x0 // here.tile, y0 // here.tile), (x1 // here.tile, y1 // here.tile)} == {CENTRE}
    expect(around and own, "map.courthouse_square", "around the courthouse, on the centre tile", "POZ-SET-5.2")


def _check_things(here: Map) -> None:
    for field, things, count, rule in (
        ("dumpsters", here.dumpsters, DUMPSTERS, "POZ-DUM-1"),
        ("cameras", here.cameras, CAMERAS, "POZ-SET-1.4"),
        ("barricade_sites", here.barricade_sites, SITES, "POZ-BLD-7"),
    ):
        expect(len(things) == count, f"map.{field}", f"there are {count}", rule)
    for name, cell in {**here.dumpsters, **here.cameras}.items():
        expect(_open(here, cell), f"map.{name}", "it stands on open ground", "POZ-DUM-1")
    expect(_apart(here.dumpsters.values()), "map.dumpsters", "each stands on another cell", "POZ-DUM-1")
    expect(_apart(here.cameras.values()), "map.cameras", "each stands on another cell", "POZ-SET-1.4")
    taken = set[Cell]()
    for name, cells in here.barricade_sites.items():
        field = f"map.barricade_sites.{name}"
        marked = all(_glyph(here, cell) == "=" for cell in cells)
        expect(bool(cells) and marked, field, "its cells are marked crosswalks", "POZ-BAT-9")
        expect(_apart(cells) and taken.isdisjoint(cells), field, "each cell is of one site", "POZ-BAT-9")
        taken.update(cells)
    rainbow = all(_open(here, cell) for cell in here.rainbow_crosswalk)
    expect(rainbow, "map.rainbow_crosswalk", "open ground", "POZ-SET-1.1")


def _check_arrows(here: Map) -> None:
    """An arrow is where a street leaves the map, and a site lies behind it (2.3); the centre always has some."""
    near_centre = False
    for edge, (dx, dy) in INWARDS.items():
        colours = here.arrows.get(edge, {})
        expect(set(colours) == {"blue", "white"}, f"map.arrows.{edge}", "it has both arrows", "POZ-DSP-3")
        both = (*colours["blue"], *colours["white"])
        expect(_apart(both), f"map.arrows.{edge}", "each cell is of one arrow", "POZ-DSP-3")
        for colour, cells in colours.items():
            field = f"map.arrows.{edge}.{colour}"
            streets = [street for street in here.streets.values() if set(cells) == _end(here, street, edge)]
            expect(bool(streets), field, "it is where a street leaves the map", "POZ-DSP-3")
            behind = {(x + dx, y + dy) for x, y in cells}
            sites = [set(site) for site in here.barricade_sites.values()]
            expect(behind in sites, field, "a barricade site lies behind it", "POZ-DSP-3")
            tiles = {(x // here.tile, y // here.tile) for street in streets for x, y in _cells(here, street)}
            near_centre = near_centre or CENTRE in tiles
    expect(near_centre, "map.arrows", "a street with an arrow crosses the centre tile", "POZ-ALT-2")


def _end(here: Map, street: Street, edge: Edge) -> set[Cell]:
    """The cells of a street on the rim of the map, if it leads there."""
    if (street.axis == "x") != (edge in "ns"):
        return set()
    last = 0 if edge in "nw" else len(here.rows) - 1
    return {cell for cell in _cells(here, street) if cell[1 if street.axis == "x" else 0] == last}


def _cells(here: Map, street: Street) -> list[Cell]:
    side = range(len(here.rows))
    return [(lane, at) if street.axis == "x" else (at, lane) for lane in street.lanes for at in side]


def _apart(cells: Iterable[Cell]) -> bool:
    there = list(cells)
    return len(set(there)) == len(there)


def _open(here: Map, cell: Cell) -> bool:
    return _glyph(here, cell) in GROUND


def _glyph(here: Map, cell: Cell) -> str:
    """What is drawn on a cell; a sign of no cell off the map."""
    x, y = cell
    side = len(here.rows)
    return here.rows[y][x] if 0 <= x < side and 0 <= y < side else "?"
