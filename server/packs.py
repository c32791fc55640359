"""Third parties' content packs: of which ruleset one is, and whether it can be played with."""

import re
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from games.content import ContentError
from server.catalogue import Catalogue, Entry

#: Fields at the top that say nothing of the ruleset, since every pack has them.
COMMON: Final = frozenset({"pack"})

_RULE: Final = re.compile(r"^(?P<field>[^:]+): (?P<sentence>.*) \((?P<rule>[^()]+)\)$", re.DOTALL)
_FIELD: Final = re.compile(r"^Object (?P<what>missing required|contains unknown) field `(?P<field>[^`]*)`$")
_SAID: Final = {"missing required": "this field is missing", "contains unknown": "there is no such field"}


class BadPackError(ValueError):
    """A pack that cannot be played with: the field, what is wrong with it, and the rule or form that it breaks."""

    def __init__(self, field: str, sentence: str, rule: str) -> None:
        super().__init__(f"{field}: {sentence} ({rule})")
        self.field = field
        self.sentence = sentence
        self.rule = rule


class Checked(Struct, frozen=True):
    """A pack that can be played with. `known`: it is on the shelf; `taken`: another pack has its name."""

    name: str
    sha256: str
    ruleset: str
    bytes: int
    known: bool
    taken: bool


def check_pack(catalogue: Catalogue, source: bytes, ruleset: str | None = None) -> Checked:
    """Decode and check a pack for a ruleset, without one for the ruleset whose packs have such fields.

    Raises:
        BadPackError: the first thing that is wrong with it.
        UnknownRulesetError: there is no such ruleset.
    """
    entry = catalogue[ruleset] if ruleset is not None else ruleset_of(catalogue, source)
    shelf, digest = entry.rules.shelf, sha256(source).hexdigest()
    try:
        _, name = shelf.read(source)
    except ContentError as error:
        raise _fault(entry, error) from error
    known = digest in set(shelf)
    taken = shelf.find(name) not in (None, digest)
    return Checked(name, digest, entry.rules.id, len(source), known, taken)


def ruleset_of(catalogue: Catalogue, source: bytes) -> Entry:
    """The ruleset whose packs have the most fields in common with this one.

    Raises:
        BadPackError: it is no JSON object, or has no field of any ruleset's packs.
    """
    try:
        fields = set(msgspec.json.decode(source, type=dict[str, msgspec.Raw])) - COMMON
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadPackError("pack", _lower(str(error).partition(" - at `$")[0]), "a pack is a JSON object") from error
    shared = {name: len(fields.intersection(entry.rules.shelf.fields)) for name, entry in catalogue.items()}
    best = max(shared, key=lambda name: shared[name], default=None)
    if best is None or not shared[best]:
        raise BadPackError("pack", "it has no field of any ruleset's packs", f"there is {', '.join(catalogue)}")
    return catalogue[best]


def _fault(entry: Entry, error: ContentError) -> BadPackError:
    if not isinstance(error.__cause__, (msgspec.DecodeError, UnicodeDecodeError)):
        found = _RULE.match(str(error))
        return BadPackError(**found.groupdict()) if found else BadPackError("pack", str(error), _form(entry))
    reason, _, place = str(error).partition(" - at `$")
    field = place.rstrip("`").lstrip(".")
    named = _FIELD.match(reason)
    if named is None:
        return BadPackError(field or "pack", _lower(reason), _form(entry))
    return BadPackError(".".join(filter(None, (field, named["field"]))), _SAID[named["what"]], _form(entry))


def _form(entry: Entry) -> str:
    return f"the form of packs of {entry.rules.id}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def add_pack(catalogue: Catalogue, source: bytes, ruleset: str | None = None) -> Checked:
    """Check a pack and put it on its ruleset's shelf.

    Raises:
        BadPackError: as for `check_pack`.
        UnknownRulesetError: as for `check_pack`.
    """
    checked = check_pack(catalogue, source, ruleset)
    catalogue[checked.ruleset].rules.shelf.add(source)
    return checked
