"""Which boards a pack may have, so that any of them joins any other (specification, 2.3)."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.block_mania.pack_faults import expect_known, expect_once
from games.block_mania.pack_parts import Board, Kind, Pack
from games.content import expect

COLUMNS: Final = 10
#: The columns of the tower; the outermost two are its faces.
TOWER: Final = range(2, 8)
FACES: Final = (2, 7)
NUMBERS: Final = sorted(str(10 * tens + units) for tens in range(1, 7) for units in range(1, 7))
#: Elevator shafts, grav chute, fire control.
LETTERS: Final = "EKGF"
SHAFTS: Final = "EKG"
SEATS_MAX: Final = 4
TANK_LEVEL: Final = 3
#: What a board needs, and the rule that uses it.
NEEDED: Final = {
    "armory": "BM-EQA-1",
    "hardware_store": "BM-EQA-1",
    "bank": "BM-LOOT-1",
    "power_house": "BM-EQA-10",
    "water_tank": "BM-SD-5",
    "vehicle_park": "BM-TR-7",
    "station": "BM-TR-6",
    "entrance": "BM-LOC-2",
}
#: Ways between boards: what stands on the faces of their level, and which rule rides them.
WAYS: Final = {
    "sky_rail": ("tubeway", "BM-TR-6"),
    "mega_way": ("tunnel", "BM-TR-7"),
    "pedway": ("pedway_terminus", "BM-TR-8"),
    "plaza": ("entrance", "BM-WALK-4"),
}


def check_boards(pack: Pack) -> None:
    """Test kinds and boards.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    _check_kinds(pack.kinds)
    expect_once([board.id for board in pack.boards], "boards", "BM-SET-7")
    enough = len(pack.boards) >= SEATS_MAX
    expect(enough, "boards", f"there is a board for each of {SEATS_MAX} seats", "BM-SET-7")
    kinds = {kind.id: kind for kind in pack.kinds}
    for index, board in enumerate(pack.boards):
        _check_board(board, pack.boards[0], kinds, f"boards[{index}]")


def _check_kinds(kinds: Sequence[Kind]) -> None:
    expect_once([kind.id for kind in kinds], "kinds", "BM-LOC-1")
    for index, kind in enumerate(kinds):
        field = f"kinds[{index}]"
        expect(len(kind.id) == 2 and " " not in kind.id, f"{field}.id", "it has two characters", "BM-LOC-1")
        coloured = (kind.cls == "interior") == (kind.colour is not None)
        expect(coloured, f"{field}.colour", "Interior squares, and they alone, have a colour", "BM-LOC-3")
        windows = (kind.cls == "window") == ("window" in kind.tags)
        expect(windows, f"{field}.tags", "the squares of class window, and they alone, are windows", "BM-WIN-8")


def _check_board(board: Board, first: Board, kinds: Mapping[str, Kind], field: str) -> None:
    expect("," not in board.id and ":" not in board.id, f"{field}.id", "it has no comma and no colon", "BM-EDGE-1")
    rows = grid(board.kinds)
    expect(bool(rows), f"{field}.kinds", "there is a level", "BM-LOC-1")
    level = len(rows) == len(first.kinds)
    expect(level, f"{field}.kinds", "all boards have the same levels", "BM-EDGE-1")
    for number, row in enumerate(rows):
        place = f"{field}.kinds[{number}]"
        expect(len(row) == COLUMNS, place, f"there are {COLUMNS} columns", "BM-EDGE-1")
        expect_known(row, kinds, place, "BM-LOC-1")
        _check_row([kinds[code] for code in row], place)
        edge = grid(first.kinds)[number][0]
        fits = row[0] == row[-1] == edge
        expect(fits, place, f"the half squares are {edge}, as on {first.id}", "BM-EDGE-1")
    tags = {tag for row in rows for code in row for tag in kinds[code].tags}
    for tag, rule in NEEDED.items():
        expect(tag in tags, f"{field}.kinds", f"there is a square with {tag}", rule)
    for number, row in enumerate(rows):
        high = len(rows) - 1 - number >= TANK_LEVEL
        tank = any("water_tank" in kinds[code].tags for code in row)
        expect(high or not tank, f"{field}.kinds[{number}]", f"a Water Tank is on level {TANK_LEVEL} or up", "BM-SD-5")
    _check_numbers(board, rows, kinds, field)
    _check_features(board, field)


def _check_row(row: Sequence[Kind], field: str) -> None:
    for column, kind in enumerate(row):
        outside = column not in TOWER
        expect((kind.cls == "open_air") == outside, field, f"column {column} is {_where(outside)}", "BM-LOC-1")
        inner = column in TOWER and column not in FACES
        expect(kind.cls == "interior" or not inner, field, "Windows are on the faces alone", "BM-WIN-8")
    for way, (face, rule) in WAYS.items():
        for side, (edge, near) in ((FACES[0], (0, 1)), (FACES[1], (9, 8))):
            leads = way in row[edge].tags
            expect((way in row[near].tags) == leads, field, f"a {way} goes on up to the tower", rule)
            expect((face in row[side].tags) == leads, field, f"a {face} is where a {way} meets the tower", rule)


def _where(outside: bool) -> str:  # noqa: FBT001 one of two words
    return "Open Air" if outside else "in the tower"


def _check_numbers(board: Board, rows: list[list[str]], kinds: Mapping[str, Kind], field: str) -> None:
    cells = grid(board.numbers)
    _check_shape(cells, len(rows), f"{field}.numbers")
    for number, row in enumerate(cells):
        for column, cell in zip(TOWER, row, strict=True):
            inside = kinds[rows[number][column]].cls == "interior"
            expect(cell == "--" or inside, f"{field}.numbers[{number}]", "Interior squares have numbers", "BM-1CI-3")
    found = sorted(cell for row in cells for cell in row if cell != "--")
    expect(found == NUMBERS, f"{field}.numbers", "each number of d66 is there once", "BM-1CI-3")


def _check_features(board: Board, field: str) -> None:
    cells = grid(board.features)
    _check_shape(cells, len(board.kinds), f"{field}.features")
    for number, row in enumerate(cells):
        for cell in row:
            known = cell == "-" or (len(set(cell)) == len(cell) and set(cell) <= set(LETTERS))
            expect(known, f"{field}.features[{number}]", f"{cell} is - or letters of {LETTERS}", "BM-TR-4")
    for letter in SHAFTS:
        at = [(number, column) for number, row in enumerate(cells) for column, cell in enumerate(row) if letter in cell]
        straight = len({column for _, column in at}) <= 1
        whole = not at or at[-1][0] - at[0][0] == len(at) - 1
        rule = "BM-TR-5" if letter == "G" else "BM-TR-4"
        expect(straight and whole, f"{field}.features", f"the shaft {letter} is one vertical run", rule)


def _check_shape(cells: list[list[str]], levels: int, field: str) -> None:
    expect(len(cells) == levels, field, "there is a row for each level", "BM-LOC-2")
    for number, row in enumerate(cells):
        expect(len(row) == len(TOWER), f"{field}[{number}]", f"there are {len(TOWER)} columns", "BM-LOC-2")


def grid(rows: Sequence[str]) -> list[list[str]]:
    """The cells of a table of a board, the top level first."""
    return [row.split() for row in rows]
