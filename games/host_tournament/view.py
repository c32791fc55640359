"""What one reader may see of a state (specification, 3.3), as data that a client can draw.

Names are those of positions; what the reader may not see is absent. After the end everything is shown to all.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from games.host_tournament.look import NOBODY
from games.host_tournament.ops import STATS
from games.host_tournament.options import Options
from games.host_tournament.state import TABLE, AutoPass, Phase, Played, Roll, Seat, State, Used
from games.host_tournament.values import level, rated
from games.kernel import EVERYTHING, Outcome, redact


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat. The owner knows of its `deck` how many of each card are in it; `shown`: hand cards that all know of."""

    hand: tuple[str, ...] | UnsetType = UNSET
    hand_size: int
    shown: tuple[str, ...]
    deck: tuple[str, ...] | dict[str, int] | UnsetType = UNSET
    deck_size: int
    deck_list: dict[str, int] | UnsetType = UNSET
    discard: tuple[str, ...]
    score: int
    used_specials: tuple[Used, ...]
    used_turn: tuple[Used | str, ...]
    auto_pass: AutoPass | UnsetType = UNSET
    wish: int | UnsetType | None = UNSET
    rps: str | UnsetType | None = UNSET
    ready: bool
    resigned: bool


class CardView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card in play: the fields of positions, and what follows: where it is, whether it works, its stats of now."""

    card: str
    owner: int
    at: str
    entry: int
    stop: int = 0
    stasis: str | None = None
    awake: int = 0
    counter: int | None = None
    moving: bool = False
    place: str | None = None
    active: bool = True
    home: bool = False
    stats: dict[str, int] = {}
    skills: dict[str, int] = {}
    attached: tuple[str, ...] = ()


class PlaceView(Struct, frozen=True, kw_only=True):
    """A place: its copies from the bottom up, the personnel of each seat, and what lies there."""

    pid: str
    card: str
    town: str
    copies: tuple[str, ...]
    personnel: tuple[tuple[str, ...], tuple[str, ...]]
    lying: tuple[str, ...]


class RollView(Struct, frozen=True, kw_only=True):
    """The running subgame; `chosen` are the entrants that the reader may know of, `ready` says who has chosen."""

    kind: str
    event: str
    place: str
    forced_in: tuple[str, ...]
    forced_out: tuple[str, ...]
    chosen: tuple[str, ...]
    ready: tuple[bool, ...]
    entrants: tuple[str, ...]
    dice: dict[str, int]
    pace: int | None
    order: tuple[str, ...]
    winner: str | None


class View(Struct, frozen=True, kw_only=True):
    """The whole table. `in_play` by instance, in order of entry; `table` lies before the seats; texts: see `pack`."""

    options: Options
    phase: Phase
    first: int
    active: int
    turn: int
    actions_left: int
    fresh: tuple[int, ...]
    seats: tuple[SeatView, SeatView]
    places: tuple[PlaceView, ...]
    in_play: dict[str, CardView]
    table: tuple[str, ...]
    plays: tuple[Played, ...]
    roll: RollView | None
    towns: dict[str, str]
    decks: dict[str, str]
    pack: str
    agenda: tuple[dict[str, Any], ...]
    outcome: Outcome | None


def view(state: State, reader: int) -> View:
    """The view of a seat, of SPECTATOR, or of EVERYTHING."""
    everything = reader == EVERYTHING or state.phase == "ended"
    zero, one = (_seat(state, number, reader, everything=everything) for number in (0, 1))
    return View(
        options=state.options,
        phase=state.phase,
        first=state.first,
        active=state.active,
        turn=state.turn,
        actions_left=state.actions_left,
        fresh=tuple(state.fresh),
        seats=(zero, one),
        places=tuple(_place(state, place.pid) for place in state.places),
        in_play={name: card_view(state, name) for name in state.look.order},
        table=state.look.lying.get(TABLE, NOBODY),
        plays=tuple(state.plays),
        roll=None if state.roll is None else _roll(state, state.roll, reader, everything=everything),
        towns=state.book.towns,
        decks={deck.id: deck.name for deck in state.book.decks.values()},
        pack=state.pack,
        agenda=tuple(redact(step, EVERYTHING if everything else reader) for step in state.agenda),
        outcome=state.outcome,
    )


def _seat(state: State, number: int, reader: int, *, everything: bool) -> SeatView:
    seat: Seat = state.seats[number]
    own = everything or reader == number
    left: dict[str, int] = {}
    for card in sorted(seat.deck) if own else ():
        left[card] = left.get(card, 0) + 1
    return SeatView(
        hand=tuple(seat.hand) if own else UNSET,
        hand_size=len(seat.hand),
        shown=tuple(seat.shown),
        deck=tuple(seat.deck) if everything else left if own else UNSET,
        deck_size=len(seat.deck),
        deck_list=seat.deck_list if own else UNSET,
        discard=tuple(seat.discard),
        score=seat.score,
        used_specials=tuple(seat.used_specials),
        used_turn=tuple(seat.used_turn),
        auto_pass=seat.auto_pass if own else UNSET,
        wish=seat.wish if own else UNSET,
        rps=state.rps[number] if own else UNSET,
        ready=state.rps[number] is not None,
        resigned=number in state.resigned,
    )


def card_view(state: State, name: str) -> CardView:
    """A card in play."""
    card, what, look = state.in_play[name], state.card(name), state.look
    person = what.type == "personnel"
    where = look.where(name)
    return CardView(
        card=card.card,
        owner=card.owner,
        at=card.at,
        entry=card.entry,
        stop=card.stop,
        stasis=card.stasis,
        awake=card.awake,
        counter=card.counter,
        moving=card.moving,
        place=where,
        active=look.active(name),
        home=person and look.towns.get(where or "") in what.aff,
        stats={stat: rated(state, name, stat) for stat in STATS} if person else {},
        skills={skill: n for skill in state.book.skills if (n := level(state, name, skill))} if person else {},
        attached=look.attached.get(name, NOBODY),
    )


def _place(state: State, pid: str) -> PlaceView:
    look = state.look
    return PlaceView(
        pid=pid,
        card=state.in_play[look.copies[pid][0]].card,
        town=look.towns[pid],
        copies=look.copies[pid],
        personnel=(look.all_of(pid, 0), look.all_of(pid, 1)),
        lying=look.lying.get(pid, NOBODY),
    )


def _roll(state: State, roll: Roll, reader: int, *, everything: bool) -> RollView:
    """What each seat has chosen is its own affair until all have."""
    open_ = everything or state.options.entry_order == "active_first"
    chosen = [name for seat in (0, 1) if open_ or reader == seat for name in roll.chosen[seat] or ()]
    return RollView(
        kind=roll.kind,
        event=roll.event,
        place=roll.place,
        forced_in=tuple(roll.forced_in),
        forced_out=tuple(roll.forced_out),
        chosen=tuple(chosen),
        ready=tuple(those is not None for those in roll.chosen),
        entrants=tuple(roll.entrants),
        dice=dict(roll.dice),
        pace=roll.pace,
        order=tuple(roll.order),
        winner=roll.winner,
    )
