"""Information-set Monte Carlo tree search over the kernel: pure, and the same for the same bytes.

Each iteration deals a state that the seat could not tell from the real one (`Ruleset.resample`) and walks one tree of
what the seat can see: an edge is a seat and its action as the searching seat would see it, dice are rolled anew each
time. Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012 (one observer,
bandits over the actions available in this deal); several seats as in max^n: who decides, maximises its own value.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import log, sqrt
from random import Random
from typing import Any, Generic, TypeVar

from games.dice import Dice
from games.kernel import Action, IllegalError, KernelError, Ruleset, State, Step, decide, encode, legal, pending, redact
from games.kernel.visibility import PUBLIC, declared

S = TypeVar("S", bound=State)

#: How much the search tries what it knows little of; values are 0 to 1.
EXPLORATION = 0.4
#: A node visited n times has at most WIDTH × √n children: a long menu is sampled, and the sample looked at well.
WIDTH = 2.0
#: A playout goes on for so many decisions, which settle what an action asks of others, before `evaluate` judges.
PLAYOUT_DECISIONS = 2


def choose_by_search(rules: Ruleset[S], state: S, seat: int, iterations: int, seed: bytes) -> Action:
    """The action that `seat` should take in `state`, which stays as it is; a single legal one at once.

    Of the state only what `legal` and `resample` let the seat know is used. iterations: at least 1, each some
    milliseconds at most. The same arguments give the same action in every process.

    Raises:
        KernelError: the seat has nothing to decide, or a resampled state asks a seat that has no legal action.
    """
    actions = legal(rules, state, seat)
    if not actions:
        raise KernelError(f"seat {seat} has nothing to choose from")
    if len(actions) == 1:
        return actions[0]
    search = _Search(rules, seat, actions, Random(seed))  # noqa: S311 - what is imagined need not be unpredictable
    for _ in range(iterations):
        search.iterate(rules.resample(state, seat, search.dice))
    return search.best()


class SearchDice(Dice):
    """Chance for what is only imagined: nobody audits it, so it may be quick."""

    __slots__ = ("_random",)

    def __init__(self, random: Random) -> None:
        super().__init__(b"")
        self._random = random

    def _draw(self, sides: int) -> int:
        self.draws += 1
        return self._random.randrange(sides) + 1


class _Node:
    """What came of an action: `total` is of the values for the seat that took it, `available` how often it could."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0
        self.children: dict[bytes, _Node] = {}

    def bound(self) -> float:
        """UCB1 for what is not always available."""
        return self.total / self.visits + EXPLORATION * sqrt(log(self.available) / self.visits)


#: The actions a seat has, by what the searching seat would see of them.
_Choices = dict[bytes, list[Action]]


class _Search(Generic[S]):
    """One search: its tree, its chance, and who searches."""

    def __init__(self, rules: Ruleset[S], seat: int, actions: Sequence[Action], random: Random) -> None:
        self._rules = rules
        self._seat = seat
        self._random = random
        self._root = _Node()
        # What a seat may do it can see, so every deal has the same actions here.
        self._choices = self._seen(seat, actions)
        self.dice = SearchDice(random)

    def best(self) -> Action:
        """The action tried most often, of these the one that did best; of equals the first in the order of `legal`."""

        def merit(key: bytes) -> tuple[int, float]:
            child = self._root.children.get(key)
            return (child.visits, child.total) if child is not None else (0, 0.0)

        return self._choices[max(self._choices, key=merit)][0]

    def iterate(self, state: S) -> None:
        """Walk down the tree to something new, play on from there, and note what came of it on the way."""
        node, seat, choices = self._root, self._seat, self._choices
        path: list[tuple[int, _Node]] = []
        self._root.visits += 1
        while True:
            key = self._select(node, choices)
            node = node.children.setdefault(key, _Node())
            path.append((seat, node))
            decide(self._rules, state, seat, self._random.choice(choices[key]), self.dice)
            if state.outcome is not None or not node.visits:
                break
            seat = self._asked(state)
            choices = self._seen(seat, legal(self._rules, state, seat))
        self._play_on(state)
        values = {seat: self._value(state, seat) for seat, _ in path}
        for seat, node in path:
            node.visits += 1
            node.total += values[seat]

    def _select(self, node: _Node, choices: _Choices) -> bytes:
        """Something untried while there is room for it, else what promises most."""
        if not choices:
            raise KernelError("a seat owes a decision in a resampled state, but has no legal action")
        known = [key for key in choices if key in node.children]
        for key in known:
            node.children[key].available += 1
        if len(known) < len(choices) and len(known) < WIDTH * sqrt(node.visits):
            return self._untried(node, choices)
        return max(known, key=lambda key: node.children[key].bound())

    def _untried(self, node: _Node, choices: _Choices) -> bytes:
        """By type first, so that a type with hundreds of actions does not drown the others."""
        untried = [key for key in choices if key not in node.children]
        kind = self._random.choice(list(dict.fromkeys(type(choices[key][0]) for key in untried)))
        key = self._random.choice([key for key in untried if type(choices[key][0]) is kind])
        node.children[key] = child = _Node()
        child.available = 1
        return key

    def _seen(self, seat: int, actions: Sequence[Action]) -> _Choices:
        """Actions of a seat by what the searching seat sees of them: what it cannot tell apart is one edge."""
        choices: _Choices = {}
        mark = b"%d " % seat
        for action in actions:
            public = seat == self._seat or _is_public(type(action))
            seen = encode(action) if public else encode(redact(action, self._seat, acting=seat))
            choices.setdefault(mark + seen, []).append(action)
        return choices

    def _asked(self, state: S) -> int:
        """Who decides next; where several owe, the searching seat does not wait for the others."""
        step = self._pending(state)
        return self._seat if self._seat in step.seats else step.seats[0]

    def _pending(self, state: S) -> Step:
        step = pending(state)
        if step is None:
            raise KernelError("the game is not over, but nobody owes a decision")
        return step

    def _play_on(self, state: S) -> None:
        """Random decisions, to the end or until the ruleset can judge: not while choices lie sealed."""
        cut = PLAYOUT_DECISIONS if self._rules.evaluate is not None else self._rules.bound
        for played in range(self._rules.bound):
            if state.outcome is not None or (played >= cut and not self._pending(state).sealed):
                return
            seat = self._asked(state)
            decide(self._rules, state, seat, self._any(state, seat), self.dice)

    def _any(self, state: S, seat: int) -> Action:
        """A legal action by chance, by type first; without making the whole list."""
        menu = list(self._pending(state).menu)
        self._random.shuffle(menu)
        for tag in menu:
            options = list(self._rules.action_types[tag].options(state, seat))
            self._random.shuffle(options)
            for action in options:
                if _passes(action, state, seat):
                    return action
        raise KernelError(f"seat {seat} owes a decision in a resampled state, but has no legal action")

    def _value(self, state: S, seat: int) -> float:
        """A seat's share of the win; of a game cut off, or one for a single seat, what the ruleset says.

        Alone nobody is beaten: there a higher score is better, also of games that have ended. Of a game beyond its
        bound without a word from its ruleset nobody has won.
        """
        evaluate: Callable[[S, int], float] | None = self._rules.evaluate
        if evaluate is not None and (state.outcome is None or state.seat_count == 1):
            return evaluate(state, seat)
        if state.outcome is None:
            return 1 / state.seat_count
        winners = state.outcome.winners
        return 1 / len(winners) if seat in winners else 0.0


def _passes(action: Action, state: Any, seat: int) -> bool:
    try:
        action.check(state, seat)
    except IllegalError:
        return False
    return True


@cache
def _is_public(kind: type[Action]) -> bool:
    """Whether everybody sees all of an action of this type."""
    return kind.audience == PUBLIC and all(shown == PUBLIC for _, shown in declared(kind))
