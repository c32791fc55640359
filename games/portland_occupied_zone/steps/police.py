"""Police business (specification, 4.3 step 2): gas, moves and fights, dispatch."""

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.dispatching import Dispatcher
from games.portland_occupied_zone.effects import FigureReturned, StunEnded
from games.portland_occupied_zone.effects.police import JACKSON, MEDIC
from games.portland_occupied_zone.gas import deploy
from games.portland_occupied_zone.medic import look_round, tend
from games.portland_occupied_zone.modifiers import in_force
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import figures, nearest_for_police
from games.portland_occupied_zone.routes import in_order
from games.portland_occupied_zone.sight import Sight
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.pursuing import jackson, riot


class DeployGas(Step, frozen=True):
    """2.2: the riot cops that are ready deploy gas (POZ-RND-2.2)."""

    def run(self, table: Table[State]) -> None:
        """One after the other."""
        state = table.state
        if not state.battle or in_force(state, "no_gas"):
            return
        sight = Sight(state)
        for cop in _ready(state):
            if cop not in state.stunned:
                deploy(table, cop, sight)


class MovePolice(Step, frozen=True):
    """2.3: the Medic returns; Jackson, the riot cops and the Medic act (POZ-RND-2.3, POZ-MED-2)."""

    def run(self, table: Table[State]) -> None:
        """In this order; who is off the board by then does not act."""
        state = table.state
        medic = state.medic
        if not medic.on_board and medic.returns_round == state.round and state.buildings[COURTHOUSE].standing:
            outside = state.board.buildings[COURTHOUSE].door[1]
            table.emit(FigureReturned(MEDIC, nearest_for_police(state, outside)))
        table.push(*(Activate(figure=figure) for figure in (JACKSON, *_ready(state), MEDIC)))


class Activate(Step, frozen=True):
    """A police figure acts, unless it is stunned."""

    figure: Public[str]

    def alive(self, state: State) -> bool:
        """It is on the board."""
        return self.figure in figures(state)

    def run(self, table: Table[State]) -> None:
        """As its kind does."""
        if self.figure in table.state.stunned:
            table.emit(StunEnded(self.figure))
            if self.figure == MEDIC:
                look_round(table)
        elif self.figure == JACKSON:
            jackson(table)
        elif self.figure == MEDIC:
            tend(table)
        else:
            riot(table, self.figure)


class Dispatch(Step, frozen=True):
    """2.4: Jackson and the Medic come back, riot cops join (POZ-RND-2.4)."""

    def run(self, table: Table[State]) -> None:
        """ALG-DISPATCH."""
        Dispatcher(table).business()


def _ready(state: State) -> list[str]:
    """The riot cops that act in this round, by id (POZ-DSP-6)."""
    return sorted((name for name, cop in state.cops.items() if cop.ready_round <= state.round), key=in_order)
