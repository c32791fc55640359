"""Reach, hits on police, and their defeat (ALG-HITCOP; POZ-COP-5, POZ-MED-8)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import BricksChanged, FigureDefeated, MedicAttacked
from games.portland_occupied_zone.effects.police import JACKSON, MEDIC
from games.portland_occupied_zone.harm import crapulence, hurt
from games.portland_occupied_zone.modifiers import flagged, modifier
from games.portland_occupied_zone.pack_parts import Police
from games.portland_occupied_zone.places import distance, near
from games.portland_occupied_zone.sight import sees
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.throws import d4

DUMPSTER = 4  # POZ-DUM-10
ENCORE = 3  # 2.8, Kim


def in_reach(state: State, pc: str, space: Space) -> bool:
    """Whether a character can attack what is in a space: near, or in range and in its line of sight (POZ-R74, R80)."""
    here = state.pcs[pc].space
    if near(state, here, space):
        return True
    reach = modifier(state, pc, "range")
    return reach > 0 and distance(state, here, space) <= 1 + reach and sees(state, here, space)


def stats(state: State, figure: str) -> Police:
    """Hits to defeat, movement and damage of a police figure."""
    police = state.board.pack.limits.police
    return police.jackson if figure == JACKSON else police.medic if figure == MEDIC else police.riot


def wall(state: State, pc: str) -> int:
    """The defense that a barricade adds (POZ-BAT-12)."""
    space = state.pcs[pc].space
    return int(isinstance(space, str) and space in state.structures and state.structures[space].type == "barricade")


def hit_figure(table: Table[State], pc: str, figure: str, hits: int) -> None:
    """ALG-HITCOP: enough hits at once defeat; the Medic strikes back at the same time (POZ-MED-8, POZ-R57)."""
    state = table.state
    back = 0
    if figure == MEDIC:
        table.emit(MedicAttacked(pc))
        back = d4(table, "medic") + stats(state, MEDIC).damage - modifier(state, pc, "defense")
    if hits >= stats(state, figure).hits:
        defeat(table, pc, figure)
    hurt(table, pc, back, "medic")


def defeat(table: Table[State], pc: str, figure: str) -> None:
    """A figure falls to a character (POZ-SCO-5, -6)."""
    state = table.state
    table.emit(FigureDefeated(figure, pc))
    feats = state.board.characters[pc].feats
    crapulence(table, pc, feats["medic" if figure == MEDIC else "cop"], "defeat")
    if flagged(state, pc, "encore") and state.supplies.bricks:
        table.emit(BricksChanged(pc, min(ENCORE, state.supplies.bricks)))
