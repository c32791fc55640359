"""How a fault of a pack is told: the field, a sentence, the rule."""

from collections.abc import Iterable, Sequence

from games.content import expect


def expect_once(names: Sequence[str], field: str, rule: str) -> None:
    """Each name is there, and once."""
    for index, name in enumerate(names):
        expect(bool(name), f"{field}[{index}].id", "it has a name", rule)
        expect(names.count(name) == 1, f"{field}[{index}].id", f"{name} is listed once", rule)


def expect_known(names: Iterable[str], known: Iterable[str], field: str, rule: str) -> None:
    """Each of the names is one of those known."""
    for name in names:
        expect(name in known, field, f"there is no {name}", rule)
