"""What card texts do, and what they hold up while a card is in play (cards, 2.4)."""

from typing import Literal

from games.host_tournament.ops.targets import Condition, Target, Value, Word

Game = Literal["tournament", "drinking"]


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
