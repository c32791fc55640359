"""Events: their bytes, what is refused as one, and their ids."""

import uuid

import msgspec
import pytest

from events.digest import ZERO, ChainBroken, verify
from events.event import Header, NewEvent, Undecodable, decode, seal, uuid7
from tests.integration.store_kit import AT, KEY, sealed

HEADER = Header("game-1", 1, "acted", AT, "player-1")


def test_an_event_is_stored_as_json_with_its_four_parts_in_order():
    header = Header("game-1", 1, "acted", AT, "player-1", seat=0, scripted={"dice": 2}, causes=(-1, 0))
    event = seal(NewEvent(header, b'{"d":1}', b'{"action":"a"}', (b'{"effect":"e"}', b'{"effect":"f"}')), ZERO, KEY)
    assert event.data.decode() == (
        '{"header":{"game":"game-1","version":1,"kind":"acted","at":"2026-11-30T10:00:00.000000Z","actor":"player-1",'
        '"seat":0,"scripted":{"dice":2},"causes":[-1,0]},'
        '"details":{"d":1},"action":{"action":"a"},"effects":[{"effect":"e"},{"effect":"f"}]}'
    )
    assert event.data[len('{"header":') :].startswith(event.header_bytes + b',"details"')


def test_what_is_absent_is_null_and_reads_as_none():
    event = seal(NewEvent(HEADER), ZERO, KEY)
    assert event.data.endswith(b',"details":null,"action":null,"effects":[]}')
    assert (event.details, event.action, event.effects) == (None, None, ())


def test_a_sealed_event_decodes_to_itself():
    event = sealed("game-1", 3)[-1]
    assert decode(event.data, event.digest, 7) == msgspec.structs.replace(event, position=7)


def test_words_that_can_be_erased_leave_no_trace_in_the_event():
    assert seal(NewEvent(HEADER, erasable=b"hello"), ZERO, KEY) == seal(NewEvent(HEADER), ZERO, KEY)


@pytest.mark.parametrize("effect", [b"", b"{}, {}", b"{},{}", b"{", b'{"a":1} ', b'{"a":1}}', b"nonsense"])
def test_what_could_not_be_read_again_is_not_sealed(effect):
    with pytest.raises(Undecodable):
        seal(NewEvent(HEADER, effects=(effect,)), ZERO, KEY)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"{}",
        b'{"header":{},"details":null,"action":null,"effects":[]}',
        sealed("g", 1)[0].data[:-1],
        sealed("g", 1)[0].data.replace(b',"details"', b', "details"'),
        sealed("g", 1)[0].data.replace(b'"effects":', b'"more":1,"effects":'),
        sealed("g", 1)[0].data.replace(b'"actor":"player-1"', b'"actor":"\xff"'),
    ],
)
def test_bytes_that_seal_did_not_make_are_undecodable_and_the_error_names_the_position(data):
    with pytest.raises(Undecodable, match="position 41 ") as caught:
        decode(data, ZERO, 41)
    assert caught.value.position == 41


def test_every_flipped_bit_of_a_stored_event_and_its_digest_is_found():
    event = sealed("game-1", 1)[0]
    for place in range(8 * len(event.data)):
        data = bytearray(event.data)
        data[place // 8] ^= 1 << place % 8
        with pytest.raises((Undecodable, ChainBroken)):
            verify([decode(bytes(data), event.digest, 1)], KEY)
    for place in range(8 * len(event.digest)):
        digest = bytearray(event.digest)
        digest[place // 8] ^= 1 << place % 8
        with pytest.raises(ChainBroken):
            verify([decode(event.data, bytes(digest), 1)], KEY)


def test_uuid7_is_that_of_the_example_of_rfc_9562_appendix_a_6():
    rand_a, rand_b = 0xCC3, 0x18C4DC0C0C07398F
    randomness = (rand_a << 68 | rand_b).to_bytes(10, "big")
    assert uuid7(0x017F22E279B0, randomness) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"


@pytest.mark.parametrize("randomness", [bytes(10), b"\xff" * 10, bytes(range(10))])
def test_uuid7_has_version_and_variant_whatever_the_randomness(randomness):
    made = uuid.UUID(uuid7(1_796_032_800_123, randomness))
    assert (made.version, made.variant, made.int >> 80) == (7, uuid.RFC_4122, 1_796_032_800_123)


def test_uuid7_uses_74_bits_of_the_randomness():
    seen = {uuid7(0, (1 << bit).to_bytes(10, "big")) for bit in range(80)} - {uuid7(0, bytes(10))}
    assert len(seen) == 74


def test_uuid7_sorts_by_time():
    assert uuid7(1, b"\xff" * 10) < uuid7(2, bytes(10)) < uuid7(1 << 40, bytes(10))


def test_uuid7_refuses_another_amount_of_randomness():
    with pytest.raises(ValueError, match="10 random bytes"):
        uuid7(0, bytes(9))
