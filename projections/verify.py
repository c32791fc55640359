"""Verifying a game: its chain, the seed behind its dice, and that every decision comes out again to the byte.

Nothing is believed: what the log says happened is decided anew from the seed, and each effect, its cause, the number of
draws and the outcome must be the ones that were written. Not shown by a log alone: that the start of a fork is a
position of the other game, and that a rewind had the consent it needed.
"""

from collections.abc import Sequence
from typing import Any, Final

from events.digest import ChainBroken, salt_key
from events.digest import verify as follow
from events.event import Event
from games.dice import commitment
from games.kernel import Ruleset
from projections import kinds
from projections.redecide import Redecider, details_of
from projections.report import Report
from projections.unsound import DETAILS, DIGEST, SEED, UnsoundError

__all__ = ["Report", "UnsoundError", "check_chain", "check_decisions", "created_of", "verify"]

#: Length of a server seed.
SEED_BYTES: Final = 32


def verify(rules: Ruleset[Any], events: Sequence[Event], seed: bytes | None = None) -> Report:
    """Verify all events of a game from the first; `seed`: of a running game, whose log does not tell it yet.

    Raises:
        UnsoundError: at the first thing that is not as it should be.
    """
    seed = check_chain(events, seed)
    return check_decisions(rules, events, seed)


def check_chain(events: Sequence[Event], seed: bytes | None = None) -> bytes:
    """Check the seed against the commitment made to it, and the digests with their salts; return the seed.

    Raises:
        UnsoundError: with the version where it shows.
    """
    created = created_of(events)
    published, at = _published(events)
    if seed is None:
        seed, where = published, at
    else:
        where = 1
    if seed is None:
        raise UnsoundError(len(events), SEED, "the game has not ended, so its seed is needed to verify it")
    if commitment(seed) != created.seed_commitment:
        told = "the seed is not the one that version 1 commits to; one of the two was changed"
        raise UnsoundError(where, SEED, told)
    try:
        follow(events, salt_key(seed))
    except ChainBroken as broken:
        raise UnsoundError(broken.version, DIGEST, broken.reason) from broken
    return seed


def created_of(events: Sequence[Event]) -> kinds.Created:
    """What the first event says.

    Raises:
        UnsoundError: it is not `created`.
    """
    details = details_of(events[0]) if events else None
    if not isinstance(details, kinds.Created) or events[0].header.version != 1:
        raise UnsoundError(1, DETAILS, "a log begins with `created`")
    return details


def check_decisions(rules: Ruleset[Any], events: Sequence[Event], seed: bytes) -> Report:
    """Decide every event of a sound chain anew, in order, and fold it as well.

    Raises:
        UnsoundError: at the first event that comes out differently.
    """
    created = created_of(events)
    if created.ruleset != rules.id or created.pack not in set(rules.shelf):
        raise UnsoundError(1, DETAILS, f"{created.ruleset} with content pack {created.pack} is not here to verify it")
    verifier = Redecider(rules, events, seed)
    for event in events[1:]:
        verifier.take(event)
    return verifier.report()


def _published(events: Sequence[Event]) -> tuple[bytes | None, int]:
    """The seed that the log tells, and in which version."""
    for event in reversed(events):
        details = details_of(event) if event.header.kind == "ended" else None
        if isinstance(details, kinds.Ended):
            seed = _hexadecimal(details.seed)
            if len(seed) != SEED_BYTES:
                raise UnsoundError(event.header.version, SEED, f"a seed is {SEED_BYTES} bytes in hexadecimal")
            return seed, event.header.version
    return None, 0


def _hexadecimal(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
