"""Effects of attacks (specification, 4.6 to 4.8)."""

from typing import ClassVar

from games.block_mania.state import Side, State
from games.kernel import EVERYONE, Effect, Public


class AttackDeclared(Effect, frozen=True):
    """A blocker attacks an area, a square or a unit with a token (BM-SH-1); `mode` as in 4.6."""

    blocker: Public[str]
    type: Public[str]
    token: Public[str]
    mode: Public[str]
    square: Public[str]
    side: Public[Side]
    target: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: windows and dice follow."""


class AttackRolled(Effect, frozen=True):
    """A die against one target: a blocker, or the square or unit itself; `success` kills or damages (BM-SH-7).

    `cause` is shot, defensive_fire, h_wagon, explosion, demo, trip_mine, card, bounce, gas or fire.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    cause: Public[str]
    square: Public[str]
    die: Public[int]
    score: Public[int]
    success: Public[bool]
    blocker: Public[str | None] = None
    unit: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Nothing moves: what it does follows."""


class DefensiveFirePassed(Effect, frozen=True):
    """A seat is done with Defensive Fire."""

    seat: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves."""


class DemoChecked(Effect, frozen=True):
    """The die for a demo charge that a blocker carried when it was attacked: on 6 it explodes (BM-SH-11)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    blocker: Public[str]
    square: Public[str]
    die: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves yet."""


class HalfRolled(Effect, frozen=True):
    """The halved die for the number of damage tokens of a demo charge or missile (BM-3A-1, BM-SH-10)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    die: Public[int]
    n: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves: the tokens follow."""


class FireChosen(Effect, frozen=True):
    """How many Fire markers a flamer or Fire Bombs leave (BM-SH-9, BM-CA-3)."""

    seat: Public[int]
    blocker: Public[str | None]
    token: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves: the markers follow."""


class FightRolled(Effect, frozen=True):
    """A Close Assault: dice and totals of attacker and defender (their mains); `loser` dies (BM-CA-1)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    square: Public[str]
    attacker: Public[str]
    defender: Public[str]
    dice: Public[tuple[int, int]]
    totals: Public[tuple[int, int]]
    loser: Public[str | None]

    def fold(self, state: State) -> None:
        """Nothing moves: a death follows."""
