"""The actions of the tiny ruleset: what may be asked for, why not, and what comes of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Self

from games.kernel import Action, IllegalError, Public, Resign, Secret, Table, Visibility, secret_to
from tests.tiny import effects as e
from tests.tiny import steps as s

if TYPE_CHECKING:
    from tests.tiny.state import Tiny


def require(condition: object, rule: str, reason: str, **details: object) -> None:
    """Refuse the action by this rule unless the condition holds."""
    if not condition:
        raise IllegalError(rule, reason, **details)


def kinds(cards: Iterable[str]) -> list[str]:
    """Each kind once, in order: equal cards are one candidate."""
    return sorted(set(cards))


class Plain(Action, frozen=True):
    """An action without fields: itself is its only option."""

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        yield cls()


class ChooseHome(Action, frozen=True):
    """Choose a home and bury a card, sealed."""

    rule: ClassVar[str] = "TINY-1"

    place: Secret[str]
    card: Secret[str]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        for place in state.content.places:
            for card in kinds(state.hands[seat]):
                yield cls(place.id, card)

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.content.place(self.place), "TINY-1.1", "no_such_place", place=self.place)
        require(self.card in state.hands[seat], "TINY-1.2", "not_in_hand", card=self.card)

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.HomeChosen(seat, self.place, self.card))


class CastVote(Action, frozen=True):
    """Name a chair; later, once, another one."""

    rule: ClassVar[str] = "TINY-2"

    choice: Public[int]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return map(cls, range(state.seat_count))

    def check(self, state: "Tiny", seat: int) -> None:
        require(self.choice in state.playing(), "TINY-2.1", "no_candidate", choice=self.choice)
        require(state.votes.get(seat) != self.choice, "TINY-2.2", "voted_so_already")
        require(seat not in state.changes, "TINY-2.3", "changed_already")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.VoteCast(seat, self.choice))
        table.amend(s.Vote, also=tuple(sorted(table.state.votes)))


class OfferTrade(Action, frozen=True):
    """Begin to lay out an offer, once a round."""

    rule: ClassVar[str] = "TINY-3"

    to: Public[int]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return map(cls, range(state.seat_count))

    def check(self, state: "Tiny", seat: int) -> None:
        require(self.to in state.playing() and self.to != seat, "TINY-3.1", "no_partner", to=self.to)
        require(seat not in state.offers, "TINY-3.2", "offered_already")
        require(state.hands[seat], "TINY-3.3", "no_cards")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.OfferOpened(seat, self.to))
        table.stay()
        table.push(s.BuildOffer(seats=(seat,), to=self.to))


class AddCard(Action, frozen=True):
    """Lay a card into the offer."""

    rule: ClassVar[str] = "TINY-3"

    card: Secret[str]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return map(cls, kinds(state.hands[seat]))

    def check(self, state: "Tiny", seat: int) -> None:
        require(self.card in state.hands[seat], "TINY-3.4", "not_in_hand", card=self.card)

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.CardOffered(seat, self.card))
        table.stay()


class SendOffer(Plain, frozen=True):
    """Show the offer to its addressee."""

    rule: ClassVar[str] = "TINY-3"

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.offer and state.offer.cards, "TINY-3.5", "empty_offer")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        offer = table.state.offer
        assert offer is not None
        table.emit(e.OfferSent(seat, offer.to, tuple(offer.cards)))
        table.push(s.RespondTrade(seats=(offer.to,), offerer=seat))


class DropOffer(Plain, frozen=True):
    """Take the cards back."""

    rule: ClassVar[str] = "TINY-3"
    declines: ClassVar[bool] = True

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.OfferClosed(seat, seat, sold=False))


class AcceptTrade(Plain, frozen=True):
    """Take the cards for a coin."""

    rule: ClassVar[str] = "TINY-3"

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.coins[seat], "TINY-3.6", "no_coin")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        offer = table.state.offer
        assert offer is not None
        table.emit(e.OfferClosed(offer.seat, seat, sold=True))


class DeclineTrade(Plain, frozen=True):
    """Leave the cards."""

    rule: ClassVar[str] = "TINY-3"
    declines: ClassVar[bool] = True

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        offer = table.state.offer
        assert offer is not None
        table.emit(e.OfferClosed(offer.seat, offer.seat, sold=False))


class Shoot(Action, frozen=True):
    """Declare an attack on a place that stands."""

    rule: ClassVar[str] = "TINY-4"

    place: Public[str]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return map(cls, state.floors)

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.actions_left, "TINY-4.1", "no_action_left")
        require(self.place in state.floors, "TINY-4.2", "no_such_place", place=self.place)
        require(not state.floors[self.place].collapsed, "TINY-4.3", "collapsed", place=self.place)

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.AttackDeclared(seat, self.place))
        table.stay()
        owners = table.state.floors[self.place].units
        order = (seat, *(other for other in table.state.after(seat) if other in owners))
        table.push(s.React(order=order), s.Attack(seat=seat, place=self.place))

    def notes(self, state: "Tiny", seat: int) -> dict[str, object]:
        return {"targets": len(state.floors[self.place].units)}


class TakeCard(Plain, frozen=True):
    """Take the top card of the deck."""

    rule: ClassVar[str] = "TINY-4"

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.actions_left, "TINY-4.1", "no_action_left")
        require(state.deck, "TINY-4.4", "deck_empty")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.CardPaid(seat), e.CardTaken(seat, table.state.deck[-1]))
        table.stay()


class EndTurn(Plain, frozen=True):
    """End the own turn."""

    rule: ClassVar[str] = "TINY-4"
    declines: ClassVar[bool] = True

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.TurnEnded(seat))


class PlayCard(Action, frozen=True):
    """Play a card in a window; it waits for answers before it is carried out."""

    rule: ClassVar[str] = "TINY-5"

    card: Public[str]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return map(cls, kinds(state.hands[seat]))

    def check(self, state: "Tiny", seat: int) -> None:
        card = state.content.card(self.card)
        window = state.agenda[-1]
        require(card is not None and self.card in state.hands[seat], "TINY-5.1", "not_in_hand", card=self.card)
        assert card is not None
        if isinstance(window, s.Answer):
            require(card.use == "cancel", "TINY-5.2", "answers_only")
            return
        require(card.use != "cancel", "TINY-5.3", "nothing_to_cancel")
        require((card.use == "aim") == (seat == state.active), "TINY-5.4", "wrong_side")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        state, window = table.state, table.state.agenda[-1]
        number = state.announcements + 1
        answers = window.subject if isinstance(window, s.Answer) else None
        if answers is not None:
            table.amend(s.Answer, passed=())
        table.emit(e.CardAnnounced(number, seat, self.card, answers))
        order = (*state.after(seat), seat)
        table.push(s.Answer(order=order, subject=number), s.Resolve(subject=number))


class PassWindow(Action, frozen=True):
    """Pass; with `rest` in all windows of this turn (which only the own seat knows)."""

    rule: ClassVar[str] = "TINY-5"
    declines: ClassVar[bool] = True

    rest: Secret[bool] = False

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return (cls(), cls(rest=True))

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        window = table.state.agenda[-1]
        table.emit(e.Passed(seat, self.rest))
        table.amend(type(window), passed=(*window.passed, seat))


class PayRansom(Plain, frozen=True):
    """Save the unit for a coin."""

    rule: ClassVar[str] = "TINY-6"

    def check(self, state: "Tiny", seat: int) -> None:
        require(state.coins[seat], "TINY-6.1", "no_coin")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        step = table.state.agenda[-1]
        to = table.state.content.places[-1].id if step.why == "rubble" else step.place
        table.emit(e.RansomPaid(seat, step.place, to))


class GiveUp(Plain, frozen=True):
    """Lose the unit."""

    rule: ClassVar[str] = "TINY-6"
    declines: ClassVar[bool] = True

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.UnitLost(seat, table.state.agenda[-1].place))


class SetAutoPass(Action, frozen=True):
    """Pass in every window from now on, or no longer. Taken at any time; others see nothing of it."""

    rule: ClassVar[str] = "TINY-5"
    out_of_turn: ClassVar[bool] = True
    audience: ClassVar[Visibility] = secret_to("seat")

    on: Secret[bool]

    @classmethod
    def options(cls, state: "Tiny", seat: int) -> Iterable[Self]:
        return (cls(on=True), cls(on=False))

    def check(self, state: "Tiny", seat: int) -> None:
        require(self.on != (seat in state.auto), "TINY-5.5", "set_already")

    def apply(self, table: "Table[Tiny]", seat: int) -> None:
        table.emit(e.AutoPassSet(seat, self.on))


AnyAction = (
    ChooseHome
    | CastVote
    | OfferTrade
    | AddCard
    | SendOffer
    | DropOffer
    | AcceptTrade
    | DeclineTrade
    | Shoot
    | TakeCard
    | EndTurn
    | PlayCard
    | PassWindow
    | PayRansom
    | GiveUp
    | SetAutoPass
    | Resign
)
