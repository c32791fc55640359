"""How a fault of a pack is told: the field, a sentence, the rule."""

import re
from collections.abc import Iterable

from games.content import expect

#: Words that mean something else wherever an id may stand: in texts, as a back, as a figure.
RESERVED = frozenset(
    {"all", "any", "brick", "building", "camera", "card", "cell", "disease", "dumpster", "here", "homebrew", "jackson",
     "medic", "no", "personal", "picked", "self", "swapped", "target", "yes"}
)  # fmt: skip
#: What structures, riot cops and checkpoints are called in a game.
_MADE = re.compile(r"[srk][0-9]+")


def expect_unique(ids: Iterable[str], field: str, rule: str) -> None:
    """Refuse the pack if an id is used twice, or is not fit to be one (letters, digits and `_`, no reserved word)."""
    seen: set[str] = set()
    for name in ids:
        here = f"{field}.{name}"
        expect(name.isascii() and name.isidentifier(), here, "an id has letters (a to z), digits and _ only", rule)
        expect(name not in RESERVED and not _MADE.fullmatch(name), here, "the id means something else", rule)
        expect(name not in seen, here, "each id is used once", rule)
        seen.add(name)


def expect_apart(ids: Iterable[str], taken: Iterable[str], field: str, rule: str) -> None:
    """Refuse the pack if one of these ids is among those of other things that stand on the board."""
    others = set(taken)
    for name in ids:
        expect(name not in others, f"{field}.{name}", "something else on the board has this id", rule)
