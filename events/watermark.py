"""How far a reader of the log has been told everything: positions are dense, so a gap is a message that is missing."""

from __future__ import annotations

from bisect import insort


class Watermark:
    """`at`: every position up to it has been told. Ranges beyond it, of which at most `ranges_max` are kept, wait.

    A range that is forgotten for want of room is told again by whoever reads the log, which does no harm.
    """

    def __init__(self, at: int, ranges_max: int) -> None:
        self.at = at
        self._ranges_max = ranges_max
        self._beyond: list[tuple[int, int]] = []

    @property
    def gap(self) -> bool:
        """Whether something was told with something missing before it."""
        return bool(self._beyond)

    def told(self, first: int, last: int) -> None:
        """The positions from first to last have been told, in whatever order ranges come and however often."""
        if last <= self.at:
            return
        if first > self.at + 1:
            insort(self._beyond, (first, last))
            del self._beyond[self._ranges_max :]
            return
        self.at = last
        joined = 0
        for first_beyond, last_beyond in self._beyond:
            if first_beyond > self.at + 1:
                break
            self.at = max(self.at, last_beyond)
            joined += 1
        del self._beyond[:joined]
