"""Whose fault is it when a game cannot be read: the database's, which is then said, or the program's."""

from typing import Final

import msgspec
import structlog

from events.database import Unfit
from events.dialect import Unstorable
from events.digest import ChainBroken, salt_key, verify
from events.event import Undecodable
from events.store import EventStore, StoreFailed, StoreFull
from projections.history import GapError
from server.problems import Problem

log = structlog.get_logger("turnlog")

#: Errors that are the database's and say nothing of a game.
DATABASES: Final = (StoreFull, StoreFailed, Unfit)

_SENTENCE: Final = (
    "This game cannot be read now: its log is damaged or newer than this server. Others are not affected."
)


def unanswered(error: BaseException) -> Problem | None:
    """The problem to tell if the error comes of the database: it does not answer, has other tables, or no such text."""
    if isinstance(error, StoreFull | StoreFailed):
        sentence = "The server's database does not answer now. Try again in a moment, with the same Idempotency-Key."
        return Problem("unavailable", sentence, headers={"Retry-After": "2"})
    if isinstance(error, Unfit):
        log.error("tables_unfit", reason=str(error))
        sentence = "What the server keeps beside its log cannot be read now: it is being made anew. Try again soon."
        return Problem("unavailable", sentence, headers={"Retry-After": "10"})
    if isinstance(error, Unstorable):
        return Problem("invalid", "There is nothing by that name: it has a character that no text may have.")
    return None


async def unreadable(store: EventStore, game: str, error: BaseException) -> Problem | None:
    """The problem `unavailable` if the error comes of the game's log: damaged, or of a kind not known here.

    None if the log is as it was written: then the error is the program's. What is found is logged.
    """
    if isinstance(error, DATABASES) or not isinstance(error, Exception):
        return None
    reason = str(error) if isinstance(error, (Undecodable, GapError, msgspec.DecodeError)) else None
    reason = reason or await _damage(store, game)
    if reason is None:
        return None
    log.error("game_unreadable", game=game, reason=reason)
    return Problem("unavailable", _SENTENCE, headers={"Retry-After": "60"})


async def _damage(store: EventStore, game: str) -> str | None:
    """What the chain of digests says is wrong with the log of a game."""
    try:
        events, seed = await store.read(game), await store.secret(game)
        if seed is not None and events:
            verify(events, salt_key(seed), head=await store.game_head(game))
    except (Undecodable, ChainBroken) as broken:
        return str(broken)
    except Exception:  # noqa: BLE001 - that it cannot be read now says nothing of what was written
        return None
    return None
