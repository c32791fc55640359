"""5 Year Plans: dealing them, replacing them, and whether one is met (specification, 2.12; POZ-PLN-1 to -7)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import DeckShuffled, PlanDealt, PlansRedrawn
from games.portland_occupied_zone.harm import diseases
from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.modifiers import is_type, track
from games.portland_occupied_zone.places import burnables
from games.portland_occupied_zone.requirements import Comparison, requirement
from games.portland_occupied_zone.state import State

SHOWN = 5  # POZ-PLN-1


def deal(table: Table[State]) -> None:
    """Turn plans over until five lie face up; an empty deck is made of the claimed ones (POZ-PLN-4, -5)."""
    decks = table.state.decks
    while len(decks.shown) < SHOWN and (decks.plans or decks.claimed):
        if not decks.plans:
            order = tuple(table.shuffle("plans", decks.claimed))
            table.emit(DeckShuffled("plans", len(order), order, reshuffled=True))
        table.emit(PlanDealt(decks.plans[0]))


def redraw(table: Table[State]) -> None:
    """Put the five plans away and deal five new ones (POZ-PLN-6)."""
    table.emit(PlansRedrawn(tuple(table.state.decks.shown)))
    deal(table)


def met(state: State, pc: str, plan: str) -> bool:
    """Whether a character meets a plan now (POZ-PLN-2)."""
    return all(part.holds(_value(state, pc, part)) for part in requirement(state.board.plans[plan].needs))


def _value(state: State, pc: str, part: Comparison) -> int:
    scope, _, name = part.name.partition(".")
    if scope == "turn":
        return state.turn.log.get(name, 0) if state.turn is not None else 0
    if scope == "self":
        return _own(state, pc, name)
    if scope == "board":
        return _fires(state) if name == "fires" else _burned(state)
    if name == "count":
        return sum(thing.type == part.of for thing in state.structures.values())
    return population(state) if name == "population" else sum(thing.npcs for thing in state.structures.values())


def _own(state: State, pc: str, name: str) -> int:
    who = state.pcs[pc]
    match name:
        case "hand":
            return len(who.hand)
        case "food":
            return sum(is_type(state, card, "F") for card in who.hand)
        case "diseases":
            return len(diseases(state, pc))
        case "lowest":
            return int(who.stability == 0)
        case "highest":
            return int(who.stability == len(track(state, pc)) - 1)
        case "full_injuries":
            return int(who.injuries >= state.board.characters[pc].injuries)
        case _:
            return who.bricks if name == "bricks" else who.injuries


def _fires(state: State) -> int:
    return sum(place.arson for _, place in burnables(state))


def _burned(state: State) -> int:
    return sum(not state.buildings[name].standing for name in state.board.businesses)
