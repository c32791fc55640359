"""Where play can be (specification, 3.3): phase and step, the battle and what comes with it, the turn, the end."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from games.kernel.positions import impossible
from games.portland_occupied_zone.effects.rounds import PHASE_OF
from games.portland_occupied_zone.frames import PlaceCommune
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import commune
from games.portland_occupied_zone.plans import SHOWN
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.battle import RaiseCommune
from games.portland_occupied_zone.vocabulary import GLOBAL

Test = Callable[[State], bool]


def check_round(state: State) -> None:
    """Test where play is.

    Raises:
        PositionError: parts of a state do not go together, with a field and a sentence.
    """
    for field, is_possible, sentence in ROUND:
        if not is_possible(state):
            impossible(field, sentence)


def in_set_up(state: State) -> bool:
    """Whether the first round has not begun, or never did."""
    return state.phase in ("setup", "over") and state.round == 0


def begins_battle(state: State) -> bool:
    """Whether prisoners are being put out, and the battle begins next (BATTLE_START); the game may end before."""
    return state.outcome is not None or any(isinstance(step, RaiseCommune) for step in state.agenda)


def _has_ended(state: State) -> bool:
    return (state.phase == "over") == (state.outcome is not None)


def _has_places(state: State) -> bool:
    """Scores and places of all seats, winners among them."""
    end = state.outcome
    if end is None:
        return True
    each = len(end.scores) == len(end.places) == state.seats and set(end.places) <= set(range(1, state.seats + 1))
    return each and set(end.winners) <= set(range(state.seats))


def _is_played(state: State) -> bool:
    return state.outcome is not None or set(state.resigned) < set(range(state.seats))


def _resigned_once(state: State) -> bool:
    return len(set(state.resigned)) == len(state.resigned)


def _fits_its_step(state: State) -> bool:
    """Between rounds, and in the set-up, there is no step; what the agenda says then is tested with it."""
    if state.step is None:
        return state.phase in ("setup", "over") or bool(state.agenda)
    return state.phase == PHASE_OF[state.step]


def _has_begun(state: State) -> bool:
    return (state.round > 0) or state.phase in ("setup", "over")


def _is_peopled(state: State) -> bool:
    """Every seat has a character, but while they are chosen."""
    seats = {pc.seat for pc in state.pcs.values()}
    return (seats <= set(range(state.seats))) if in_set_up(state) else seats == set(range(state.seats))


def _is_ordered(state: State) -> bool:
    return (in_set_up(state) and not state.turn_order) or sorted(state.turn_order) == sorted(state.pcs)


def _can_be_chosen(state: State) -> bool:
    """While characters are chosen, what they start with is there (POZ-DIS-12)."""
    if not in_set_up(state) or state.turn_order:
        return True
    start = Counter(
        who.disease for name, who in state.board.characters.items() if name not in state.pcs and who.disease is not None
    )
    return start <= Counter(state.decks.disease)


def _is_led(state: State) -> bool:
    return state.lead is not None or (in_set_up(state) and not state.turn_order)


def _has_its_token(state: State) -> bool:
    return state.lead is None or (state.lead.token == "tin_pot") == state.battle  # noqa: S105 no password


def _has_its_courthouse(state: State) -> bool:
    """It goes as the battle begins; burnt down, a moment before."""
    standing = state.buildings[COURTHOUSE].standing
    return standing != state.battle or (not standing and begins_battle(state))


def _has_its_commune(state: State) -> bool:
    """It stands as soon as its place is chosen; the game may end before."""
    if state.outcome is not None or any(isinstance(step, PlaceCommune) for step in state.agenda):
        return commune(state) is None or state.battle
    return (commune(state) is not None) == state.battle


def _has_no_pulpit(state: State) -> bool:
    return not state.battle or all(thing.type != "pulpit" for thing in state.structures.values())


def _has_narratives(state: State) -> bool:
    """Before the battle there are some: the last ones are those of the battle (POZ-RND-1.2, POZ-DIC-1)."""
    return state.battle or state.phase == "over" or bool(state.decks.narrative)


def _counts_standard(state: State) -> bool:
    """Standard narratives lie on top, and are gone in the battle."""
    narratives, left = state.board.pack.narratives, state.decks.standard_left
    cards = state.decks.narrative
    kinds = {card.id for card in narratives.standard}, {card.id for card in narratives.battle}
    if left > len(cards) or (state.battle and left):
        return False
    return set(cards[:left]) <= kinds[0] and (set(cards[left:]) <= kinds[1])


def _lasts(state: State) -> bool:
    return state.plot is None or state.board.narratives[state.plot].kind != "event"


def _shows_five(state: State) -> bool:
    return len(state.decks.shown) <= SHOWN


def _is_its_turn(state: State) -> bool:
    order, turn = state.turn_order, state.turn
    if turn is None:
        return state.turn_index <= len(order)
    on_time = state.step == "turns" or state.outcome is not None
    return on_time and state.turn_index < len(order) and order[state.turn_index] == turn.pc


def _acts(state: State) -> bool:
    """Without an agenda, a turn under way goes on."""
    return state.turn is None or bool(state.agenda) or state.outcome is not None or state.pcs[state.turn.pc].awake


def _uses_once(state: State) -> bool:
    turn = state.turn
    return turn is None or max(Counter(turn.used).values(), default=0) <= 1


def _is_about(state: State) -> bool:
    """Modifiers of the whole game are nobody's, all others somebody's."""
    return all((timed.pc is None) == (timed.key in GLOBAL) for timed in state.timed)


#: What goes together: the field, whether it does.
ROUND: Final[tuple[tuple[str, Test, str], ...]] = (
    ("phase", _has_ended, "a game is over when it has an outcome"),
    ("outcome", _has_places, "it has a score and a place for every seat"),
    ("resigned", _is_played, "a game that all have resigned is over"),
    ("resigned", _resigned_once, "a seat resigns once"),
    ("step", _fits_its_step, "it is a step of the phase"),
    ("round", _has_begun, "it is counted from 1"),
    ("seats", _is_peopled, "every seat has a character"),
    ("turn_order", _is_ordered, "it has every character once"),
    ("decks.disease", _can_be_chosen, "the diseases that characters start with are there while they are chosen"),
    ("lead", _is_led, "somebody leads"),
    ("lead.token", _has_its_token, "it is the Tin Pot in the battle, the Pillow before"),
    ("buildings.courthouse.standing", _has_its_courthouse, "it stands until the battle"),
    ("structures", _has_its_commune, "in the battle there is a Commune, before there is none"),
    ("structures", _has_no_pulpit, "in the battle there is no Pulpit"),
    ("decks.narrative", _has_narratives, "before the battle there are some left"),
    ("decks.standard_left", _counts_standard, "so many are standard ones, none in the battle"),
    ("plot", _lasts, "it is no event"),
    ("decks.shown", _shows_five, "there are five at most"),
    ("turn", _is_its_turn, "it is that of the character whose place in the order has come, in the turns"),
    ("turn.pc", _acts, "it is not awake"),
    ("turn.used", _uses_once, "everything is used once a turn"),
    ("timed", _is_about, "what holds for the whole game is nobody's, everything else somebody's"),
)
