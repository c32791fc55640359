"""Which settings games are played under: pairs of values by a covering array, or the whole cross, both by the seed."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod
from random import Random
from typing import Any

import msgspec
from allpairspy import AllPairs
from msgspec import inspect

from games.kernel import PositionError, Ruleset, Setting

#: Of a range of numbers its ends, and so many between them by chance.
NUMBERS = 2

Domains = Mapping[str, Sequence[Any]]


def setting_by_pairs(rules: Ruleset[Any], seed: int) -> Setting:
    """The settings of seeds 0, 1, 2, …: any two values (of seats, packs, options) soon meet, then again otherwise."""
    first = _rows(rules, 0)
    # Rows are as good as equally many each time; a round is as long as the first one.
    rows = _rows(rules, seed // len(first))
    return rows[seed % len(rows)]


def setting_of_cross(rules: Ruleset[Any], seed: int) -> Setting | None:
    """Setting number `seed` of all that there are, in order and over again; None if these values do not go together."""
    domains = domains_of(rules, Random(0))
    number, values = seed % prod(map(len, domains.values())), {}
    for name, domain in domains.items():
        number, index = divmod(number, len(domain))
        values[name] = domain[index]
    return _setting(rules, values)


@lru_cache(maxsize=64)
def _rows(rules: Ruleset[Any], turn: int) -> list[Setting]:
    chance = Random(f"{rules.id} {turn}")
    domains = domains_of(rules, chance)
    names = chance.sample(list(domains), len(domains))
    columns = [chance.sample(domains[name], len(domains[name])) for name in names]
    if len(names) == 1:
        return [setting for value in columns[0] if (setting := _setting(rules, {names[0]: value})) is not None]
    rows = [_setting(rules, dict(zip(names, row, strict=True))) for row in AllPairs(columns)]
    return [row for row in rows if row is not None] or [
        Setting(next(iter(rules.shelf)), rules.seats[0], rules.options())
    ]


def _setting(rules: Ruleset[Any], values: Mapping[str, Any]) -> Setting | None:
    """The setting with these values; those that another one rules out go back to their defaults; None if none does."""
    pack, seats = values["pack"], values["seats"]
    given = {name: value for name, value in values.items() if name not in ("pack", "seats")}
    for left_out in (None, *given):
        options = msgspec.convert({name: value for name, value in given.items() if name != left_out}, rules.options)
        setting = Setting(pack, seats, options)
        try:
            rules.check_setting(setting)
        except PositionError:
            continue
        return setting
    return None


def domains_of(rules: Ruleset[Any], chance: Random) -> Domains:
    """The values that packs, seats and options are drawn from; options that are no closed set keep their default."""
    info = inspect.type_info(rules.options)
    assert isinstance(info, inspect.StructType)
    options = {part.encode_name: _values(part.type, rules.seats[-1], chance) for part in info.fields}
    packs = list(rules.shelf)
    # What packs have starts of their own for: those that all have.
    starts = [{start.id for start in getattr(rules.shelf[pack], "scenarios", ())} for pack in packs]
    if common := sorted(set.intersection(*starts)):
        options["scenario"] = common
    return {"pack": packs, "seats": list(rules.seats)} | {name: values for name, values in options.items() if values}


def _values(info: inspect.Type, seats: int, chance: Random) -> list[Any]:
    match info:
        case inspect.BoolType():
            return [False, True]
        case inspect.LiteralType(values):
            return list(values)
        case inspect.IntType(ge=int(low), le=high):
            top = seats - 1 if high is None else high
            between = range(low + 1, top)
            return sorted({low, top, *chance.sample(between, min(NUMBERS, len(between)))})
        case inspect.UnionType(types):
            return [value for part in types for value in _values(part, seats, chance)]
    return []
