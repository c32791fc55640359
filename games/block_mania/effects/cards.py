"""Effects of cards, windows and the endgame (specification, 2.8, 2.9, 4.12)."""

from typing import ClassVar

from games.block_mania.pieces import put, square, take, tidy
from games.block_mania.state import JusticeUnit, State, WindowKind
from games.kernel import EVERYONE, Effect, Hidden, Public, Secret


class CardDrawn(Effect, frozen=True):
    """A card was drawn: its holder sees it (`front`, written with both faces), all its reverse and the new top."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    front: Secret[str]
    reverse: Public[str | None]
    top: Public[str | None]

    def fold(self, state: State) -> None:
        """From the deck to the hand."""
        (state.justice_deck if state.endgame else state.mania_deck).pop(0)
        put(state.seats[self.seat].hand, self.front)


class CardPlayed(Effect, frozen=True):
    """A Mania card was played, on the blocker, square or block (a seat) that it needs."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    card: Public[str]
    blocker: Public[str | None] = None
    square: Public[str | None] = None
    block: Public[int | None] = None

    def fold(self, state: State) -> None:
        """From the hand to the discards."""
        take(state.seats[self.seat].hand, self.card)
        put(state.mania_discard, self.card)


class JusticePlayed(Effect, frozen=True):
    """A Justice card was played, on the blocker, square or block (a seat) that it needs (BM-1A-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    card: Public[str]
    blocker: Public[str | None] = None
    square: Public[str | None] = None
    block: Public[int | None] = None

    def fold(self, state: State) -> None:
        """From the hand to the used cards."""
        take(state.seats[self.seat].hand, self.card)
        put(state.justice_used, self.card)


class CardDiscarded(Effect, frozen=True):
    """A card was one too many in the hand; all see it (BM-4D-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    card: Public[str]

    def fold(self, state: State) -> None:
        """From the hand to the discards."""
        take(state.seats[self.seat].hand, self.card)
        put(state.justice_used if state.endgame else state.mania_discard, self.card)


class WindowOpened(Effect, frozen=True):
    """A reaction window opened: `event` after_command_roll, enter, activation_declared, vehicle or attack_declared."""

    kind: Public[WindowKind]
    event: Public[str]
    blocker: Public[str | None]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class Screened(Effect, frozen=True):
    """Whether a seat is asked (in a phase, a window) follows from cards or equipment that others do not see.

    So it tells something: with the options `reaction_prompt` eligible_card, and hidden equipment.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    seat: Public[int]
    what: Public[str]
    asked: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class WindowPassed(Effect, frozen=True):
    """A seat passed, by itself or by a standing pass; only it knows whether for the rest of the turn."""

    seat: Public[int]
    kind: Public[WindowKind]
    rest_of_turn: Secret[bool]

    def fold(self, state: State) -> None:
        """Note a standing pass."""
        standing = state.seats[self.seat].standing
        if self.rest_of_turn and self.kind not in standing:
            standing.append(self.kind)


class EndgameStarted(Effect, frozen=True):
    """All cards turned over, and the discards were shuffled into the Justice deck (BM-4D-2)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    deck: Hidden[tuple[str, ...]]
    top: Public[str | None]

    def fold(self, state: State) -> None:
        """The Justice cards are in play."""
        state.endgame = True
        state.setup_discard, state.mania_discard = {}, {}
        state.justice_deck = list(self.deck)


class JusticeReshuffled(Effect, frozen=True):
    """The used Justice cards were shuffled into a new deck (BM-R53)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    deck: Hidden[tuple[str, ...]]
    top: Public[str | None]

    def fold(self, state: State) -> None:
        """A new deck."""
        state.justice_used = {}
        state.justice_deck = list(self.deck)
        state.reshuffles += 1


class RemovalRolled(Effect, frozen=True):
    """The die of a Justice card or a Pat Wagon that removes a blocker on 4 or less (BM-1A-4, -5)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    die: Public[int]
    removed: Public[bool]

    def fold(self, state: State) -> None:
        """Nothing moves: a removal follows."""


class UnitPlaced(Effect, frozen=True):
    """A Justice token was placed; `block` is the seat whose block a Sonic Cannon covers (BM-1A-11 to -13)."""

    unit: Public[str]
    kind: Public[str]
    square: Public[str]
    block: Public[int | None]

    def fold(self, state: State) -> None:
        """From the supply to the map."""
        state.unit_supply[self.kind] -= 1
        state.units_made += 1
        state.units.append(JusticeUnit(self.unit, self.kind, self.square, self.block))  # type: ignore[arg-type]


class UnitFired(Effect, frozen=True):
    """An H-Wagon or Pat Wagon acts against a blocker; its die follows (BM-3B-3, -4)."""

    unit: Public[str]
    blocker: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class UnitRemoved(Effect, frozen=True):
    """A Justice token was shot down and goes back to the supply (BM-ALT-2)."""

    unit: Public[str]

    def fold(self, state: State) -> None:
        """From the map to the supply."""
        unit = next(unit for unit in state.units if unit.id == self.unit)
        state.units.remove(unit)
        state.unit_supply[unit.kind] += 1


class CarPlaced(Effect, frozen=True):
    """A Sky-Rail car came to a Station."""

    square: Public[str]

    def fold(self, state: State) -> None:
        """From the supply to the map."""
        state.cars_supply -= 1
        square(state, self.square).cars += 1


class CarMoved(Effect, frozen=True, rename={"from_": "from"}):
    """A Sky-Rail car went along with its rider (option `sky_rail_car_moves`)."""

    from_: Public[str]
    to: Public[str]

    def fold(self, state: State) -> None:
        """It is there."""
        square(state, self.from_).cars -= 1
        tidy(state, self.from_)
        square(state, self.to).cars += 1
