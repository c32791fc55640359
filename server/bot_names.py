"""The server's own players by name: `random`, `search` and `search:N`; as players they are `bot:<name>`."""

import re
from typing import Final

from server.settings import Settings

PREFIX: Final = "bot:"
RANDOM: Final = "random"
#: The names offered; `search:N` is `search` with N iterations.
BOTS: Final = (RANDOM, "search")

#: At most six digits: far more than any sensible limit.
_SEARCH: Final = re.compile(r"search(?::([1-9][0-9]{0,5}))?")


def iterations_of(name: str, settings: Settings) -> int | None:
    """How many iterations the bot of this name makes before each answer; None if it does not search."""
    found = _SEARCH.fullmatch(name)
    if found is None:
        return None
    return int(found[1]) if found[1] is not None else settings.search_iterations


def is_bot(name: str, settings: Settings) -> bool:
    """Whether there is a bot of this name."""
    iterations = iterations_of(name, settings)
    return name == RANDOM or (iterations is not None and iterations <= settings.search_iterations_max)


def bots_told(settings: Settings) -> str:
    """All bots there are, for people."""
    named = ", ".join(f"{PREFIX}{name}" for name in BOTS)
    return f"{named}, {PREFIX}search:N (N from 1 to {settings.search_iterations_max})"
