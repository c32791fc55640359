"""Reading the effect language from a pack: nested lists `[word, argument, …]` become the structs of `ops/`.

What cannot be read is refused with the place in the pack and what is expected there.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from games.content import ContentError
from games.host_tournament import ops
from games.host_tournament.ops import Rule, When, Word
from games.kernel.messages import snake_case

W = TypeVar("W", bound=Word)
TYPES = ("personnel", "location", "equipment", "event", "interrupt", "chula")
RULE = "HT-10.4"  # the card says how it is resolved
DEEPEST = 40
SHOWN = 80  # characters of what is refused


class Known(Struct, frozen=True):
    """The names that a pack may use in its effects."""

    skills: Collection[str]
    towns: Collection[str]
    cards: Collection[str]


def read_rule(raw: Any, known: Known, place: str) -> Rule:
    """One rule of a card.

    Raises:
        ContentError: it is none, with its place in the pack.
    """
    _check_depth(raw, place)
    rule: Rule = _call(raw, ops.RULES, known, place)  # type: ignore[assignment] # RULES are the members of Rule
    return rule


def read_condition(raw: Any, known: Known, place: str) -> ops.Condition:
    """One condition (the `free` of equipment).

    Raises:
        ContentError: it is none, with its place in the pack.
    """
    _check_depth(raw, place)
    read: ops.Condition = _call(raw, ops.CONDITIONS, known, place)  # type: ignore[assignment] # its members
    return read


def _check_depth(raw: Any, place: str) -> None:
    layer = [raw]
    for _ in range(DEEPEST):
        layer = [part for one in layer if isinstance(one, list) for part in one]
    if layer:
        raise _wrong(place, f"it is more than {DEEPEST} lists deep")


def _wrong(place: str, sentence: str) -> ContentError:
    return ContentError(f"{place}: {sentence} ({RULE})")


def _short(raw: Any) -> str:
    told = repr(raw)
    return told if len(told) <= SHOWN else f"{told[:SHOWN]}…"


def _call(raw: Any, kinds: Sequence[type[Word]], known: Known, place: str) -> Word:
    """A call of one of these words."""
    by_name = {snake_case(kind.__name__): kind for kind in kinds}
    if not isinstance(raw, list) or not raw or not isinstance(raw[0], str) or raw[0] not in by_name:
        said = raw[0] if isinstance(raw, list) and raw else raw
        raise _wrong(place, f"{_short(said)} is none of {', '.join(by_name)}")
    kind = by_name[raw[0]]
    return kind(*_arguments(kind, raw[1:], known, f"{place}.{raw[0]}"))


def _arguments(kind: type[Word], raw: list[Any], known: Known, place: str) -> list[Any]:
    rest, read = list(raw), list[Any]()
    for number, shape in enumerate(kind.SHAPE):
        where = f"{place}[{number}]"
        if shape == "when?":
            given = bool(rest) and isinstance(rest[0], list) and rest[0][:1] == ["when"]
            read.append(When(tuple(_all("condition", rest.pop(0)[1:], known, where))) if given else When())
        elif shape.endswith("*"):
            read.append(tuple(_all(shape[:-1], rest, known, place)))
            rest = []
        elif shape.endswith("?"):
            read += [KINDS[shape[:-1]](rest.pop(0), known, where)] if rest else []
        elif not rest:
            raise _wrong(where, f"{shape} is missing")
        else:
            found = KINDS[shape](rest.pop(0), known, where)
            read += found if isinstance(found, list) else [found]
    if rest:
        raise _wrong(place, f"{len(rest)} arguments too many")
    return read


def _all(kind: str, raw: list[Any], known: Known, place: str) -> list[Any]:
    return [KINDS[kind](part, known, f"{place}[{number}]") for number, part in enumerate(raw)]


def _one_of(*words: str) -> Callable[[Any, Known, str], Any]:
    def read(raw: Any, _: Known, place: str) -> Any:
        if raw not in words:
            raise _wrong(place, f"{_short(raw)} is none of {', '.join(words)}")
        return raw

    return read


def _int(raw: Any, _: Known, place: str) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not -99 <= raw <= 99:
        raise _wrong(place, f"{_short(raw)} is no number from -99 to 99")
    return raw


def _target(raw: Any, known: Known, place: str) -> Any:
    if isinstance(raw, str) and raw in ops.NAMES:
        return raw
    return _call(raw, ops.TARGETS, known, place)


def _value(raw: Any, known: Known, place: str) -> Any:
    return _int(raw, known, place) if isinstance(raw, int) else _call(raw, ops.VALUES, known, place)


def _thing(raw: Any, known: Known, place: str) -> Any:
    words = {*known.skills, *known.towns, *known.cards, "personnel", "stopped", "stasis"}
    if not isinstance(raw, str) or raw not in words:
        raise _wrong(place, f"{_short(raw)} is no skill, town or card, nor personnel, stopped or stasis")
    return raw


def _skill(raw: Any, known: Known, place: str) -> Any:
    return _one_of(*known.skills)(raw, known, place)


def _card(raw: Any, known: Known, place: str) -> Any:
    if raw not in known.cards:
        raise _wrong(place, f"there is no card {_short(raw)}")
    return raw


def _query(raw: Any, known: Known, place: str) -> Any:
    if isinstance(raw, list):
        if raw[:1] != ["type"] or len(raw) != 2:
            raise _wrong(place, "a card or type(…) is downloaded")
        return ["", _one_of(*TYPES[:4])(raw[1], known, place)]
    return [_card(raw, known, place), ""]


def _rungs(raw: Any, known: Known, place: str) -> Any:
    if not isinstance(raw, list) or not raw or any(not isinstance(rung, list) or len(rung) != 2 for rung in raw):
        raise _wrong(place, "rungs are pairs of a number and an operation")
    rungs = tuple((_int(n, known, place), _call(op, ops.OPS, known, f"{place}.{n}")) for n, op in raw)
    if [n for n, _ in rungs] != sorted({n for n, _ in rungs}):
        raise _wrong(place, "rungs go up")
    return rungs


KINDS: dict[str, Callable[[Any, Known, str], Any]] = {
    "target": _target,
    "value": _value,
    "int": _int,
    "thing": _thing,
    "skill": _skill,
    "card": _card,
    "query": _query,
    "rungs": _rungs,
    "player": _one_of("YOU", "OPP"),
    "stat": _one_of(*ops.STATS),
    "stats": _one_of(*ops.STATS, "every_stat"),
    "venue": _one_of("tournament", "social"),
    "game": _one_of("tournament", "drinking"),
    "must": _one_of("must", "never"),
    "move": _one_of("move", "move_town"),
    "spot": _one_of("HERE", "TABLE"),
    "trig": _one_of("TRIG"),
    "any": _one_of("any"),
    "turn": _one_of("turn"),
    "timing": _one_of(
        *("open", "answer_motion", "answer_interrupt", "answer_event", "entry_t", "entry_d"),
        *("roll_t", "roll_d", "result_t", "result_d"),
    ),
    "condition": lambda raw, known, place: _call(raw, ops.CONDITIONS, known, place),
    "op": lambda raw, known, place: _call(raw, ops.OPS, known, place),
    "mod": lambda raw, known, place: _call(raw, ops.MODIFIERS, known, place),
}
