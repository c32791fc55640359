"""The port for "game G is now at version N", and the feed of one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from msgspec import Struct

from events.event import Event

Told = TypeVar("Told")


class Moved(Struct, frozen=True):
    """A game has a new version, durably; `position` is that of its last event. A hint: the store holds the truth.

    events: those just stored, if they are at hand; who follows the game need not read them from the store.
    here: whether this process stored them, rather than another node.
    """

    game: str
    version: int
    position: int
    events: tuple[Event, ...] = ()
    here: bool = True


Listener = Callable[[Moved], None]
Hearer = Callable[[bytes], None]


class Feed(Protocol):
    """Tells all who listen, on all nodes of a server, which games have moved."""

    async def prepare(self) -> None:
        """Begin: what is stored from now on will be told. Who listens reads the log after this."""

    async def run(self) -> None:
        """Do what goes on in the background, until cancelled or until there is nothing more to do."""

    def announce(self, moved: Moved) -> None:
        """Tell it to all listeners. Never blocks, never raises."""

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called with all that is announced from now on, until the function returned is called."""

    def tell(self, topic: str, body: bytes) -> None:
        """Tell all nodes something that is in no log: this one at once, others soon, and never for certain.

        Never blocks, never raises. Another node may get it late, twice, or not at all.
        """

    def hear(self, topic: str, hearer: Hearer) -> Callable[[], None]:
        """Have `hearer` called with all that is told on a topic, until the function returned is called."""


class LocalFeed(Feed):
    """A Feed within one process: announcing calls the listeners, in the order in which they came.

    What a listener raises goes to `on_error`; it is called again the next time.
    """

    def __init__(self, on_error: Callable[[Exception], None]) -> None:
        self._on_error = on_error
        self._listeners: dict[object, Listener] = {}
        self._hearers: dict[str, dict[object, Hearer]] = {}

    async def prepare(self) -> None:
        """Nothing."""

    async def run(self) -> None:
        """Nothing."""

    def announce(self, moved: Moved) -> None:
        """Tell it to all who listen now."""
        self._call(self._listeners, moved)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the function returned takes it away again, and does nothing the second time."""
        return _add(self._listeners, listener)

    def tell(self, topic: str, body: bytes) -> None:
        """Tell it to all who hear this topic now."""
        self._call(self._hearers.get(topic, {}), body)

    def hear(self, topic: str, hearer: Hearer) -> Callable[[], None]:
        """Add a hearer, as `listen` does a listener."""
        return _add(self._hearers.setdefault(topic, {}), hearer)

    def _call(self, called: dict[object, Callable[[Told], None]], told: Told) -> None:
        for mark, one in tuple(called.items()):
            if mark not in called:  # stopped by one before it
                continue
            try:
                one(told)
            except Exception as error:  # noqa: BLE001 - a listener's fault is not the announcer's
                self._on_error(error)


def _add(called: dict[object, Callable[[Told], None]], one: Callable[[Told], None]) -> Callable[[], None]:
    mark = object()
    called[mark] = one

    def stop() -> None:
        called.pop(mark, None)

    return stop
