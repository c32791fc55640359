"""Effects of turns, tracks and the end (specification, 4.10)."""

from typing import ClassVar, Literal

from games.kernel import EVERYONE, Effect, Outcome, Public
from games.world_war_zed.state import PlayerStep, Result, Spent, State, TurnMods

#: What comes after each of the steps that can be passed; after the last one the Turn ends.
NEXT: dict[str, PlayerStep | None] = {
    "tracks": "strikes",
    "strikes": "build",
    "build": "move",
    "move": "attack",
    "attack": None,
}


class GameSetUp(Effect, frozen=True):
    """The counters of a scenario were laid out (WWZ-1.3-01); random Zeds follow."""

    scenario: Public[str]

    def fold(self, state: State) -> None:
        """Nothing moves: a game is made with its scenario."""


class TurnStarted(Effect, frozen=True):
    """A Turn began, with the Random Event or (the first one) with Zed Phase 1 (WWZ-2-01, -02)."""

    turn: Public[int]
    phase: Public[Literal["event", "zed1"]]

    def fold(self, state: State) -> None:
        """The turn counter goes there."""
        state.turn = self.turn
        state.phase = self.phase
        state.step = None


class TurnEnded(Effect, frozen=True):
    """A Turn ended: PP are lost, and what held for this Turn holds no longer (WWZ-6.3-05)."""

    turn: Public[int]

    def fold(self, state: State) -> None:
        """Clear what belongs to the Turn."""
        state.tracks.pp = 0
        state.spent = Spent()
        state.turn_mods = TurnMods()
        state.step = None


class StepPassed(Effect, frozen=True):
    """A step of the Player Phase is over; `forced`: there was nothing (more) to do in it."""

    step: Public[str]
    forced: Public[bool] = False

    def fold(self, state: State) -> None:
        """On to the next step."""
        state.step = NEXT[self.step]


class TrackChanged(Effect, frozen=True, rename={"from_": "from"}):
    """A track moved; `why` is paid, bought, strike, research, breakthrough, relief or event."""

    name: Public[str]
    from_: Public[int]
    to: Public[int]
    why: Public[str]

    def fold(self, state: State) -> None:
        """The counter goes there; what was bought is not bought again this Turn."""
        setattr(state.tracks, self.name, self.to)
        if self.why == "bought":
            setattr(state.spent, self.name, True)


class PriorityChanged(Effect, frozen=True, rename={"from_": "from"}):
    """The order of Attack Priority changed; `die` is what chose it, if one did."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    from_: Public[tuple[str, ...]]
    to: Public[tuple[str, ...]]
    die: Public[int | None]

    def fold(self, state: State) -> None:
        """The three counters lie so."""
        state.tracks.priority = self.to


class PpRolled(Effect, frozen=True):
    """The Production Points of this Turn: raw dice, what an event adds, what is on the track (WWZ-6.3-01 to -04)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    dice: Public[tuple[int, ...]]
    mod: Public[int]
    pp: Public[int]

    def fold(self, state: State) -> None:
        """On the track; spending begins."""
        state.tracks.pp = self.pp
        state.phase = "player"
        state.step = "tracks"


class GameEnded(Effect, frozen=True):
    """The game is over; `cause` is no_cities, no_zeds, turn_limit or resigned (WWZ-7-01 to -12)."""

    result: Public[Literal["completed", "lost"]]
    cause: Public[str]
    score: Public[int]
    level: Public[str]
    breakdown: Public[dict[str, int]]

    def fold(self, state: State) -> None:
        """Note how it ended."""
        state.phase = "over"
        state.step = None
        state.result = Result(self.result, self.level, self.breakdown)
        state.outcome = Outcome((0,) if self.result == "completed" else (), (self.score,), (1,), self.cause)
