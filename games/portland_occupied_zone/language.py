"""The effect language of cards, powers and structures (specification, 2.7): text to calls, and what may be said."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from msgspec import Struct

Duration = Literal["turn", "next_turn", "round", "plot"]
DURATIONS = ("turn", "next_turn", "round", "plot")
KEYS = (
    "hits_players", "hits_police", "defense", "arson", "move", "max_bricks", "range", "crit", "hand_limit", "dive",
    "heal_bonus", "loot_bonus", "jackson_move", "jackson_damage", "riot_move", "gas_range",
)  # fmt: skip
FLAGS = (
    "immune_befoul", "immune_gas", "immune_fire", "inject", "calm", "hidden", "witch", "drummer", "spread_plus",
    "vote_proof", "any_npc", "own_altar", "altar_free", "gas_aura", "encore", "party", "mellow", "fast_push",
    "dive_anywhere", "bed_free", "no_food", "no_loot", "farm_plus", "no_camera_los", "police_shoot", "garbage_day",
    "no_gas", "no_dispatch", "medic_idle",
)  # fmt: skip
#: What holds for the whole game and for nobody in particular.
GLOBAL = frozenset(
    {"jackson_move", "jackson_damage", "riot_move", "gas_range", "no_camera_los", "police_shoot", "garbage_day",
     "no_gas", "no_dispatch", "medic_idle"}
)  # fmt: skip
WHO = ("self", "target", "all", "others", "awake", "leader", "top", "bottom", "outdoors", "near")
WHO_CALLS = ("on", "in", "holding")
PICKS = ("char", "char_or_police_or_checkpoint", "cell", "police", "building", "dumpster", "card", "deck")
FILTERS = ("ko", "ko_or_ball_pit", "or_self", "food", "business")
CONDITIONS = ("at", "staffed", "battle", "has", "ko")


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


Value = int | str | tuple[str, ...] | Call


class LanguageError(ValueError):
    """A text that is not of the effect language, with a sentence."""


#: Ops: which arguments they take, by kind (n: a number, who: whom it meets; else one of the words).
SIGNATURES: dict[str, tuple[str, ...]] = {
    "pick": ("pick",),
    "stab": ("who", "n"),
    "hurt": ("who", "n"),
    "heal": ("who", "n|all"),
    "crap": ("who", "n"),
    "bricks": ("who", "n|swapped"),
    "mp": ("who", "n"),
    "mod": ("key", "n"),
    "flag": ("flag",),
    "loot": ("who", "deck", "n"),
    "scavenge": ("who", "n"),
    "drop": ("who", "n"),
    "gain": ("who", "card"),
    "infect": ("who",),
    "cure": ("who", "n", "how"),
    "pop": ("n",),
    "build": ("structure",),
    "npc": ("n",),
    "befoul": ("place",),
    "clean": ("place",),
    "douse": ("place",),
    "ignite": ("place", "n"),
    "relocate": ("who", "place"),
    "strike": ("n",),
    "steal": ("who", "n"),
    "stun": (),
    "banish": (),
    "checkpoint": ("n",),
    "dispatch": ("n",),
    "camera": ("camera",),
    "plans": ("plans",),
    "pass_lead": (),
    "mill": ("deck", "n"),
    "swap": ("swap", "n"),
}
NAMED: dict[str, tuple[str, ...]] = {
    "pick": ("range", "los", "filter"),
    "mod": ("who", "for"),
    "flag": ("who", "for"),
    "infect": ("id", "chance"),
}
WORDS: dict[str, tuple[str, ...]] = {
    "pick": PICKS,
    "key": KEYS,
    "flag": FLAGS,
    "how": ("paste", "any"),
    "camera": ("remove", "restore"),
    "plans": ("redraw",),
    "swap": ("card",),
    "los": ("yes",),
    "filter": FILTERS,
    "for": DURATIONS,
}

_TOKEN = re.compile(r"\s*(-?\d+|\w+|[()\[\],;=?&])")


@cache
def parse(text: str) -> tuple[Call, ...]:
    """The calls of a text, in order.

    Raises:
        LanguageError: it is none, or says what no op understands.
    """
    calls = tuple(_items(text))
    for call in calls:
        _check(call)
    return calls


def _items(text: str) -> Iterator[Call]:
    tokens = _tokens(text)
    if not tokens:
        return
    while True:
        item = _call(tokens)
        if tokens and tokens[0] in "?&":
            conditions = [item]
            while tokens.pop(0) == "&":
                conditions.append(_call(tokens))
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


def _call(tokens: list[str]) -> Call:
    name = tokens.pop(0) if tokens else ""
    if not name.isidentifier():
        raise LanguageError(f"{name!r} is no name")
    if not tokens or tokens[0] != "(":
        return Call(name)
    tokens.pop(0)
    args: list[Value] = []
    named: dict[str, Value] = {}
    while tokens and tokens[0] != ")":
        if len(tokens) > 1 and tokens[1] == "=":
            word = tokens.pop(0)
            tokens.pop(0)
            named[word] = _value(tokens)
        else:
            args.append(_value(tokens))
        if tokens and tokens[0] == ",":
            tokens.pop(0)
    _expect(tokens, ")")
    return Call(name, tuple(args), named)


def _value(tokens: list[str]) -> Value:
    if tokens and tokens[0] == "[":
        return tuple(_list(tokens))
    if tokens and tokens[0].lstrip("-").isdigit():
        return int(tokens.pop(0))
    call = _call(tokens)
    return call if call.args or call.named else call.name


def _list(tokens: list[str]) -> Iterator[str]:
    tokens.pop(0)
    while tokens and tokens[0] != "]":
        yield tokens.pop(0)
        if tokens and tokens[0] == ",":
            tokens.pop(0)
    _expect(tokens, "]")


def _check(call: Call) -> None:
    kinds = SIGNATURES.get(call.name)
    if kinds is None:
        raise LanguageError(f"there is no op {call.name}")
    if len(call.args) != len(kinds):
        raise LanguageError(f"{call.name} has {len(kinds)} arguments, not {len(call.args)}")
    for value, kind in zip(call.args, kinds, strict=True):
        _check_value(call.name, value, kind)
    for word, value in call.named.items():
        if word not in NAMED.get(call.name, ()):
            raise LanguageError(f"{call.name} has no {word}")
        _check_value(call.name, value, {"range": "n", "chance": "n", "id": "card"}.get(word, word))
    for condition in call.when:
        if condition.name not in CONDITIONS:
            raise LanguageError(f"there is no condition {condition.name}")


def _check_value(op: str, value: Value, kind: str) -> None:
    if kind == "who":
        good = value in WHO or (isinstance(value, Call) and value.name in WHO_CALLS)
    elif kind.startswith("n"):
        good = isinstance(value, int) or value in kind.split("|")[1:]
    elif kind in WORDS:
        good = value in WORDS[kind]
    else:
        good = isinstance(value, str)
    if not good:
        raise LanguageError(f"{op} does not understand {value!r} as {kind}")
