"""Strict decoding of what clients send: no unknown field, no other type, no deep nesting."""

import re
from typing import Any, TypeVar

import msgspec

from server.problems import Problem

T = TypeVar("T")

# A string of JSON (also one that never ends) or a bracket; possessive, so that it is linear in any input.
_BRACKETS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)

_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}


def check_nesting(body: bytes, most: int) -> None:
    """Refuse JSON that is nested deeper than `most`, before anything decodes it.

    Raises:
        Problem: `invalid`.
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return
    depth = 0
    for match in _BRACKETS.finditer(body):
        found = match[0]
        depth += 1 if found in (b"[", b"{") else -1 if found in (b"]", b"}") else 0
        if depth > most:
            raise Problem("invalid", f"The body is nested deeper than {most}.")


def decode(body: bytes, kind: type[T]) -> T:
    """JSON bytes as `kind`.

    Raises:
        Problem: `invalid`, with a sentence that names the field.
    """
    try:
        decoder = _decoders.get(kind)
        if decoder is None:
            decoder = _decoders[kind] = msgspec.json.Decoder(kind)
        decoded: T = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Problem("invalid", _sentence(error, "body")) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem("invalid", f"The body is not JSON: {error}.") from error
    return decoded


def convert(given: dict[str, str], kind: type[T]) -> T:
    """Query parameters as `kind`; numbers and booleans are read from their text.

    Raises:
        Problem: `invalid`, with a sentence that names the parameter.
    """
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem("invalid", _sentence(error, "query")) from error


def _sentence(error: msgspec.ValidationError, name: str) -> str:
    reason, _, place = str(error).partition(" - at `$")
    where = place.rstrip("`").lstrip(".") or name
    return f"{where}: {reason[:1].lower()}{reason[1:]}."
