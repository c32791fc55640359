"""Effects of governing: votes, decisions, the lead, 5 Year Plans, trades (specification, 4.4, 4.7 and 9.1)."""

from typing import Annotated, ClassVar

from games.kernel import EVERYONE, Effect, Public, Secret, secret_to
from games.portland_occupied_zone.pieces import note
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.underway import Ballot, Offer

BRICK, ANY = "brick", "any"


class VoteBegun(Effect, frozen=True):
    """A vote on these options begins (POZ-VOT-1)."""

    options: Public[tuple[str, ...]]
    unanimous: Public[bool] = True

    def fold(self, state: State) -> None:
        """Nobody has voted."""
        state.ballot = Ballot(options=self.options, unanimous=self.unanimous)


class VoteCast(Effect, frozen=True):
    """A seat voted, openly; nobody stands firm any more (POZ-R62)."""

    seat: Public[int]
    option: Public[str]

    def fold(self, state: State) -> None:
        """Its vote; a change is counted."""
        ballot = state.ballot
        assert ballot is not None
        if self.seat in ballot.votes:
            ballot.changes[self.seat] = ballot.changes.get(self.seat, 0) + 1
        ballot.votes[self.seat] = self.option
        ballot.firm = []


class StoodFirm(Effect, frozen=True):
    """A seat will not change its vote."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Marked."""
        assert state.ballot is not None
        state.ballot.firm.append(self.seat)


class VoteEnded(Effect, frozen=True):
    """The vote is over: for an option, or (None) failed."""

    option: Public[str | None]

    def fold(self, state: State) -> None:
        """No vote is under way."""
        state.ballot = None


class OptionChosen(Effect, frozen=True):
    """The Leader chose this option of the Aktion."""

    option: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: what the option does follows."""


class Picked(Effect, frozen=True):
    """What was chosen for a card or power: a character, figure, cell, building and so on."""

    seat: Public[int]
    kind: Public[str]
    thing: Public[str | tuple[int, int]]

    def fold(self, state: State) -> None:
        """Nothing moves: what the card does follows."""


class PillowTaken(Effect, frozen=True):
    """A character is Speaker now (POZ-GOV-4)."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """The token lies on its board."""
        assert state.lead is not None
        state.lead.holder = self.pc


class PotTaken(Effect, frozen=True):
    """A character is Dictator now (POZ-DIC-8)."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """The token lies on its board."""
        assert state.lead is not None
        state.lead.holder = self.pc


class PlanDealt(Effect, frozen=True):
    """A plan is face up (POZ-PLN-1, -4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    plan: Public[str]

    def fold(self, state: State) -> None:
        """From the deck to the table."""
        state.decks.plans.remove(self.plan)
        state.decks.shown.append(self.plan)


class PlanClaimed(Effect, frozen=True):
    """A character met a plan (POZ-PLN-2)."""

    pc: Public[str]
    plan: Public[str]

    def fold(self, state: State) -> None:
        """To the claimed pile (POZ-PLN-4)."""
        state.decks.shown.remove(self.plan)
        state.decks.claimed.append(self.plan)
        if state.turn is not None:
            state.turn.claimed.append(self.plan)


class RedrawProposed(Effect, frozen=True):
    """The Leader wants other plans: once a Teach-In (POZ-PLN-6)."""

    def fold(self, state: State) -> None:
        """Not again this time."""
        state.teach_in.redraw_used = True


class PlansRedrawn(Effect, frozen=True):
    """The plans that were face up are put away; new ones follow (POZ-PLN-6)."""

    plans: Public[tuple[str, ...]]

    def fold(self, state: State) -> None:
        """To the claimed pile."""
        state.decks.claimed += state.decks.shown
        state.decks.shown = []


class OfferBegun(Effect, frozen=True):
    """A character begins to offer a trade (POZ-TRN-14); in a vote too (POZ-VOT-4)."""

    seat: Public[int]
    pc: Public[str]
    to: Public[str]

    def fold(self, state: State) -> None:
        """It is counted, where it is made."""
        state.offer = Offer(pc=self.pc, to=self.to)
        if state.ballot is not None:
            state.ballot.offers[self.seat] = state.ballot.offers.get(self.seat, 0) + 1
        elif state.turn is not None:
            state.turn.offers += 1


class ItemAdded(Effect, frozen=True):
    """A card (or `brick`) is laid into the offer."""

    pc: Public[str]
    seat: Public[int]
    back: Public[str]
    item: Secret[str]

    def fold(self, state: State) -> None:
        """It is part of the offer."""
        assert state.offer is not None
        item = self.item if self.back == BRICK else state.board.card(self.item, self.back)
        state.offer.items.append(item)


class ItemAsked(Effect, frozen=True):
    """A card with this back (or `any` card, or a `brick`) is asked for."""

    pc: Public[str]
    back: Public[str]

    def fold(self, state: State) -> None:
        """It is part of the offer."""
        assert state.offer is not None
        state.offer.asks.append(self.back)


class OfferDropped(Effect, frozen=True):
    """The offer is withdrawn before it was made."""

    pc: Public[str]

    def fold(self, state: State) -> None:
        """There is none."""
        state.offer = None


class TradeOffered(Effect, frozen=True):
    """The offer is made; the one it is made to sees what is offered."""

    tells: ClassVar[tuple[str, ...]] = ("to_seat",)

    pc: Public[str]
    to: Public[str]
    seat: Public[int]
    to_seat: Public[int]
    backs: Public[tuple[str, ...]]
    asks: Public[tuple[str, ...]]
    items: Annotated[tuple[str, ...], secret_to("seat", "to_seat")]

    def fold(self, state: State) -> None:
        """It awaits an answer."""
        assert state.offer is not None
        state.offer.sent = True


class GivenChosen(Effect, frozen=True):
    """The one asked chose a card to give (choose_given)."""

    pc: Public[str]
    seat: Public[int]
    back: Public[str]
    card: Secret[str]

    def fold(self, state: State) -> None:
        """It is laid beside the offer."""
        assert state.offer is not None
        state.offer.given.append(state.board.card(self.card, self.back))


class TradeAnswered(Effect, frozen=True):
    """The trade is made or declined; both see what changes hands, others the backs."""

    tells: ClassVar[tuple[str, ...]] = ("seat", "to_seat")

    pc: Public[str]
    to: Public[str]
    seat: Public[int]
    to_seat: Public[int]
    accepted: Public[bool]
    backs: Public[tuple[str, ...]]
    given: Annotated[tuple[str, ...], secret_to("seat", "to_seat")]

    def fold(self, state: State) -> None:
        """Cards and bricks change hands."""
        offer, state.offer = state.offer, None
        if not self.accepted:
            return
        assert offer is not None
        giver, taker = state.pcs[self.pc], state.pcs[self.to]
        note(state, self.pc, "given", sum(item != BRICK for item in offer.items))
        note(state, self.to, "given", len(offer.given))
        bricks = offer.items.count(BRICK) - offer.asks.count(BRICK)
        giver.bricks -= bricks
        taker.bricks += bricks
        for item in offer.items:
            if item != BRICK:
                giver.hand.remove(item)
                taker.hand.append(item)
        for card in offer.given:
            taker.hand.remove(card)
            giver.hand.append(card)


#: Every effect of this module.
GoverningEffect = (
    VoteBegun
    | VoteCast
    | StoodFirm
    | VoteEnded
    | OptionChosen
    | Picked
    | PillowTaken
    | PotTaken
    | PlanDealt
    | PlanClaimed
    | RedrawProposed
    | PlansRedrawn
    | OfferBegun
    | ItemAdded
    | ItemAsked
    | OfferDropped
    | TradeOffered
    | GivenChosen
    | TradeAnswered
)
