"""How a fault of a pack is told: the field, a sentence, the rule."""

from collections.abc import Iterable

from games.content import expect


def expect_unique(ids: Iterable[str], field: str, rule: str) -> None:
    """Refuse the pack if an id is used twice, or is not fit to be one (letters, digits and `_`)."""
    seen: set[str] = set()
    for name in ids:
        expect(name.isidentifier(), f"{field}.{name}", "an id has letters, digits and _ only", rule)
        expect(name not in seen, f"{field}.{name}", "each id is used once", rule)
        seen.add(name)
