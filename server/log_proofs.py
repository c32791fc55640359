"""Proofs from the log for a game: that its events stand there, under the latest signed head."""

from events.event import Event
from events.logproof import LogProof, key_lines
from events.signed import SignedHead
from server.signing import Signer


async def proof_of_event(signer: Signer, event: Event, head: SignedHead) -> LogProof:
    """That one event is in the log of a head, which reaches to it.

    Raises:
        ValueError: the head is older than the event.
        TreeBroken: the log is not what it was.
    """
    hashes = await signer.tree.inclusion(event.position, head.size)
    keys = key_lines(await signer.heads.keyring())
    return LogProof(event.header.version, event.position, tuple(one.hex() for one in hashes), head.note, keys)


async def proof_of_game(signer: Signer, events: list[Event]) -> LogProof | None:
    """That a game is in the log, as far as the latest head reaches; None if none of its events is in one yet."""
    head = await signer.heads.latest()
    covered = [] if head is None else [event for event in events if event.position <= head.size]
    if head is None or not covered:
        return None
    return await proof_of_event(signer, covered[-1], head)
