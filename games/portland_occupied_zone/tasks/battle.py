"""The Battle of Hawthorne begins (BATTLE_START; POZ-DIC-4 to -10)."""

from games.kernel import Step, Table
from games.portland_occupied_zone.effects import BattleStarted
from games.portland_occupied_zone.frames import PlaceCommune
from games.portland_occupied_zone.harm import release
from games.portland_occupied_zone.leading import leader, leader_seat
from games.portland_occupied_zone.state import State


class StartBattle(Step, frozen=True):
    """The courthouse goes: its prisoners are put out, but still lose their turn (ALG-RELEASE)."""

    def alive(self, state: State) -> bool:
        """It begins once."""
        return not state.battle

    def run(self, table: Table[State]) -> None:
        """Prisoners first; the rest follows."""
        table.push(RaiseCommune())
        for name, pc in table.state.pcs.items():
            if pc.status == "jailed" and pc.jail == "courthouse":
                release(table, name, awake=False)


class RaiseCommune(Step, frozen=True):
    """The acting Leader is Dictator, and places the Commune."""

    def run(self, table: Table[State]) -> None:
        """Courthouse, Pulpit and standard narratives go; the Commune has to be placed."""
        table.emit(BattleStarted(leader(table.state)))
        table.push(PlaceCommune(seats=(leader_seat(table.state),)))
