"""A state from a position: completed as the specification says (3.3), and refused if it cannot be."""

from collections import Counter
from collections.abc import Mapping

import msgspec
from msgspec import UNSET, structs

from games.block_mania.movement import entry_refusal
from games.block_mania.pack import SHELF
from games.block_mania.position_doc import BlockerDoc, PositionDoc, SeatDoc, check_names, counts, unit_of
from games.block_mania.predicates import content_of, item, may_use, occupancy, open_air
from games.block_mania.state import Blocker, Seat, Square, State
from games.block_mania.supply import initial, listed, token_pool
from games.kernel import Setting
from games.kernel.positions import all_seats, impossible


def fill(setting: Setting, doc: PositionDoc) -> State:
    """The state of a position.

    Raises:
        PositionError: more pieces than there are, or pieces where they cannot be.
    """
    state = initial(setting)
    _fill_table(state, doc)
    seats = all_seats(doc.seats, setting.seats, SeatDoc)
    _fill_boards(state, doc, seats)
    for number, seat in enumerate(seats):
        _fill_seat(state.seats[number], seat, f"seats[{number}]")
    _fill_squares(state, doc)
    _fill_blockers(state, doc)
    state.units = [unit_of(unit, number) for number, unit in enumerate(doc.units)]
    _fill_supplies(state, doc, seats)
    _fill_cards(state, doc)
    _fill_counts(state, doc)
    return state


def _fill_table(state: State, doc: PositionDoc) -> None:
    for name in ("phase", "phasing", "turn_no", "command_points", "endgame", "active", "reshuffles"):
        setattr(state, name, getattr(doc, name))
    state.gas, state.resigned, state.outcome = list(doc.gas), list(doc.resigned), doc.outcome
    state.agenda = list(doc.agenda)
    if doc.turn_order is not UNSET:
        if sorted(doc.turn_order) != list(range(state.seat_count)):
            impossible("turn_order", "it has each seat once")
        state.turn_order = list(doc.turn_order)
    if doc.phasing >= state.seat_count:
        impossible("phasing", f"the seats are 0 to {state.seat_count - 1}")


def _fill_boards(state: State, doc: PositionDoc, seats: list[SeatDoc]) -> None:
    known = [board.id for board in SHELF[state.pack].boards]
    setting_up = doc.phase == "setup_block"
    boards = known[: 0 if setting_up else state.seat_count] if doc.boards is UNSET else doc.boards
    if len(set(boards)) != len(boards) or not set(boards) <= set(known):
        impossible("boards", f"they are of {', '.join(known)}, each once")
    if len(boards) != state.seat_count and not setting_up:
        impossible("boards", "there is one for each seat")
    state.boards = tuple(boards)
    for number, seat in enumerate(seats):
        named = boards[number] if number < len(boards) else ""
        state.seats[number].board = named if seat.board is UNSET else seat.board
    if len(boards) != state.seat_count and (doc.blockers or doc.squares or doc.units):
        impossible("boards", "there are no pieces before all of them lie")
    if Counter(one.board for one in state.seats if one.board) != Counter(boards):
        impossible("boards", "each is the board of one seat")
    state.owners = tuple(next(n for n, one in enumerate(state.seats) if one.board == name) for name in boards)


def _fill_seat(seat: Seat, doc: SeatDoc, field: str) -> None:
    seat.hand = counts(doc.hand)
    seat.standing = list(doc.standing)
    if doc.blocker_pool is not UNSET:
        given = counts(doc.blocker_pool)
        check_names(f"{field}.blocker_pool", given, seat.blocker_pool)
        seat.blocker_pool = given
    for name in (
        "dead_blockers",
        "collapsed",
        "power",
        "collapses_since_check",
        "collapses_this_turn",
        "no_fatties",
        "mob_cost",
        "fatty_bonus",
    ):
        setattr(seat, name, getattr(doc, name))


def _fill_squares(state: State, doc: PositionDoc) -> None:
    order = 0
    for name, square in doc.squares.items():
        if name not in state.map.squares:
            impossible(f"squares.{name}", "there is no such square")
        tokens = []
        for token in square.tokens:
            order += 1
            tokens.append(token if token.order else structs.replace(token, order=order))
        here = structs.replace(square, tokens=tuple(tokens))
        if here != Square():
            state.squares[name] = here


def _fill_blockers(state: State, doc: PositionDoc) -> None:
    types = content_of(state.pack).types
    first = max((token.order for square in state.squares.values() for token in square.tokens), default=0)
    for number, one in enumerate(doc.blockers):
        field = f"blockers[{number}]"
        name = f"b{number + 1}" if one.id is UNSET else one.id
        if name in state.blockers:
            impossible(field, f"there are two blockers {name}")
        if one.type not in types or one.seat >= state.seat_count:
            impossible(field, "there is no such type, or no such seat")
        if one.at and one.at not in state.map.squares:
            impossible(f"{field}.at", f"there is no square {one.at!r}")
        state.blockers[name] = _blocker(state, one, name, first + number + 1)
        _check_blocker(state, state.blockers[name], field)
    for area, there in occupancy(state).items():
        _check_area(state, there, f"{area[0]} {area[1]}")


def _blocker(state: State, doc: BlockerDoc, name: str, arrived: int) -> Blocker:
    raw = structs.asdict(doc)
    sides = state.map.squares[doc.at].sides if doc.at else ("-",)
    fallen = open_air(state, doc.at) if doc.at else False
    defaults = {
        "id": name,
        "controller": None if "any_may_activate" in content_of(state.pack).types[doc.type].flags else doc.seat,
        "side": "-" if fallen else sides[0],
        "arrived": arrived,
    }
    raw |= {field: value for field, value in defaults.items() if raw[field] is UNSET}
    return msgspec.convert(raw, Blocker)


def _check_blocker(state: State, one: Blocker, field: str) -> None:
    if one.at:
        sides = ("-",) if open_air(state, one.at) else state.map.squares[one.at].sides
        if one.side not in sides:
            impossible(f"{field}.side", f"the sides of {one.at} are {', '.join(sides)}")
    items = content_of(state.pack).items
    for kind in one.equipment:
        if kind not in items:
            impossible(f"{field}.equipment", f"there is no {kind!r}")
        if not may_use(state, one, kind):
            impossible(f"{field}.equipment", f"a {one.type} cannot carry {kind}")
    for part, what in ((one.deployed, "deployed"), (one.shown, "shown")):
        if Counter(part) - Counter(one.equipment):
            impossible(f"{field}.{what}", "it is a part of its equipment")
    if any(not item(state, kind).heavy for kind in one.deployed):
        impossible(f"{field}.deployed", "only heavy items are deployed")


def _check_area(state: State, there: list[Blocker], field: str) -> None:
    """Two that 4.4 forbids together, or three that no charge brings about."""
    for place, one in enumerate(there):
        mode = "transit" if place < 2 else "charge"
        others = [structs.replace(other, stuck_until=None) for other in there[:place]]
        reasons = [entry_refusal(state, others, one, mode)]  # type: ignore[arg-type] # one of the two words
        if place == 1:
            reasons.append(entry_refusal(state, [one], others[0], "transit"))
        if all(reason is not None for reason in reasons) and not _mixed(there):
            impossible("blockers", f"{one.id} cannot be in {field} with the others")


def _mixed(there: list[Blocker]) -> bool:
    """Whether a Klegg is among them: a change of control can bring about what no move can."""
    return any(one.type == "klegg" for one in there)


def _fill_supplies(state: State, doc: PositionDoc, seats: list[SeatDoc]) -> None:
    kleggs = sum(one.type == "klegg" for one in state.blockers.values())
    state.klegg_supply = state.klegg_supply - kleggs if doc.klegg_supply is UNSET else doc.klegg_supply
    for number, seat in enumerate(seats):
        if seat.blocker_pool is UNSET:
            _take_counters(state, number)
    tokens = Counter(kind for one in state.blockers.values() for kind in one.equipment)
    for square in state.squares.values():
        tokens.update(token.token for token in square.tokens)
        tokens["plascrete_virus"] += square.virus
    for name, given in (("armory", doc.armory_pool), ("hardware", doc.hardware_pool)):
        pool = f"{name}_pool"
        if given is not UNSET:
            kinds = [kind for kind, one in content_of(state.pack).items.items() if one.pool == name]
            check_names(pool, counts(given), kinds)
        setattr(state, pool, _left(state, name, tokens) if given is UNSET else counts(given))
    cars = sum(square.cars for square in state.squares.values())
    state.cars_supply = state.cars_supply - cars if doc.cars_supply is UNSET else doc.cars_supply
    placed = Counter(str(unit.kind) for unit in state.units)
    if doc.unit_supply is UNSET:
        state.unit_supply = {kind: n - placed[kind] for kind, n in state.unit_supply.items()}
    else:
        check_names("unit_supply", doc.unit_supply, state.unit_supply)
        state.unit_supply = {kind: doc.unit_supply.get(kind, 0) for kind in state.unit_supply}
    if min(state.klegg_supply, state.cars_supply, *state.unit_supply.values()) < 0:
        impossible("blockers", "there are more Kleggs, cars or Justice tokens than exist")


def _take_counters(state: State, seat: int) -> None:
    """Each blocker on the map has left its deployer's pool, with the marker that its equipment speaks for."""
    pool = Counter(state.seats[seat].blocker_pool)
    for one in state.blockers.values():
        if one.seat != seat or one.type == "klegg":
            continue
        markers = _markers(state, one)
        found = next((name for name in markers if pool[name] > 0), None)
        if found is None:
            impossible("blockers", f"seat {seat} has no more {one.type} than there are on the map")
        pool[found] -= 1
    state.seats[seat].blocker_pool = {name: n for name, n in sorted(pool.items()) if n}


def _markers(state: State, one: Blocker) -> list[str]:
    pools = {item(state, kind).pool for kind in one.equipment}
    order = ["", "A", "H"] if not pools else ["A", "H", ""] if "armory" in pools else ["H", "A", ""]
    return [f"{one.type}/{marker}" if marker else one.type for marker in order]


def _left(state: State, pool: str, used: Mapping[str, int]) -> dict[str, int]:
    """The tokens of a pool that are nowhere else."""
    start = token_pool(SHELF[state.pack], state.options, pool)
    kinds = [kind for kind, one in content_of(state.pack).items.items() if one.pool == pool]
    left = {kind: start.get(kind, 0) - used.get(kind, 0) for kind in sorted(kinds)}
    short = [kind for kind, n in left.items() if n < 0]
    if short:
        impossible("blockers", f"there are more {', '.join(short)} than exist")
    return {kind: n for kind, n in left.items() if n}


def _fill_cards(state: State, doc: PositionDoc) -> None:
    piles = {name: counts(getattr(doc, name)) for name in ("setup_discard", "mania_discard", "justice_used")}
    named = [*doc.mania_deck, *doc.justice_deck]
    for pile in (*piles.values(), *(seat.hand for seat in state.seats)):
        named += listed(pile)
    rest = list(state.mania_deck)
    for card in named:
        if card not in rest:
            impossible("cards", f"there is no {card!r}, or not so many of it")
        rest.remove(card)
    if doc.deck_exact and rest:
        impossible("deck_exact", "every card is named")
    state.mania_deck = list(doc.mania_deck) + ([] if doc.endgame else rest)
    state.justice_deck = list(doc.justice_deck) + (rest if doc.endgame else [])
    for name, pile in piles.items():
        setattr(state, name, pile)


def _fill_counts(state: State, doc: PositionDoc) -> None:
    """Counters for ids and arrivals go on after the highest one."""
    numbers = [int(name[1:]) for name in state.blockers if name[:1] == "b" and name[1:].isdecimal()]
    state.made = max([len(state.blockers), *numbers]) if doc.made is UNSET else doc.made
    state.units_made = len(state.units) if doc.units_made is UNSET else doc.units_made
    orders = [one.arrived for one in state.blockers.values()]
    orders += [token.order for square in state.squares.values() for token in square.tokens]
    state.clock = max(orders, default=0) if doc.clock is UNSET else doc.clock
    state.gone = counts(doc.gone)
    check_names("gone", state.gone, content_of(state.pack).types)
