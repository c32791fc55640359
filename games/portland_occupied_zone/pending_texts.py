"""Which texts of the effect language may be under way in a position, and what may be picked for them (2.7)."""

from collections.abc import Iterator
from typing import Any, Final

from games.kernel import Step
from games.portland_occupied_zone.actions.using import MELLOW
from games.portland_occupied_zone.board import Board
from games.portland_occupied_zone.judging_names import is_card
from games.portland_occupied_zone.language import Call, parse
from games.portland_occupied_zone.ops.picks import things
from games.portland_occupied_zone.places import figures, walkable
from games.portland_occupied_zone.possible import is_id
from games.portland_occupied_zone.possible_police import is_figure
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.steps.texts import REMOVE_CAMERA, Ops
from games.portland_occupied_zone.vocabulary import BINDS

#: Ops that do something to what has been picked: it is still there before they have.
AT_ONCE: Final = frozenset({"strike", "stun", "banish", "ignite", "relocate"})


def _is_printed(state: State, text: Ops, _: Step | None) -> bool:
    return text.text in set(_texts(state.board))


def _texts(board: Board) -> Iterator[str]:
    """Every text that can be under way."""
    yield MELLOW
    yield from (card.text for card in board.cards.values())
    yield from (character.setup for character in board.characters.values())
    for power in board.powers.values():
        yield from (power.active, power.teach_in)
    for aktion in board.aktions.values():
        yield from aktion.options
    yield from (narrative.effect for narrative in board.narratives.values())


def _is_within(_: State, text: Ops, __: Step | None) -> bool:
    return 0 <= text.at <= len(parse(text.text))


def _is_bound(state: State, text: Ops, _: Step | None) -> bool:
    """By what the text has picked so far, to what there is."""
    calls = parse(text.text)
    picked = {BINDS.get(call.word(0), call.word(0)) for call in calls[: text.at] if call.name == "pick"}
    picked |= {"swapped"} if any(call.name == "swap" for call in calls[: text.at]) else set()
    picked |= {"camera"} if REMOVE_CAMERA in calls else set()
    now = any(call.name in AT_ONCE for call in calls[text.at :])
    return set(text.bound) <= picked and all(_can_be(state, name, thing, now=now) for name, thing in text.bound.items())


def _can_be(state: State, name: str, thing: Space, *, now: bool) -> bool:
    """Whether a thing can be bound to a name; `now`: it is on the board."""
    if not isinstance(thing, str):
        doors = [building.door[0] for building in state.board.buildings.values()]
        return name == "cell" and (walkable(state, thing) or thing in doors)
    match name:
        case "target":
            if now:
                return thing in (*state.pcs, *figures(state), *state.checkpoints)
            return thing in state.pcs or is_figure(state, thing) or is_id(thing, "k", state.made)
        case "picked" | "building":
            return thing in state.board.businesses and (not now or state.buildings[thing].standing)
        case "dumpster":
            return thing in state.dumpsters
        case "camera":
            return thing in state.cameras
        case _:
            return name == "swapped" and thing.isdecimal() and thing.isascii()


def _is_drug(state: State, text: Ops, _: Step | None) -> bool:
    return text.drug is None or (is_card(state.board, text.drug) and state.board.kind(text.drug).type == "D")


def _is_seat(state: State, text: Ops, _: Step | None) -> bool:
    return text.asked is None or 0 <= text.asked < state.seats


def asks_for(text: Ops) -> Call | None:
    """The pick that a text waits for, while it lies beneath the decision."""
    calls = parse(text.text)
    if text.at < len(calls) and calls[text.at] == REMOVE_CAMERA and "camera" not in text.bound:
        return Call("pick", ("camera",))
    return calls[text.at - 1] if text.at > 0 and calls[text.at - 1].name == "pick" else None


def _is_open(state: State, step: Any, beneath: Step | None) -> bool:
    """It asks for what the text beneath waits for: all there is."""
    call = asks_for(beneath) if isinstance(beneath, Ops) else None
    if call is None or call.word(0) == "card" or not isinstance(beneath, Ops):
        return False
    found: tuple[Space, ...] = step.things
    return bool(found) and (step.kind, found) == (call.word(0), things(state, beneath.me, call))


def _is_in_hand(_: State, step: Any, beneath: Step | None) -> bool:
    call = asks_for(beneath) if isinstance(beneath, Ops) else None
    if call is None or not isinstance(beneath, Ops):
        return False
    return call.word(0) == "card" and step.pc == beneath.me and step.filter == call.named.get("filter")


OPS: Final = (
    ("text", _is_printed, "there is no such text in the game"),
    ("at", _is_within, "it has not so many ops"),
    ("bound", _is_bound, "it is bound by its picks, to what there is"),
    ("drug", _is_drug, "it is a drug"),
    ("asked", _is_seat, "it is a seat"),
)
PICK: Final = (("things", _is_open, "they are what the text beneath can pick"),)
HAND: Final = (("pc", _is_in_hand, "it is the hand that the text beneath picks from"),)
