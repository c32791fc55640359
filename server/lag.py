"""Games as callers may see them now: as they are, or by the delay of their spectators (docs/stream.md)."""

from datetime import timedelta

from msgspec import Struct

from events.store import EventStore
from projections.game import LiveGame
from projections.lag import follow
from server.ports import Clock, timestamp
from server.problems import Problem


class Seen(Struct, frozen=True):
    """A game as a caller may see it. Valid while the game is locked.

    own: the caller's seats now. now: what time it is in the game as it is seen. delay_s: by how much that is later.
    """

    live: LiveGame
    own: tuple[int, ...]
    now: str
    delay_s: int = 0


class Aged:
    """A game kept in memory as it was a while ago. bound: the time up to which it was followed.

    It is of no use for an earlier time (the clock was set back): what it has taken it cannot give back.
    """

    __slots__ = ("_waits", "bound", "live")

    def __init__(self, live: LiveGame, bound: str) -> None:
        self.live = live
        self.bound = bound
        #: The time of the first event that is not of age.
        self._waits: str | None = None

    async def follow(self, store: EventStore, newest: int, bound: str) -> LiveGame:
        """Bring it up to this time, where the game itself is at version `newest`."""
        self.bound = bound
        waiting = self._waits is not None and self._waits > bound
        if not waiting and self.live.meta.version < newest:
            self._waits = await follow(store, self.live, bound)
        return self.live


def bound_of(clock: Clock, delay_s: float) -> str:
    """The time up to which events are of age."""
    return timestamp(clock.now() - timedelta(seconds=delay_s))


def not_of_age(version: int) -> Problem:
    """The refusal of what is later than `version`, the newest of age; another node's clock may be ahead."""
    sentence = f"The game is at version {version} by this server's clock. Try again in a moment."
    return Problem("unavailable", sentence, headers={"Retry-After": "2"}, version=version)
