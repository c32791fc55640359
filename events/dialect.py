"""What PostgreSQL calls otherwise. SQL is written once, in words that both databases know, and translated here.

`?` and `?1` become `$1`. In tables that are made, `blob`, `integer` and `text` become `bytea`, `bigint` and text that
is ordered byte by byte, as SQLite orders it; `strict` and `without rowid` go. Triggers that forbid a change forbid it
there too. The rest is up to who writes the SQL:

- `on conflict …` and not `insert or …`; in `do update … where`, a column of the row that is there is `table.column`;
- `like` looks at case in PostgreSQL: `lower(a) like lower(b)`;
- no `is ?` for values, no rowid, no JSON functions; sums are `numeric` unless cast.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_PIECES = re.compile(r"(?P<kept>'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*)|\?(?P<number>\d*)")
_TABLE = re.compile(r"\s*(create|alter)\s+table\b", re.IGNORECASE)
_COLUMN = re.compile(r"(?P<name>\w+\s+)(?P<type>blob|integer|text)\b(?!\s*\()")
_TYPES = {"blob": "bytea", "integer": "bigint", "text": 'text collate "C"'}
_TRIGGER = re.compile(
    r"\s*create\s+trigger\s+(\w+)\s+before\s+(update|delete)\s+on\s+(\w+)\s+begin\s+select\s+raise\(abort,\s*'[^']*'\);\s*end\s*$",
    re.IGNORECASE,
)
_FORBIDDING = r"create trigger \1 before \2 on \3 for each statement execute function log.forbid()"
_OPTIONS = re.compile(r"\)(\s*,?\s*(strict|without\s+rowid))+\s*;?\s*$")


class Unstorable(ValueError):
    """Text that PostgreSQL cannot hold: it has a NUL character, or half of a surrogate pair."""


@lru_cache(maxsize=1024)
def to_postgres(sql: str) -> str:
    """One statement in PostgreSQL's words. Raises ValueError where SQLite's cannot be said in them."""
    count = 0

    def mark(found: re.Match[str]) -> str:
        nonlocal count
        if found["kept"]:
            return found["kept"]
        number = int(found["number"] or count + 1)
        count = max(count, number)
        return f"${number}"

    if re.match(r"\s*(insert\s+or|replace)\b", sql, re.IGNORECASE):
        raise ValueError(f"SQLite alone knows this statement: {sql}")
    if _TRIGGER.match(sql):
        return _TRIGGER.sub(_FORBIDDING, sql)
    return _PIECES.sub(mark, _columns(sql) if _TABLE.match(sql) else sql)


def check_text(parameters: Sequence[Any]) -> None:
    """Refuse what would come back as an error of PostgreSQL's about bytes. Raises Unstorable."""
    for value in parameters:
        if isinstance(value, str) and ("\0" in value or not _encodes(value)):
            raise Unstorable(f"PostgreSQL cannot hold this text: {value!r}")


def _columns(sql: str) -> str:
    return _COLUMN.sub(lambda found: found["name"] + _TYPES[found["type"]], _OPTIONS.sub(")", sql))


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
