"""What the actions of a turn have in common."""

from typing import TypeVar

from games.kernel import Step, Table
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import find
from games.portland_occupied_zone.effects import EquippingClosed
from games.portland_occupied_zone.modifiers import hand_limit
from games.portland_occupied_zone.state import Pc, State, Turn

S = TypeVar("S", bound=Step)


def asked(state: State, kind: type[S]) -> S:
    """The step that is answered: the top of the agenda."""
    step = state.agenda[-1]
    assert isinstance(step, kind)
    return step


def turn_of(state: State) -> Turn:
    """The turn under way."""
    assert state.turn is not None
    return state.turn


def me(state: State) -> Pc:
    """The character whose turn it is."""
    return state.pcs[turn_of(state).pc]


def begin(table: Table[State]) -> None:
    """An action that is no equipping: there is no more of that in this turn (POZ-TRN-3)."""
    turn = turn_of(table.state)
    if turn.equip_open or not turn.acted:
        table.emit(EquippingClosed(turn.pc))


def check_free(state: State) -> None:
    """Refuse what cannot be done in gas (POZ-GAS-4, POZ-R27)."""
    if turn_of(state).in_gas:
        refuse("POZ-GAS-4", "in_gas")


def held(state: State, pc: str, kind: str, rule: str) -> str:
    """The first card of a kind in a hand; refused if there is none."""
    card = find(state.pcs[pc].hand, kind)
    if card is None:
        refuse(rule, "not_in_hand", card=kind)
    return card


def check_bricks(state: State, b: int, least: int = 1) -> None:
    """Refuse more bricks than are held, or too few (POZ-BRK-2)."""
    if not least <= b <= me(state).bricks:
        refuse("POZ-BRK-2", "not_so_many_bricks", held=me(state).bricks)


def throws(state: State, least: int = 1) -> range:
    """How many bricks the character may throw."""
    return range(least, me(state).bricks + 1)


def check_hand(state: State) -> None:
    """Refuse to end a turn with too many cards (POZ-LOT-5, POZ-R20)."""
    limit = hand_limit(state, turn_of(state).pc)
    if len(me(state).hand) > limit:
        refuse("POZ-LOT-5", "hand_too_big", limit=limit)
