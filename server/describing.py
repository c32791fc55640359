"""A ruleset as clients need it: what there is to choose, its rules, its texts, and JSON Schemas of its messages."""

from typing import Any

import msgspec
from msgspec import Struct

from games.kernel import encode
from server.bot_names import BOTS, PREFIX
from server.catalogue import Entry
from server.schemas import ruleset_schemas


class _Made(Struct, frozen=True):
    """A document, of an entry with the packs that it had then."""

    entry: Entry
    packs: tuple[str, ...]
    document: bytes


#: The newest document of each ruleset.
_documents: dict[str, _Made] = {}


def ruleset_line(entry: Entry) -> dict[str, Any]:
    """A ruleset in a list."""
    rules = entry.rules
    seats = {"min": rules.seats[0], "max": rules.seats[-1]}
    return {"ruleset": rules.id, "title": rules.title, "version": rules.version, "seats": seats}


def ruleset_document(entry: Entry) -> bytes:
    """All about a ruleset, as JSON; made once for each set of packs, of which the newest is kept."""
    packs = tuple(entry.rules.shelf)
    made = _documents.get(entry.rules.id)
    if made is None or made.entry is not entry or made.packs != packs:
        made = _documents[entry.rules.id] = _Made(entry, packs, _document(entry))
    return made.document


def _document(entry: Entry) -> bytes:
    shelf = entry.rules.shelf
    names = {digest: name for name, digest in shelf.names.items()}
    packs = [{"name": names.get(digest), "digest": digest, "bytes": len(shelf.source(digest))} for digest in shelf]
    told = ruleset_line(entry) | {
        "bots": [f"{PREFIX}{name}" for name in BOTS],
        "packs": packs,
        "rules": msgspec.to_builtins(entry.index),
        "schemas": ruleset_schemas(entry.rules),
        "texts": entry.texts,
    }
    return encode(told)
