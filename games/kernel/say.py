"""Texts: a message as `{key, args}`, made from it as redacted for its reader, so words tell no more than data."""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from games.kernel.redact import HIDDEN_TAG

#: Templates of one language: `<tag>`, `<tag>.hidden`, `reason.<reason>`, `value.<word>`, `seat`, `and`, `numbered`.
#: For clients: `field.<field>`, `menu.<tag>`, `short.<word>` (to fit on a map), `cells` (fields that tell of squares).
Texts = Mapping[str, str]

_FIELD = re.compile(r"\{(\w+)(?::(\w+))?(?:\?([^}|]*)\|?([^}]*))?\}")


class Saying(Struct, frozen=True):
    """A text before it is put into a language."""

    key: str
    args: dict[str, Any]


def say(redacted: Mapping[str, Any], field: str, fields: tuple[str, ...]) -> Saying:
    """The key and arguments of a redacted message; `field` is its tag field, `fields` all that its class has."""
    tag = str(redacted[field])
    if tag == HIDDEN_TAG:
        return Saying(HIDDEN_TAG, {})
    args = {name: value for name, value in redacted.items() if name != field}
    complete = all(name in args for name in fields)
    return Saying(tag if complete else f"{tag}.hidden", args)


def render(saying: Saying, texts: Texts) -> str:
    """The text in the language of `texts`; `{name}` is an argument, `{name:seat}` one whose numbers are seats.

    `{name:cell}` is one whose pairs of numbers are places on a grid: `(3, 5)`.

    `{name?yes|no}` chooses by whether it is set (seat 0 is), with `$` for its words. Arguments named `seat` and `seats`
    are seats by themselves; of any other name only the template knows: `from` is a place in one game, a seat in
    another. With another word, `{name:kind}`, those of `value.<kind>.<word>` come first: a card by one of its faces.

    A missing template gives the key, so that nothing is ever silent.
    """
    template = texts.get(saying.key)
    if template is None and saying.key.endswith(".hidden"):
        template = texts.get(saying.key.removesuffix(".hidden"))
    if template is None:
        return saying.key
    return _fill(template, saying.args, texts)


def _fill(template: str, args: Mapping[str, Any], texts: Texts) -> str:
    def put(match: re.Match[str]) -> str:
        name, kind, yes, no = match.groups()
        value, seat, cell = args.get(name), kind == "seat" or name in _SEATS, kind == "cell"
        if kind is not None and not seat and not cell:
            value = f"{kind}.{value}" if f"value.{kind}.{value}" in texts else value
        if yes is None:
            return word(value, texts, seat=seat, cell=cell)
        is_set = bool(value) or (seat and _is_number(value))
        return (yes if is_set else no).replace("$", word(value, texts, seat=seat, cell=cell))

    return _FIELD.sub(put, template)


_SEATS = frozenset({"seat", "seats"})


def word(value: Any, texts: Texts, *, seat: bool = False, cell: bool = False) -> str:
    """One argument in words: seats, cells, words with a `value.` template, lists joined, counts as `2 grey`."""
    if seat and _is_number(value):
        return texts.get("seat", "seat {n}").replace("{n}", str(value))
    if isinstance(value, (list, tuple)):
        if cell and len(value) == 2 and all(map(_is_number, value)):
            return f"({value[0]}, {value[1]})"
        return _joined([word(part, texts, seat=seat, cell=cell) for part in value], texts)
    if isinstance(value, Mapping):
        return _joined([f"{count} {word(name, texts)}" for name, count in value.items()], texts)
    if value is None:
        return texts.get("value.none", "none")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return texts.get(f"value.{text}") or _numbered(text, texts)


def _numbered(text: str, texts: Texts) -> str:
    """One of several of a kind, `pint2`, where a text `numbered` says how that is told: the first has no number.

    A text `numbered.<kind>` says it of all of a kind that has no word of its own.
    """
    kind = text.rstrip("0123456789")
    form, named, number = texts.get("numbered"), texts.get(f"value.{kind}"), text[len(kind) :]
    if number and (own := texts.get(f"numbered.{kind}")) is not None:
        return own.replace("{n}", number)
    if form is None or named is None or not number:
        return text
    return named if number == "1" else form.replace("{name}", named).replace("{n}", number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _joined(words: list[str], texts: Texts) -> str:
    if not words:
        return texts.get("value.none", "none")
    if len(words) == 1:
        return words[0]
    return ", ".join(words[:-1]) + f" {texts.get('and', 'and')} " + words[-1]
