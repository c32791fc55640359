"""Signed notes and keys, against a note that other programs sign and read."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.notes import Note, NoteError, PrivateKey, PublicKey, Signature

# The example of golang.org/x/mod/sumdb/note.
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = (
    TEXT
    + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_the_published_example_comes_out() -> None:
    private, public = PrivateKey.parse(PRIVATE), PublicKey.parse(PUBLIC)
    assert private.public == public
    assert (private.text, public.text) == (PRIVATE, PUBLIC)
    note = private.sign(TEXT)
    assert note.source == SIGNED
    assert Note.parse(SIGNED) == note
    assert public.signed(note)
    assert note.signer([public]) == public


def test_every_changed_byte_of_a_note_shows() -> None:
    public, source = PublicKey.parse(PUBLIC), SIGNED.encode()
    for at in range(len(source)):
        for bit in (1, 2, 4, 64, 128):
            changed = source[:at] + bytes([source[at] ^ bit]) + source[at + 1 :]
            try:
                note = Note.parse(changed.decode())
            except (NoteError, UnicodeDecodeError):
                continue
            with pytest.raises(NoteError):
                note.signer([public])


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "an empty line"),
        (TEXT, "an empty line"),
        (SIGNED[:-1], "an empty line"),
        (SIGNED + "\n", "an empty line"),
        (SIGNED + "more\n", "is written"),
        (SIGNED.replace("— ", "- "), "is written"),
        (SIGNED.replace("AM=", "AM"), "base64"),
        (SIGNED.replace("AM=", "AN="), "base64"),  # other loose bits, the same bytes
        (TEXT + "\n— PeterNeumann AAAA\n", "too short"),
        (SIGNED.replace("you think", "you\tthink"), "control"),
        (SIGNED.replace("\n", "\r\n"), "control"),
        (SIGNED + "— a AAAAAAAA\n" * 16, "at most 16"),
        ("a" * 100_000 + SIGNED, "at most 65536 characters"),
    ],
)
def test_what_is_no_note_is_refused(source: str, reason: str) -> None:
    with pytest.raises(NoteError, match=reason):
        Note.parse(source)


def test_another_key_of_the_same_name_did_not_sign_it() -> None:
    other = PrivateKey("PeterNeumann", bytes(32)).public
    note = Note.parse(SIGNED)
    assert not other.signed(note)
    with pytest.raises(NoteError, match="not signed by a key that is trusted"):
        note.signer([other])
    with pytest.raises(NoteError, match="not signed"):
        note.signer([])


def test_a_signature_under_a_borrowed_id_does_not_hold() -> None:
    public, liar = PublicKey.parse(PUBLIC), PrivateKey("PeterNeumann", bytes(32))
    (forged,) = liar.sign(TEXT).signatures
    note = Note(TEXT, (Signature("PeterNeumann", public.id, forged.signature),))
    with pytest.raises(NoteError, match="does not hold"):
        public.signed(note)


def test_signatures_of_others_are_passed_over() -> None:
    public, other = PublicKey.parse(PUBLIC), PrivateKey("example.org/witness", bytes(32))
    both = Note(TEXT, other.sign(TEXT).signatures + Note.parse(SIGNED).signatures)
    assert Note.parse(both.source) == both
    assert public.signed(both)
    assert both.signer([public, other.public]) == public


def test_texts_may_have_empty_lines() -> None:
    key = PrivateKey("a", bytes(32))
    note = key.sign("one\n\ntwo\n\n")
    assert Note.parse(note.source) == note
    assert key.public.signed(Note.parse(note.source))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is written"),
        (PUBLIC.replace("c74f20a3", "c74f20a4"), "id is c74f20a3, not c74f20a4"),
        (PUBLIC.replace("Peter", "Petra"), "id is"),
        (PUBLIC.replace("10TW", "10TX"), "id is"),
        (PUBLIC[:-4], "not one of Ed25519"),
        ("Peter Neumann+c74f20a3+" + PUBLIC.split("+")[2], "no spaces"),
        ("+c74f20a3+" + PUBLIC.split("+", 2)[2], "is written"),
        ("x+00000000+" + base64.b64encode(b"\2" + bytes(32)).decode(), "not one of Ed25519"),
    ],
)
def test_what_is_no_public_key_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NoteError, match=reason):
        PublicKey.parse(text)


@pytest.mark.parametrize("text", ["", PUBLIC, PRIVATE[:-4], PRIVATE.replace("c74f20a3", "00000000")])
def test_what_is_no_private_key_is_refused_without_telling_it(text: str) -> None:
    with pytest.raises(NoteError) as refused:
        PrivateKey.parse(text)
    assert "YEKFALVFGyNhPJEMzD1QIDr" not in str(refused.value)


def test_a_private_key_does_not_show_in_logs() -> None:
    key = PrivateKey.parse(PRIVATE)
    assert repr(key) == "PrivateKey('PeterNeumann')"
    assert repr(key.seed) not in repr([key])


def test_the_library_signs_as_rfc_8032_says() -> None:
    """The first vector of RFC 8032, 7.1."""
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    key = PrivateKey("a", seed)
    assert key.public.raw.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert Ed25519PrivateKey.from_private_bytes(seed).sign(b"").hex().startswith("e5564300c360ac729086e2cc806e828a")
