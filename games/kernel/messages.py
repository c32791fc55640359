"""The messages of every ruleset: effects, actions and steps, and the state that effects fold into.

Tags are storage format: the snake_case of the class name, held fast by a committed schema lock.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from msgspec import Struct

from games.kernel.visibility import PUBLIC, Public, Visibility

if TYPE_CHECKING:
    from games.kernel.table import Table


def snake_case(name: str) -> str:
    """`CardDrawn` becomes `card_drawn`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


#: For `Effect.tells`: the effect gives new knowledge to everybody (a die, a reveal).
EVERYONE: tuple[str, ...] = ("*",)
#: For `Effect.tells`: it tells everybody but the seat in its field `seat`, whose own doing it is.
OTHERS: tuple[str, ...] = ("*", "-seat")


class Message(Struct, frozen=True, gc=False):
    """What effects, actions and steps have in common. `audience` is who may know of it at all."""

    audience: ClassVar[Visibility] = PUBLIC


class Effect(Message, frozen=True, tag_field="effect", tag=snake_case):
    """One fact that came of an action. Its fold is total, draws nothing and reads no content that can change.

    `tells` names the fields that hold the seats which learn something new by it (or EVERYONE, OTHERS): undo consent
    rests on it. What two states that a reader cannot tell apart show it differently must be told so.
    """

    tells: ClassVar[tuple[str, ...]] = ()

    def fold(self, state: Any) -> None:
        """Change `state` in place by this fact."""
        raise NotImplementedError


class Action(Message, frozen=True, tag_field="action", tag=snake_case):
    """What a seat asks for. Legality is written once: `options` (complete, may be generous), `check`, `apply`.

    `exact`: the options are not generous, so that lists of legal actions need no `check` of each.
    """

    rule: ClassVar[str] = ""
    declines: ClassVar[bool] = False
    out_of_turn: ClassVar[bool] = False
    exact: ClassVar[bool] = False

    @classmethod
    def options(cls, state: Any, seat: int) -> Iterable[Self]:
        """Every action of this type that might be legal for `seat`, in a stable order and without repeats."""
        raise NotImplementedError

    def check(self, state: Any, seat: int) -> None:
        """Raise `Illegal` with the first rule that this action breaks. Whole without `options`."""

    def apply(self, table: "Table[Any]", seat: int) -> None:
        """Emit the effects and push the steps of this action, which has passed `check`."""
        raise NotImplementedError

    def answers(self, state: Any, seat: int) -> bool:
        """Whether this answers the pending decision; of what is taken at any time, whether it is an answer as well."""
        return not self.out_of_turn

    def notes(self, state: Any, seat: int) -> dict[str, Any]:
        """The ruleset's own facts about this legal action for clients (`cost`, `path` ...)."""
        return {}


class Step(Message, frozen=True, tag_field="step", tag=snake_case, omit_defaults=True, kw_only=True):
    """Something the game still has to do. With `seats` it is a decision that those seats owe.

    `also` may answer without owing. `auto`: the kernel answers where only one answer is legal. `window`: a reaction
    window, where a pass is a pass whoever made it. `root`: what answers this decision starts a new chain of causes.
    """

    seats: Public[tuple[int, ...]] = ()
    also: Public[tuple[int, ...]] = ()

    menu: ClassVar[tuple[str, ...]] = ()
    sealed: ClassVar[bool] = False
    auto: ClassVar[bool] = False
    window: ClassVar[bool] = False
    root: ClassVar[bool] = False

    def alive(self, state: Any) -> bool:
        """Whether there is still a point to this step when it comes to the top; if not, it is dropped."""
        return True

    def run(self, table: "Table[Any]") -> None:
        """What happens by itself: of a decision, what follows its last answer."""

    def settle(self, state: Any, seat: int, default: Callable[[], Action]) -> Action | None:
        """How a resigned seat's debt is paid: an action in its name, or None to take it out of `seats`."""
        return default()

    def standing(self, state: Any, seat: int) -> Action | None:
        """The answer that `seat` has given beforehand (a standing pass), if it covers this step."""
        return None


class Outcome(Struct, frozen=True):
    """How a game ended: `scores` and `places` by seat (1 = first, shared places equal), `reason` a machine's word."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    reason: str


class State(Struct, kw_only=True):
    """What every ruleset's state has. It holds everything, hidden things too; only folds change it."""

    agenda: list[Any] = []
    resigned: list[int] = []
    outcome: Outcome | None = None

    @property
    def seat_count(self) -> int:
        """How many seats the game has."""
        raise NotImplementedError


class IllegalError(Exception):
    """An action that the rules refuse: the first rule broken and a reason from the ruleset's closed set."""

    def __init__(self, rule: str, reason: str, **details: Any) -> None:
        super().__init__(f"{reason} ({rule})")
        self.rule = rule
        self.reason = reason
        self.details = details


class KernelError(RuntimeError):
    """A ruleset broke the kernel's contract (a bug, never a player's doing)."""
