"""Replays with a proof that they are in the signed log: what is changed in it is found, and trust is the reader's."""

import asyncio
import random

import msgspec
import pytest

from events.digest import salt_key
from events.heads import Keyring, Successor
from events.logproof import check_continues, check_trust, key_lines, write_line
from events.merkle import NotProved
from games.kernel import SPECTATOR
from server.redacted import check_redacted, export_redacted
from server.replays import ReplayError, check, export, parse
from tests.integration.log_kit import KEY, NEXT, STRANGER, Log, among_others
from tests.integration.replay_kit import RULESETS, Table, played, resigned_game, seed_of
from tests.tiny import RULES


@pytest.fixture(scope="module")
def events():
    return played(resigned_game())


@pytest.fixture(scope="module")
def log(events):
    return among_others([event.digest for event in events])


@pytest.fixture(scope="module")
def proof(events, log):
    return log.proof(events[-1].digest, len(events))


@pytest.fixture(scope="module")
def source(events, proof):
    return b"".join(export(events, proof))


@pytest.fixture(scope="module")
def redacted(events, proof):
    return b"".join(export_redacted(RULES, events, SPECTATOR, salt_key(seed_of(events)), proof))


def refused(source: bytes) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        check(RULESETS, source)
    return caught.value


def test_a_replay_with_its_proof_verifies(events, log, source):
    replay, report = check(RULESETS, source)
    assert report.version == len(events)
    logged = replay.logged
    assert logged is not None
    assert (logged.version, logged.head) == (len(events), log.head(len(log.digests)))
    assert log.digests[logged.position - 1] == events[-1].digest
    check_trust(logged, [KEY.public])


def test_a_redacted_replay_with_its_proof_verifies(events, log, redacted):
    logged = check_redacted(redacted).logged
    assert logged is not None
    assert logged.head == log.head(len(log.digests))
    check_trust(logged, [KEY.public])


def test_replays_without_a_proof_are_as_before(events):
    source = b"".join(export(events))
    assert check(RULESETS, source)[0].logged is None
    assert b'{"log"' not in source


def test_a_game_under_way_may_be_proved_as_far_as_a_head_reaches(events, log):
    early = log.proof(events[2].digest, 3, size=log.digests.index(events[2].digest) + 1)
    logged = parse(b"".join(export(events, early))).logged
    assert logged is not None
    assert logged.version == 3


def test_every_changed_byte_of_the_proof_is_found_in_its_line(events, source):
    number = len(events) + 2
    lines = source.split(b"\n")
    line = lines[number - 1]
    for at in range(len(line)):
        bit = 1 << random.Random(at).randrange(8)
        changed = line[:at] + bytes([line[at] ^ bit]) + line[at + 1 :]
        if b"\n" in changed:
            continue
        found = refused(b"\n".join([*lines[: number - 1], changed, *lines[number:]]))
        assert found.line == number, f"byte {at}"


def test_every_changed_byte_of_a_redacted_proof_is_found(redacted):
    start = redacted.index(b'{"log"')
    end = redacted.index(b"\n", start)
    for at in range(start, end, 7):
        changed = redacted[:at] + bytes([redacted[at] ^ 1]) + redacted[at + 1 :]
        with pytest.raises(ReplayError):
            check_redacted(changed)


@pytest.mark.parametrize("place", ["twice", "first", "last", "alone"])
def test_a_proof_stands_before_the_trailer_and_nowhere_else(source, place):
    header, *events, proof, trailer, _ = source.split(b"\n")
    lines = {
        "twice": [header, *events, proof, proof, trailer],
        "first": [proof, header, *events, trailer],
        "last": [header, *events, trailer, proof],
        "alone": [header, proof, trailer],
    }
    refused(b"".join(line + b"\n" for line in lines[place]))


def with_proof(source: bytes, proof) -> bytes:
    start = source.index(b'{"log"')
    return source[:start] + write_line(proof) + source[source.index(b"\n", start) + 1 :]


def test_what_does_not_fit_the_game_proves_nothing(events, log, proof, source):
    replace = msgspec.structs.replace
    other = log.digests[1]
    longer = Log([*log.digests, bytes(32)])
    wrong = {
        "another event": log.proof(other, len(events)),
        "another version": replace(proof, version=len(events) - 1),
        "no version": replace(proof, version=len(events) + 1),
        "version 0": replace(proof, version=0),
        "another position": replace(proof, position=proof.position + 1),
        "position 0": replace(proof, position=0),
        "beyond the head": replace(proof, position=10**9),
        "a head of another log": replace(proof, head=longer.signed(len(longer.digests)).source),
        "hashes left out": replace(proof, hashes=proof.hashes[:-1]),
        "hashes added": replace(proof, hashes=(*proof.hashes, proof.hashes[0])),
        "hashes swapped": replace(proof, hashes=proof.hashes[::-1]),
        "a long proof": replace(proof, hashes=proof.hashes * 100),
        "no hashes": replace(proof, hashes=("zz",)),
        "capitals": replace(proof, hashes=tuple(one.upper() for one in proof.hashes)),
        "no keys": replace(proof, keys=()),
        "a stranger's signature": replace(proof, head=log.signed(len(log.digests), STRANGER).source),
        "a stranger's key": replace(proof, keys=key_lines(Keyring([Successor(STRANGER.public)]))),
    }
    for name, one in wrong.items():
        found = refused(with_proof(source, one))
        assert found.line == len(events) + 2, name


@pytest.mark.parametrize(
    ("written", "other"),
    [
        (b'{"log":{', b'{"log": {'),
        (b'{"log":{', b'{"log":{"version":1,'),
        (b'"hashes":[', b'"hashes":[ '),
        (b'"position":', b'"position":0e0,"position":'),
        (b"example.org", b"\\u0065xample.org"),
        (b"}}", b'},"x":0}'),
        (b"}}", b"}} "),
    ],
)
def test_a_proof_is_written_in_one_way(events, source, written, other):
    start = source.index(b'{"log"')
    changed = source[:start] + source[start:].replace(written, other, 1)
    assert changed != source
    assert refused(changed).line == len(events) + 2


def test_a_stranger_can_make_a_file_that_holds_but_nobody_trusts_it(events, log, source):
    ring = Keyring([Successor(STRANGER.public)])
    forged = Log(log.digests, ring).proof(events[-1].digest, len(events), key=STRANGER)
    logged = parse(with_proof(source, forged)).logged
    assert logged is not None
    with pytest.raises(NotProved, match="none of the keys that you trust"):
        check_trust(logged, [KEY.public])
    with pytest.raises(NotProved):
        check_trust(logged, [])


def test_trust_reaches_over_rotated_keys(events, log, source):
    size = len(log.digests)
    ring = Keyring([Successor(KEY.public), Successor.endorse(NEXT.public, 5, KEY)])
    rotated = Log(log.digests, ring).proof(events[-1].digest, len(events), key=NEXT)
    logged = parse(with_proof(source, rotated)).logged
    assert logged is not None
    for trusted in ([KEY.public], [NEXT.public], [STRANGER.public, KEY.public]):
        check_trust(logged, trusted)
    # The old key is good no more for a size that belongs to the new one.
    late = msgspec.structs.replace(rotated, head=log.signed(size, KEY).source)
    assert "the key in force is" in str(refused(with_proof(source, late)))
    # A key that nobody signed in is trusted by nobody but who knows it.
    lost = Keyring([Successor(KEY.public), Successor(NEXT.public, 5)])
    unsigned = Log(log.digests, lost).proof(events[-1].digest, len(events), key=NEXT)
    logged = parse(with_proof(source, unsigned)).logged
    assert logged is not None
    check_trust(logged, [NEXT.public])
    with pytest.raises(NotProved, match="the key in force is"):
        check_trust(logged, [KEY.public])


class TestHeadsThatWereKept:
    """A head kept from another time must be of the same log."""

    @pytest.fixture
    def logged(self, source):
        return parse(source).logged

    @pytest.mark.parametrize("size", [1, 4, 11])
    def test_an_older_one(self, log, logged, size):
        proof = log.consistency(size, len(log.digests))
        assert check_continues(logged, log.signed(size), proof, [KEY.public]).size == size
        assert check_continues(logged, log.signed(size), proof, []).size == size

    def test_a_newer_one(self, log, logged):
        grown = Log([*log.digests, *(bytes([n]) * 32 for n in range(20))])
        size = len(grown.digests)
        proof = grown.consistency(len(log.digests), size)
        assert check_continues(logged, grown.signed(size), proof, [KEY.public]).size == size

    def test_one_of_the_same_size(self, log, logged):
        assert check_continues(logged, log.signed(len(log.digests)), None, [KEY.public])

    def test_one_of_a_log_that_was_changed_since(self, log, logged):
        size = len(log.digests)
        changed = Log([bytes(32), *log.digests[1:]])
        with pytest.raises(NotProved, match="different roots: the log was forked or changed"):
            check_continues(logged, changed.signed(size), None, [KEY.public])
        for proof in (log.consistency(4, size), changed.consistency(4, size)):
            with pytest.raises(NotProved, match=f"the log of size {size} does not go on from that of size 4"):
                check_continues(logged, changed.signed(4), proof, [KEY.public])

    def test_without_the_proof_that_belongs_to_it(self, log, logged):
        size = len(log.digests)
        with pytest.raises(
            NotProved, match=f"a proof is wanted that the log of size {size} goes on from that of size 4"
        ):
            check_continues(logged, log.signed(4), None, [KEY.public])
        with pytest.raises(NotProved, match=f"it must be from size 4 to size {size}"):
            check_continues(logged, log.signed(4), log.consistency(5, size), [KEY.public])

    def test_one_that_a_stranger_signed(self, log, logged):
        for trusted in ([KEY.public], []):
            with pytest.raises(NotProved, match="the head that was given cannot be believed"):
                check_continues(logged, log.signed(4, STRANGER), log.consistency(4, len(log.digests)), trusted)


def test_a_proof_is_of_the_game_it_stands_under(events, proof):
    """Another game's replay with this proof: its digests are others."""
    table = Table("another")

    async def play():
        game = await table.make()
        return await table.finish(game)

    other = asyncio.run(play())
    if len(other) < proof.version:
        proof = msgspec.structs.replace(proof, version=len(other))
    assert "leads to another root" in str(refused(b"".join(export(other, proof))))
