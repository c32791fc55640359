"""Reading case files: YAML 1.2 or JSON (which is YAML 1.2), of limited size and depth. Errors name file and line."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from yaml import MappingNode, Node, ScalarNode, SequenceNode, YAMLError
from yaml.error import MarkedYAMLError

from server.cases.match import MATCHERS
from server.cases.model import Case
from server.cases.yaml12 import Yaml12

FILE_BYTES_MAX: Final = 1 << 20
DEPTH_MAX: Final = 24
#: Nodes of a file with every alias written out.
NODES_MAX: Final = 500_000

SUFFIXES: Final = (".yaml", ".yml", ".json")

MERGE: Final = "tag:yaml.org,2002:merge"
WORDS: Final = "tag:yaml.org,2002:str"

#: Keys and indices from the top of the file.
Place = tuple[str | int, ...]
_ESCAPED = re.compile(r"\\\\|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)
_PLACE = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


class CaseFileError(ValueError):
    """A case file that cannot be read: one sentence that begins with file and line."""

    def __init__(self, file: Path, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.file = file
        self.line = line


class Located(Struct, frozen=True):
    """A case and where it is written."""

    file: Path
    line: int
    case: Case


class _WrongError(ValueError):
    def __init__(self, place: Place, reason: str) -> None:
        super().__init__(reason)
        self.place = place


def load_cases(file: Path) -> tuple[Located, ...]:
    """The cases of a file, in order.

    Raises:
        CaseFileError: it cannot be read, is too large or too deep, or does not keep to the form of cases.
    """
    root = _compose(file)
    try:
        cases = _cases(_plain(_construct(file, root), ()))
    except _WrongError as error:
        raise CaseFileError(file, line_of(root, error.place), f"{_told(error.place)}{error}") from error
    return tuple(Located(file, line_of(root, (i,)), case) for i, case in enumerate(cases))


def line_of(root: Node, place: Place) -> int:
    """The line (from 1) of a place in the file, or of the nearest thing around it that is written there."""
    node, line = root, root.start_mark.line
    for part in place:
        found = _child(node, part)
        if found is None:
            break
        node, line = found
    return int(line) + 1


def _child(node: Node, part: str | int) -> tuple[Node, int] | None:
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part].start_mark.line
    if isinstance(node, MappingNode):
        for key, value in reversed(node.value):  # what was merged stands before what is written there
            if key.value == str(part):
                return value, key.start_mark.line
    return None


def _compose(file: Path) -> Node:
    try:
        if file.stat().st_size > FILE_BYTES_MAX:
            raise CaseFileError(file, 1, f"larger than {FILE_BYTES_MAX} bytes")
        root: Node | None = Yaml12(_text(file)).get_single_node()
    except (OSError, UnicodeDecodeError) as error:
        raise CaseFileError(file, 1, str(error)) from error
    except RecursionError as error:
        raise CaseFileError(file, 1, f"nested deeper than {DEPTH_MAX}") from error
    except YAMLError as error:
        raise _unreadable(file, error) from error
    if root is None:
        raise CaseFileError(file, 1, "empty; a list of cases is expected")
    _measure(file, root)
    return root


def _text(file: Path) -> str:
    text = file.read_text("utf-8")
    return _ESCAPED.sub(_unescaped, text) if file.suffix == ".json" else text


def _unescaped(found: re.Match[str]) -> str:
    """JSON writes a character beyond the first 65,536 as two escapes, of which YAML knows none."""
    return chr(0x10000 + ((int(found[1], 16) - 0xD800) << 10) + int(found[2], 16) - 0xDC00) if found[1] else found[0]


def _construct(file: Path, root: Node) -> Any:
    try:
        return Yaml12("").construct_document(root)
    except YAMLError as error:
        raise _unreadable(file, error) from error


def _unreadable(file: Path, error: YAMLError) -> CaseFileError:
    if isinstance(error, MarkedYAMLError) and error.problem_mark is not None:
        last = file.read_text("utf-8").count("\n") + 1  # the mark of an early end stands behind it
        return CaseFileError(file, min(error.problem_mark.line + 1, last), error.problem or error.context or "not YAML")
    return CaseFileError(file, 1, str(error).splitlines()[0])


def _measure(file: Path, root: Node) -> None:
    """Refuse what is too deep, or would be too large with its aliases written out (which is not done to know it)."""
    measured: dict[int, tuple[int, int]] = {}

    def measure(node: Node, depth: int) -> tuple[int, int]:
        """How many nodes, and in how many levels below it."""
        size, height = measured.get(id(node), (1, 0))
        if depth + height > DEPTH_MAX:
            raise CaseFileError(file, node.start_mark.line + 1, f"nested deeper than {DEPTH_MAX}")
        if isinstance(node, ScalarNode) or id(node) in measured:
            return size, height
        _check_keys(file, node)
        parts = [p for pair in node.value for p in pair] if isinstance(node, MappingNode) else node.value
        below = [measure(part, depth + 1) for part in parts]
        measured[id(node)] = (1 + sum(size for size, _ in below), max((1 + height for _, height in below), default=0))
        return measured[id(node)]

    if measure(root, 0)[0] > NODES_MAX:
        raise CaseFileError(file, 1, f"more than {NODES_MAX} values, aliases written out")


def _check_keys(file: Path, node: Node) -> None:
    """Refuse a map that has a key twice, however it is written: one of the values would be lost without a word."""
    seen = set()
    for key, _ in node.value if isinstance(node, MappingNode) else ():
        if isinstance(key, ScalarNode) and key.tag != MERGE:
            name = key.value if key.tag == WORDS else str(_construct(file, key))
            if name in seen:
                raise CaseFileError(file, key.start_mark.line + 1, f'found duplicate key "{name}"')
            seen.add(name)


def _plain(value: Any, place: Place) -> Any:
    """JSON of what YAML gave: keys are strings (a number as key is its digits), nothing is a date or a set."""
    if isinstance(value, dict):
        result = {}
        for key, part in value.items():
            if isinstance(key, bool) or not isinstance(key, (str, int)):
                raise _WrongError(place, f"{key!r} cannot be a key")
            result[str(key)] = _plain(part, (*place, str(key)))
        _known_matchers(result, place)
        return result
    if isinstance(value, list):
        return [_plain(part, (*place, i)) for i, part in enumerate(value)]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise _WrongError(place, f"{value!r} is no JSON value; quote it")


def _known_matchers(value: dict[str, Any], place: Place) -> None:
    marked = [key for key in value if key.startswith("$")]
    if marked and (len(value) > 1 or marked[0] not in MATCHERS):
        raise _WrongError((*place, marked[0]), f"a matcher stands alone and is one of {', '.join(sorted(MATCHERS))}")


def _cases(data: Any) -> list[Case]:
    if not isinstance(data, list):
        raise _WrongError((), "a list of cases is expected")
    return [_case(raw, i) for i, raw in enumerate(data)]


def _case(raw: Any, index: int) -> Case:
    if not isinstance(raw, dict):
        raise _WrongError((index,), "a case is a map with the keys case, rules, given, when, then")
    tagged = {**raw, **_tagged(raw, (index,))}
    then = raw.get("then")
    if isinstance(then, dict) and "same_for" in then:
        tagged["then"] = {**then, "same_for": _tagged_same(then["same_for"], (index, "then", "same_for"))}
    try:
        case = msgspec.convert(tagged, Case)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        raise _WrongError((index, *_parsed(where)), reason) from error
    if not _expects(case):
        raise _WrongError((index,), "expects nothing: no then, and no line with illegal or then")
    return case


def _expects(case: Case) -> bool:
    marks = (getattr(line, name, None) for line in case.when for name in ("then", "illegal", "ask"))
    return case.then is not None or any(mark is not None for mark in marks)


def _tagged_same(same: Any, place: Place) -> Any:
    if isinstance(same, list):
        return [_tagged_same(part, (*place, i)) for i, part in enumerate(same)]
    return {**same, **_tagged(same, place)} if isinstance(same, dict) else same


def _tagged(holder: dict[str, Any], place: Place) -> dict[str, Any]:
    """The lines of `when` with their kind, which is told from their keys."""
    lines = holder.get("when")
    if not isinstance(lines, list):
        return {}
    return {"when": [_line(line, (*place, "when", i)) for i, line in enumerate(lines)]}


def _line(raw: Any, place: Place) -> Any:
    kinds = [kind for kind, key in _KINDS.items() if isinstance(raw, dict) and key in raw]
    if len(kinds) != 1 or "line" in raw:
        raise _WrongError(place, "a line has exactly one of the keys action, until, run, ask")
    if kinds[0] != "run":
        return {**raw, "line": kinds[0]}
    line = {key: raw[key] for key in ("run", "then") if key in raw}
    return {**line, "line": "run", "args": {key: raw[key] for key in raw if key not in line}}


_KINDS: Final = {"act": "action", "until": "until", "run": "run", "ask": "ask"}


def _parsed(where: str) -> Place:
    return tuple(int(index) if index else name for name, index in _PLACE.findall(where.rstrip("`")))


def _told(place: Place) -> str:
    if not place:
        return ""
    head, *rest = place
    return f"case {int(head) + 1}{''.join(f'[{p}]' if isinstance(p, int) else f'.{p}' for p in rest)}: "
