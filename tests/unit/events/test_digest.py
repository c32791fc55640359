"""The digest chain: vectors worked out by hand from its definition, and what it finds."""

import hmac
import struct
from hashlib import sha256

import msgspec
import pytest

from events.digest import (
    ZERO,
    ChainBroken,
    Proof,
    body,
    chain,
    commitments,
    prove,
    salt,
    salt_key,
    talk_commitment,
    verify,
    verify_proofs,
)
from events.event import Header, NewEvent, seal
from tests.integration.store_kit import AT, KEY, SEED, sealed


def by_hand(version: int, items: list[bytes], previous: bytes) -> tuple[list[bytes], bytes]:
    """Commitments and digest, written out from the definition with nothing of the code under test."""
    key = hmac.new(SEED, b"turnlog salt", sha256).digest()
    committed = []
    for number, item in enumerate(items):
        its_salt = hmac.new(key, struct.pack(">QI", version, number), sha256).digest()[:16]
        committed.append(sha256(its_salt + item).digest())
    digest = sha256(previous + struct.pack(">Q", version) + sha256(b"".join(committed)).digest()).digest()
    return committed, digest


HEADER_BYTES = b'{"game":"g","version":1,"kind":"created","at":"2026-11-30T10:00:00.000000Z","actor":"server"}'


def test_commitments_and_digest_are_those_of_the_definition():
    event = seal(NewEvent(Header("g", 1, "created", AT, "server"), details=b'{"n":1}'), ZERO, KEY)
    committed, digest = by_hand(1, [HEADER_BYTES, b'{"n":1}', b"null"], bytes(32))
    assert (list(commitments(event, KEY)), event.digest) == (committed, digest)


def test_the_chain_goes_on_from_the_digest_before():
    first, second = sealed("g", 2)
    items = [second.header_bytes, b"null", b'{"action":"roll","mark":0}']
    items += [b'{"effect":"die_rolled","value":3}', b'{"effect":"turn_ended"}']
    assert second.digest == by_hand(2, items, first.digest)[1]


def test_vectors_that_must_never_change():
    """Logs of old games are verified with these for ever. Worked out with `openssl dgst` from the definition."""
    assert KEY.hex() == VECTORS["salt_key"]
    assert salt(KEY, 1, 0).hex() == VECTORS["salt"]
    assert body([sha256(b"a").digest(), sha256(b"b").digest()]).hex() == VECTORS["body"]
    assert chain(ZERO, 1, bytes.fromhex(VECTORS["body"])).hex() == VECTORS["chain"]
    assert talk_commitment(KEY, 1, b"hello") == VECTORS["talk"]


VECTORS = {
    "salt_key": "dad7523890ddf485df41cae2be2ecbb7208d6e0b704ae4b09de703883a791ad1",
    "salt": "10e6259d2b86060dffb5affc53ed182c",
    "body": "e5a01fee14e0ed5c48714f22180f25ad8365b53f9779f79dc4a3d7e93963f94a",
    "chain": "5db4220ec9614b4472e651ba7481a4e853dfc6be8f694d9f54ee4b48f7b22060",
    "talk": "5c71c6bc7fce3fcc2a8b2990d6434647d54ed64d006c8b237826ba988175ab8f",
}


def test_the_keyed_commitment_of_words_depends_on_key_version_and_words():
    made = {talk_commitment(key, n, words) for key in (KEY, bytes(32)) for n in (1, 2) for words in (b"a", b"b")}
    assert len(made) == 8


def test_a_log_as_written_verifies_to_its_head():
    log = sealed("g", 5)
    assert verify(log, KEY) == log[-1].digest
    assert verify(log, KEY, head=(5, log[-1].digest)) == log[-1].digest
    assert verify(log[2:], KEY, previous=log[1].digest, first=3) == log[-1].digest
    assert verify([], KEY) == ZERO


LOG = sealed("g", 5)
OTHER = sealed("g", 5, mark=1)
FOREIGN = sealed("h", 5)


@pytest.mark.parametrize(
    ("log", "version", "reason"),
    [
        ([LOG[0], LOG[2], LOG[1], *LOG[3:]], 2, "version 2 is missing or out of order: version 3 stands in its place"),
        ([*LOG[:2], *LOG[3:]], 3, "version 3 is missing or out of order: version 4 stands in its place"),
        ([*LOG[:2], LOG[1], *LOG[2:]], 3, "version 3 is missing or out of order: version 2 stands in its place"),
        (LOG[1:], 1, "version 1 is missing or out of order: version 2 stands in its place"),
        ([*LOG[:2], OTHER[2], *LOG[3:]], 3, "version 3 was changed: its content does not give its digest"),
        ([*LOG[:2], FOREIGN[2], *LOG[3:]], 3, "version 3 belongs to game h, not to game g"),
        (LOG[:4], 5, "the log ends at version 4, but its head is version 5"),
        ((), 1, "the log ends at version 0, but its head is version 5"),
        (OTHER, 6, "the log ends with another digest, but its head is version 5"),
    ],
    ids=["swapped", "removed", "repeated", "first removed", "changed", "foreign", "cut off", "empty", "rewritten"],
)
def test_a_log_that_is_not_as_written_is_found_with_a_clear_sentence(log, version, reason):
    with pytest.raises(ChainBroken) as caught:
        verify(log, KEY, head=(5, LOG[-1].digest))
    assert (caught.value.version, str(caught.value)) == (version, reason)


def test_an_event_moved_to_another_version_does_not_verify():
    header = msgspec.structs.replace(LOG[0].header, version=2)
    moved = msgspec.structs.replace(LOG[0], header=header)
    with pytest.raises(ChainBroken, match="version 2 was changed"):
        verify([LOG[0], moved], KEY)


def test_another_seed_does_not_verify():
    with pytest.raises(ChainBroken, match="version 1 was changed"):
        verify(LOG, salt_key(bytes(32)))


PROOFS = (prove(LOG[0], KEY, {0, 2}), prove(LOG[1], KEY), prove(LOG[2], KEY, {0, 1, 2, 3, 4}))


def test_a_redacted_log_verifies_without_the_seed():
    assert verify_proofs(PROOFS, head=(3, LOG[2].digest)) == LOG[2].digest


def test_a_proof_holds_the_items_shown_and_no_others():
    assert [(item, data) for item, _, data in PROOFS[0].shown] == [(0, LOG[0].header_bytes), (2, bytes(LOG[0].action))]
    assert PROOFS[1] == Proof(2, LOG[1].digest, body=body(commitments(LOG[1], KEY)))


def test_two_events_hidden_from_a_reader_look_alike_whatever_they_hold():
    long = seal(NewEvent(Header("g", 1, "acted", AT, "p"), effects=(b"{}",) * 50), ZERO, KEY)
    sizes = {len(msgspec.json.encode(prove(event, KEY))) for event in (LOG[0], long)}
    assert len(sizes) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"body": bytes(32), "commitments": (), "shown": ()},
            "version 1 was changed: its content does not give its digest",
        ),
        ({"digest": bytes(32)}, "version 1 was changed: its content does not give its digest"),
        ({"commitments": PROOFS[0].commitments[:-1]}, "version 1 was changed: its content does not give its digest"),
        ({"shown": ((0, PROOFS[0].shown[0][1], b"{}"),)}, "item 0 of version 1 is not the one that was committed to"),
        ({"shown": ((0, bytes(16), LOG[0].header_bytes),)}, "item 0 of version 1 is not the one that was committed to"),
        ({"shown": ((2, *PROOFS[0].shown[0][1:]),)}, "item 2 of version 1 is not the one that was committed to"),
        ({"shown": ((9, bytes(16), b"{}"),)}, "version 1 has no item 9"),
        ({"shown": ((-1, bytes(16), b"{}"),)}, "version 1 has no item -1"),
        ({"commitments": ()}, "the proof of version 1 must hold either a body or commitments"),
        ({"body": bytes(32)}, "the proof of version 1 must hold either a body or commitments"),
        ({"body": bytes(32), "commitments": ()}, "the proof of version 1 shows items without their commitments"),
    ],
)
def test_a_proof_that_was_tampered_with_is_found_with_a_clear_sentence(change, reason):
    with pytest.raises(ChainBroken) as caught:
        verify_proofs((msgspec.structs.replace(PROOFS[0], **change), *PROOFS[1:]))
    assert str(caught.value) == reason


def test_a_redacted_log_with_a_proof_missing_swapped_or_cut_off_is_found():
    for proofs in ((PROOFS[0], PROOFS[2]), (PROOFS[1], PROOFS[0], PROOFS[2]), PROOFS[:2], ()):
        with pytest.raises(ChainBroken):
            verify_proofs(proofs, head=(3, LOG[2].digest))
