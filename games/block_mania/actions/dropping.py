"""Putting down bombs and mines, and with Mine Bluffing anything (specification, 4.3, 4.16; BM-EQA-7, BM-ALT-3)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal, Self

from msgspec import structs

from games.block_mania.actions.command import active
from games.block_mania.actions.equipment import COST, OnToken, check_attacks_so, check_held, own_turn
from games.block_mania.effects import TokenDropped
from games.block_mania.equipment import stays_up
from games.block_mania.mover import Mover
from games.block_mania.pieces import without
from games.block_mania.predicates import item, pinned
from games.block_mania.refusals import refuse
from games.block_mania.state import Blocker, State
from games.kernel import Secret, Table


class Drop(OnToken, frozen=True):
    """Put down a bomb or mine; with Mine Bluffing any token, face down (BM-EQA-7, BM-ALT-3).

    `mode` is `armed`, as without that option, or `bluff`: face down, and no bomb.
    """

    rule: ClassVar[str] = "BM-EQA-7"

    mode: Secret[Literal["armed", "bluff"]] = "armed"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind, each way."""
        for token in dict.fromkeys(active(state).equipment):
            yield from (cls(token, mode) for mode in modes(state, token))

    def check(self, state: State, seat: int) -> None:
        """Something that is dropped, and a way to leave it behind where that is due."""
        blocker = own_turn(state, COST, "BM-EQA-7")
        check_held(blocker, self.token, "BM-EQA-7")
        check_attacks_so(state, blocker)
        if self.mode not in modes(state, self.token):
            refuse("BM-EQA-7" if self.mode == "armed" else "BM-ALT-3", "not_dropped", token=self.token)
        if leaves(state, self.token, self.mode):
            _check_way_out(state, blocker, self.token)
        elif not stays_up(state, blocker, without(blocker.equipment, self.token)):
            refuse("BM-FLY-1", "would_fall")

    def apply(self, table: Table[State], seat: int) -> None:
        """It lies there."""
        state = table.state
        blocker = active(state)
        duty = leaves(state, self.token, self.mode)
        table.emit(TokenDropped(seat, blocker.id, blocker.at, self.token, not _covered(state, self), duty))
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost in movement points, and whether the blocker has to leave at once."""
        return {"cost": COST, "must_leave": leaves(state, self.token, self.mode)}


def modes(state: State, token: str) -> list[Literal["armed", "bluff"]]:
    """How a kind can be dropped: bombs armed; with Mine Bluffing mines and all else as a bluff."""
    kind = item(state, token).drop
    found: list[Literal["armed", "bluff"]] = ["armed"] if kind is not None else []
    return [*found, "bluff"] if state.options.mine_bluffing and kind != "mine" else found


def leaves(state: State, token: str, mode: str) -> bool:
    """Whether the blocker has to leave what it drops at once: all but a demo charge (BM-EQA-7)."""
    return mode == "bluff" or item(state, token).drop in ("mine", "thermo")


def _covered(state: State, drop: Drop) -> bool:
    """Whether it lies face down: bluffs, and the mines among them."""
    mine = item(state, drop.token).drop == "mine"
    return drop.mode == "bluff" or (state.options.mine_bluffing and mine)


def _check_way_out(state: State, blocker: Blocker, token: str) -> None:
    """A move that does not kill, within what is left and can be bought (4.3)."""
    if pinned(state, blocker):
        refuse("BM-R78", "pinned")
    if blocker.movement_over:
        refuse("BM-EQA-7", "movement_over")
    after = structs.replace(blocker, equipment=without(blocker.equipment, token), free_trail=(), must_leave=True)
    if not stays_up(state, blocker, after.equipment):
        refuse("BM-FLY-1", "would_fall")
    if not Mover(state, after, blocker.mp_left - COST + state.command_points).has_way_out():
        refuse("BM-EQA-7", "no_way_out")
