"""The effect vocabulary of the cards (cards, section 2): each word as a struct; `reading.py` makes them from a pack.

`SHAPE` names the kind of each argument, in order; the kinds are those of `reading.KINDS`. A last kind with `*` takes
all the arguments that are left, a first `when?` may be left out.
"""

from typing import ClassVar, Literal

from msgspec import Struct

Stat = Literal["playing", "drinking", "charisma"]
STATS: tuple[Stat, ...] = ("playing", "drinking", "charisma")
Game = Literal["tournament", "drinking"]
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


# Operations (2.4).


class Go(Word, frozen=True):
    """Nothing happens."""


class Stop(Word, frozen=True):
    """W is stopped until the start of its owner's n-th next turn."""

    SHAPE = ("target", "int")
    w: Target
    n: int


class Free(Word, frozen=True):
    """W is no longer stopped."""

    SHAPE = ("target",)
    w: Target


class Wake(Word, frozen=True):
    """W leaves stasis, for `n` turns whatever Beer Deprivation says."""

    SHAPE = ("target", "int")
    w: Target
    n: int


class Attach(Word, frozen=True):
    """This card is attached to W."""

    SHAPE = ("target",)
    w: Target


class Stay(Word, frozen=True):
    """This card lies HERE or on the TABLE until discarded."""

    SHAPE = ("spot",)
    spot: str


class Discard(Word, frozen=True):
    """These cards go to their owners' discard piles; HERE is the location itself."""

    SHAPE = ("target",)
    w: Target


class Move(Word, frozen=True):
    """W goes to one other location that its owner names."""

    SHAPE = ("target", "any")
    w: Target
    to: str


class Score(Word, frozen=True):
    """A player scores."""

    SHAPE = ("player", "value")
    player: str
    v: Value


class Draw(Word, frozen=True):
    """A player draws, up to 7 in hand."""

    SHAPE = ("player", "int")
    player: str
    n: int


class Drop(Word, frozen=True):
    """A player discards hand cards of its choice."""

    SHAPE = ("player", "int")
    player: str
    n: int


class Sift(Word, frozen=True):
    """A player discards up to `n` hand cards and draws as many."""

    SHAPE = ("player", "int")
    player: str
    n: int


class Recycle(Word, frozen=True):
    """A player shuffles up to `n` cards from its discard pile into its deck."""

    SHAPE = ("player", "int")
    player: str
    n: int


class Download(Word, frozen=True):
    """The owner takes a card with this id, or of this type, from deck or hand and plays it here at once."""

    SHAPE = ("query",)
    card: str
    type: str = ""


class Tournament(Word, frozen=True):
    """Run a tournament here."""


class Drinking(Word, frozen=True):
    """Run a drinking session here."""


class Enter(Word, frozen=True):
    """W has to, or may not, enter a subgame here."""

    SHAPE = ("target", "must", "game")
    w: Target
    how: str
    game: Game


class Reroll(Word, frozen=True):
    """W's tournament die is rolled again."""

    SHAPE = ("target",)
    w: Target


class Buff(Word, frozen=True):
    """A stat (or `every_stat`) of W is `n` higher."""

    SHAPE = ("target", "stats", "int")
    w: Target
    stat: str
    n: int


class Grant(Word, frozen=True):
    """W has a skill `n` times more."""

    SHAPE = ("target", "skill", "int")
    w: Target
    skill: str
    n: int


class Pace(Word, frozen=True):
    """The drinking pace here is `n` higher."""

    SHAPE = ("int",)
    n: int


class Fee(Word, frozen=True):
    """A move from here of a group with any of W in it costs `n` more; `move_town`: to another town only."""

    SHAPE = ("target", "move", "int")
    w: Target
    move: str
    n: int


class Bar(Word, frozen=True):
    """No such subgame can be started here."""

    SHAPE = ("game",)
    game: Game


class Immune(Word, frozen=True):
    """The chula with this id does nothing to W."""

    SHAPE = ("target", "card")
    w: Target
    card: str


class Cancel(Word, frozen=True):
    """The card that opened the window has no effect."""

    SHAPE = ("trig",)
    trig: str


class May(Word, frozen=True):
    """A player may do all of this, or none."""

    SHAPE = ("player", "op*")
    player: str
    ops: tuple["Op", ...]


class Check(Word, frozen=True):
    """One op if the condition holds, else another."""

    SHAPE = ("condition", "op", "op")
    k: Condition
    yes: "Op"
    no: "Op"


class Ladder(Word, frozen=True):
    """The op of the highest rung that the value reaches."""

    SHAPE = ("value", "rungs")
    v: Value
    rungs: tuple[tuple[int, "Op"], ...]


Modifier = Buff | Grant | Pace | Fee | Bar | Immune | Enter
Op = (
    Go
    | Stop
    | Free
    | Wake
    | Attach
    | Stay
    | Discard
    | Move
    | Score
    | Draw
    | Drop
    | Sift
    | Recycle
    | Download
    | Tournament
    | Drinking
    | Enter
    | Reroll
    | Pace
    | Cancel
    | May
    | Check
    | Ladder
)


# Rules: when a card works (2.1).


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

CONDITIONS: tuple[type[Word], ...] = (At, Ge, Lt, Once, Won)
VALUES: tuple[type[Word], ...] = (Count, Total)
TARGETS: tuple[type[Word], ...] = (Pick, Rand, Best, Only, Below, On)
MODIFIERS: tuple[type[Word], ...] = (Buff, Grant, Pace, Fee, Bar, Immune, Enter)
OPS: tuple[type[Word], ...] = (
    *(Go, Stop, Free, Wake, Attach, Stay, Discard, Move, Score, Draw, Drop, Sift, Recycle, Download, Tournament),
    *(Drinking, Enter, Reroll, Pace, Cancel, May, Check, Ladder),
)
RULES: tuple[type[Word], ...] = (Play, Act, Dl, During, Start, End, Zero, Chula, Reply, After)
