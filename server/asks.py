"""What comes to a command: who asks, under which idempotency key, how the answer is made."""

from collections.abc import Callable

from msgspec import Struct

from events.event import Event
from games.kernel import Texts
from projections.game import LiveGame
from server.access import Caller
from server.catalogue import Entry
from server.problems import Problem

#: Makes the bytes of the answer from the game as it is after the command, and the events it wrote.
Respond = Callable[[LiveGame, list[Event]], bytes]


#: What an action was decided on: a version, or "*" for the newest state, or None: not said.
IfVersion = int | str | None


#: The texts of a ruleset in somebody's language.
Speech = Callable[[Entry], Texts]


def english(entry: Entry) -> Texts:
    """The texts that every ruleset has."""
    return entry.texts.get("en", {})


class Once(Struct, frozen=True):
    """An idempotency key: whose, which, and the hash of the request it was first used for."""

    scope: str
    key: str
    request: bytes


def key_reused() -> Problem:
    """The problem of a key that was first used for another request."""
    return Problem("key_reused", "This Idempotency-Key was used for another request. Use a new one.")


class Ask(Struct, frozen=True):
    """A request to a command: who asks, how to answer, under which key, and which version it was decided on.

    `invited`: the caller has shown a valid invitation to the (private) game. `texts`: the caller's language.
    """

    caller: Caller
    respond: Respond
    once: Once | None = None
    if_version: IfVersion = None
    invited: bool = False
    texts: Speech = english

    @property
    def key(self) -> str | None:
        """The idempotency key, as events record it."""
        return self.once.key if self.once is not None else None

    @property
    def actor(self) -> str:
        """Who acts, as events record it."""
        return self.caller.player or ""
