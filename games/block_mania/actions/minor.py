"""Looting, arson, scrawling, fire fighting (specification, 4.14)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.block_mania.actions.naming import OfBlocker
from games.block_mania.effects import ArsonRolled, BlockerFlipped, FireRemoved, Looted, LootRolled, Scrawled
from games.block_mania.engine import Engine
from games.block_mania.equipment import DrawTokens, reveal
from games.block_mania.minor import (
    LOOT,
    SUCCESS,
    arson_refusal,
    firefight_refusal,
    firefights,
    loot_refusal,
    loot_tag,
    scrawl_refusal,
    skill,
    spray_of,
)
from games.block_mania.refusals import Refusal, demand
from games.block_mania.state import State
from games.kernel import Public, Table

#: How many tokens a looter draws (BM-LOOT-2).
LOOTED_TOKENS = 3


class _Minor(OfBlocker, frozen=True):
    """Something that an unflipped blocker does where it stands."""

    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every blocker that may."""
        return (cls(name) for name in state.blockers if cls.refusal(state, seat, name) is None)

    @staticmethod
    def refusal(state: State, seat: int, name: str) -> Refusal | None:
        """Why a blocker may not."""
        raise NotImplementedError

    def check(self, state: State, seat: int) -> None:
        """The blocker and its square."""
        demand(self.refusal(state, seat, self.blocker))


class Loot(_Minor, frozen=True):
    """Loot a Hardware Store, an Armory or a Bank (BM-LOOT-1)."""

    rule: ClassVar[str] = "BM-LOOT-1"

    refusal = staticmethod(loot_refusal)

    def apply(self, table: Table[State], seat: int) -> None:
        """Flip and roll; of a store or Armory three tokens are drawn (BM-LOOT-2)."""
        state = table.state
        blocker = state.blockers[self.blocker]
        table.stay()
        table.emit(BlockerFlipped(self.blocker))
        die = table.roll("loot", 6)
        success = die + skill(state, blocker) >= SUCCESS
        table.emit(LootRolled(self.blocker, blocker.at, die, success))
        if success:
            table.emit(Looted(self.blocker, blocker.at))
        pool = LOOT[loot_tag(state, blocker.at) or "bank"]
        if success and pool is not None:
            table.push(DrawTokens(blocker=self.blocker, pool=pool, left=LOOTED_TOKENS))


class Arson(_Minor, frozen=True):
    """Set fire to the square (BM-ARS-1)."""

    rule: ClassVar[str] = "BM-ARS-1"

    refusal = staticmethod(arson_refusal)

    def apply(self, table: Table[State], seat: int) -> None:
        """Flip and roll; a success is a Fire marker."""
        state = table.state
        blocker = state.blockers[self.blocker]
        square = blocker.at
        table.stay()
        table.emit(BlockerFlipped(self.blocker))
        die = table.roll("arson", 6)
        success = die + skill(state, blocker) >= SUCCESS
        table.emit(ArsonRolled(self.blocker, square, die, success))
        if success:
            engine = Engine(table)
            engine.fire(square, "arson")
            engine.drain()


class Scrawl(_Minor, frozen=True):
    """Scrawl on the square, without a roll (BM-SCR-1)."""

    rule: ClassVar[str] = "BM-SCR-1"

    refusal = staticmethod(scrawl_refusal)

    def apply(self, table: Table[State], seat: int) -> None:
        """Flip; a marker, if there is none yet."""
        blocker = table.state.blockers[self.blocker]
        table.stay()
        reveal(table, self.blocker, spray_of(table.state, blocker) or "")
        table.emit(BlockerFlipped(self.blocker))
        if not table.state.square(blocker.at).scrawl:
            table.emit(Scrawled(self.blocker, blocker.at))


class Firefight(OfBlocker, frozen=True):
    """Fight the fire of a neighbouring square from a fire control (BM-FF-1)."""

    rule: ClassVar[str] = "BM-FF-1"
    exact: ClassVar[bool] = True

    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Who may fight which fire."""
        return (cls(*found) for found in firefights(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The blocker, its square, a fire beside it."""
        demand(firefight_refusal(state, seat, self.blocker, self.target))

    def apply(self, table: Table[State], seat: int) -> None:
        """Flip; a die for each marker."""
        state = table.state
        table.stay()
        table.emit(BlockerFlipped(self.blocker))
        strength = skill(state, state.blockers[self.blocker])
        for _ in range(state.square(self.target).fire):
            die = table.roll("firefight", 6)
            out = int(die + strength >= SUCCESS)
            table.emit(FireRemoved(self.target, out, "firefight", (die,)))
