"""Proofs from the log for a game: that its events stand there, under a signed head."""

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from events.heads import Head
from events.logproof import LogProof, key_lines
from events.merkle import NotProved, check_inclusion
from events.notes import Note
from events.signed import SignedHead
from events.tree import Place, TreeBroken
from server.signing import Signer

log: FilteringBoundLogger = structlog.get_logger("turnlog")


class Proved(Struct, frozen=True):
    """An event's place in the log, the head that reaches to it, and the proof."""

    place: Place
    head: SignedHead
    proof: LogProof


async def prove(signer: Signer, game: str, until: int, head: SignedHead) -> Proved | None:
    """That the last event of a game up to version `until` is in the log of a head, as far as that reaches.

    None if it reaches to none of them.

    Raises:
        TreeBroken: the log is not what it was.
    """
    place = await signer.tree.last_of(game, until, head.size)
    if place is None:
        return None
    hashes = await signer.tree.inclusion(place.position, head.size)
    try:
        root = Head.parse(Note.parse(head.note).text).root
        check_inclusion(place.digest, place.position - 1, head.size, hashes, root)
    except NotProved as error:  # better none than one that does not hold
        raise TreeBroken(str(error)) from error
    keys = key_lines(await signer.heads.keyring())
    proof = LogProof(place.version, place.position, tuple(one.hex() for one in hashes), head.note, keys)
    return Proved(place, head, proof)


async def proof_for_replay(signer: Signer, game: str, events: int) -> LogProof | None:
    """The proof for a replay with so many events of a game; None while there is none to give."""
    head = await signer.heads.latest()
    if head is None:
        return None
    try:
        proved = await prove(signer, game, events, head)
    except TreeBroken as error:
        log.critical("log_differs", why=str(error))
        return None
    return None if proved is None else proved.proof
