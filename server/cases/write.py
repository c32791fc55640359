"""Writing case files as people write them: a value in one line where it fits, else entry by entry."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

#: A line is not made longer than this by putting parts side by side.
WIDTH: Final = 120

#: Strings that need no quotes anywhere in a file, whichever YAML reads it.
_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*")
#: Words that some YAML takes for something else than a string.
_TAKEN: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off"})


def case_text(cases: Sequence[Mapping[str, Any]], remarks: Sequence[str] = ()) -> str:
    """The text of a case file (YAML 1.2) with these cases, in JSON's types, beneath some remarks."""
    lines = [f"# {remark}" for remark in remarks]
    for case in cases:
        lines += _items(case, 0)
    return "\n".join(lines) + "\n"


def _items(value: Any, indent: int) -> Iterator[str]:
    """An entry of a list: the first line has the dash, the others stand beneath what follows it."""
    if not _fits(value, indent + 2) and isinstance(value, Mapping):
        first, *rest = _pairs(value, indent + 2)
        yield f"{' ' * indent}- {first.lstrip()}"
        yield from rest
    elif not _fits(value, indent + 2) and isinstance(value, (list, tuple)):
        yield f"{' ' * indent}-"
        for part in value:
            yield from _items(part, indent + 2)
    else:
        yield f"{' ' * indent}- {_flow(value)}"


def _pairs(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    for key, part in value.items():
        name = f"{' ' * indent}{_scalar(key)}:"
        if _fits(part, len(name) + 1):
            yield f"{name} {_flow(part)}"
            continue
        yield name
        if isinstance(part, Mapping):
            yield from _pairs(part, indent + 2)
        elif not any(isinstance(entry, (Mapping, list, tuple)) for entry in part):
            yield from _filled(part, indent + 2)
        else:
            for entry in part:
                yield from _items(entry, indent + 2)


def _filled(scalars: Sequence[Any], indent: int) -> Iterator[str]:
    """A list in brackets that goes on over as many lines as it needs."""
    line = " " * indent + "["
    for number, part in enumerate(scalars, 1):
        piece = _scalar(part) + ("," if number < len(scalars) else "]")
        if len(line) + len(piece) > WIDTH and line.strip() != "[":
            yield line.rstrip()
            line = " " * (indent + 1)
        line += piece + " "
    yield line.rstrip()


def _fits(value: Any, before: int) -> bool:
    return not isinstance(value, (Mapping, list, tuple)) or not value or before + len(_flow(value)) <= WIDTH


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    # JSON's escapes are among those of YAML; a character beyond 16 bits is not escaped, JSON would make it two.
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", text)
