"""The table: what an action's `apply` and a step's `run` work with."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from msgspec import structs

from games.dice import Dice
from games.kernel.messages import Effect, KernelError, State, Step

S = TypeVar("S", bound=State)
T = TypeVar("T")

#: Causes of an effect that are no effect of the same event.
BY_ACTION = -1
BY_EARLIER_EVENT = -2


class Table(Generic[S]):
    """One event in the making: the state, its dice and the effects so far, each with the index of its cause."""

    __slots__ = ("_origin", "_origins", "cause", "causes", "dice", "effects", "old", "state", "stays")

    def __init__(self, state: S, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.effects: list[Effect] = []
        self.causes: list[int] = []
        self.cause = BY_ACTION
        self.stays = False
        #: What a step pushed now comes of: the last effect of this act or, before there is one, the act's own cause.
        self._origin = BY_ACTION
        self._origins = [BY_EARLIER_EVENT] * len(state.agenda)
        #: How many of the agenda's steps (the lowest ones) were there before this event, amended or not.
        self.old = len(state.agenda)

    def emit(self, *effects: Effect) -> None:
        """Append these facts to the event and fold them into the state at once, in this order."""
        for effect in effects:
            effect.fold(self.state)
            self.effects.append(effect)
            self.causes.append(self.cause)
        self._origin = len(self.effects) - 1

    def roll(self, purpose: str, sides: int) -> int:
        """A die: 1 to `sides`."""
        return self.dice.roll(purpose, sides)

    def pick(self, purpose: str, candidates: Sequence[T]) -> T:
        """One of the candidates by chance (one candidate: no roll)."""
        return self.dice.pick(purpose, candidates)

    def shuffle(self, purpose: str, items: Sequence[T]) -> list[T]:
        """The items in an order by chance."""
        return self.dice.shuffle(purpose, items)

    def push(self, *steps: Step) -> None:
        """Put steps on the agenda; the first one given comes first."""
        for step in reversed(steps):
            self.state.agenda.append(step)
            self._origins.append(self._origin)

    def amend(self, kind: type[Step], **changes: Any) -> None:
        """Change fields of the nearest step of this kind (a bonus to the attack beneath, an entry to a queue).

        Raises:
            KernelError: there is no such step.
        """
        agenda = self.state.agenda
        for index in range(len(agenda) - 1, -1, -1):
            if isinstance(agenda[index], kind):
                agenda[index] = structs.replace(agenda[index], **changes)
                return
        raise KernelError(f"no {kind.__name__} on the agenda")

    def stay(self) -> None:
        """Keep the answering seat in the decision: its menu is used again until another answer ends it."""
        self.stays = True

    def rebase(self) -> None:
        """After the whole state was replaced: its agenda comes of the last effect."""
        self._origins = [len(self.effects) - 1] * len(self.state.agenda)

    def begin(self, cause: int) -> None:
        """Start a new act (an answer, a step) of this event, caused by the effect `cause`."""
        self.cause = self._origin = cause
        self.stays = False

    def pop(self) -> Step:
        """Take the top step off and begin its run, caused by what pushed it."""
        self.begin(self._origins[-1])
        return self.drop()

    def drop(self) -> Step:
        """Take the top step off without running it."""
        self._origins.pop()
        if len(self._origins) < self.old:
            self.old -= 1
        step: Step = self.state.agenda.pop()
        return step
