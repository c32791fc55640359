"""The house pack and short names for its squares: TP and GR are the boards of the specification's examples."""

from pathlib import Path

from games.block_mania.board import map_of
from games.block_mania.pack import SHELF
from games.block_mania.sight import sight

HOUSE = Path(__file__).parents[3] / "games/block_mania/content/block_mania-house-1.json"
DIGEST = SHELF.add(HOUSE.read_bytes())
NAMES = {"TP": "tallow_point", "GR": "gantry_row", "QH": "quillon_house", "SR": "saltmarsh_rise"}
BOARDS = tuple(NAMES.values())
TWO, THREE, FOUR = (map_of(DIGEST, BOARDS[:seats]) for seats in (2, 3, 4))


def sq(short):
    """`TP:7,4` in full."""
    board, cell = short.split(":")
    return f"{NAMES[board]}:{cell}"


def area(here, short):
    """An area from `TP:7,4 out`; without a side: the inside, or the only one there is."""
    name, _, side = short.partition(" ")
    square = here.squares[sq(name)]
    return square.id, side or square.sides[0]


def standing(here, collapsed=(), *, open_living=False):
    return sight(here, frozenset(collapsed), open_living=open_living)
