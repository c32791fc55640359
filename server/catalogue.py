"""The catalogue: every ruleset with its content packs, texts and index of rules, read from disk once at the start.

Here too, because the server, the command line and the cases share it: the strict decoding of what people send to a
ruleset (options, what a seat brings, actions). "Strict" is: no other type, no unknown field, no deep nesting.
"""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

import games
from games.content import ContentError
from games.kernel import Action, PositionError, Ruleset, Setting
from projections.game import LiveGame

T = TypeVar("T")

#: Deeper nesting than this is in no option, set-up or action of any ruleset.
DEPTH_MAX = 8


class UnknownRulesetError(KeyError):
    """There is no ruleset with this id."""

    def __init__(self, ruleset: str, known: Sequence[str]) -> None:
        super().__init__(ruleset)
        self.ruleset = ruleset
        self.known = tuple(known)

    def __str__(self) -> str:
        return f"there is no ruleset {self.ruleset!r}; there is {', '.join(self.known) or 'none'}"


class CatalogueError(ValueError):
    """A ruleset's folder that cannot be used: one sentence that names the file."""


class InvalidSettingError(ValueError):
    """Seats, options, pack or set-ups that no game can be made from: one sentence that names the field."""


class InvalidActionError(ValueError):
    """Something that is no action of this ruleset: one sentence that names the field."""


class RuleRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule or ruling: `kind` says how it is shown (by a case, by a check of the pack, or not at all)."""

    id: str
    text: str
    kind: Literal["case", "content", "advice"]


class Entry(Struct, frozen=True):
    """One ruleset: its rules, its texts by language and tag, its index of rules in the specification's order."""

    rules: Ruleset[Any]
    texts: dict[str, dict[str, str]]
    index: tuple[RuleRow, ...]

    def of_pack(self, pack: str) -> "Entry":
        """The same for a game with this pack (its SHA-256): texts say the names that the pack gives to its ids."""
        words = {f"value.{name}": told for name, told in self.rules.words(pack).items()}
        return Entry(self.rules, {language: texts | words for language, texts in self.texts.items()}, self.index)


class _Index(Struct, frozen=True, forbid_unknown_fields=True):
    ruleset: str
    rules: tuple[RuleRow, ...]


class Catalogue(Mapping[str, Entry]):
    """The entries by ruleset id, in the order of the ids. Packs are added later by `entry.rules.shelf.add`."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = {entry.rules.id: entry for entry in sorted(entries, key=lambda entry: entry.rules.id)}
        self._of_packs: dict[tuple[str, str], Entry] = {}

    @classmethod
    def load(cls) -> "Catalogue":
        """Every package in games/ that exports `RULES`, with its packs put on its shelf.

        Raises:
            CatalogueError: a file of a ruleset is broken.
        """
        entries = []
        for found in pkgutil.iter_modules(games.__path__):
            module = importlib.import_module(f"games.{found.name}") if found.ispkg else None
            rules = getattr(module, "RULES", None)
            if module is not None and isinstance(rules, Ruleset):
                entries.append(read_entry(rules, Path(next(iter(module.__path__)))))
        return cls(entries)

    def __getitem__(self, ruleset: str) -> Entry:
        """The entry of a ruleset.

        Raises:
            UnknownRulesetError: there is none with this id (a KeyError whose text is a sentence).
        """
        try:
            return self._entries[ruleset]
        except KeyError:
            raise UnknownRulesetError(ruleset, tuple(self._entries)) from None

    def of_game(self, live: LiveGame) -> Entry:
        """The entry of a game's ruleset, with the names that the game's pack gives; made once for each pack."""
        key = (live.rules.id, live.meta.created.pack)
        if key not in self._of_packs:
            self._of_packs[key] = self[live.rules.id].of_pack(live.meta.created.pack)
        return self._of_packs[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def read_entry(rules: Ruleset[Any], folder: Path) -> Entry:
    """Read a ruleset's folder: content/*.json onto its shelf (the house pack first), text/*.json, rules.json.

    Raises:
        CatalogueError: a file is broken, or rules.json is another ruleset's or lists an ID twice.
    """
    for path in sorted(folder.glob("content/*.json"), key=lambda path: ("house" not in path.stem, path.name)):
        try:
            rules.shelf.add(path.read_bytes())
        except ContentError as error:
            raise CatalogueError(f"{path}: {error}") from error
    texts = {path.stem: _read(path, dict[str, str]) for path in sorted(folder.glob("text/*.json"))}
    return Entry(rules, texts, _read_index(rules, folder / "rules.json"))


def _read_index(rules: Ruleset[Any], path: Path) -> tuple[RuleRow, ...]:
    index = _read(path, _Index)
    if index.ruleset != rules.id:
        raise CatalogueError(f"{path}: ruleset is {index.ruleset!r}, not {rules.id!r}")
    seen: set[str] = set()
    for row in index.rules:
        if row.id in seen:
            raise CatalogueError(f"{path}: {row.id} is listed twice")
        seen.add(row.id)
    return index.rules


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{path}: {error}") from error


def setting(
    entry: Entry,
    seats: int,
    options: Mapping[str, Any],
    pack: str | None = None,
    setups: Mapping[str, Any] | None = None,
) -> Setting:
    """What a game is made from. `pack` is a name or SHA-256 (None: the house pack), `setups`: what seats bring.

    Raises:
        InvalidSettingError: one sentence that names the field.
    """
    rules = entry.rules
    if isinstance(seats, bool) or not isinstance(seats, int) or seats not in rules.seats:
        raise InvalidSettingError(f"seats: {rules.id} is for {_numbers(rules.seats)} seats, not {seats!r}")
    digest = rules.shelf.find(pack)
    if digest is None:
        known = ", ".join(rules.shelf.names) or "none"
        raise InvalidSettingError(f"pack: {rules.id} has no content pack {pack!r}; it has {known}")
    try:
        decoded = _strict(options, rules.options, "options")
        result = Setting(digest, seats, decoded, _setups(rules, seats, setups or {}))
        rules.check_setting(result)
    except (_StrictError, PositionError) as error:
        raise InvalidSettingError(str(error)) from error
    return result


def _setups(rules: Ruleset[Any], seats: int, setups: Mapping[str, Any]) -> tuple[Any, ...]:
    if rules.setup is None:
        if setups:
            raise InvalidSettingError(f"setups: in {rules.id} the seats bring nothing")
        return ()
    unknown = [seat for seat in setups if seat not in {str(n) for n in range(seats)}]
    if unknown:
        raise InvalidSettingError(f"setups: {unknown[0]!r} is no seat from 0 to {seats - 1}")
    return tuple(
        _strict(setups[str(seat)], rules.setup, f"setups.{seat}") if str(seat) in setups else None
        for seat in range(seats)
    )


def decode_action(entry: Entry, raw: bytes | Mapping[str, Any]) -> Action:
    """An action from JSON bytes or builtins; whether it is legal is not asked here.

    Raises:
        InvalidActionError: it is none of this ruleset, for a reason in one sentence that names the field.
    """
    try:
        value = msgspec.json.decode(raw) if isinstance(raw, bytes) else raw
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidActionError(f"action: not JSON: {error}") from error
    except RecursionError as error:
        raise InvalidActionError("action: nested too deep") from error
    if not isinstance(value, Mapping):
        raise InvalidActionError("action: an object with a field `action` is expected")
    tag = value.get("action")
    if not isinstance(tag, str):
        raise InvalidActionError("action: the field `action` that names its type is missing, or is not a string")
    kind = entry.rules.action_types.get(tag)
    if kind is None:
        raise InvalidActionError(f"action: {entry.rules.id} has no action {tag!r}")
    try:
        return _strict(value, kind, tag)
    except _StrictError as error:
        raise InvalidActionError(str(error)) from error


class _StrictError(ValueError):
    """What is wrong with a value, in one sentence that begins with its place."""


def _strict(value: Any, kind: type[T], name: str) -> T:
    """Convert builtins to `kind`, refusing what `msgspec.convert` would let pass: unknown fields and deep nesting."""
    if _deep(value, DEPTH_MAX):
        raise _StrictError(f"{name}: nested deeper than {DEPTH_MAX}")
    try:
        result = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise _StrictError(f"{name}{place.rstrip('`')}: {reason[:1].lower()}{reason[1:]}") from error
    unknown = _unknown(value, result, name)
    if unknown is not None:
        raise _StrictError(f"{unknown}: there is no such field")
    return result


def _deep(value: Any, left: int) -> bool:
    if isinstance(value, Mapping):
        return left == 0 or any(_deep(part, left - 1) for part in value.values())
    if isinstance(value, (list, tuple)):
        return left == 0 or any(_deep(part, left - 1) for part in value)
    return False


def _unknown(value: Any, result: Any, name: str) -> str | None:
    """The place of the first field in `value` that its decoded form does not have."""
    if isinstance(result, Struct) and isinstance(value, Mapping):
        config = type(result).__struct_config__
        for key, part in value.items():
            if key == config.tag_field:
                continue
            if key not in result.__struct_encode_fields__:
                return f"{name}.{key}"
            field = result.__struct_fields__[result.__struct_encode_fields__.index(key)]
            if (found := _unknown(part, getattr(result, field), f"{name}.{key}")) is not None:
                return found
    elif isinstance(result, (list, tuple)) and isinstance(value, (list, tuple)):
        parts = (_unknown(a, b, f"{name}[{i}]") for i, (a, b) in enumerate(zip(value, result, strict=True)))
        return next((found for found in parts if found is not None), None)
    elif isinstance(result, Mapping) and isinstance(value, Mapping):
        parts = (_unknown(value[key], result[key], f"{name}.{key}") for key in value if key in result)
        return next((found for found in parts if found is not None), None)
    return None


def _numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
