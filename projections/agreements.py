"""What players decide together: proposals to pause, to go on, to end the game, and when they are agreed to."""

from collections.abc import Sequence

from msgspec import Struct

from games.kernel import Outcome
from projections.time_control import POLICIES, Policies

PAUSE, RESUME, ABANDON = "pause", "resume", "abandon"

#: Why a game has ended that its players gave up together: there are no winners.
ABANDONED = "abandoned"


class Proposal(Struct):
    """An open proposal: what, by which seat, until when; whose answers are missing, and who has said yes.

    needed: so many seats must be for it, the proposing player's own ones among them.
    """

    id: str
    what: str
    seat: int
    asked: list[int]
    accepted: list[int]
    needed: int
    deadline: str
    version: int

    @property
    def agreed(self) -> bool:
        """Whether it is carried."""
        return len(self.accepted) >= self.needed

    @property
    def lost(self) -> bool:
        """Whether it cannot be carried any more."""
        return len(self.accepted) + len(self.asked) < self.needed

    def answer(self, seat: int, *, accept: bool) -> None:
        """Take the answer of a seat that is asked."""
        self.asked = [other for other in self.asked if other != seat]
        if accept:
            self.accepted = [*self.accepted, seat]


def needed(what: str, voters: Sequence[int], policies: Policies | None) -> int:
    """How many of the seats of people who still play must be for it."""
    most = what == ABANDON and (policies or POLICIES).abandon == "most"
    return len(voters) // 2 + 1 if most else len(voters)


def abandoned(seats: int) -> Outcome:
    """The outcome of a game that was given up together: nobody has won, all share the first place."""
    return Outcome(winners=(), scores=(0,) * seats, places=(1,) * seats, reason=ABANDONED)
