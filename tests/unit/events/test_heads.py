"""Signed heads and keys that follow one another."""

import hashlib

import pytest

from events.heads import Head, Keyring, Successor
from events.notes import Note, NoteError, PrivateKey

NAME = "example.org/games"
FIRST, SECOND, THIRD = (PrivateKey(NAME, bytes([n]) * 32) for n in (1, 2, 3))
KEYS = (
    Successor(FIRST.public),
    Successor.endorse(SECOND.public, 100, FIRST),
    Successor.endorse(THIRD.public, 200, SECOND),
)
RING = Keyring(KEYS)


def head(size: int, origin: str = NAME) -> Head:
    return Head(origin, size, hashlib.sha256(b"%d" % size).digest())


def signed(size: int, key: PrivateKey, origin: str = NAME) -> Note:
    return key.sign(head(size, origin).text)


def test_a_head_is_a_checkpoint() -> None:
    """Its text is that of C2SP's example, whose root is given there."""
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    found = Head.parse(text)
    assert (found.origin, found.size, found.root.hex()[:8]) == ("example.com/behind-the-sofa", 20852163, "0ac5186a")
    assert found.text == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        head(1).text[:-1],
        head(1).text + "extension\n",
        head(1).text.replace("\n1\n", "\n01\n"),
        head(1).text.replace("\n1\n", "\n0\n"),
        head(1).text.replace("\n1\n", "\n-1\n"),
        head(1).text.replace("\n1\n", "\n" + "9" * 19 + "\n"),
        head(1).text.replace("\n1\n", "\n\u0661\n"),
        head(1).text.replace("=\n", "\n"),
        "a b\n" + head(1).text.partition("\n")[2],
        "a+b\n" + head(1).text.partition("\n")[2],
        "a\n1\nAAAA\n",
    ],
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        Head.parse(text)


@pytest.mark.parametrize(("size", "key"), [(1, FIRST), (99, FIRST), (100, SECOND), (199, SECOND), (200, THIRD)])
def test_a_head_is_signed_by_the_key_in_force_at_its_size(size: int, key: PrivateKey) -> None:
    assert RING.open(signed(size, key)) == head(size)
    for other in (FIRST, SECOND, THIRD):
        if other is not key:
            with pytest.raises(NoteError, match="the key in force is"):
                RING.open(signed(size, other))


def test_a_head_of_another_log_is_refused() -> None:
    with pytest.raises(NoteError, match=r"it is a head of example.org/other, not of example.org/games"):
        RING.open(signed(5, FIRST, "example.org/other"))


def test_a_note_about_a_key_is_no_head() -> None:
    endorsed = KEYS[1].endorsed
    assert endorsed is not None
    with pytest.raises(NoteError):
        RING.open(endorsed)


def test_trust_reaches_from_a_key_to_all_later_ones_and_to_no_earlier_one() -> None:
    assert [one.key for one in RING.trusted([FIRST.public]).keys] == [FIRST.public, SECOND.public, THIRD.public]
    later = RING.trusted([SECOND.public])
    assert later.open(signed(250, THIRD)) == head(250)
    with pytest.raises(NoteError, match="no key is in force at size 99"):
        later.open(signed(99, FIRST))
    assert RING.trusted([PrivateKey(NAME, bytes(32)).public]).keys == ()


def test_trust_does_not_reach_over_a_lost_key() -> None:
    ring = Keyring([KEYS[0], Successor(SECOND.public, 100), Successor.endorse(THIRD.public, 200, SECOND)])
    assert [one.key for one in ring.trusted([FIRST.public]).keys] == [FIRST.public]
    assert [one.key for one in ring.trusted([SECOND.public]).keys] == [SECOND.public, THIRD.public]
    assert len(ring.trusted([FIRST.public, SECOND.public]).keys) == 3


@pytest.mark.parametrize(
    "keys",
    [
        [KEYS[0], KEYS[2]],  # signed in by a key that is not there
        [KEYS[1]],  # begins with a note of nobody
        [KEYS[0], Successor(SECOND.public, 99, KEYS[1].endorsed)],  # from another size than was signed
        [KEYS[0], Successor(THIRD.public, 100, KEYS[1].endorsed)],  # another key than was signed
        [KEYS[0], Successor(SECOND.public, 100, THIRD.sign(Successor(SECOND.public, 100).text))],
        [KEYS[0], Successor.endorse(SECOND.public, 1, FIRST)],  # from no later size than its predecessor
        [KEYS[0], Successor(PrivateKey("example.org/other", bytes(32)).public, 100)],
    ],
)
def test_keys_that_do_not_follow_are_refused(keys: list[Successor]) -> None:
    with pytest.raises(NoteError):
        Keyring(keys)


def test_only_a_key_of_the_same_name_is_endorsed() -> None:
    with pytest.raises(NoteError, match="one name"):
        Successor.endorse(PrivateKey("example.org/other", bytes(32)).public, 10, FIRST)
