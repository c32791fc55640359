"""Answers to what others or the server ask (specification, 4.15)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar, Self

from games.block_mania.effects import CardDiscarded, ElevatorAnswered, TokenTaken
from games.block_mania.equipment import KeepEquipment as AskEquipment
from games.block_mania.equipment import give_back, settle, stays_up, surplus
from games.block_mania.refusals import refuse
from games.block_mania.state import State
from games.block_mania.steps.command import HAND_LIMIT
from games.block_mania.steps.moving import AfterMove, Ride, enter
from games.block_mania.steps.moving import AnswerElevator as AskElevator
from games.block_mania.steps.moving import TakeToken as AskToken
from games.block_mania.supply import listed
from games.kernel import Action, Public, Secret, Table


def choices(counts: Mapping[str, int], n: int) -> Iterator[tuple[str, ...]]:
    """Every multiset of n things among these, in their order, each once."""
    if n == 0:
        yield ()
        return
    for place, (name, count) in enumerate(counts.items()):
        rest = dict(list(counts.items())[place + 1 :])
        later = {name: count - 1, **rest} if count > 1 else rest
        yield from ((name, *others) for others in choices(later, n - 1))


def _asked(state: State) -> AskEquipment:
    step = state.agenda[-1]
    assert isinstance(step, AskEquipment)
    return step


class AnswerElevator(Action, frozen=True):
    """Let a rider pass, or stop it (BM-TR-4)."""

    rule: ClassVar[str] = "BM-TR-4"
    exact: ClassVar[bool] = True

    allow: Public[bool]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Yes, then no."""
        return map(cls, (True, False))

    def apply(self, table: Table[State], seat: int) -> None:
        """The ride goes on, or ends here."""
        step = table.state.agenda[-1]
        assert isinstance(step, AskElevator)
        table.emit(ElevatorAnswered(seat, self.allow))
        if not self.allow:
            table.amend(Ride, path=())
            table.push(AfterMove(blocker=step.blocker, how="elevator"))
            enter(table, step.blocker, (step.square, "-"), "elevator", 1)


class KeepEquipment(Action, frozen=True):
    """Name the tokens that go back to the pools: the surplus over the limit, no more (BM-EQA-2)."""

    rule: ClassVar[str] = "BM-EQA-2"

    discard: Secret[tuple[str, ...]]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every choice of that many."""
        blocker = state.blockers[_asked(state).blocker]
        counts = Counter(blocker.equipment)
        return map(cls, choices(counts, surplus(state, blocker)))

    def check(self, state: State, seat: int) -> None:
        """Carried tokens, as many as are too many; a flyer in the air keeps its gear."""
        blocker = state.blockers[_asked(state).blocker]
        if Counter(self.discard) - Counter(blocker.equipment):
            refuse("BM-EQA-2", "not_carried")
        if len(self.discard) != surplus(state, blocker):
            refuse("BM-EQA-2", "exactly_the_surplus", n=surplus(state, blocker))
        kept = tuple((Counter(blocker.equipment) - Counter(self.discard)).elements())
        if not stays_up(state, blocker, kept):
            refuse("BM-FLY-1", "would_fall")

    def apply(self, table: Table[State], seat: int) -> None:
        """Back to the pools."""
        step = _asked(table.state)
        for kind in self.discard:
            give_back(table, step.blocker, kind, "surplus")


class TakeToken(Action, frozen=True):
    """Take a token that was found face down, or leave it (BM-ALT-3)."""

    rule: ClassVar[str] = "BM-ALT-3"
    exact: ClassVar[bool] = True

    take: Public[bool]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Leave it, or take it."""
        return map(cls, (False, True))

    def apply(self, table: Table[State], seat: int) -> None:
        """From the square to the blocker, as if drawn."""
        step = table.state.agenda[-1]
        assert isinstance(step, AskToken)
        if not self.take:
            return
        tokens = table.state.square(step.square).tokens
        found = next(one for one in tokens if one.order == step.order)
        table.emit(TokenTaken(seat, step.blocker, step.square, step.order, found.token))
        settle(table, step.blocker)


class Discard(Action, frozen=True):
    """Discard down to three cards (BM-4D-1)."""

    rule: ClassVar[str] = "BM-4D-1"
    exact: ClassVar[bool] = True

    cards: Public[tuple[str, ...]]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every choice of that many."""
        return map(cls, choices(state.seats[seat].hand, _too_many(state, seat)))

    def check(self, state: State, seat: int) -> None:
        """Cards of the hand, as many as are too many."""
        if Counter(self.cards) - Counter(listed(state.seats[seat].hand)):
            refuse("BM-4D-1", "not_in_hand")
        if len(self.cards) != _too_many(state, seat):
            refuse("BM-4D-1", "exactly_the_surplus", n=_too_many(state, seat))

    def apply(self, table: Table[State], seat: int) -> None:
        """Face up on the pile."""
        table.emit(*(CardDiscarded(seat, card) for card in self.cards))


def _too_many(state: State, seat: int) -> int:
    return max(0, sum(state.seats[seat].hand.values()) - HAND_LIMIT)
