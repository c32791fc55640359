"""Redacted replays: a game as one reader may see it, also before its end, with the proofs that the reader can check.

Line for line it has what `GET …/events?proof=true` gives. The chain and every item shown whole are held by the digests;
what is shown in part (an effect without its secret fields) no digest can hold: the trailer has a SHA-256 of the file.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import Struct

from events.digest import ChainBroken, Proof, verify_proofs
from events.event import Event
from events.logproof import Logged, LogProof, write_line
from games.kernel import Ruleset, encode
from projections.verify import created_of
from projections.views import event_of, proof_of, reader_name
from server.replays import FORMAT, ReplayError, logged, part, split

#: What an event shows of its header, where the header may be checked.
_HEADER_FIELDS: Final = ("game", "version", "kind", "at", "actor", "seat", "caused_by", "draws")


class RedactedHeader(Struct, frozen=True, kw_only=True):
    """The first line: what is played, and who reads."""

    format: str = FORMAT
    redacted: bool = True
    reader: int | str
    game: str
    ruleset: str
    rules: str
    pack: str
    seats: int


class _Item(Struct, frozen=True, forbid_unknown_fields=True):
    salt: str
    json: str


class _Proof(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    digest: str
    body: str
    commitments: tuple[str, ...] = ()
    items: dict[str, _Item] = {}


class RedactedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """An event as the reader may see it, and its proof."""

    event: dict[str, Any]
    proof: _Proof


class _Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    events: int
    head: str
    sha256: str


class LastLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: number of events, last digest, and SHA-256 of all lines before it."""

    trailer: _Trailer


class Redacted(Struct, frozen=True):
    """A redacted replay that was checked: its header, the events as the reader sees them, the proof from the log."""

    header: RedactedHeader
    events: tuple[dict[str, Any], ...]
    head: str
    logged: Logged | None = None


def export_redacted(
    rules: Ruleset[Any], events: Sequence[Event], reader: int, salt_key: bytes, proof: LogProof | None = None
) -> Iterator[bytes]:
    """The lines of a replay as `reader` may see the game; EVERYTHING only after the end."""
    created, first, hashed = created_of(events), events[0].header, sha256()
    header = RedactedHeader(
        reader=reader_name(reader),
        game=first.game,
        ruleset=created.ruleset,
        rules=first.rules,
        pack=created.pack,
        seats=created.seats,
    )
    lines = (
        encode({"event": event_of(rules, event, reader), "proof": proof_of(rules, event, reader, salt_key)}) + b"\n"
        for event in events
    )
    for line in chain((encode(header) + b"\n",), lines, () if proof is None else (write_line(proof),)):
        hashed.update(line)
        yield line
    yield encode(LastLine(_Trailer(len(events), events[-1].digest.hex(), hashed.hexdigest()))) + b"\n"


def is_redacted(source: bytes) -> bool:
    """Whether a file says of itself that it is a redacted replay."""
    try:
        return bool(msgspec.json.decode(source.partition(b"\n")[0], type=dict[str, Any]).get("redacted"))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False


def check_redacted(source: bytes) -> Redacted:
    """Check what a reader without the seed can: the file is whole, its chain too, and each item shown is the true one.

    Raises:
        ReplayError: the first thing that is not as it should be, by its line.
    """
    lines = split(source)
    header = _read(1, lines[0], RedactedHeader)
    if header.format != FORMAT:
        raise ReplayError(1, f"the format is {header.format!r}, but this program reads {FORMAT}")
    shown, proof = part(lines)
    told = [_read(number, line, RedactedLine) for number, line in enumerate(shown, 2)]
    proofs = [_proof(number, line.proof) for number, line in enumerate(told, 2)]
    try:
        verify_proofs(proofs)
    except ChainBroken as broken:
        raise ReplayError(broken.version + 1, broken.reason) from broken
    for number, line in enumerate(told, 2):
        _check_shown(number, line)
    trailer = _read(len(lines), lines[-1], LastLine).trailer
    whole = sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
    if trailer != _Trailer(len(told), told[-1].proof.digest, whole):
        raise ReplayError(len(lines), "the trailer is not the one of this file: the file or its trailer was changed")
    proved = logged(lines, proof, [one.digest for one in proofs])
    return Redacted(header, tuple(line.event for line in told), trailer.head, proved)


def _read(number: int, line: bytes, kind: type[Any]) -> Any:
    try:
        told = msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReplayError(number, f"the line cannot be read: {error}") from error
    if kind is not RedactedLine and encode(told) != line:
        raise ReplayError(number, "the line is not written as in replays")
    return told


def _proof(number: int, proof: _Proof) -> Proof:
    try:
        digest, body = bytes.fromhex(proof.digest), bytes.fromhex(proof.body)
        commitments = tuple(bytes.fromhex(one) for one in proof.commitments)
        shown = tuple((int(n), bytes.fromhex(item.salt), item.json.encode()) for n, item in proof.items.items())
    except ValueError as error:
        raise ReplayError(number, f"the proof cannot be read: {error}") from error
    if commitments:
        return Proof(proof.version, digest, commitments=commitments, shown=shown)
    return Proof(proof.version, digest, body=body, shown=shown)


def _check_shown(number: int, line: RedactedLine) -> None:
    """What the event shows is what its proven items say."""
    event, items = line.event, line.proof.items
    version = (event.get("version"), event.get("digest"))
    same = version == (line.proof.version, line.proof.digest)
    if "0" in items:
        header = msgspec.json.decode(items["0"].json)
        same = same and all(event.get(name, 0) == header.get(name, 0) for name in _HEADER_FIELDS)
    if "2" in items:
        same = same and _within(msgspec.json.decode(items["2"].json), event.get("action"))
    effects = event.get("effects", [])
    for name, item in items.items():
        index = int(name) - 3
        if index >= 0:
            same = same and index < len(effects) and _within(msgspec.json.decode(item.json), effects[index])
    if not same:
        raise ReplayError(number, "what is shown of the event is not what its proof proves")


def _within(stored: Any, shown: Any) -> bool:
    """Whether all that is stored is shown; stored messages may leave out fields with default values."""
    if isinstance(stored, dict) and isinstance(shown, dict):
        return all(name in shown and _within(value, shown[name]) for name, value in stored.items())
    if isinstance(stored, list) and isinstance(shown, list):
        return len(stored) == len(shown) and all(map(_within, stored, shown))
    return bool(stored == shown)
