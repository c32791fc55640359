"""Trades, in a turn or during a vote (specification, 4.5; POZ-TRN-14, POZ-VOT-4)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Secret, Table
from games.portland_occupied_zone.actions.common import asked, begin, check_free
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.cards import different, find
from games.portland_occupied_zone.effects import (
    GivenChosen,
    ItemAdded,
    ItemAsked,
    OfferBegun,
    OfferDropped,
    TradeOffered,
)
from games.portland_occupied_zone.effects.governing import ANY, BRICK
from games.portland_occupied_zone.places import near
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.trading import (
    SIDE_MAX,
    BuildOffer,
    RespondTrade,
    asked_cards,
    backs_of,
    brick_left,
    go_on,
    kinds_of,
    left_to_offer,
    next_given,
    offer_of,
    settle,
)


class OfferTrade(Action, frozen=True, rename={"from_": "from"}):
    """Begin to offer a trade to a character; during a vote, `from` one of the own."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    to: Public[str]
    from_: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every pair that may trade, as long as offers are left."""
        if _offers(state, seat) < state.options.trade_offers and not (state.turn is not None and state.turn.in_gas):
            for giver in _givers(state, seat):
                named = giver if state.ballot is not None else None
                yield from (cls(to, named) for to in state.pcs if _reached(state, giver, to))

    def check(self, state: State, seat: int) -> None:
        """Who may trade, in reach, with offers left."""
        if state.ballot is None:
            check_free(state)
            if self.from_ is not None:
                refuse("POZ-TRN-14", "not_in_a_vote")
        givers = _givers(state, seat)
        giver = self.from_ if state.ballot is not None else givers[0]
        if giver not in givers:
            refuse("POZ-VOT-4", "not_yours_or_not_awake", pc=self.from_)
        if self.to not in state.pcs or self.to == giver or not state.pcs[self.to].awake:
            refuse("POZ-R19", "not_awake", pc=self.to)
        if not _reached(state, giver, self.to):
            refuse("POZ-R19", "not_near", pc=self.to)
        if _offers(state, seat) >= state.options.trade_offers:
            refuse("POZ-TRN-14", "offers_used_up")

    def apply(self, table: Table[State], seat: int) -> None:
        """The offer is put together."""
        if table.state.ballot is None:
            begin(table)
            giver = table.state.turn.pc if table.state.turn is not None else ""
        else:
            table.stay()
            giver = self.from_ or ""
        table.emit(OfferBegun(seat, giver, self.to))
        table.push(BuildOffer(seats=(seat,)))


def _offers(state: State, seat: int) -> int:
    if state.ballot is not None:
        return state.ballot.offers.get(seat, 0)
    return state.turn.offers if state.turn is not None else 0


def _givers(state: State, seat: int) -> list[str]:
    if state.ballot is not None:
        return [name for name, pc in state.pcs.items() if pc.seat == seat and pc.awake]
    return [state.turn.pc] if state.turn is not None else []


def _reached(state: State, giver: str, to: str) -> bool:
    """During votes everybody is in reach (4.5)."""
    if to == giver or not state.pcs[to].awake:
        return False
    close = state.options.trade_range == "near" and state.ballot is None
    return not close or near(state, state.pcs[giver].space, state.pcs[to].space)


class AddItem(Action, frozen=True):
    """Lay a hand card into the offer; during a vote also a brick."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    item: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind that is left; a brick, in a vote; as long as there is room."""
        if len(offer_of(state).items) >= SIDE_MAX:
            return
        yield from map(cls, different(left_to_offer(state)))
        if brick_left(state, offer_of(state).pc, offer_of(state).items):
            yield cls(BRICK)

    def check(self, state: State, seat: int) -> None:
        """It is there to give, and there is room for it."""
        _check_room(offer_of(state).items)
        if self.item == BRICK:
            if not brick_left(state, offer_of(state).pc, offer_of(state).items):
                refuse("POZ-VOT-4", "no_brick_to_trade")
        elif find(left_to_offer(state), self.item) is None:
            refuse("POZ-TRN-14", "not_in_hand", card=self.item)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is in the offer."""
        table.stay()
        card = None if self.item == BRICK else find(left_to_offer(table.state), self.item)
        back = BRICK if card is None else table.state.board.back(card)
        table.emit(ItemAdded(offer_of(table.state).pc, seat, back, self.item))


class AskItem(Action, frozen=True):
    """Ask for a card with this back, or `any`; during a vote also for a brick."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    item: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each back the other hand shows, as often as it does; as long as there is room."""
        offer = offer_of(state)
        if len(offer.asks) >= SIDE_MAX:
            return
        hand = [state.board.back(card) for card in state.pcs[offer.to].hand]
        if len(asked_cards(offer)) < len(hand):
            yield from (cls(back) for back in dict.fromkeys(hand) if offer.asks.count(back) < hand.count(back))
            yield cls(ANY)
        if brick_left(state, offer.to, offer.asks):
            yield cls(BRICK)

    def check(self, state: State, seat: int) -> None:
        """The other one has so many, and there is room for it."""
        _check_room(offer_of(state).asks)
        if all(action.item != self.item for action in self.options(state, seat)):
            refuse("POZ-TRN-14", "not_so_many_there", back=self.item)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is in the offer."""
        table.stay()
        table.emit(ItemAsked(offer_of(table.state).pc, self.item))


def _check_room(side: list[str]) -> None:
    """Refuse more than fits on one side of an offer (4.10)."""
    if len(side) >= SIDE_MAX:
        refuse("POZ-TRN-14", "offer_full", most=SIDE_MAX)


class SendOffer(Action, frozen=True):
    """Make the offer."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """If there is anything in it."""
        if offer_of(state).items or offer_of(state).asks:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """Not empty."""
        if not offer_of(state).items and not offer_of(state).asks:
            refuse("POZ-TRN-14", "empty_offer")

    def apply(self, table: Table[State], seat: int) -> None:
        """The other one is asked; between characters of one seat it is accepted (POZ-R84)."""
        state = table.state
        offer = offer_of(state)
        to_seat = state.seat_of(offer.to)
        items = kinds_of(state, offer.items)
        backs = backs_of(state, offer.items)
        table.emit(TradeOffered(offer.pc, offer.to, seat, to_seat, backs, tuple(offer.asks), items))
        if to_seat != seat:
            table.push(RespondTrade(seats=(to_seat,)))
        elif not go_on(table):
            table.push(RespondTrade(seats=(to_seat,), accepted=True))


class DropOffer(Action, frozen=True):
    """Offer nothing after all."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Withdrawn."""
        table.emit(OfferDropped(offer_of(table.state).pc))


class _Response(Action, frozen=True):
    """An answer to an offer, as long as it is not accepted."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Before it is accepted."""
        if not asked(state, RespondTrade).accepted:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """Not yet accepted."""
        if asked(state, RespondTrade).accepted:
            refuse("POZ-TRN-14", "accepted_already")


class AcceptTrade(_Response, frozen=True):
    """Take the offer."""

    def apply(self, table: Table[State], seat: int) -> None:
        """If cards are asked for, they are chosen; else it is done."""
        table.amend(RespondTrade, accepted=True)
        if not go_on(table):
            table.stay()


class DeclineTrade(_Response, frozen=True):
    """Refuse the offer."""

    declines: ClassVar[bool] = True

    def apply(self, table: Table[State], seat: int) -> None:
        """Nothing changes hands."""
        settle(table, accepted=False)


class ChooseGiven(Action, frozen=True):
    """Choose a card that is given in a trade."""

    rule: ClassVar[str] = "POZ-TRN-14"
    exact: ClassVar[bool] = True

    card: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind that was asked for next."""
        if asked(state, RespondTrade).accepted:
            yield from map(cls, different(next_given(state)))

    def check(self, state: State, seat: int) -> None:
        """After accepting; with the back that is asked for."""
        if not asked(state, RespondTrade).accepted:
            refuse("POZ-TRN-14", "not_accepted")
        if find(next_given(state), self.card) is None:
            refuse("POZ-TRN-14", "not_asked_for", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Laid beside the offer; after the last one the trade is made."""
        state = table.state
        offer = offer_of(state)
        card = find(next_given(state), self.card)
        assert card is not None
        table.emit(GivenChosen(offer.to, seat, state.board.back(card), self.card))
        if not go_on(table):
            table.stay()
