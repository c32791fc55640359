"""Who holds a token: looked up once, and believed as long as nobody can have revoked it."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from server.access import Caller
from server.ports import Clock

FOREVER: Final = datetime.max.replace(tzinfo=UTC)


class Believed(Struct, frozen=True):
    """Of how many tokens it is kept whose they are, and how long that is believed where other nodes may revoke them."""

    callers_max: int
    callers_s: float


class Callers:
    """Callers by the hash or the id of their token. `shared`: other nodes may revoke tokens, too."""

    def __init__(self, clock: Clock, believed: Believed, *, shared: bool) -> None:
        self._clock = clock
        self._most = believed.callers_max
        self._believed = timedelta(seconds=believed.callers_s) if shared else None
        #: Each with the time until which it is believed.
        self._known: dict[bytes | str, tuple[Caller, datetime]] = {}
        #: How often all were forgotten: what was read before that is not kept.
        self._forgotten = 0

    async def find(self, key: bytes | str, look_up: Callable[[], Awaitable[Caller | None]]) -> Caller | None:
        """Who holds the token of this key; None if nobody does. `look_up` is asked if that is not known."""
        now = self._clock.now()
        caller, until = self._known.get(key, (None, now))
        if caller is None or until < now:
            forgotten = self._forgotten
            caller = await look_up()
            if caller is None:
                return None
            if len(self._known) >= self._most:
                self._known.clear()
            if forgotten == self._forgotten:
                self._known[key] = (caller, now + self._believed if self._believed is not None else FOREVER)
        return caller

    def forget(self) -> None:
        """Look every token up again: one was revoked, perhaps by another node."""
        self._known.clear()
        self._forgotten += 1
