"""What a text asks while it is carried out: answers that are there are used, the first that is missing is asked for."""

from games.host_tournament import ops
from games.host_tournament.effects.plays import RandomPicked
from games.host_tournament.look import Names
from games.host_tournament.state import State
from games.host_tournament.steps.ops import CardChoice, ChooseIcon, Do
from games.kernel import Step, Table


class NeedsAnswer(Exception):
    """A text cannot go on before a seat has answered."""

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.step = step


class Asking:
    """The answers to the questions of one operation, in the order in which they come up."""

    def __init__(self, table: Table[State], text: Do) -> None:
        self.table = table
        self.answers = list(text.chosen)
        self._next = 0

    def _answered(self) -> Names | None:
        if self._next < len(self.answers):
            self._next += 1
            return self.answers[self._next - 1]
        return None

    def _keep(self, names: Names) -> Names:
        self.answers.append(names)
        self._next += 1
        return names

    def ask(self, step: CardChoice) -> Names:
        """What a seat has chosen; no question without anything to choose from."""
        found = self._answered()
        if found is not None:
            return found
        if not step.offer and step.open:
            return self._keep(())
        raise NeedsAnswer(step)

    def pick(self, names: Names, word: ops.Pick, seat: int) -> Names:
        """The ones that a player picks: at least one, if one is there."""
        least = min(1, len(names))
        return self.ask(
            CardChoice(seat=seat, kind="pick", zone="play", offer=names, least=least, most=min(word.n, len(names)))
        )

    def rand(self, names: Names, n: int) -> Names:
        """Some by chance: one after the other from those left, no die where all are taken."""
        found = self._answered()
        if found is not None:
            return found
        if n >= len(names):
            return self._keep(names)
        rest, picked = list(names), list[str]()
        for _ in range(n):
            picked.append(self.table.pick("rand", rest))
            rest.remove(picked[-1])
        self.table.emit(RandomPicked(tuple(picked)))
        return self._keep(tuple(picked))

    def best(self, names: Names, owner: int) -> str:
        """One among equals, chosen by its owner."""
        return self.ask(CardChoice(seat=owner, kind="best", zone="play", offer=names))[0]

    def icon(self, name: str, town: str) -> bool:
        """Whether the owner of a dual icon says that it is of this town (HT-R31)."""
        found = self._answered()
        if found is None:
            owner = self.table.state.in_play[name].owner
            raise NeedsAnswer(ChooseIcon(seats=(owner,), seat=owner, card=name))
        return found == (town,)
