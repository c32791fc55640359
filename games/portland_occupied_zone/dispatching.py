"""Dispatch of police and checkpoints (ALG-DISPATCH, ALG-CHECKPOINT)."""

from games.kernel import Table
from games.portland_occupied_zone.state import State


def dispatch(table: Table[State], n: int) -> None:
    """Place n extra riot cops within the cap."""


def place_checkpoints(table: Table[State], n: int) -> None:
    """Place n checkpoints."""
