"""When a card works (cards, 2.1)."""

from typing import Literal

from games.host_tournament.ops.operations import Modifier, Op
from games.host_tournament.ops.targets import When, Word

Timing = Literal[
    "open",
    "answer_motion",
    "answer_interrupt",
    "answer_event",
    "entry_t",
    "entry_d",
    "roll_t",
    "roll_d",
    "result_t",
    "result_d",
]


class _Rule(Word, frozen=True):
    """A rule of a card: conditions, then operations."""

    SHAPE = ("when?", "op*")
    c: When
    ops: tuple[Op, ...]


class Play(_Rule, frozen=True):
    """When the card is played."""


class Start(_Rule, frozen=True):
    """At the start of its owner's turn."""


class End(_Rule, frozen=True):
    """At the end of its owner's turn."""


class Chula(_Rule, frozen=True):
    """When it is played on a group."""


class Zero(Word, frozen=True):
    """When the card's countdown reaches 0."""

    SHAPE = ("op*",)
    ops: tuple[Op, ...]


class Act(Word, frozen=True):
    """An ability that its owner uses for `n` actions."""

    SHAPE = ("int", "when?", "op*")
    n: int
    c: When
    ops: tuple[Op, ...]


class Dl(Word, frozen=True):
    """A special download."""

    SHAPE = ("card",)
    card: str


class During(Word, frozen=True):
    """Modifiers that hold while the card is in play."""

    SHAPE = ("when?", "mod*")
    c: When
    mods: tuple[Modifier, ...]


class Reply(Word, frozen=True):
    """An interrupt's window."""

    SHAPE = ("timing", "when?", "op*")
    t: Timing
    c: When
    ops: tuple[Op, ...]


class After(Word, frozen=True):
    """What a card in play does by itself when a window opens."""

    SHAPE = ("timing", "when?", "op*")
    t: Timing
    c: When
    ops: tuple[Op, ...]


Rule = Play | Act | Dl | During | Start | End | Zero | Chula | Reply | After
