"""What a game is made of by its options (specification, 2.1 to 2.8): pools, deck, supplies; and that it adds up."""

from collections import Counter
from collections.abc import Iterable, Mapping

from games.block_mania.effects import CardDrawn
from games.block_mania.options import Options
from games.block_mania.pack import SHELF
from games.block_mania.pack_parts import Blocker, Expansion, Pack
from games.block_mania.state import Seat, State
from games.kernel import Setting

EXPANSIONS: tuple[Expansion, ...] = (
    "jaegers",
    "robodogs_sucker_guns",
    "trip_mines_spit_cannons",
    "thermo_bombs",
    "plascrete_virus",
    "nerve_gas",
)


def initial(setting: Setting) -> State:
    """A game before its first shuffle: full pools, nothing on the map (S1)."""
    pack, options = SHELF[setting.pack], setting.options
    return State(
        pack=setting.pack,
        options=options,
        turn_order=list(range(setting.seats)),
        seats=[Seat(blocker_pool=blocker_pool(pack, options)) for _ in range(setting.seats)],
        armory_pool=token_pool(pack, options, "armory"),
        hardware_pool=token_pool(pack, options, "hardware"),
        klegg_supply=sum(total(one) for one in pack.blockers if one.supply == "common"),
        cars_supply=pack.cars,
        unit_supply={unit.id: setting.seats for unit in pack.units},
        mania_deck=deck(pack, options),
    )


def deck(pack: Pack, options: Options) -> list[str]:
    """The cards in the order of 2.8, each `justice/mania` (BM-R1)."""
    cards = []
    for row in pack.cards:
        other = None if options.deck == "house54" else getattr(row, options.deck)
        cards += [f"{row.justice}/{row.mania}"] * (row.count if other is None else other)
    return cards


def setup_discard(options: Options, seats: int) -> int:
    """How many cards are discarded at the set-up: 18, 12 or 6, or as chosen (BM-SET-9).

    The three leave each seat as many draws (BM-SET-10); another number may not.
    """
    return 6 + 6 * (4 - seats) if options.discard == "auto" else options.discard


def blocker_pool(pack: Pack, options: Options) -> dict[str, int]:
    """A seat's pool: counters with their markers (BM-SET-2)."""
    pool: Counter[str] = Counter()
    for one in pack.blockers:
        if one.supply == "seat" and (one.id != "jaeger" or options.jaegers):
            pool.update(counters(one))
    if options.jaegers:
        pool["citi_def/A"] -= 1
    return dict(sorted(pool.items()))


def counters(one: Blocker) -> dict[str, int]:
    """The counters of a type by the word for each in a pool."""
    markers = {f"{one.id}/A": one.markers.armory, f"{one.id}/H": one.markers.hardware, one.id: one.markers.none}
    return {name: n for name, n in markers.items() if n}


def total(one: Blocker) -> int:
    """How many counters of a type there are for a seat, or in all."""
    return sum(counters(one).values())


def token_pool(pack: Pack, options: Options, pool: str) -> dict[str, int]:
    """The tokens of a pool with the expansions in play (BM-SET-3 to -5, BM-EQ-1; what they are: BM-R2)."""
    items = {item.id: item for item in pack.equipment if item.pool == pool}
    counts = Counter({name: item.count for name, item in items.items()})
    for name in EXPANSIONS:
        exchange = pack.expansions.get(name)
        if exchange is not None and getattr(options, name):
            counts.update({kind: n for kind, n in exchange.add.items() if kind in items})
            counts.subtract({kind: n for kind, n in exchange.remove.items() if kind in items})
    return {name: n for name, n in sorted(counts.items()) if n}


def card_drawn(state: State, seat: int) -> CardDrawn:
    """The top card of the deck in use goes to a seat; who sees what of it follows from the option (BM-R7)."""
    pile = state.justice_deck if state.endgame else state.mania_deck
    face = 1 if state.endgame else 0
    backs = state.options.card_backs_visible
    reverse = [card.split("/")[face] for card in pile[:2]] if backs else []
    return CardDrawn(seat, pile[0], reverse[0] if reverse else None, reverse[1] if len(reverse) > 1 else None)


def merged(*piles: Mapping[str, int]) -> list[str]:
    """The cards of some piles as a list in the order of their names: what a shuffle starts from."""
    return sorted(name for pile in piles for name in listed(pile))


def components(state: State) -> dict[str, int]:
    """Every counter, token and card, wherever it is: the same all game long."""
    found: Counter[str] = Counter()
    for seat in state.seats:
        found.update(_named("blocker", (name.partition("/")[0] for name in listed(seat.blocker_pool))))
        found.update(_named("card", listed(seat.hand)))
    found.update(_named("blocker", (one.type for one in state.blockers.values())))
    found.update(_named("blocker", listed(state.gone)))
    found["blocker klegg"] += state.klegg_supply
    for one in state.blockers.values():
        found.update(_named("token", one.equipment))
    for pool in (state.armory_pool, state.hardware_pool):
        found.update(_named("token", listed(pool)))
    for square in state.squares.values():
        found.update(_named("token", (token.token for token in square.tokens)))
        found["token plascrete_virus"] += square.virus
        found["car"] += square.cars
    found["car"] += state.cars_supply
    for pile in (state.setup_discard, state.mania_discard, state.justice_used):
        found.update(_named("card", listed(pile)))
    found.update(_named("card", (*state.mania_deck, *state.justice_deck)))
    found.update(_named("unit", (unit.kind for unit in state.units)))
    found.update({f"unit {kind}": n for kind, n in state.unit_supply.items()})
    return {name: n for name, n in sorted(found.items()) if n}


def listed(counts: Mapping[str, int]) -> list[str]:
    """A multiset as a list."""
    return [name for name, n in counts.items() for _ in range(n)]


def _named(what: str, names: Iterable[str]) -> Counter[str]:
    return Counter(f"{what} {name}" for name in names)
