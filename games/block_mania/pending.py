"""Whether the parts of a position fit together: phases, counts, and what its agenda asks (specification, 3.3)."""

from collections import Counter
from collections.abc import Iterable

from msgspec import structs

from games.block_mania.equipment import DrawTokens
from games.block_mania.messages import AnyStep
from games.block_mania.position_doc import PositionDoc, SeatDoc, check_names
from games.block_mania.possible import check_pieces
from games.block_mania.predicates import content_of, controls, item
from games.block_mania.scoring import dp
from games.block_mania.state import State
from games.block_mania.steps.assault import Fight
from games.block_mania.steps.justice_units import ChooseJusticeTarget, CombatJustice
from games.block_mania.steps.moving import TakeToken
from games.block_mania.steps.shooting import Aftermath, Shot, TargetStep
from games.block_mania.steps.window import Window
from games.block_mania.supply import components, initial, listed
from games.kernel import Setting, tag_of
from games.kernel.positions import all_seats, impossible

#: Steps that are about a blocker on the map; others pass over one that has died meanwhile.
LIVING = frozenset(
    {
        "start_activation",
        "activation",
        "take_token",
        "answer_elevator",
        "keep_equipment",
        "target",
        "shot",
        "begin_fight",
    }
)
#: What lies at the bottom of every agenda: with any other step the game would come to a halt.
FRAME = frozenset({"enter", "end_turn", "start_turn", "set_up_done"})
#: Fields of steps that name squares, tokens, seats (an `order` of one number is a token's).
SQUARE_FIELDS = ("square", "to", "path", "squares")
TOKEN_FIELDS = ("token", "tokens")
SEAT_FIELDS = ("seats", "also", "seat", "order", "passed", "seats_of")


def check(state: State, doc: PositionDoc, setting: Setting) -> None:
    """Test what a filled position names.

    Raises:
        PositionError: something named is not there or cannot be, or Defeat Points are not so.
    """
    _check_seats(state, "resigned", state.resigned)
    _check_seats(state, "gas", state.gas)
    _check_named(state)
    check_pieces(state)
    _check_phase(state)
    _check_active(state)
    _check_counts(state, setting)
    for number, seat in enumerate(all_seats(doc.seats, state.seat_count, SeatDoc)):
        if isinstance(seat.dp, int) and seat.dp != dp(state, number):
            impossible(f"seats[{number}].dp", f"it follows from the rest and is {dp(state, number)}")
    _check_agenda(state)


def _check_named(state: State) -> None:
    """What pieces name exists."""
    for number, unit in enumerate(state.units):
        _check_squares(state, f"units[{number}].at", [unit.at])
        _check_seats(state, f"units[{number}].block", [] if unit.block is None else [unit.block])
    for number, one in enumerate(state.blockers.values()):
        named = [seat for seat in (one.controller, one.stuck_until) if seat is not None]
        _check_seats(state, f"blockers[{number}]", named)
    for name, square in state.squares.items():
        field = f"squares.{name}.tokens"
        check_names(field, [token.token for token in square.tokens], content_of(state.pack).items)
        for token in square.tokens:
            _check_seats(state, field, [token.by, *token.seen])


def _check_phase(state: State) -> None:
    """What there is in some phases alone: an outcome, Justice cards, a first turn."""
    if (state.phase == "over") != (state.outcome is not None):
        impossible("outcome", "a game that is over says how it ended, any other does not")
    if state.turn_no == 0 and state.phase not in ("setup_block", "setup_blockers", "over"):
        impossible("turn_no", "the first turn is 1")
    if state.phase == "justice" and not state.endgame:
        impossible("phase", "Justice cards are played in the endgame alone")
    piles = ("mania_deck",) if state.endgame else ("justice_deck", "justice_used", "reshuffles")
    for name in piles:
        if getattr(state, name):
            impossible(name, "not in the endgame" if state.endgame else "only in the endgame")


def _check_active(state: State) -> None:
    """The active blocker is on the map, activated, of the phasing seat; it is so in the Command Phase alone."""
    if state.active is None:
        return
    blocker = state.blockers.get(state.active)
    if blocker is None or not blocker.at:
        impossible("active", f"there is no blocker {state.active} on the map")
    if state.phase != "command":
        impossible("active", "blockers are active in the Command Phase alone")
    if not blocker.activated_this_turn or not controls(state, state.phasing, blocker):
        impossible("active", f"{state.active} was not activated this turn by the phasing seat")


def _check_counts(state: State, setting: Setting) -> None:
    """No more pieces than exist; no more deaths and collapses than there are pieces for them."""
    start = initial(setting)
    surplus = Counter(components(state)) - Counter(components(start))
    if surplus:
        impossible("position", f"there are more pieces than exist: {', '.join(sorted(surplus))}")
    for number, (seat, full) in enumerate(zip(state.seats, start.seats, strict=True)):
        field = f"seats[{number}]"
        if Counter(seat.blocker_pool) - Counter(full.blocker_pool):
            impossible(f"{field}.blocker_pool", "there are more counters than exist")
        if seat.dead_blockers > len(listed(full.blocker_pool)) + start.klegg_supply:
            impossible(f"{field}.dead_blockers", "a seat has not so many blockers")
        for name in ("collapses_since_check", "collapses_this_turn"):
            if getattr(seat, name) > _collapsed(state, number):
                impossible(f"{field}.{name}", "not so many squares of the tower have collapsed")
    if state.reshuffles > state.options.max_reshuffles:
        impossible("reshuffles", f"there are at most {state.options.max_reshuffles}")


def _collapsed(state: State, seat: int) -> int:
    """How many squares of a seat's tower have collapsed: of a fallen block all may have done so this turn."""
    if seat not in state.owners:
        return 0
    tower = state.map.tower[state.owners.index(seat)]
    return len(tower) if state.seats[seat].collapsed else sum(state.square(name).collapsed for name in tower)


def _check_agenda(state: State) -> None:
    """Each step names what exists; the game can go on from the top, and after the bottom one."""
    for number, step in enumerate(state.agenda):
        field = f"agenda[{number}]"
        if bool(step.seats) and not step.menu:
            impossible(field, f"{tag_of(type(step))} asks nobody")
        _check_fields(state, field, step)
        _check_blockers(state, field, step)
        _check_what(state, field, step)
    if not state.agenda:
        return
    if tag_of(type(state.agenda[0])) not in FRAME:
        impossible("agenda[0]", "the game could not go on after it")
    top = state.agenda[-1]
    if top.seats and not top.alive(state):
        impossible(f"agenda[{len(state.agenda) - 1}]", f"{tag_of(type(top))} asks for nothing that is left to do")


def _check_fields(state: State, field: str, step: AnyStep) -> None:
    """Seats, squares and kinds of equipment."""
    for name, value in structs.asdict(step).items():
        named = value if isinstance(value, tuple) else (value,)
        if name in SEAT_FIELDS and (name != "order" or isinstance(value, tuple)):
            _check_seats(state, field if name == "seats" else f"{field}.{name}", named)
        elif name in SQUARE_FIELDS:
            _check_squares(state, f"{field}.{name}", [square for square in named if square])
        elif name in TOKEN_FIELDS:
            check_names(f"{field}.{name}", named, content_of(state.pack).items)


def _check_blockers(state: State, field: str, step: AnyStep) -> None:
    """Blockers that a step needs on the map."""
    needed = {"blocker": getattr(step, "blocker", None)} if tag_of(type(step)) in LIVING else {}
    match step:
        case Window(kind="H"):
            needed = {"blocker": step.blocker or ""} if step is state.agenda[-1] else {}
        case Fight():
            needed = {"attackers": step.attackers, "defenders": step.defenders}
        case ChooseJusticeTarget():
            needed = {"blockers": step.blockers}
    for name, value in needed.items():
        for blocker in value if isinstance(value, tuple) else (value,):
            if blocker not in state.blockers or not state.blockers[blocker].at:
                impossible(f"{field}.{name}", f"there is no blocker {blocker!r}")


def _check_what(state: State, field: str, step: AnyStep) -> None:
    """Units, tokens that lie somewhere, ways to fire a weapon, pools."""
    units = [unit.id for unit in state.units]
    match step:
        case CombatJustice():
            check_names(f"{field}.left", step.left, units)
        case ChooseJusticeTarget():
            check_names(f"{field}.unit", [step.unit], units)
        case Shot() | TargetStep():
            held = item(state, step.token)
            if "robodog" not in held.flags and step.mode not in [shot.mode for shot in held.shots]:
                impossible(f"{field}.mode", f"{step.token} is not fired in the mode {step.mode!r}")
            if isinstance(step, Shot) and (step.unit is None) == (step.target == "unit"):
                impossible(f"{field}.unit", "it goes with shots at a unit")
            check_names(f"{field}.unit", [getattr(step, "unit", None) or ""], ["", *units])
        case TakeToken() if step is state.agenda[-1]:
            if step.order not in [token.order for token in state.square(step.square).tokens]:
                impossible(f"{field}.order", "there is no such token")
        case DrawTokens():
            check_names(f"{field}.pool", [step.pool], ["armory", "hardware"])
        case Aftermath():
            _check_squares(state, f"{field}.carriers", [carrier.square for carrier in step.carriers])


def _check_seats(state: State, field: str, seats: Iterable[int]) -> None:
    if any(seat not in range(state.seat_count) for seat in seats):
        impossible(field, f"the seats are 0 to {state.seat_count - 1}")


def _check_squares(state: State, field: str, squares: Iterable[str]) -> None:
    for square in squares:
        if not state.boards or square not in state.map.squares:
            impossible(field, f"there is no square {square!r}")
