"""Whom the police go for, fight or shoot; of several equally crapulent ones the Leader says who (POZ-R18)."""

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import FigureAttacked
from games.portland_occupied_zone.effects.police import MEDIC
from games.portland_occupied_zone.fighting import wall
from games.portland_occupied_zone.frames import ChoosePoliceTarget
from games.portland_occupied_zone.harm import hurt
from games.portland_occupied_zone.leading import leader_seat, most_crapulent
from games.portland_occupied_zone.modifiers import flagged, in_force, modifier
from games.portland_occupied_zone.places import cells_of, figures, is_building
from games.portland_occupied_zone.sight import Sight
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.fighting import cop_hits, damage_bonus
from games.portland_occupied_zone.throws import d4


class Against(Step, frozen=True):
    """What a figure does to a character, once it is clear to which of `pcs`; the answer of the Leader leaves one."""

    figure: Public[str]
    pcs: Public[tuple[str, ...]]

    def run(self, table: Table[State]) -> None:
        """Ask, or do it."""
        if len(self.pcs) > 1:
            seats = (leader_seat(table.state),)
            table.push(ChoosePoliceTarget(seats=seats, figure=self.figure, pcs=self.pcs), self)
        else:
            self.against(table, self.pcs[0])

    def against(self, table: Table[State], pc: str) -> None:
        """What it does to this character."""
        raise NotImplementedError


class Fight(Against, frozen=True):
    """A cop fights a character hand to hand (ALG-COPHIT)."""

    def against(self, table: Table[State], pc: str) -> None:
        """It may defend itself."""
        table.emit(FigureAttacked(self.figure, pc))
        cop_hits(table, self.figure, pc)


class Shoot(Against, frozen=True):
    """A figure shoots at a character (ALG-SHOOT)."""

    def against(self, table: Table[State], pc: str) -> None:
        """Only what it wears and where it stands protects it (POZ-SHT-3)."""
        state = table.state
        table.emit(FigureAttacked(self.figure, pc, shot=True))
        medic = self.figure == MEDIC
        damage = d4(table, "medic" if medic else "cop") + damage_bonus(state, self.figure)
        guard = modifier(state, pc, "defense") + wall(state, pc)
        hurt(table, pc, damage - guard, "medic" if medic else "cop")


def fight(table: Table[State], figure: str, pcs: list[str]) -> None:
    """A cop fights the most crapulent of these (POZ-BAT-11)."""
    table.push(Fight(figure=figure, pcs=tuple(most_crapulent(table.state, pcs))))


def aim(table: Table[State], figure: str) -> None:
    """A figure that attacked nothing shoots, if the police may: the most crapulent that it sees itself (POZ-SHT-2)."""
    state = table.state
    if not in_force(state, "police_shoot") or (figure == MEDIC and not state.options.medic_shoots):
        return
    seen = _seen_by(state, figure)
    if seen:
        table.push(Shoot(figure=figure, pcs=tuple(most_crapulent(state, seen))))


def _seen_by(state: State, figure: str) -> list[str]:
    """Those in its own sight: awake, not hidden, in a structure only next to it, in a building never (POZ-R56, R78)."""
    space = figures(state).get(figure)
    if space is None or is_building(state, space):
        return []
    sight = Sight(state)
    return [
        pc
        for pc, who in state.pcs.items()
        if who.awake
        and not is_building(state, who.space)
        and not flagged(state, pc, "hidden")
        and any(sight.pc_seen_from(pc, cell) for cell in cells_of(state, space))
    ]
