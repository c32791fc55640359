"""The port for "game G is now at version N", and the feed of one process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from events.event import Event


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


class Feed(Protocol):
    """Tells all who listen which games have moved."""

    def announce(self, moved: Moved) -> None:
        """Tell it to all listeners. Never blocks, never raises."""

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have `listener` called with all that is announced from now on, until the function returned is called."""


class LocalFeed(Feed):
    """A Feed within one process: announcing calls the listeners, in the order in which they came.

    What a listener raises goes to `on_error`; it is called again the next time.
    """

    def __init__(self, on_error: Callable[[Exception], None]) -> None:
        self._on_error = on_error
        self._listeners: dict[object, Listener] = {}

    def announce(self, moved: Moved) -> None:
        """Tell it to all who listen now."""
        for ticket, listener in tuple(self._listeners.items()):
            if ticket not in self._listeners:  # stopped by a listener before it
                continue
            try:
                listener(moved)
            except Exception as error:  # noqa: BLE001 - a listener's fault is not the announcer's
                self._on_error(error)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the function returned takes it away again, and does nothing the second time."""
        ticket = object()
        self._listeners[ticket] = listener

        def stop() -> None:
            self._listeners.pop(ticket, None)

        return stop
