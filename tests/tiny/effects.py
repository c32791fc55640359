"""The effects of the tiny ruleset, each with its fold."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from games.kernel import EVERYONE, Effect, Hidden, Outcome, Public, Secret, Table, Visibility, secret_to

if TYPE_CHECKING:
    from tests.tiny.state import Tiny

Tells = ClassVar[tuple[str, ...]]


class DeckShuffled(Effect, frozen=True):
    """The deck is in a new order, which nobody knows."""

    cards: Hidden[tuple[str, ...]]

    def fold(self, state: "Tiny") -> None:
        state.deck[:] = self.cards


class CardTaken(Effect, frozen=True):
    """A seat takes the top card of the deck."""

    tells: Tells = ("seat",)

    seat: Public[int]
    card: Secret[str]

    def fold(self, state: "Tiny") -> None:
        state.deck.pop()
        state.hands[self.seat].append(self.card)


class CardPaid(Effect, frozen=True):
    """An action of the turn is used for taking a card."""

    seat: Public[int]

    def fold(self, state: "Tiny") -> None:
        state.actions_left -= 1


class HomeChosen(Effect, frozen=True):
    """A seat has made its sealed choice: a home, and a card that it buries."""

    seat: Public[int]
    place: Secret[str]
    card: Secret[str]

    def fold(self, state: "Tiny") -> None:
        state.homes[self.seat] = self.place
        state.stashes[self.seat] = self.card
        state.hands[self.seat].remove(self.card)


class HomeRevealed(Effect, frozen=True):
    """A sealed home is shown, and two units stand there."""

    tells: Tells = EVERYONE

    seat: Public[int]
    place: Public[str]

    def fold(self, state: "Tiny") -> None:
        state.floors[self.place].units += [self.seat, self.seat]
        state.revealed = True


class PlayStarted(Effect, frozen=True):
    """The police stand here, and the first round may begin."""

    police: Public[str]

    def fold(self, state: "Tiny") -> None:
        state.police = self.police


class RoundStarted(Effect, frozen=True):
    """A round begins; nobody has voted or traded in it."""

    round: Public[int]

    def fold(self, state: "Tiny") -> None:
        state.round = self.round
        state.active = None
        state.votes.clear()
        state.changes.clear()
        state.offers.clear()


class VoteCast(Effect, frozen=True):
    """A seat names a chair, or another one than before."""

    seat: Public[int]
    choice: Public[int]

    def fold(self, state: "Tiny") -> None:
        if self.seat in state.votes:
            state.changes.append(self.seat)
        state.votes[self.seat] = self.choice


class ChairElected(Effect, frozen=True):
    """The seat with most votes gets a coin; among `tied` ones by lot."""

    tells: Tells = EVERYONE

    seat: Public[int]
    tied: Public[tuple[int, ...]]

    def fold(self, state: "Tiny") -> None:
        state.chair = self.seat
        paid = min(1, state.bank)
        state.bank -= paid
        state.coins[self.seat] += paid


class OfferOpened(Effect, frozen=True):
    """A seat begins to lay out an offer to another one."""

    seat: Public[int]
    to: Public[int]

    def fold(self, state: "Tiny") -> None:
        from tests.tiny.state import Offer  # noqa: PLC0415 (the state holds steps, which emit effects)

        state.offers.append(self.seat)
        state.offer = Offer(self.seat, self.to)


class CardOffered(Effect, frozen=True):
    """A card is laid into the offer."""

    seat: Public[int]
    card: Secret[str]

    def fold(self, state: "Tiny") -> None:
        state.hands[self.seat].remove(self.card)
        assert state.offer is not None
        state.offer.cards.append(self.card)


class OfferSent(Effect, frozen=True):
    """The addressee sees the cards."""

    tells: Tells = ("to",)

    seat: Public[int]
    to: Public[int]
    cards: Annotated[tuple[str, ...], secret_to("seat", "to")]

    def fold(self, state: "Tiny") -> None:
        assert state.offer is not None
        state.offer.sent = True


class OfferClosed(Effect, frozen=True):
    """The offer ends: the cards go to `to` (whoever that is, the offerer too), a coin back if they were sold."""

    seat: Public[int]
    to: Public[int]
    sold: Public[bool]

    def fold(self, state: "Tiny") -> None:
        assert state.offer is not None
        state.hands[self.to] += state.offer.cards
        state.offer = None
        if self.sold:
            state.coins[self.to] -= 1
            state.coins[self.seat] += 1


class TurnStarted(Effect, frozen=True):
    """A seat's turn begins; standing passes of the last turn are over."""

    seat: Public[int]

    def fold(self, state: "Tiny") -> None:
        state.active = self.seat
        state.actions_left = 2
        state.curfew = False
        state.standing.clear()


class TurnEnded(Effect, frozen=True):
    """A seat has ended its turn."""

    seat: Public[int]

    def fold(self, state: "Tiny") -> None:
        state.actions_left = 0


class AttackDeclared(Effect, frozen=True):
    """A seat shoots at a place; nothing is rolled yet."""

    seat: Public[int]
    place: Public[str]

    def fold(self, state: "Tiny") -> None:
        state.actions_left -= 1


class Passed(Effect, frozen=True):
    """A seat passes in a window. Whether it passes for the rest of the turn is its own affair."""

    seat: Public[int]
    rest: Secret[bool]

    def fold(self, state: "Tiny") -> None:
        if self.rest:
            state.standing.append(self.seat)


class AutoPassSet(Effect, frozen=True):
    """A seat passes in all windows from now on, or no longer; nobody else may know that anything happened."""

    audience: ClassVar[Visibility] = secret_to("seat")

    seat: Secret[int]
    on: Secret[bool]

    def fold(self, state: "Tiny") -> None:
        state.auto[:] = [seat for seat in state.auto if seat != self.seat]
        if self.on:
            state.auto.append(self.seat)


class CardAnnounced(Effect, frozen=True):
    """A card is played from the hand; it waits until it is carried out or cancelled."""

    tells: Tells = EVERYONE

    id: Public[int]
    seat: Public[int]
    card: Public[str]
    answers: Public[int | None]

    def fold(self, state: "Tiny") -> None:
        from tests.tiny.state import Announced  # noqa: PLC0415 (the state holds steps, which emit effects)

        state.hands[self.seat].remove(self.card)
        state.announced.append(Announced(self.id, self.seat, self.card, self.answers))
        state.announcements = self.id


class CardCancelled(Effect, frozen=True):
    """An announced card will do nothing."""

    id: Public[int]

    def fold(self, state: "Tiny") -> None:
        for card in state.announced:
            if card.id == self.id:
                card.cancelled = True


def _discard(state: "Tiny", number: int) -> None:
    state.discard += [card.card for card in state.announced if card.id == number]
    state.announced[:] = [card for card in state.announced if card.id != number]


class CardResolved(Effect, frozen=True):
    """An announced card is carried out and discarded."""

    id: Public[int]

    def fold(self, state: "Tiny") -> None:
        _discard(state, self.id)


class CardFailed(Effect, frozen=True):
    """A cancelled card is discarded."""

    id: Public[int]

    def fold(self, state: "Tiny") -> None:
        _discard(state, self.id)


class CurfewCalled(Effect, frozen=True):
    """The turn is over as soon as what it began is finished."""

    seat: Public[int]

    def fold(self, state: "Tiny") -> None:
        state.curfew = True


class UnitShot(Effect, frozen=True):
    """The die against one unit."""

    tells: Tells = EVERYONE

    place: Public[str]
    seat: Public[int]
    die: Public[int]
    bonus: Public[int]
    hit: Public[bool]

    def fold(self, state: "Tiny") -> None:
        if self.hit:
            state.floors[self.place].units.remove(self.seat)
            state.lost[self.seat] += 1


class PlaceDamaged(Effect, frozen=True):
    """A point of damage; with the damage before it the place may collapse."""

    tells: Tells = EVERYONE

    place: Public[str]
    die: Public[int]
    collapses: Public[bool]

    def fold(self, state: "Tiny") -> None:
        floor = state.floors[self.place]
        floor.damage += 1
        floor.collapsed = self.collapses


class RansomPaid(Effect, frozen=True):
    """A coin saves a unit; out of rubble it goes to `to`."""

    seat: Public[int]
    place: Public[str]
    to: Public[str]

    def fold(self, state: "Tiny") -> None:
        state.coins[self.seat] -= 1
        state.bank += 1
        state.floors[self.place].units.remove(self.seat)
        state.floors[self.to].units.append(self.seat)


class UnitLost(Effect, frozen=True):
    """A unit is gone."""

    seat: Public[int]
    place: Public[str]

    def fold(self, state: "Tiny") -> None:
        state.floors[self.place].units.remove(self.seat)
        state.lost[self.seat] += 1


class PoliceWalked(Effect, frozen=True):
    """A die of the patrol: a step to the next place, or none and another die."""

    tells: Tells = EVERYONE

    at: Public[str]
    die: Public[int]
    to: Public[str | None]

    def fold(self, state: "Tiny") -> None:
        if self.to is not None:
            state.police = self.to


class GameEnded(Effect, frozen=True):
    """The game is over."""

    outcome: Public[Outcome]

    def fold(self, state: "Tiny") -> None:
        state.outcome = self.outcome


def end_game(table: Table["Tiny"], reason: str) -> None:
    """End the game: two points a unit, one a coin; seats that resigned are behind all others."""
    state = table.state
    units = [sum(floor.units.count(seat) for floor in state.floors.values()) for seat in range(state.seat_count)]
    scores = tuple(2 * units[seat] + state.coins[seat] for seat in range(state.seat_count))
    keys = [(seat in state.resigned, -scores[seat]) for seat in range(state.seat_count)]
    places = tuple(1 + sum(other < key for other in keys) for key in keys)
    winners = tuple(seat for seat in state.playing() if places[seat] == 1)
    table.emit(GameEnded(Outcome(winners, scores, places, reason)))
