"""What a seat or a spectator may see of the tiny ruleset, and a state that it could not tell from the real one."""

from msgspec import Struct

from games.dice import Dice
from games.kernel import EVERYTHING
from tests.tiny.state import Announced, Floor, Tiny


class OfferView(Struct, frozen=True):
    """An offer; `cards` only for the parties (for the addressee once it is sent)."""

    seat: int
    to: int
    size: int
    sent: bool
    cards: tuple[str, ...] | None


class TinyView(Struct, frozen=True, tag_field="view", tag="tiny"):
    """A view. Lists are by seat; `None` is what this reader does not know."""

    hands: tuple[tuple[str, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    stashes: tuple[str | None, ...]
    homes: tuple[str | None, ...]
    sealed: tuple[bool, ...]
    coins: tuple[int, ...]
    bank: int
    lost: tuple[int, ...]
    floors: dict[str, Floor]
    deck_size: int
    discard: tuple[str, ...]
    announced: tuple[Announced, ...]
    offer: OfferView | None
    votes: dict[int, int]
    chair: int | None
    round: int
    active: int | None
    actions_left: int
    curfew: bool
    police: str
    passes: tuple[bool, bool] | None


def view(state: Tiny, reader: int) -> TinyView:
    """The state as `reader` may see it."""
    seats = range(state.seat_count)
    mine = [reader in (seat, EVERYTHING) for seat in seats]
    return TinyView(
        hands=tuple(tuple(sorted(state.hands[seat])) if mine[seat] else None for seat in seats),
        hand_sizes=tuple(map(len, state.hands)),
        stashes=tuple(state.stashes[seat] if mine[seat] else None for seat in seats),
        homes=tuple(state.homes[seat] if mine[seat] or state.revealed else None for seat in seats),
        sealed=tuple(home is not None for home in state.homes),
        coins=tuple(state.coins),
        bank=state.bank,
        lost=tuple(state.lost),
        floors=state.floors,
        deck_size=len(state.deck),
        discard=tuple(state.discard),
        announced=tuple(state.announced),
        offer=_offer(state, reader),
        votes=state.votes,
        chair=state.chair,
        round=state.round,
        active=state.active,
        actions_left=state.actions_left,
        curfew=state.curfew,
        police=state.police,
        passes=(reader in state.standing, reader in state.auto) if reader in seats else None,
    )


def _knows_offer(state: Tiny, reader: int) -> bool:
    offer = state.offer
    return offer is not None and (reader in (EVERYTHING, offer.seat) or (offer.sent and reader == offer.to))


def _offer(state: Tiny, reader: int) -> OfferView | None:
    offer = state.offer
    if offer is None:
        return None
    cards = tuple(offer.cards) if _knows_offer(state, reader) else None
    return OfferView(offer.seat, offer.to, len(offer.cards), offer.sent, cards)


def resample(state: Tiny, seat: int, dice: Dice) -> Tiny:
    """Deal all cards that `seat` does not know anew, and choose unrevealed homes anew."""
    others = [other for other in range(state.seat_count) if other != seat]
    zones = [*(state.hands[other] for other in others), state.deck]
    if state.offer is not None and not _knows_offer(state, seat):
        zones.append(state.offer.cards)
    buried = [other for other in others if state.stashes[other] is not None]
    pool = [card for zone in zones for card in zone] + [state.stashes[other] for other in buried]
    pool = dice.shuffle("resample", sorted(pool))
    for zone in zones:
        zone[:] = [pool.pop() for _ in zone]
    for other in buried:
        state.stashes[other] = pool.pop()
    if not state.revealed:
        for other in buried:
            state.homes[other] = dice.pick("home", tuple(state.floors))
    return state
