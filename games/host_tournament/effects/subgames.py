"""Tournaments and drinking sessions (specification, 4.13: subgames)."""

from typing import Annotated, ClassVar

from games.host_tournament import zones
from games.host_tournament.effects.fact import Fact
from games.host_tournament.ops import Game
from games.host_tournament.state import Roll, State
from games.kernel import EVERYONE, Public, secret_to


def _roll(state: State) -> Roll:
    assert state.roll is not None
    return state.roll


class SubgameBegan(Fact, frozen=True):
    """A subgame begins at a place."""

    shifts: ClassVar[bool] = False

    kind: Public[Game]
    place: Public[str]
    event: Public[str]

    def _change(self, state: State) -> None:
        zones.begin_roll(state, self.kind, self.event, self.place)


class EntryForced(Fact, frozen=True, rename={"in_": "in"}):
    """Who has to enter, and who may not, as it stands now."""

    shifts: ClassVar[bool] = False

    in_: Public[tuple[str, ...]]
    out: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        roll = _roll(state)
        roll.forced_in, roll.forced_out = list(self.in_), list(self.out)


class EntrySealed(Fact, frozen=True):
    """A seat has chosen who enters; `open`: the seats that see it at once, none if it is sealed."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = ("open",)

    seat: Public[int]
    cards: Annotated[tuple[str, ...], secret_to("seat", unless="open")]
    open: Public[tuple[int, ...]] = ()

    def _change(self, state: State) -> None:
        roll = _roll(state)
        roll.chosen[self.seat] = [*(roll.chosen[self.seat] or ()), *self.cards]


class EntrantsRevealed(Fact, frozen=True):
    """Everybody sees who enters."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    cards: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        _roll(state).entrants = list(self.cards)


class DiceRolled(Fact, frozen=True):
    """A die for each entrant."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dice: Public[dict[str, int]]

    def _change(self, state: State) -> None:
        _roll(state).dice = dict(self.dice)


class DieRerolled(Fact, frozen=True):
    """A tournament die is rolled again; the new one counts."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]
    value: Public[int]

    def _change(self, state: State) -> None:
        _roll(state).dice[self.card] = self.value


class TieShuffled(Fact, frozen=True):
    """The order of a tie between cards of two owners, by lot (HT-8.7)."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    order: Public[tuple[str, ...]]


class OrderMade(Fact, frozen=True):
    """The order of a tournament, with the scores."""

    shifts: ClassVar[bool] = False

    cards: Public[tuple[str, ...]]
    scores: Public[tuple[int, ...]]

    def _change(self, state: State) -> None:
        roll = _roll(state)
        roll.order, roll.winner = list(self.cards), self.cards[0]


class PaceRolled(Fact, frozen=True):
    """The dice of the drinking pace."""

    shifts: ClassVar[bool] = False
    tells: ClassVar[tuple[str, ...]] = EVERYONE

    d1: Public[int]
    d2: Public[int]

    def _change(self, state: State) -> None:
        _roll(state).pace = self.d1 + self.d2


class PaceChanged(Fact, frozen=True):
    """A card changes the pace of this session; `card` is its instance, so that its copies can be told apart."""

    shifts: ClassVar[bool] = False

    card: Public[str]
    n: Public[int]

    def _change(self, state: State) -> None:
        _roll(state).paces.append((self.card, self.n))


class PaceSet(Fact, frozen=True):
    """The pace that counts."""

    shifts: ClassVar[bool] = False

    n: Public[int]

    def _change(self, state: State) -> None:
        _roll(state).pace = self.n


class Eliminated(Fact, frozen=True):
    """Who cannot keep the pace."""

    shifts: ClassVar[bool] = False

    cards: Public[tuple[str, ...]]

    def _change(self, state: State) -> None:
        roll = _roll(state)
        roll.order = [name for name in roll.entrants if name not in self.cards]


class SubgameEnded(Fact, frozen=True):
    """The subgame is over."""

    shifts: ClassVar[bool] = False

    def _change(self, state: State) -> None:
        state.roll = None
