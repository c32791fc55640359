"""Targets, values and conditions of card texts (cards, 2.2 and 2.3).

`SHAPE` names the kind of each argument of a word, in order; the kinds are those of `reading.KINDS`. A last kind with
`*` takes all the arguments that are left, a first `when?` and a kind with `?` may be left out.
"""

from typing import ClassVar, Literal

from msgspec import Struct

Stat = Literal["playing", "drinking", "charisma"]
STATS: tuple[Stat, ...] = ("playing", "drinking", "charisma")
#: The targets without arguments (cards, 2.3).
NAMES = ("YOU", "OPP", "HERE", "TABLE", "SELF", "HOST", "MINE", "THEIRS", "ALL", "YOURS", "FIELD", "GROUP", "ENTRANTS")


class Word(Struct, frozen=True, gc=False):
    """One call of the vocabulary."""

    SHAPE: ClassVar[tuple[str, ...]] = ()


# Targets (2.3); a plain name is a string.


class Pick(Word, frozen=True):
    """Up to `n` of W that have x, chosen by a player."""

    SHAPE = ("target", "int", "player", "thing?")
    w: "Target"
    n: int
    player: str
    x: str = ""


class Rand(Word, frozen=True):
    """`n` of W at random."""

    SHAPE = ("target", "int")
    w: "Target"
    n: int


class Best(Word, frozen=True):
    """The one of W with the highest stat."""

    SHAPE = ("target", "stat")
    w: "Target"
    stat: Stat


class Only(Word, frozen=True):
    """Those of W that have x."""

    SHAPE = ("target", "thing")
    w: "Target"
    x: str


class Below(Word, frozen=True):
    """Those of W whose stat is less than `n`."""

    SHAPE = ("target", "stat", "int")
    w: "Target"
    stat: Stat
    n: int


class On(Word, frozen=True):
    """For each of W one card with this id attached to it."""

    SHAPE = ("target", "card")
    w: "Target"
    card: str


Target = str | Pick | Rand | Best | Only | Below | On


# Values and conditions (2.2).


class Count(Word, frozen=True):
    """How many of W have x."""

    SHAPE = ("target", "thing")
    w: Target
    x: str


class Total(Word, frozen=True):
    """The sum of a stat over W."""

    SHAPE = ("target", "stat")
    w: Target
    stat: Stat


Value = int | Count | Total


class At(Word, frozen=True):
    """Here is a venue of this kind."""

    SHAPE = ("venue",)
    venue: str


class Ge(Word, frozen=True):
    """A value is at least `n`."""

    SHAPE = ("value", "int")
    v: Value
    n: int


class Lt(Word, frozen=True):
    """A value is less than `n`."""

    SHAPE = ("value", "int")
    v: Value
    n: int


class Once(Word, frozen=True):
    """This rule has not been used in this turn (HT-R40)."""

    SHAPE = ("turn",)
    turn: str


class Won(Word, frozen=True):
    """The winner of the tournament is one of W."""

    SHAPE = ("target",)
    w: Target


Condition = At | Ge | Lt | Once | Won


class When(Word, frozen=True):
    """All of these hold."""

    SHAPE = ("condition*",)
    all: tuple[Condition, ...] = ()
