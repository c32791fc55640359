"""Effects on squares and blocks: fire, damage, collapse, loot, virus, power (specification, 4.9 to 4.11, 4.14)."""

from typing import ClassVar

from games.block_mania.pieces import empty_square, lose, square, tidy, to_pool
from games.block_mania.state import State
from games.kernel import EVERYONE, Effect, Public


class FireAdded(Effect, frozen=True):
    """A Fire marker was added; `die` is the explosion check of an Armory or Vehicle Park (BM-FIRE-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    cause: Public[str]
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """It burns."""
        square(state, self.square).fire += 1


class FireRemoved(Effect, frozen=True):
    """Fire markers went out; `dice` of a firefighter or the sprinklers."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    n: Public[int]
    cause: Public[str]
    dice: Public[tuple[int, ...]] = ()

    def fold(self, state: State) -> None:
        """They are gone."""
        square(state, self.square).fire -= self.n
        tidy(state, self.square)


class FireSpread(Effect, frozen=True, rename={"from_": "from"}):
    """A marker too many went to another square by two dice; `die` is an explosion check there (BM-FIRE-2)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    from_: Public[str]
    to: Public[str]
    dice: Public[tuple[int, int]]
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """It burns there; one that lay in `from` has left it by `fire_removed`."""
        square(state, self.to).fire += 1


class FireLost(Effect, frozen=True):
    """A marker too many found no square to go to by two dice (BM-FIRE-3, -4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    dice: Public[tuple[int, int]]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class FireChecked(Effect, frozen=True):
    """The die of step c for a burning square: `result` is removed, damage or none (BM-FIRE-8)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    die: Public[int]
    result: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: what it does follows."""


class DamageAdded(Effect, frozen=True):
    """Structural damage: `explosion` is the die of an Armory, `die` that for a collapse (BM-SD-1, -4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    cause: Public[str]
    explosion: Public[int | None] = None
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """One more token."""
        square(state, self.square).damage += 1


class SquareCollapsed(Effect, frozen=True):
    """A square collapsed: its tokens are gone; `die` is the explosion check of a collapsing Armory (BM-COL-1, -2).

    `block` is the seat whose tower it was part of; deaths are effects of their own, after this one.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    cause: Public[str]
    block: Public[int | None]
    die: Public[int | None] = None

    def fold(self, state: State) -> None:
        """A Collapse marker alone; the virus that ate the square lives (4.11). A cut leaves all else (BM-R34)."""
        here = square(state, self.square)
        here.collapsed = True
        if self.cause == "cut":
            return
        eats = here.virus and self.cause == "virus"
        here.virus = here.virus and not eats
        empty_square(state, self.square)
        square(state, self.square).virus = eats
        if self.block is not None:
            state.seats[self.block].collapses_since_check += 1
            state.seats[self.block].collapses_this_turn += 1


class PedwaySevered(Effect, frozen=True):
    """A collapsed Pedway square was hit again (BM-SD-3)."""

    square: Public[str]

    def fold(self, state: State) -> None:
        """Nobody walks there any more."""
        square(state, self.square).severed = True


class Exploded(Effect, frozen=True):
    """An Armory, Vehicle Park or bomb exploded; `what` is its kind. Attacks and collapse follow."""

    square: Public[str]
    what: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class LootRolled(Effect, frozen=True):
    """A blocker tried to loot (BM-LOOT-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    square: Public[str]
    die: Public[int]
    success: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class Looted(Effect, frozen=True):
    """A place was looted (BM-LOOT-2)."""

    blocker: Public[str]
    square: Public[str]

    def fold(self, state: State) -> None:
        """A Looted marker."""
        square(state, self.square).looted = True


class ArsonRolled(Effect, frozen=True):
    """A blocker tried to set fire (BM-ARS-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    square: Public[str]
    die: Public[int]
    success: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves: a fire follows."""


class Scrawled(Effect, frozen=True):
    """A blocker left a Scrawl marker (BM-SCR-1)."""

    blocker: Public[str]
    square: Public[str]

    def fold(self, state: State) -> None:
        """It is written."""
        square(state, self.square).scrawl = True


class VirusReleased(Effect, frozen=True):
    """The plascrete virus was set free (BM-EQA-8)."""

    blocker: Public[str]
    square: Public[str]

    def fold(self, state: State) -> None:
        """From the blocker to the square."""
        blocker = state.blockers[self.blocker]
        lose(blocker, "plascrete_virus")
        blocker.mp_left -= 1
        blocker.free_trail = ()
        square(state, self.square).virus = True


class VirusChecked(Effect, frozen=True):
    """The die of the virus in an End Phase: on 4 or more its square collapses (BM-4A-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    die: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class VirusMoved(Effect, frozen=True, rename={"from_": "from"}):
    """The virus went to another square: all dice thrown for it, two for each try (BM-R55)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    from_: Public[str]
    to: Public[str]
    dice: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """It is there."""
        square(state, self.from_).virus = False
        tidy(state, self.from_)
        square(state, self.to).virus = True


class GasReleased(Effect, frozen=True):
    """Nerve gas was let into a block (a seat's), to work in the Combat Phase (BM-EQA-9)."""

    blocker: Public[str]
    block: Public[int]

    def fold(self, state: State) -> None:
        """It will; the token goes back to its pool."""
        blocker = state.blockers[self.blocker]
        lose(blocker, "nerve_gas")
        to_pool(state, "nerve_gas")
        blocker.mp_left -= 1
        blocker.free_trail = ()
        state.gas.append(self.block)


class PowerSet(Effect, frozen=True):
    """The power of a block (a seat's) is on or off (BM-EQA-10)."""

    block: Public[int]
    on: Public[bool]
    cause: Public[str]

    def fold(self, state: State) -> None:
        """Light, or none."""
        state.seats[self.block].power = self.on


class CatastropheRolled(Effect, frozen=True):
    """Five dice against the number of collapsed squares of a block (a seat's); below it, it falls (BM-4C-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    block: Public[int]
    dice: Public[tuple[int, ...]]
    number: Public[int]
    collapses: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class CatastropheChecked(Effect, frozen=True):
    """The check of a block (a seat's) is over: the reminder goes back (BM-COL-4)."""

    block: Public[int]

    def fold(self, state: State) -> None:
        """Count anew."""
        state.seats[self.block].collapses_since_check = 0


class BlockCollapsed(Effect, frozen=True):
    """A block (a seat's) fell: `squares` are those of its tower; deaths come after (BM-4C-1)."""

    block: Public[int]
    squares: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Open Air and 200 Defeat Points."""
        state.seats[self.block].collapsed = True
        for name in self.squares:
            empty_square(state, name)
            state.squares.pop(name, None)
