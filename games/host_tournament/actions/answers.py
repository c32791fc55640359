"""Answers to what a move, a card text, a subgame or a lost place asks (specification, 4.2)."""

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar, Self

from games.host_tournament import entering
from games.host_tournament.actions.plain import asked
from games.host_tournament.choices import left
from games.host_tournament.effects.board import Displaced, IconChosen, LeftBehind
from games.host_tournament.effects.plays import CardChosen
from games.host_tournament.effects.subgames import EntrySealed
from games.host_tournament.refusals import refused
from games.host_tournament.state import State
from games.host_tournament.steps.moving import Movers, leavable
from games.host_tournament.steps.ops import CardChoice, behind
from games.host_tournament.steps.ops import ChooseIcon as IconAsked
from games.host_tournament.steps.settle import Displace, displaced
from games.host_tournament.steps.subgame import ArrangeTies as TiesAsked
from games.host_tournament.steps.subgame import Entry, MakeOrder
from games.kernel import Action, Public, Secret, Table


class LeaveBehind(Action, frozen=True):
    """Leave one behind that could go along."""

    rule: ClassVar[str] = "HT-3.4"
    exact: ClassVar[bool] = True

    card: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each later than the last one."""
        return map(cls, leavable(state, asked(state, Movers)))

    def check(self, state: State, seat: int) -> None:
        """It goes along so far, comes later than the last, somebody still moves, and the cost can be paid."""
        step = asked(state, Movers)
        if self.card not in (*step.movers, *step.carry):
            refused("HT-0.2", "no_such_card", card=self.card)
        if self.card not in leavable(state, step):
            late = state.in_play[self.card].entry > step.after
            if not late:
                refused("HT-0.2", "not_in_order", card=self.card)
            refused("HT-3.1" if len(step.movers) > 1 else "HT-3.4", "nobody_left", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Take it out."""
        step = asked(table.state, Movers)
        table.stay()
        table.emit(LeftBehind(self.card))
        without = step.without(table.state, self.card)
        table.amend(Movers, movers=without.movers, carry=without.carry, after=without.after)


class SetOff(Action, frozen=True):
    """Nobody more is left behind."""

    rule: ClassVar[str] = "HT-3.4"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Always."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """The step goes on."""


class Choose(Action, frozen=True, omit_defaults=True):
    """Choose a card, or a place; a download also from the `zone` hand, if it could come from the deck too."""

    rule: ClassVar[str] = "HT-18.9"
    exact: ClassVar[bool] = True

    card: Secret[str | None] = None
    place: Secret[str | None] = None
    zone: Secret[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """What is on offer."""
        step = asked(state, CardChoice)
        if step.zone == "place":
            return (cls(place=place) for place, _ in left(state, step))
        return (cls(card=card, zone=zone) for card, zone in left(state, step))

    def check(self, state: State, seat: int) -> None:
        """It is on offer."""
        step = asked(state, CardChoice)
        if (self.place if step.zone != "place" else self.card) is not None:
            refused("HT-0.2", "not_on_offer")
        if (self._named, self.zone) not in left(state, step):
            refused("HT-0.2", "not_on_offer", card=self._named)

    @property
    def _named(self) -> str:
        return (self.card if self.card is not None else self.place) or ""

    def apply(self, table: Table[State], seat: int) -> None:
        """Take it from what is left to choose."""
        step = asked(table.state, CardChoice)
        name = self._named
        if step.zone == "deck":
            table.emit(CardChosen(seat, name, shown=False))
            table.amend(CardChoice, taken=(name,) if self.zone is None else (name, self.zone), done=True)
            return
        rest = behind(step.offer, step.offer.index(name))
        least, most = max(0, step.least - 1), step.most - 1
        table.emit(CardChosen(seat, name, shown=step.open))
        table.amend(CardChoice, offer=rest, least=least, most=most, taken=(*step.taken, name))


class ChooseNone(Action, frozen=True):
    """Choose no card, or no more."""

    rule: ClassVar[str] = "HT-18.9"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Where the text allows fewer."""
        if asked(state, CardChoice).least <= 0:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """The least number is reached."""
        if asked(state, CardChoice).least > 0:
            refused("HT-18.9", "must_choose")

    def apply(self, table: Table[State], seat: int) -> None:
        """The choice is over."""
        table.emit(CardChosen(seat, None))
        table.amend(CardChoice, done=True)


class ChoosePlace(Action, frozen=True):
    """Put the own cards that have lost their place to another one (4.10)."""

    rule: ClassVar[str] = "HT-15.5"
    exact: ClassVar[bool] = True

    place: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The places that qualify."""
        return map(cls, asked(state, Displace).places)

    def check(self, state: State, seat: int) -> None:
        """It qualifies."""
        if self.place not in asked(state, Displace).places:
            refused("HT-0.2", "no_such_place", place=self.place)

    def apply(self, table: Table[State], seat: int) -> None:
        """Put all of them there."""
        for name in displaced(table.state, seat):
            table.emit(Displaced(name, self.place))


class ChooseIcon(Action, frozen=True):
    """Say of which town a dual icon is (HT-13.1)."""

    rule: ClassVar[str] = "HT-13.1"
    exact: ClassVar[bool] = True

    town: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Its two towns."""
        return map(cls, state.card(asked(state, IconAsked).card).aff)

    def check(self, state: State, seat: int) -> None:
        """It is one of them."""
        if self.town not in state.card(asked(state, IconAsked).card).aff:
            refused("HT-0.2", "no_such_town", town=self.town)

    def apply(self, table: Table[State], seat: int) -> None:
        """Tell it."""
        table.emit(IconChosen(asked(table.state, IconAsked).card, self.town))
        table.amend(IconAsked, town=self.town)


class ChooseEntrants(Action, frozen=True):
    """Choose who enters of the personnel asked about, sealed."""

    rule: ClassVar[str] = "HT-8.1"
    exact: ClassVar[bool] = True

    cards: Secret[tuple[str, ...]]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every set of them that has seats, in order of entry."""
        those = entering.portion(state, seat, asked(state, Entry).portion)
        most = min(len(those), entering.free_seats(state, seat))
        for n in range(most + 1):
            yield from map(cls, combinations(those, n))

    def check(self, state: State, seat: int) -> None:
        """Each once, in order, of those asked about, as many as there are seats."""
        roll = state.roll
        assert roll is not None
        those = entering.portion(state, seat, asked(state, Entry).portion)
        order = [name for name in those if name in self.cards]
        known = [name for name in self.cards if name in state.in_play]
        if any(name not in state.look.all_of(roll.place, seat) for name in self.cards) or len(known) < len(self.cards):
            refused("HT-0.2", "no_such_personnel")
        for name in self.cards:
            if name in roll.forced_out:
                refused("HT-8.2", "never_enters", card=name)
            if not state.look.active(name):
                refused("HT-12.7", "not_active", card=name)
        if order != list(self.cards):
            refused("HT-0.2", "not_in_order")
        if len(order) > entering.free_seats(state, seat):
            refused("HT-18.2", "too_many_entrants")

    def apply(self, table: Table[State], seat: int) -> None:
        """Seal it."""
        table.emit(EntrySealed(seat, self.cards, (0, 1) if asked(table.state, Entry).open else ()))


class ArrangeTies(Action, frozen=True):
    """Name the card for the highest slot still open of a tie (HT-8.6)."""

    rule: ClassVar[str] = "HT-8.6"
    exact: ClassVar[bool] = True

    card: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The own ones of the tie."""
        return map(cls, asked(state, TiesAsked).cards)

    def check(self, state: State, seat: int) -> None:
        """It is one of them."""
        if self.card not in asked(state, TiesAsked).cards:
            refused("HT-0.2", "not_on_offer", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Put it into the slot."""
        table.emit(CardChosen(seat, self.card))
        making = next(step for step in reversed(table.state.agenda) if isinstance(step, MakeOrder))
        table.amend(MakeOrder, order=(*making.order, self.card))
