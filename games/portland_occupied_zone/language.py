"""The effect language of cards, powers and structures (specification, 2.7): text to calls, and what may be said.

What the ids in a text mean, and which ops make sense where it stands, is the matter of `pack_texts.py`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from games.portland_occupied_zone.vocabulary import (
    AIMED,
    BINDS,
    BOUND,
    CONDITIONS,
    NAMED,
    PICKS,
    SELECTORS,
    SIGNATURES,
    WHO,
    WORDS,
)

#: What nobody needs, and what would keep a check or a game busy for ever.
TEXT_MAX, NUMBER_MAX, DEPTH_MAX = 400, 99, 2
LEAST: Mapping[str, int] = {"n": -NUMBER_MAX, "count": 1, "reach": 0}


class Call(Struct, frozen=True):
    """`name(args, word=value)`; `when`: it counts only if all of these hold. A bare word is a call without args."""

    name: str
    args: tuple["Value", ...] = ()
    named: dict[str, "Value"] = {}
    when: tuple["Call", ...] = ()

    def word(self, index: int) -> str:
        """The argument with this number, a word."""
        value = self.args[index]
        assert isinstance(value, str)
        return value

    def number(self, index: int) -> int:
        """The argument with this number, a whole number."""
        value = self.args[index]
        assert isinstance(value, int)
        return value


Value = int | str | Call


class LanguageError(ValueError):
    """A text that is not of the effect language, with a sentence."""


_TOKEN = re.compile(r"\s*(-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*|[(),;=?&])")


@cache
def parse(text: str) -> tuple[Call, ...]:
    """The calls of a text, in order.

    Raises:
        LanguageError: it is none, or says what no op understands.
    """
    if len(text) > TEXT_MAX:
        raise LanguageError(f"it has {len(text)} characters, more than {TEXT_MAX}")
    calls = tuple(_items(text))
    bound = set[str]()
    for call in calls:
        _check(call)
        _check_bound(call, bound)
        bound |= _binds(call)
    return calls


def arguments(call: Call) -> Iterator[tuple[Value, str]]:
    """The arguments of an op that has been checked, with their kinds; then those of its selectors and conditions."""
    named = _named(call)
    values = [*zip(call.args, SIGNATURES[call.name], strict=True), *((call.named[w], named[w]) for w in call.named)]
    yield from values
    for value, _ in values:
        if isinstance(value, Call):
            yield from zip(value.args, SELECTORS[value.name], strict=True)
    for condition in call.when:
        yield from zip(condition.args, CONDITIONS[condition.name], strict=True)


def _items(text: str) -> Iterator[Call]:
    tokens = _tokens(text)
    if not tokens:
        return
    while True:
        item = _call(tokens)
        if tokens and tokens[0] in "?&":
            conditions = [item]
            while tokens and tokens[0] == "&":
                tokens.pop(0)
                conditions.append(_call(tokens))
            _expect(tokens, "?")
            then = _call(tokens)
            item = Call(then.name, then.args, then.named, tuple(conditions))
        yield item
        if not tokens:
            return
        _expect(tokens, ";")


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LanguageError(f"{text[at:]!r} is not of the effect language")
        tokens.append(match[1])
        at = match.end()
    return tokens


def _expect(tokens: list[str], sign: str) -> None:
    if not tokens or tokens.pop(0) != sign:
        raise LanguageError(f"there is no {sign!r} where one is needed")


def _call(tokens: list[str], depth: int = 0) -> Call:
    if depth > DEPTH_MAX:
        raise LanguageError("its calls are nested too deep")
    name = _word(tokens)
    if not tokens or tokens[0] != "(":
        return Call(name)
    tokens.pop(0)
    args: list[Value] = []
    named: dict[str, Value] = {}
    while not tokens or tokens[0] != ")":
        if args or named:
            _expect(tokens, ",")
        if len(tokens) > 1 and tokens[1] == "=":
            word = _word(tokens)
            _expect(tokens, "=")
            if word in named:
                raise LanguageError(f"{name} has {word} twice")
            named[word] = _value(tokens, depth)
        else:
            args.append(_value(tokens, depth))
    _expect(tokens, ")")
    return Call(name, tuple(args), named)


def _word(tokens: list[str]) -> str:
    name = tokens.pop(0) if tokens else ""
    if not name.isidentifier():
        raise LanguageError(f"{name!r} is no name")
    return name


def _value(tokens: list[str], depth: int) -> Value:
    if tokens and tokens[0].lstrip("-").isdigit():
        if len(tokens[0].lstrip("-")) > len(str(NUMBER_MAX)):
            raise LanguageError(f"{tokens[0]} is not between {-NUMBER_MAX} and {NUMBER_MAX}")
        return int(tokens.pop(0))
    call = _call(tokens, depth + 1)
    return call if call.args or call.named else call.name


def _check(call: Call) -> None:
    _check_args(call, SIGNATURES, "op")
    named = _named(call)
    for word, value in call.named.items():
        if word not in named:
            raise LanguageError(f"{call.name} has no {word}")
        _check_value(call.name, value, named[word])
    for condition in call.when:
        _check_args(condition, CONDITIONS, "condition")
        _check_bare(condition)


def _named(call: Call) -> Mapping[str, str]:
    """The arguments with a name that a call may have, by kind."""
    return PICKS[call.word(0)] if call.name == "pick" else NAMED.get(call.name, {})


def _check_args(call: Call, signatures: Mapping[str, tuple[str, ...]], what: str) -> None:
    kinds = signatures.get(call.name)
    if kinds is None:
        raise LanguageError(f"there is no {what} {call.name}")
    if len(call.args) != len(kinds):
        raise LanguageError(f"{call.name} has {len(kinds)} arguments, not {len(call.args)}")
    for value, kind in zip(call.args, kinds, strict=True):
        _check_value(call.name, value, kind)


def _check_bare(call: Call) -> None:
    if call.named:
        raise LanguageError(f"{call.name} has no {next(iter(call.named))}")


def _check_value(op: str, value: Value, kind: str) -> None:
    first, *words = kind.split("|")
    if isinstance(value, Call):
        good = first == "who"
        if good:
            _check_args(value, SELECTORS, "selector")
            _check_bare(value)
    elif isinstance(value, int):
        good = first in LEAST and value >= LEAST[first]
    elif first == "who":
        good = value in WHO
    else:
        good = value in words or (value in WORDS[first] if first in WORDS else first not in LEAST)
    if not good:
        raise LanguageError(f"{op} does not understand {told(value)} as {kind}")


def told(value: Value) -> str:
    """An argument as it is written."""
    return f"{value.name}(…)" if isinstance(value, Call) else str(value)


def _check_bound(call: Call, bound: set[str]) -> None:
    """What a text speaks of as picked has been picked before."""
    needed = {value for value, kind in arguments(call) if value in BOUND and kind not in ("pick", "swap")}
    if call.name in AIMED:
        needed.add("target")
    if needed - bound:
        raise LanguageError(f"{call.name} speaks of {min(needed - bound)}, which has not been picked before")


def _binds(call: Call) -> set[str]:
    if call.name == "swap":
        return {"swapped"}
    return {BINDS.get(call.word(0), call.word(0))} if call.name == "pick" else set()
