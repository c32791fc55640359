"""What a verifier trusts beside a file: public keys of a log, and a head of it that was kept elsewhere."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from events.heads import Head
from events.logproof import Consistency, Logged, check_continues, check_trust
from events.merkle import NotProved
from events.notes import Note, NoteError, PublicKey
from server.cli.common import UsageError, sentence_of

_KEY = re.compile(r"[^+\s]+\+[0-9a-f]{8}\+\S+")


class Trust(Struct, frozen=True):
    """Keys that are known to be those of a log, a head of it, and the proof that goes with that; all may be missing."""

    keys: tuple[PublicKey, ...] = ()
    head: Note | None = None
    consistency: Consistency | None = None

    @property
    def wanted(self) -> bool:
        """Whether a file without a proof from the log will not do."""
        return bool(self.keys) or self.head is not None


def trust_of(keys: Sequence[str], head: Path | None, consistency: Path | None) -> Trust:
    """What the options of a command say.

    Raises:
        UsageError: something in them cannot be read.
    """
    if consistency is not None and head is None:
        raise UsageError("--consistency belongs to a --head.")
    found = tuple(key for text in keys for key in read_keys(text))
    return Trust(
        found,
        None if head is None else read_note(head),
        None if consistency is None else read_consistency(consistency),
    )


def judge(trust: Trust, logged: Logged | None) -> dict[str, Any] | None:
    """What the log says of a file, for people and programs; None if it says nothing and need not.

    Raises:
        NotProved: the file is not proved to be in the log that is trusted.
    """
    if logged is None:
        if trust.wanted:
            raise NotProved("the file has no proof from the log: export it again once a head was signed after its end")
        return None
    if trust.keys:
        check_trust(logged, trust.keys)
    known = None
    if trust.head is not None:
        known = check_continues(logged, trust.head, trust.consistency, trust.keys)
    return {
        "origin": logged.head.origin,
        "size": logged.head.size,
        "root": logged.head.root.hex(),
        "position": logged.position,
        "version": logged.version,
        "trusted": bool(trust.keys),
        "agrees_with": None if known is None else known.size,
    }


def log_sentence(found: dict[str, Any]) -> str:
    """What `judge` found, for people."""
    where = f"up to version {found['version']} in the log of {found['origin']}, by its head of {found['size']} events"
    agrees = "" if found["agrees_with"] is None else f", which agrees with the given one of {found['agrees_with']}"
    trusted = "" if found["trusted"] else " (whose keys were not compared with any that you trust: --key)"
    return f"{where}{agrees}{trusted}"


def open_head(note: Note, keys: Sequence[PublicKey]) -> Head:
    """The head that a note tells, signed by one of these keys.

    Raises:
        NotProved: it is not.
    """
    try:
        signer = note.signer(keys)
        head = Head.parse(note.text)
    except NoteError as error:
        raise NotProved(f"the head cannot be believed: {error}") from error
    if head.origin != signer.name:
        raise NotProved(f"it is a head of {head.origin}, but the key is that of {signer.name}")
    return head


def read_keys(text: str) -> list[PublicKey]:
    """The public key that a text is, or those in the file that it names, one a line; lines with # are comments.

    Raises:
        UsageError: there is none.
    """
    try:
        if text.startswith("PRIVATE+KEY+"):
            raise UsageError("--key: that is a private key; give the public one, and make a new one.")
        if _KEY.fullmatch(text):
            return [PublicKey.parse(text)]
        lines = [line.strip() for line in Path(text).read_text().splitlines()]
        keys = [PublicKey.parse(line) for line in lines if line and not line.startswith("#")]
    except (NoteError, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--key {text[:80]}: {sentence_of(error)}.") from error
    if not keys:
        raise UsageError(f"--key {text[:80]}: there is no key in that file.")
    return keys


def read_note(file: Path) -> Note:
    """The signed note in a file.

    Raises:
        UsageError: it is none.
    """
    try:
        return Note.parse(file.read_bytes().decode())
    except (NoteError, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {sentence_of(error)}.") from error


def read_consistency(file: Path) -> Consistency:
    """The proof of consistency in a file, as the API gives it.

    Raises:
        UsageError: it is none.
    """
    try:
        return msgspec.json.decode(file.read_bytes(), type=Consistency)
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {sentence_of(error)}.") from error
