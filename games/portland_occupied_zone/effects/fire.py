"""Effects on the town: fire, dumpsters, cameras, befoulment and gas (specification, 4.7 and 9.1)."""

from games.kernel import Effect, Hidden, Public
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.pieces import note
from games.portland_occupied_zone.state import Building, Checkpoint, State


class ArsonAdded(Effect, frozen=True):
    """An arson token was put on a building or checkpoint (POZ-ARS-4); `by` a character, or None."""

    place: Public[str]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """From the supply."""
        burnable(state, self.place).arson += 1
        state.supplies.arson -= 1
        if self.by is not None:
            note(state, self.by, "arson_tokens")


class FireRemoved(Effect, frozen=True):
    """`n` arson tokens were taken off a building or checkpoint, or a dumpster was put out."""

    place: Public[str]
    n: Public[int] = 1

    def fold(self, state: State) -> None:
        """To the supply; a dumpster shows its plain side."""
        if self.place in state.dumpsters:
            state.dumpsters[self.place].burning = False
        else:
            burnable(state, self.place).arson -= self.n
            state.supplies.arson += self.n


class BuildingBurnt(Effect, frozen=True):
    """A building has burnt down (POZ-ARS-6, -7): its loot is garbage, who was inside is on the door's cell."""

    building: Public[str]
    n: Public[int]
    cards: Hidden[tuple[str, ...]]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Open ground (POZ-ARS-26, POZ-R32)."""
        gone = state.buildings[self.building]
        state.supplies.arson += gone.arson
        gone.standing, gone.arson = False, 0
        if self.building in state.decks.loot:
            state.decks.loot[self.building] = []
            state.decks.garbage += [state.board.card(card, self.building) for card in self.cards]
        if state.medic.tending == self.building:
            state.medic.tending = None
        inside = state.board.buildings[self.building].door[0]
        for pc in state.pcs.values():
            if pc.space == self.building and pc.status != "jailed":
                pc.space = inside
        if state.turn is not None and state.turn.start_space == self.building:
            state.turn.start_space = inside
        if self.by is not None:
            note(state, self.by, "burned")


class DumpsterLit(Effect, frozen=True):
    """A dumpster burns (POZ-ARS-15)."""

    dumpster: Public[str]

    def fold(self, state: State) -> None:
        """Its burning side is up."""
        state.dumpsters[self.dumpster].burning = True


class DumpsterPushed(Effect, frozen=True):
    """A character pushed a dumpster (POZ-DUM-4); if it did not move, `to` is where it stands."""

    pc: Public[str]
    dumpster: Public[str]
    to: Public[Cell]
    cost: Public[int]

    def fold(self, state: State) -> None:
        """It is there; the movement is spent."""
        state.dumpsters[self.dumpster].cell = self.to
        if state.turn is not None:
            state.turn.moved += self.cost
        note(state, self.pc, "pushes")


class CameraDestroyed(Effect, frozen=True):
    """A surveillance camera is gone (POZ-CAM-2); `by` a character, or None."""

    camera: Public[str]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Off the board."""
        state.cameras[self.camera].present = False
        if self.by is not None:
            note(state, self.by, "cameras")


class CameraRestored(Effect, frozen=True):
    """A surveillance camera is back."""

    camera: Public[str]

    def fold(self, state: State) -> None:
        """On the board."""
        state.cameras[self.camera].present = True


class Befouled(Effect, frozen=True):
    """A befoulment lies on a cell (POZ-WST-8)."""

    cell: Public[Cell]

    def fold(self, state: State) -> None:
        """From the supply."""
        state.tokens.befoul.append(self.cell)
        state.supplies.befoul -= 1


class Gassed(Effect, frozen=True):
    """Gas lies on a cell (POZ-GAS-2); `by` the riot cop."""

    cell: Public[Cell]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """On the board."""
        state.tokens.gas.append(self.cell)


class Cleaned(Effect, frozen=True):
    """Tokens were taken off cells: befoulments to the supply, gas away."""

    befoul: Public[tuple[Cell, ...]] = ()
    gas: Public[tuple[Cell, ...]] = ()

    def fold(self, state: State) -> None:
        """Off the board."""
        tokens = state.tokens
        tokens.befoul = [cell for cell in tokens.befoul if cell not in self.befoul]
        tokens.gas = [cell for cell in tokens.gas if cell not in self.gas]
        state.supplies.befoul += len(self.befoul)


def burnable(state: State, place: str) -> Building | Checkpoint:
    """The building or checkpoint with this id."""
    return state.buildings[place] if place in state.buildings else state.checkpoints[place]


#: Every effect of this module.
FireEffect = (
    ArsonAdded
    | FireRemoved
    | BuildingBurnt
    | DumpsterLit
    | DumpsterPushed
    | CameraDestroyed
    | CameraRestored
    | Befouled
    | Gassed
    | Cleaned
)
