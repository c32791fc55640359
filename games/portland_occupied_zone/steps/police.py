"""Police business (specification, 4.3 step 2 and 4.7)."""

from games.kernel import Step, Table
from games.portland_occupied_zone.state import State


class DeployGas(Step, frozen=True):
    """2.2."""

    def run(self, table: Table[State]) -> None:
        """To come."""


class MovePolice(Step, frozen=True):
    """2.3."""

    def run(self, table: Table[State]) -> None:
        """To come."""


class Dispatch(Step, frozen=True):
    """2.4."""

    def run(self, table: Table[State]) -> None:
        """To come."""
