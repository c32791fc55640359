"""A ruleset as clients need it: what there is to choose, its rules, its texts, and JSON Schemas of its messages."""

from typing import Any

import msgspec

from games.kernel import encode
from server.bot_names import BOTS, PREFIX
from server.catalogue import Entry
from server.schemas import ruleset_schemas

#: Documents by ruleset and the packs that it had then.
_documents: dict[tuple[int, tuple[str, ...]], bytes] = {}


def ruleset_line(entry: Entry) -> dict[str, Any]:
    """A ruleset in a list."""
    rules = entry.rules
    seats = {"min": rules.seats[0], "max": rules.seats[-1]}
    return {"ruleset": rules.id, "title": rules.title, "version": rules.version, "seats": seats}


def ruleset_document(entry: Entry) -> bytes:
    """All about a ruleset, as JSON; made once for each set of packs."""
    shelf = entry.rules.shelf
    known = (id(entry), tuple(shelf))
    if known not in _documents:
        names = {digest: name for name, digest in shelf.names.items()}
        packs = [{"name": names.get(digest), "digest": digest, "bytes": len(shelf.source(digest))} for digest in shelf]
        told = ruleset_line(entry) | {
            "bots": [f"{PREFIX}{name}" for name in BOTS],
            "packs": packs,
            "rules": msgspec.to_builtins(entry.index),
            "schemas": ruleset_schemas(entry.rules),
            "texts": entry.texts,
        }
        _documents[known] = encode(told)
    return _documents[known]
