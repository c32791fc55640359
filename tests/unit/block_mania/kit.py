"""The house pack and short names for its squares: TP and GR are the boards of the specification's examples."""

from pathlib import Path

import msgspec

from games.block_mania.board import map_of
from games.block_mania.options import Options
from games.block_mania.pack import SHELF
from games.block_mania.sight import sight
from games.block_mania.state import Blocker, Seat, Square, State
from games.dice import Dice, Script
from games.kernel import Table

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


def state_of(blockers=(), squares=(), seats=2, **changes):
    """A state with these blockers (id, type, seat, place as for `area`, equipment) and squares, all else untouched."""
    here = {2: TWO, 3: THREE, 4: FOUR}[seats]
    names = BOARDS[:seats]
    state = State(
        pack=DIGEST,
        options=Options(**changes.pop("options", {})),
        turn_order=list(range(seats)),
        boards=names,
        owners=tuple(range(seats)),
        seats=[Seat(board=name) for name in names],
        phase="shoot",
        turn_no=1,
        squares={sq(name): Square(**marks) for name, marks in dict(squares).items()},
        **changes,
    )
    for order, (name, kind, seat, at, *equipment) in enumerate(blockers, start=1):
        square, side = area(here, at)
        state.blockers[name] = Blocker(
            id=name,
            type=kind,
            seat=seat,
            controller=None if kind == "futsy" else seat,
            at=square,
            side=side,
            equipment=tuple(equipment),
            arrived=order,
        )
    return state


def table_of(state, *dice):
    """A table with these dice, then those of a fixed key."""
    return Table(state, Dice(b"key", script=Script(dice=dice)))


def told(table, *names):
    """The effects of these tags, in order, as dicts."""
    found = [msgspec.to_builtins(effect) for effect in table.effects]
    return [effect for effect in found if effect["effect"] in names]


def used_up(table):
    """Whether exactly the scripted dice were thrown."""
    return table.dice.draws == len(table.dice.script.dice)
