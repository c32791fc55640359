"""What is played, chosen and discarded (specification, 4.13: plays, choices)."""

from typing import Annotated, ClassVar

from games.host_tournament import zones
from games.host_tournament.effects.fact import Fact
from games.host_tournament.state import Played, State, Used
from games.kernel import EVERYONE, Public, secret_to


class CardAnnounced(Fact, frozen=True):
    """A card leaves hand or deck and may be answered. `card` is its instance, `group` what a chula is played on.

    `moved`: that group is on the move. `trig` is what it answers, `special` says that a special download plays it.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE
    shifts: ClassVar[bool] = False

    seat: Public[int]
    card: Public[str]
    target: Public[str | None] = None
    zone: Public[str] = "hand"
    kind: Public[str] = ""
    rule: Public[int] = -1
    here: Public[str | None] = None
    group: Public[tuple[str, ...]] = ()
    moved: Public[bool] = False
    trig: Public[str | None] = None
    replace: Public[str | None] = None
    special: Public[bool] = False

    def _change(self, state: State) -> None:
        card = zones.card_of(self.card)
        zones.take(state, self.seat, card, self.zone)
        play = Played(
            name=self.card,
            kind=self.kind,
            seat=self.seat,
            card=card,
            rule=self.rule,
            here=self.here,
            target=self.target,
            group=self.group,
            moved=self.moved,
            trig=self.trig,
            replace=self.replace,
            special=self.special,
        )
        zones.announced(state, play)


class AbilityAnnounced(Fact, frozen=True):
    """An ability of a card in play is used."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    source: Public[str]
    index: Public[int]

    def _change(self, state: State) -> None:
        state.fresh = [seat for seat in state.fresh if seat != state.active]


class SpecialUsed(Fact, frozen=True):
    """A special download is used, for the rest of the game (HT-6.7)."""

    shifts: ClassVar[bool] = False

    seat: Public[int]
    source: Public[str]
    index: Public[int]

    def _change(self, state: State) -> None:
        state.seats[self.seat].used_specials.append(Used(state.in_play[self.source].card, self.index))


class FolderSorted(Fact, frozen=True):
    """A seat sorts its folder (HT-18.1)."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]

    def _change(self, state: State) -> None:
        state.seats[self.seat].used_turn.append("sort_folder")
        state.fresh = [seat for seat in state.fresh if seat != state.active]


class RuleUsed(Fact, frozen=True):
    """A rule that works once a turn is used up (HT-18.4); `card` is a card's id."""

    shifts: ClassVar[bool] = False

    seat: Public[int]
    card: Public[str]
    index: Public[int]

    def _change(self, state: State) -> None:
        state.seats[self.seat].used_turn.append(Used(self.card, self.index))


class RuleFired(Fact, frozen=True):
    """A rule of a card in play works by itself (4.4.5)."""

    shifts: ClassVar[bool] = False

    card: Public[str]
    index: Public[int]


class CardNullified(Fact, frozen=True):
    """What was announced has no effect and is discarded."""

    shifts: ClassVar[bool] = False

    card: Public[str]

    def _change(self, state: State) -> None:
        zones.unplay(state, self.card)


class CardFizzled(Fact, frozen=True):
    """What was announced can no longer be carried out and is discarded."""

    shifts: ClassVar[bool] = False

    card: Public[str]

    def _change(self, state: State) -> None:
        zones.unplay(state, self.card)


class CardEntered(Fact, frozen=True):
    """A card is in play: at a place, attached to a personnel, or on the table."""

    card: Public[str]
    at: Public[str]
    entry: Public[int]

    def _change(self, state: State) -> None:
        zones.enter(state, self.card, self.at)


class PlaceOpened(Fact, frozen=True):
    """A location is in play; as a start place it comes from the deck of `seat`."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    pid: Public[str]
    card: Public[str]
    town: Public[str]

    def _change(self, state: State) -> None:
        zones.open_place(state, self.seat, self.card, self.pid, self.town)


class PlaceStacked(Fact, frozen=True):
    """A second copy of a location lies on top of the first (HT-15.4)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    pid: Public[str]
    card: Public[str]

    def _change(self, state: State) -> None:
        zones.stack_place(state, self.seat, self.card, self.pid)


class CardDiscarded(Fact, frozen=True):
    """A card in play, or one that has been carried out, goes to its owner's discard pile."""

    card: Public[str]

    def _change(self, state: State) -> None:
        if self.card in state.in_play:
            zones.discard(state, self.card)
        else:
            zones.unplay(state, self.card)


class PersonaSwapped(Fact, frozen=True, rename={"in_": "in"}):
    """A persona takes over everything of another one, which goes back to the hand (4.9)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    out: Public[str]
    in_: Public[str]

    def _change(self, state: State) -> None:
        zones.swap(state, self.seat, self.out, self.in_)


class CardChosen(Fact, frozen=True):
    """A choice that a card text leaves is made; `shown`: what was chosen is public."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    card: Annotated[str | None, secret_to("seat", unless="shown")]
    shown: Public[bool] = True


class CardDropped(Fact, frozen=True):
    """A hand card is discarded."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    card: Public[str]

    def _change(self, state: State) -> None:
        zones.take(state, self.seat, self.card, "hand")
        state.seats[self.seat].discard.append(self.card)


class CardsRecycled(Fact, frozen=True):
    """Cards of a discard pile go into the deck, which is shuffled next."""

    shifts: ClassVar[bool] = False

    seat: Public[int]
    cards: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        seat = state.seats[self.seat]
        for card in self.cards:
            seat.discard.remove(card)
            seat.deck.append(card)


class RandomPicked(Fact, frozen=True):
    """Cards that chance has picked."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    cards: Public[tuple[str, ...]]
