"""Effects on the POZ: structures and NPCs (specification, 4.4 and 9.1)."""

from typing import Literal

from games.kernel import Effect, Public
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.pieces import add_structure, drop_structure
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.underway import Exchange


class StructurePlaced(Effect, frozen=True):
    """A structure stands; its first cell is its anchor."""

    structure: Public[str]
    type: Public[str]
    cells: Public[tuple[Cell, ...]]

    def fold(self, state: State) -> None:
        """On the board, with no NPCs (POZ-BAT-6)."""
        add_structure(state, self.structure, self.type, self.cells)


class StructureRemoved(Effect, frozen=True):
    """The Leader took a structure off: `why` population, recruit."""

    structure: Public[str]
    type: Public[str]
    why: Public[str]

    def fold(self, state: State) -> None:
        """Off the board."""
        drop_structure(state, self.structure)


class StructureDestroyed(Effect, frozen=True):
    """The police destroyed a structure (`by` the figure)."""

    structure: Public[str]
    type: Public[str]
    by: Public[str]

    def fold(self, state: State) -> None:
        """Off the board."""
        drop_structure(state, self.structure)


class ExchangeBegun(Effect, frozen=True):
    """The Leader wants a structure for others, and says where it will stand (POZ-BLD-5)."""

    type: Public[str]
    cells: Public[tuple[Cell, ...]] = ()

    def fold(self, state: State) -> None:
        """Nothing has been given for it."""
        state.exchange = Exchange(type=self.type, cells=self.cells)


class StructureGiven(Effect, frozen=True):
    """A structure is marked as part of the price."""

    structure: Public[str]

    def fold(self, state: State) -> None:
        """Marked."""
        assert state.exchange is not None
        state.exchange.given.append(self.structure)


class StructuresExchanged(Effect, frozen=True):
    """What was given is gone, the new structure stands (POZ-GOV-8)."""

    structure: Public[str]
    type: Public[str]
    cells: Public[tuple[Cell, ...]]
    given: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """Old ones off, the new one on."""
        state.exchange = None
        for name in self.given:
            drop_structure(state, name)
        add_structure(state, self.structure, self.type, self.cells)


class NpcPlaced(Effect, frozen=True):
    """An NPC from the supply stands in a structure."""

    structure: Public[str]

    def fold(self, state: State) -> None:
        """From the supply."""
        state.structures[self.structure].npcs += 1
        state.supplies.npc -= 1


class NpcMoved(Effect, frozen=True, rename={"from_": "from"}):
    """The Leader sent an NPC to another structure (POZ-RND-1.4)."""

    from_: Public[str]
    to: Public[str]

    def fold(self, state: State) -> None:
        """From one to the other."""
        state.structures[self.from_].npcs -= 1
        state.structures[self.to].npcs += 1
        state.teach_in.reassigned += 1


class NpcKilled(Effect, frozen=True):
    """An NPC is gone: `by` a riot cop, or sacrificed by a character."""

    structure: Public[str]
    by: Public[str]
    why: Public[Literal["attack", "sacrifice"]] = "attack"

    def fold(self, state: State) -> None:
        """Back to the supply."""
        state.structures[self.structure].npcs -= 1
        state.supplies.npc += 1


#: Every effect of this module.
BuildingEffect = (
    StructurePlaced
    | StructureRemoved
    | StructureDestroyed
    | ExchangeBegun
    | StructureGiven
    | StructuresExchanged
    | NpcPlaced
    | NpcMoved
    | NpcKilled
)
