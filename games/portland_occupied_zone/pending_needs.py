"""What each step of an agenda needs (specification, 4.1): fields that fit the state, so that it can be carried out."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.kernel import Step
from games.portland_occupied_zone import all_steps as steps
from games.portland_occupied_zone import pending_texts as texts
from games.portland_occupied_zone.actions.answers import payable
from games.portland_occupied_zone.board import DIRECTIONS
from games.portland_occupied_zone.effects.police import JACKSON
from games.portland_occupied_zone.places import commune, dumpster_at, figures, space_at, walkable
from games.portland_occupied_zone.possible import is_id
from games.portland_occupied_zone.possible_police import is_figure
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.setup import next_chooser
from games.portland_occupied_zone.steps.voting import eligible as eligible_seats
from games.portland_occupied_zone.steps.voting import owing
from games.portland_occupied_zone.tasks.building import eligible, gainable

Fits = Callable[[State, Any, Step | None], bool]
Need = tuple[str, Fits, str]


def _is_choosing(state: State, _: Step, __: Step | None) -> bool:
    return state.lead is None and next_chooser(state) is not None


def _is_led(state: State, _: Step, __: Step | None) -> bool:
    return state.lead is not None and sorted(state.turn_order) == sorted(state.pcs)


def _is_first(state: State, step: steps.PlacePulpit, _: Step | None) -> bool:
    return not step.seats or all(thing.type != "pulpit" for thing in state.structures.values())


def _can_come(state: State, step: steps.PlaceStructure, _: Step | None) -> bool:
    kind = state.board.structures.get(step.type)
    return kind is not None and (not step.seats or state.supplies.structures[step.type] > 0)


def _can_be_paid(state: State, step: steps.PlaceStructure, beneath: Step | None) -> bool:
    """In an exchange, with what is on the board; in nothing else."""
    if step.exchange != isinstance(beneath, steps.ManagePoz) or not (step.exchange and step.seats):
        return step.exchange == isinstance(beneath, steps.ManagePoz)
    kind = state.board.structures[step.type]
    return kind.buyable and sum(eligible(state, step.type).values()) >= kind.pop


def _is_gained(state: State, step: steps.PlacePopulation, _: Step | None) -> bool:
    return step.left > 0 and (step.type is None or step.type in gainable(state, step.left))


def _is_some(_: State, step: Any, __: Step | None) -> bool:
    left: int = step.left
    return left > 0


def _has_npcs(state: State, _: Step, __: Step | None) -> bool:
    return state.supplies.npc > 0


def _is_exchanged(_: State, __: Step, beneath: Step | None) -> bool:
    return isinstance(beneath, steps.PlaceStructure) and beneath.exchange and not beneath.seats


def _has_no_commune(state: State, _: Step, __: Step | None) -> bool:
    return state.battle and commune(state) is None


def _is_before(state: State, _: Step, __: Step | None) -> bool:
    once = sum(isinstance(other, steps.RaiseCommune) for other in state.agenda) == 1
    return once and not state.battle and state.lead is not None


def _is_disease(state: State, step: steps.Infections, _: Step | None) -> bool:
    return step.card is None or (step.card in state.board.cards and state.board.kind(step.card).type == "P")


def _some(_: State, step: Any, __: Step | None) -> bool:
    return bool(step.pcs)


def _can_pay(state: State, step: steps.PayCards, beneath: Step | None) -> bool:
    """A recipe in full, in a turn; a swap within its text."""
    if step.left < 1 or step.paid < 0 or step.swap == (step.recipe is not None):
        return False
    if step.recipe is None:
        return isinstance(beneath, steps.Ops)
    kind = state.board.cards.get(step.recipe)
    there = kind is not None and kind.cook is not None and state.decks.homebrew.get(step.recipe, 0) > 0
    return there and isinstance(beneath, steps.Turn) and len(payable(state, step.pc, recipe=True)) >= step.left


def _owes(state: State, step: steps.Vote, _: Step | None) -> bool:
    """Those who have not voted, or do not stand firm; all others who vote may change their minds.

    When a seat has resigned all others may agree, and still be asked to stand firm.
    """
    due, others = owing(state)
    seats, also = (tuple(s for s in asked if s not in state.resigned) for asked in (step.seats, step.also))
    if sorted((*seats, *also)) != sorted((*due, *others)) or not set(due) <= set(seats):
        return False
    ballot = state.ballot
    return ballot is not None and all(s in due or (s not in ballot.firm and not _misses(state)) for s in seats)


def _misses(state: State) -> bool:
    """Whether somebody has not voted."""
    return state.ballot is not None and any(seat not in state.ballot.votes for seat in eligible_seats(state))


def _votes_on(state: State, step: steps.Vote, beneath: Step | None) -> bool:
    """On the Aktion that is due, or on new plans."""
    if step.purpose == "redraw":
        return isinstance(beneath, steps.ManagePoz)
    decision = {"lead": "majority", "aktion": "vote"}[step.purpose]
    due = state.aktion is not None and state.board.aktions[state.aktion].decision == decision
    return due and isinstance(beneath, steps.DiscardAktion) and not state.battle


def _decides(state: State, _: Step, __: Step | None) -> bool:
    return state.aktion is not None and state.board.aktions[state.aktion].decision in ("leader", "vote")


def _is_on_the_board(state: State, step: Any, _: Step | None) -> bool:
    return step.figure in figures(state)


def _is_a_figure(state: State, step: steps.Activate, _: Step | None) -> bool:
    return is_figure(state, step.figure)


def _is_a_cop(state: State, step: Any, _: Step | None) -> bool:
    return step.figure == JACKSON or step.figure in state.cops


def _are_several(state: State, step: Any, _: Step | None) -> bool:
    alive = all(state.pcs[pc].alive for pc in step.pcs)
    return len(set(step.pcs)) == len(step.pcs) > 1 and alive


def _is_aimed(_: State, step: steps.ChoosePoliceTarget, beneath: Step | None) -> bool:
    return isinstance(beneath, steps.Pursue | steps.Fight | steps.Shoot) and (beneath.figure, beneath.pcs) == (
        step.figure,
        step.pcs,
    )


def _is_targeted(state: State, step: Step, _: Step | None) -> bool:
    top = state.agenda[-1]
    return isinstance(top, steps.ChoosePoliceTarget) and state.agenda[-2] is step


def _can_defend(state: State, step: steps.Defend, _: Step | None) -> bool:
    return not step.seats or state.pcs[step.pc].awake


def _is_attacked(state: State, step: steps.Defend, _: Step | None) -> bool:
    if step.figure is None:
        return step.by in state.pcs and step.damage >= 0
    return (step.figure in figures(state) if step.seats else is_figure(state, step.figure)) and step.by is None


def _is_its_turn(state: State, step: Any, _: Step | None) -> bool:
    return state.turn is not None and state.turn.pc == step.pc


def _can_act(state: State, step: steps.Turn, _: Step | None) -> bool:
    return not step.seats or (state.pcs[step.pc].awake and not step.over)


def _is_its_place(state: State, step: steps.TurnOver, _: Step | None) -> bool:
    order, index = state.turn_order, state.turn_index
    return index < len(order) and order[index] == step.pc


def _is_pushed(state: State, step: steps.AfterPush, _: Step | None) -> bool:
    """One cell on, over open ground."""
    thing = state.dumpsters.get(step.dumpster)
    if thing is None or step.cost < 0:
        return False
    (x, y), free = thing.cell, walkable(state, step.to) and dumpster_at(state, step.to) is None
    beside = any((x + dx, y + dy) == step.to for dx, dy in DIRECTIONS.values())
    return beside and free and space_at(state, step.to) not in state.structures


def _hits(state: State, step: steps.AfterPush, _: Step | None) -> bool:
    return step.primary in state.pcs or is_figure(state, step.primary) or is_id(step.primary, "k", state.made)


def _can_be_taken(state: State, step: steps.TakePillow, _: Step | None) -> bool:
    return not state.battle and state.lead is not None and state.lead.holder != step.pc and state.pcs[step.pc].alive


def _gives(state: State, step: steps.RespondTrade, _: Step | None) -> bool:
    """Who has accepted has not given everything."""
    return state.offer is not None and (not step.accepted or len(state.offer.given) < len(state.offer.asks))


def _is_asked_once(state: State, step: steps.BuildOffer, _: Step | None) -> bool:
    """Answered, it waits for the other one."""
    return bool(step.seats) == (state.agenda[-1] is step)


CHOOSE: Final[Need] = ("", _is_choosing, "a seat has characters to choose")
LED: Final[Need] = ("", _is_led, "all have their characters, and somebody leads")
LEFT: Final[Need] = ("left", _is_some, "there is some left")
PCS: Final[Need] = ("pcs", _some, "there are some")
COP: Final[Need] = ("figure", _is_a_cop, "it is a cop on the board")
SEVERAL: Final[Need] = ("pcs", _are_several, "there are several, alive, each once")
TARGETED: Final[Need] = ("", _is_targeted, "the Leader is asked who of them it is")
TURN: Final[Need] = ("pc", _is_its_turn, "it is the character whose turn it is")

#: What each step needs: a field, whether it fits, and the sentence that refuses it otherwise.
NEEDS: Final[Mapping[type[Step], tuple[Need, ...]]] = {
    steps.LayOut: (CHOOSE,),
    steps.ChooseCharacters: (CHOOSE,),
    steps.AskForPulpit: (LED,),
    steps.PlacePulpit: (LED, ("", _is_first, "there is one Pulpit")),
    steps.PlaceStructure: (
        ("type", _can_come, "there is one left of this type"),
        ("exchange", _can_be_paid, "the Leader buys it, and it can be paid"),
    ),
    steps.PlacePopulation: (("type", _is_gained, "it is what the rest can be made of"),),
    steps.RemovePopulation: (LEFT,),
    steps.PlaceNpcs: (LEFT, ("", _has_npcs, "there are NPCs left")),
    steps.PayExchange: (("", _is_exchanged, "the place of the new structure has been chosen"),),
    steps.PlaceCommune: (("", _has_no_commune, "there is one Commune, in the battle"),),
    steps.RaiseCommune: (("", _is_before, "the battle begins once"),),
    steps.Infections: (PCS, ("card", _is_disease, "it is a disease")),
    steps.Cures: (PCS,),
    steps.PayCards: (("left", _can_pay, "a recipe can be paid in full, a swap belongs to a text"),),
    steps.PickBack: (LEFT, TURN),
    steps.Ops: texts.OPS,
    steps.Pick: texts.PICK,
    steps.PickHandCard: texts.HAND,
    steps.Vote: (
        ("purpose", _votes_on, "there is such a vote"),
        ("seats", _owes, "those owe who have not voted, or do not stand firm, and the others vote too"),
    ),
    steps.LeaderChoice: (("", _decides, "the Leader decides on the Aktion"),),
    steps.Activate: (("figure", _is_a_figure, "it is a police figure"),),
    steps.Pursue: (COP, SEVERAL, TARGETED),
    steps.Fight: (COP, SEVERAL, TARGETED),
    steps.Shoot: (("figure", _is_on_the_board, "it is a figure on the board"), SEVERAL, TARGETED),
    steps.ChoosePoliceTarget: (("pcs", _is_aimed, "they are those whom the figure goes for"),),
    steps.Defend: (
        ("pc", _can_defend, "who is awake defends itself"),
        ("figure", _is_attacked, "a figure on the board attacks, or a character"),
    ),
    steps.AfterTurn: (TURN,),
    steps.Turn: (TURN, ("pc", _can_act, "who is awake acts, until its turn is over")),
    steps.TurnOver: (("pc", _is_its_place, "it is the character whose place in the order has come"),),
    steps.AfterPush: (
        TURN,
        ("to", _is_pushed, "it is open ground next to the dumpster"),
        ("primary", _hits, "it is a character, a figure or a checkpoint"),
    ),
    steps.TakePillow: (TURN, ("pc", _can_be_taken, "it can take the Pillow")),
    steps.BuildOffer: (("seats", _is_asked_once, "it waits only for an answer to the offer"),),
    steps.RespondTrade: (("accepted", _gives, "there is something left to give"),),
}
