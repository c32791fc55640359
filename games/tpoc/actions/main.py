"""The main actions 1 to 5 (specification, 4.4): what is legal, in the order of 4.13, and what it does."""

from collections.abc import Iterable
from itertools import product, starmap
from typing import ClassVar, Self

from games.kernel import Action, Public, Secret, Table
from games.tpoc.actions.refusals import refuse
from games.tpoc.codes import dominant_of, is_leader, total
from games.tpoc.effects import (
    BagFoundEmpty,
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    LunchDrawn,
    PlatformCardDropped,
    RivalAccused,
    SecretPlayed,
    TileDrawn,
    TileEaten,
    TileKept,
    TilePotted,
    TileRescued,
)
from games.tpoc.state import State
from games.tpoc.steps.tiles import KeepTile, ResolveTile, lose_card
from games.tpoc.targets import targets


class PlayCard(Action, frozen=True):
    """Action 1: a card to the platform; `drop` one beyond seven; `accuse` a rival with a second card of the colour."""

    rule: ClassVar[str] = "TPOC-4.1.1"
    exact: ClassVar[bool] = True

    colour: Public[str]
    drop: Public[str | None] = None
    accuse: Public[int | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every card with every drop and every target."""
        me = state.seats[seat]
        full = total(me.platform) >= state.content().limits.platform
        drops = tuple(me.platform) if full else (None,)
        may_accuse = not (state.options.secret_ends_accusations and me.secret_played)
        for colour, count in me.hand.items():
            rivals = targets(state, seat, colour) if count > 1 and may_accuse else ()
            for drop in drops:
                if drop != colour:
                    yield cls(colour, drop)
                    for rival in rivals:
                        yield cls(colour, drop, rival)

    def check(self, state: State, seat: int) -> None:
        """The card, then the drop, then the accusation."""
        if not state.seats[seat].hand.get(self.colour):
            refuse("TPOC-4.1.1", "card_not_in_hand", colour=self.colour)
        self._check_drop(state, seat)
        if self.accuse is not None:
            self._check_accusation(state, seat, self.accuse)

    def _check_drop(self, state: State, seat: int) -> None:
        platform = state.seats[seat].platform
        if total(platform) < state.content().limits.platform:
            if self.drop is not None:
                refuse("TPOC-4.1.2", "drop_not_needed")
        elif self.drop is None:
            refuse("TPOC-4.1.2", "drop_missing")
        elif self.drop == self.colour:
            refuse("TPOC-4.1.2", "drop_of_same_colour", colour=self.drop)
        elif not platform.get(self.drop):
            refuse("TPOC-4.1.2", "drop_not_in_platform", colour=self.drop)

    def _check_accusation(self, state: State, seat: int, accused: int) -> None:
        if state.seats[seat].hand[self.colour] < 2:
            refuse("TPOC-4.1.7", "no_second_card", colour=self.colour)
        if accused == seat:
            refuse("TPOC-4.1.8", "target_is_oneself")
        if not 0 <= accused < state.seat_count or not state.seats[accused].shows(self.colour):
            refuse("TPOC-4.1.8", "target_lacks_colour", target=accused, colour=self.colour)
        if accused not in targets(state, seat, self.colour):
            refuse("TPOC-4.1.9", "nearer_seat_in_the_way", target=accused, colour=self.colour)
        if state.options.secret_ends_accusations and state.seats[seat].secret_played:
            refuse("TPOC-4.1.12", "accusations_ended_by_secret")

    def apply(self, table: Table[State], seat: int) -> None:
        """Play, drop to seven, accuse, loss, replacement, in this order (TPOC-R14)."""
        table.emit(CardPlayed(seat, self.colour))
        if self.drop is not None:
            table.emit(PlatformCardDropped(seat, self.drop))
        if self.accuse is not None:
            table.emit(RivalAccused(seat, self.accuse, self.colour))
            lose_card(table, self.accuse, self.colour, "accused")


class PlaySecret(Action, frozen=True):
    """Action 1: the secret card, face down, once in a game, with a platform of any size (TPOC-R11)."""

    rule: ClassVar[str] = "TPOC-4.1.4"
    exact: ClassVar[bool] = True

    colour: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every card in hand, if no secret was played before."""
        me = state.seats[seat]
        return map(cls, () if me.secret_played else me.hand)

    def check(self, state: State, seat: int) -> None:
        """The card must be in hand, and no secret played before."""
        if not state.seats[seat].hand.get(self.colour):
            refuse("TPOC-4.1.1", "card_not_in_hand", colour=self.colour)
        if state.seats[seat].secret_played:
            refuse("TPOC-4.1.4", "secret_already_played")

    def apply(self, table: Table[State], seat: int) -> None:
        """Play it; no drop, no accusation (TPOC-4.1.12)."""
        table.emit(SecretPlayed(seat, self.colour))


class DrawCardAndTile(Action, frozen=True):
    """Action 2: one card from the deck and one tile from the bag."""

    rule: ClassVar[str] = "TPOC-4.2.1"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """The one way to do it, if the hand has room."""
        return (cls(),) if total(state.seats[seat].hand) < state.content().limits.hand else ()

    def check(self, state: State, seat: int) -> None:
        """Not with a full hand."""
        if total(state.seats[seat].hand) >= state.content().limits.hand:
            refuse("TPOC-4.2.2", "hand_full")

    def apply(self, table: Table[State], seat: int) -> None:
        """The card, then the tile and its effect; an empty bag gives none (TPOC-R26)."""
        table.emit(CardDrawn(seat, table.state.deck[0]))
        if table.state.bag:
            table.emit(TileDrawn(seat, table.state.bag[0]))
            table.push(ResolveTile(seat=seat))
        else:
            table.emit(BagFoundEmpty(seat))


class SendToPot(Action, frozen=True):
    """Action 3: discard a card of any colour and move any villager of the board to the pot."""

    rule: ClassVar[str] = "TPOC-4.3.1"
    exact: ClassVar[bool] = True

    discard: Public[str]
    tile: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every card with every kind of villager on the board, if there is room in the pot."""
        board = state.board if total(state.pot) < state.seat_count else ()
        return starmap(cls, product(state.seats[seat].hand, board))

    def check(self, state: State, seat: int) -> None:
        """No leader; a card in hand and a villager on the board; room in the pot."""
        if is_leader(self.tile):
            refuse("TPOC-4.2.L3", "leader_named")
        if not state.seats[seat].hand.get(self.discard):
            refuse("TPOC-4.3.1", "card_not_in_hand", colour=self.discard)
        if not state.board.get(self.tile):
            refuse("TPOC-4.3.1", "tile_not_on_board", tile=self.tile)
        if total(state.pot) >= state.seat_count:
            refuse("TPOC-4.3.2", "pot_full")

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay, then move the villager."""
        table.emit(CardDiscarded(seat, self.discard), TilePotted(self.tile))


class Lunch(Action, frozen=True):
    """Action 4: discard a card of any colour, eat a villager of the pot, draw two tiles and keep one."""

    rule: ClassVar[str] = "TPOC-4.4.1"
    exact: ClassVar[bool] = True

    discard: Public[str]
    tile: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every card with every kind of villager in the pot, if something is in the bag."""
        pot = state.pot if state.bag else ()
        return starmap(cls, product(state.seats[seat].hand, pot))

    def check(self, state: State, seat: int) -> None:
        """Something in the pot; a card in hand and the villager in the pot; something in the bag."""
        if not state.pot:
            refuse("TPOC-4.4.4", "pot_empty")
        if not state.seats[seat].hand.get(self.discard):
            refuse("TPOC-4.4.1", "card_not_in_hand", colour=self.discard)
        if not state.pot.get(self.tile):
            refuse("TPOC-4.4.1", "tile_not_in_pot", tile=self.tile)
        if not state.bag:
            refuse("TPOC-R26", "bag_empty")

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay, eat, draw; the only tile of a bag is kept without asking (4.11)."""
        state = table.state
        is_open = state.options.lunch_draw == "open"
        drawn = tuple(state.bag[: state.content().limits.lunch_draw])
        table.emit(CardDiscarded(seat, self.discard), TileEaten(self.tile))
        table.emit(LunchDrawn(seat, len(drawn), drawn, is_open))
        if len(drawn) > 1:
            table.push(KeepTile(seats=(seat,), seat=seat, tiles=drawn, open=is_open))
        else:
            table.emit(TileKept(seat, drawn[0]))
            table.push(ResolveTile(seat=seat))


class Rescue(Action, frozen=True):
    """Action 5: discard a card of a pot villager's dominant colour and put the villager back on the board."""

    rule: ClassVar[str] = "TPOC-4.5.1"
    exact: ClassVar[bool] = True

    tile: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterable[Self]:
        """Every kind of villager in the pot that a card in hand pays for."""
        hand = state.seats[seat].hand
        return [cls(tile) for tile in state.pot if dominant_of(tile) in hand]

    def check(self, state: State, seat: int) -> None:
        """The villager must be in the pot, and a card of its dominant colour in hand (TPOC-R40)."""
        if not state.pot.get(self.tile):
            refuse("TPOC-4.5.1", "tile_not_in_pot", tile=self.tile)
        if not state.seats[seat].hand.get(dominant_of(self.tile)):
            refuse("TPOC-4.5.1", "no_card_of_dominant_colour", colour=dominant_of(self.tile))

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay, then put the villager back in its own area (TPOC-4.5.2)."""
        table.emit(CardDiscarded(seat, dominant_of(self.tile)), TileRescued(self.tile))
