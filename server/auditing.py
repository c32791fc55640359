"""What the audit's process does: it gets a log as bytes, decides it anew, folds it, and says what differs."""

import asyncio
import os
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from events.event import Event, decode
from events.store import Snapshot
from games.kernel import Ruleset, encode
from projections.history import image, is_readable, open_game
from projections.unsound import UnsoundError
from projections.verify import verify
from server.search.worker import Load, SearchFailed

#: How far the process stands back behind others (man nice).
NICENESS = 10


class Task(Struct, frozen=True):
    """A game to audit: (data, digest) of every event, its seed, and its stored snapshot, if there is one."""

    ruleset: str
    pack: bytes
    rows: tuple[tuple[bytes, bytes], ...]
    seed: bytes | None
    snapshot: Snapshot | None


class Audited(Struct, frozen=True):
    """What came of it: the SHA-256 of the game's image as the log makes it.

    unsound: version and item of the first thing in the log that is not as the rules make it; then there is no image.
    snapshot: whether the stored one is what the log makes of its version; None if there is none of this program.
    """

    image: str = ""
    unsound: tuple[int, str] | None = None
    snapshot: bool | None = None


def audit(load: Load, task: Task) -> bytes:
    """The JSON of `Audited`.

    Raises:
        SearchFailed: whatever went wrong, in a form that can cross back.
    """
    os.nice(max(0, NICENESS - os.nice(0)))
    try:
        rules = load(task.ruleset)
        rules.shelf.add(task.pack)
        return encode(_audited(rules, task))
    except Exception as error:
        raise SearchFailed(f"{type(error).__name__}: {error}") from error


def _audited(rules: Ruleset[Any], task: Task) -> Audited:
    events = [decode(data, digest, 0) for data, digest in task.rows]
    try:
        verify(rules, events, task.seed)
    except UnsoundError as error:
        return Audited(unsound=(error.version, error.item))  # it may be nothing that can be folded
    snapshot, same = task.snapshot, None
    if snapshot is not None and is_readable(snapshot, rules):
        same = _image(rules, events[: snapshot.version]) == snapshot.state
    return Audited(sha256(_image(rules, events)).hexdigest(), snapshot=same)


def _image(rules: Ruleset[Any], events: Sequence[Event]) -> bytes:
    game = events[0].header.game
    return image(asyncio.run(open_game(_Events(events), {rules.id: rules}, game)))


class _Events:
    """A log of one game, without snapshots."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    async def read(self, game: str, after: int = 0, until: int | None = None, but: str | None = None) -> list[Event]:
        """As a store."""
        del game
        return [event for event in self._events[after:until] if event.header.kind != but]

    async def load_snapshot(self, game: str) -> None:
        """None: the log alone counts."""
        del game

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        """Nothing."""
        del snapshot
