"""What one reader may see of a state (specification, 3.1), as data to draw. What is not put in here is seen by nobody.

Names are those of positions. What the reader may not see is absent. After the end everything is shown to all.
"""

from functools import cache
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from games.block_mania.board import map_of
from games.block_mania.options import Options
from games.block_mania.pack import SHELF
from games.block_mania.predicates import answers_for, flying_now, lies_open, occupancy, pinned_among
from games.block_mania.scoring import itemised
from games.block_mania.state import Blocker, JusticeUnit, Phase, Side, Square, State, Token
from games.drawing import Layer
from games.kernel import EVERYTHING, Outcome, redact

#: What lies on the squares, the lowest first.
MARKS = ("fire", "damage", "collapsed", "severed", "looted", "scrawl", "cars", "tokens", "virus")
LAYERS = (
    *(Layer(name=mark, part="squares", shape="mark", count=mark, cls="peril") for mark in MARKS),
    Layer(name="unit", part="units", shape="piece", at="at", type="kind", cls="police"),
    Layer(name="blocker", part="blockers", shape="piece", at="at", type="type", seat="controller"),
)


class KindMap(Struct, frozen=True, omit_defaults=True):
    """What is printed on squares of a kind; only Open Air kinds lie outside the towers."""

    name: str
    cls: str
    colour: str | None = None
    tags: tuple[str, ...] = ()


class SquareMap(Struct, frozen=True, omit_defaults=True):
    """A square as printed, its board in its id: global column `x`, level `y`, d66 number, shafts and fire control."""

    id: str
    x: int
    y: int
    kind: str
    number: int | None = None
    features: tuple[str, ...] = ()


class MapView(Struct, frozen=True):
    """The map: boards with their names west to east, size, whether it wraps, squares by level, west to east.

    `layers` say how to draw what lies on it (see `games.drawing`).
    """

    boards: dict[str, str]
    width: int
    levels: int
    wraps: bool
    kinds: dict[str, KindMap]
    squares: tuple[SquareMap, ...]
    layers: tuple[Layer, ...] = LAYERS


class BlockerView(Struct, frozen=True, kw_only=True):
    """A blocker; of hidden equipment only the number, unless the reader may know it."""

    id: str
    type: str
    seat: int
    controller: int | None
    at: str
    side: Side
    equipment: tuple[str, ...] | UnsetType = UNSET
    equipment_size: int
    shown: tuple[str, ...]
    deployed: tuple[str, ...]
    flipped: bool
    activated_this_turn: bool
    mp_left: int
    movement_over: bool
    fired_this_turn: bool
    stuck_until: int | None
    must_leave: bool
    pinned: bool
    flying: bool
    arrived: int


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat. `hand_backs` are the reverse faces of its cards (BM-R7), `dp` its points, itemised in `dp_items`."""

    board: str
    hand: dict[str, int] | UnsetType = UNSET
    hand_size: int
    hand_backs: tuple[str, ...] | UnsetType = UNSET
    standing: tuple[str, ...] | UnsetType = UNSET
    blocker_pool: dict[str, int]
    dead_blockers: int
    collapsed: bool
    power: bool
    collapses_since_check: int
    no_fatties: bool
    mob_cost: int | None
    fatty_bonus: int
    dp: int
    dp_items: dict[str, int]
    resigned: bool


class TokenView(Struct, frozen=True, kw_only=True):
    """A token in a square; its kind if the reader may know it."""

    token: str | UnsetType = UNSET
    by: int
    face_down: bool
    order: int


class SquareView(Struct, frozen=True, kw_only=True):
    """What lies in a square."""

    fire: int
    damage: int
    collapsed: bool
    severed: bool
    looted: bool
    scrawl: bool
    cars: int
    tokens: tuple[TokenView, ...]
    virus: bool


class View(Struct, frozen=True, kw_only=True):
    """The whole table. `..._top` are the visible faces of the decks; squares with nothing in them are left out."""

    options: Options
    phase: Phase
    phasing: int
    turn_no: int
    turn_order: tuple[int, ...]
    endgame: bool
    command_points: int
    active: str | None
    boards: tuple[str, ...]
    seats: tuple[SeatView, ...]
    blockers: tuple[BlockerView, ...]
    squares: dict[str, SquareView]
    units: tuple[JusticeUnit, ...]
    gas: tuple[int, ...]
    armory_pool: dict[str, int] | UnsetType = UNSET
    hardware_pool: dict[str, int] | UnsetType = UNSET
    klegg_supply: int
    cars_supply: int
    unit_supply: dict[str, int]
    mania_deck: tuple[str, ...] | UnsetType = UNSET
    mania_deck_size: int
    mania_deck_top: str | None
    justice_deck: tuple[str, ...] | UnsetType = UNSET
    justice_deck_size: int
    justice_deck_top: str | None
    setup_discard: dict[str, int] | UnsetType = UNSET
    setup_discard_size: int
    mania_discard: dict[str, int]
    justice_used: dict[str, int]
    reshuffles: int
    gone: dict[str, int]
    map: MapView
    agenda: tuple[dict[str, Any], ...]
    outcome: Outcome | None


#: What everybody sees as it stands in the state: values that never change, and counts.
PLAIN = (
    *("options", "phase", "phasing", "turn_no", "endgame", "command_points", "active"),
    *("klegg_supply", "cars_supply", "reshuffles", "outcome"),
)
COUNTED = ("unit_supply", "mania_discard", "justice_used", "gone")


def view(state: State, reader: int) -> View:
    """The state as a seat, SPECTATOR or EVERYTHING may see it."""
    if state.outcome is not None:
        reader = EVERYTHING
    everything = reader == EVERYTHING
    pools = not state.options.equipment_hidden or everything
    standing = occupancy(state)
    return View(
        **_plain(state),
        turn_order=tuple(state.turn_order),
        boards=tuple(state.boards),
        seats=tuple(_seat(state, number, reader) for number in range(state.seat_count)),
        blockers=tuple(_blocker(state, one, reader, standing) for one in state.blockers.values()),
        squares={name: _square(square, reader) for name, square in state.squares.items()},
        units=tuple(state.units),
        gas=tuple(state.gas),
        armory_pool=dict(state.armory_pool) if pools else UNSET,
        hardware_pool=dict(state.hardware_pool) if pools else UNSET,
        mania_deck=tuple(state.mania_deck) if everything else UNSET,
        mania_deck_size=len(state.mania_deck),
        mania_deck_top=_top(state, state.mania_deck, 0),
        justice_deck=tuple(state.justice_deck) if everything else UNSET,
        justice_deck_size=len(state.justice_deck),
        justice_deck_top=_top(state, state.justice_deck, 1),
        setup_discard=dict(state.setup_discard) if everything else UNSET,
        setup_discard_size=sum(state.setup_discard.values()),
        map=_map(state.pack, tuple(state.boards)),
        agenda=tuple(redact(step, reader) for step in state.agenda),
    )


def _plain(state: State) -> dict[str, Any]:
    counts = {name: dict(getattr(state, name)) for name in COUNTED}
    return {name: getattr(state, name) for name in PLAIN} | counts


def _top(state: State, deck: list[str], face: int) -> str | None:
    return deck[0].split("/")[face] if deck and state.options.card_backs_visible else None


def _seat(state: State, number: int, reader: int) -> SeatView:
    seat, own = state.seats[number], reader in (number, EVERYTHING)
    items = itemised(state, number)
    return SeatView(
        board=seat.board,
        hand=dict(seat.hand) if own else UNSET,
        hand_size=sum(seat.hand.values()),
        hand_backs=backs(state, number) if state.options.card_backs_visible else UNSET,
        standing=tuple(seat.standing) if own else UNSET,
        blocker_pool=dict(seat.blocker_pool),
        dead_blockers=seat.dead_blockers,
        collapsed=seat.collapsed,
        power=seat.power,
        collapses_since_check=seat.collapses_since_check,
        no_fatties=seat.no_fatties,
        mob_cost=seat.mob_cost,
        fatty_bonus=seat.fatty_bonus,
        dp=sum(items.values()),
        dp_items=items,
        resigned=number in state.resigned,
    )


def backs(state: State, seat: int) -> tuple[str, ...]:
    """The reverse faces of a seat's cards by name: Justice faces, in the endgame Mania faces (BM-R7)."""
    face = 1 if state.endgame else 0
    return tuple(sorted(card.split("/")[face] for card, n in state.seats[seat].hand.items() for _ in range(n)))


def _blocker(state: State, one: Blocker, reader: int, standing: Any) -> BlockerView:
    shown = lies_open(state, one) or len(one.shown) == len(one.equipment)
    known = shown or reader in (answers_for(one), EVERYTHING)
    return BlockerView(
        id=one.id,
        type=one.type,
        seat=one.seat,
        controller=one.controller,
        at=one.at,
        side=one.side,
        equipment=one.equipment if known else UNSET,
        equipment_size=len(one.equipment),
        shown=one.shown,
        deployed=one.deployed,
        flipped=one.flipped,
        activated_this_turn=one.activated_this_turn,
        mp_left=one.mp_left,
        movement_over=one.movement_over,
        fired_this_turn=one.fired_this_turn,
        stuck_until=one.stuck_until,
        must_leave=one.must_leave,
        pinned=pinned_among(one, standing.get((one.at, one.side), ())),
        flying=bool(one.at) and flying_now(state, one),
        arrived=one.arrived,
    )


def _square(square: Square, reader: int) -> SquareView:
    fields = structs.asdict(square) | {"tokens": tuple(_token(token, reader) for token in square.tokens)}
    return SquareView(**fields)


def _token(token: Token, reader: int) -> TokenView:
    known = not token.face_down or reader in (token.by, *token.seen, EVERYTHING)
    return TokenView(token=token.token if known else UNSET, by=token.by, face_down=token.face_down, order=token.order)


@cache
def _map(digest: str, boards: tuple[str, ...]) -> MapView:
    pack = SHELF[digest]
    names = {board.id: board.name for board in pack.boards}
    kinds = {kind.id: KindMap(kind.name, kind.cls, kind.colour, kind.tags) for kind in pack.kinds}
    if not boards:
        return MapView({}, 0, 0, False, kinds, ())
    here = map_of(digest, boards)
    squares = tuple(
        SquareMap(one.id, one.x, one.level, one.kind, one.number, tuple(sorted(one.features)))
        for one in here.squares.values()
    )
    return MapView({name: names[name] for name in boards}, here.width, here.levels, here.wraps, kinds, squares)
