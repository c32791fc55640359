"""The Player Phase, and the Turn around it (specification, 4.1)."""

from typing import Any, ClassVar

from games.kernel import Step, Table
from games.world_war_zed import legality
from games.world_war_zed.effects import PpRolled, ResearchRolled, StepPassed, TrackChanged, TurnEnded, TurnStarted
from games.world_war_zed.scoring import finished
from games.world_war_zed.state import State, d3
from games.world_war_zed.steps.event import EventPhase
from games.world_war_zed.steps.riots import RiotCheck
from games.world_war_zed.steps.zeds import ZedPhase

PP_MAX = 6  # WWZ-1.1-18


class StartTurn(Step, frozen=True):
    """The next Turn begins."""

    def run(self, table: Table[State]) -> None:
        """Move the counter and push the phases (WWZ-2-01, WWZ-7-04)."""
        table.emit(TurnStarted(table.state.turn + 1, "event"))
        push_phases(table, "event")


class PlayerPhase(Step, frozen=True):
    """Research, Riots, PP; then what PP are spent on (WWZ-6-01)."""

    def run(self, table: Table[State]) -> None:
        """In this order."""
        table.push(ResearchRoll(), RiotCheck(), RollPp())


class ResearchRoll(Step, frozen=True):
    """The roll for a breakthrough (WWZ-6.1-01)."""

    def run(self, table: Table[State]) -> None:
        """A success costs Research and gives a choice, if there is one (WWZ-6.1-02, WWZ-R23)."""
        state = table.state
        die, research = table.roll("research", 6), state.tracks.research
        table.emit(ResearchRolled(die, die <= research))
        if die <= research:
            table.emit(TrackChanged("research", research, research - die, "research"))
            if legality.breakthroughs(state):
                table.push(ChooseBreakthrough(seats=(0,)))


class ChooseBreakthrough(Step, frozen=True):
    """The player chooses what the research gave."""

    menu: ClassVar[tuple[str, ...]] = ("choose_breakthrough",)
    auto: ClassVar[bool] = True


class RollPp(Step, frozen=True):
    """The Production Points of the Turn, by its number (WWZ-6.3-01 to -03, WWZ-R15)."""

    def run(self, table: Table[State]) -> None:
        """Roll, and begin to spend."""
        state = table.state
        dice = tuple(table.roll("pp", 6) for _ in range(2 if state.turn > 2 else 1))
        mod = state.turn_mods.pp
        points = sum(map(d3, dice)) + (1 if state.turn == 2 else 0) + mod
        table.emit(PpRolled(dice, mod, max(0, min(PP_MAX, points))))
        go_on(table)


class _Spending(Step, frozen=True):
    """A step in which the player acts as often as it can, until it passes."""

    root: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Ask again while there is something to do, else go on to the next step."""
        go_on(table)


class PlayerTracks(_Spending, frozen=True):
    """PP for tracks (WWZ-6.4-01 to -03)."""

    menu: ClassVar[tuple[str, ...]] = ("raise_research", "raise_food", "change_defcon", "end_step", "end_turn")


class PlayerStrikes(_Spending, frozen=True):
    """PP for strikes (WWZ-6.5-01)."""

    menu: ClassVar[tuple[str, ...]] = ("air_strike", "nuclear_strike", "biochemical_strike", "end_step", "end_turn")


class PlayerBuild(_Spending, frozen=True):
    """PP for units and Forts (WWZ-6.6-01)."""

    menu: ClassVar[tuple[str, ...]] = ("build", "end_step", "end_turn")


class PlayerMove(_Spending, frozen=True):
    """PP for moves (WWZ-6.7-01)."""

    menu: ClassVar[tuple[str, ...]] = ("move_unit", "end_step", "end_turn")


class PlayerAttack(_Spending, frozen=True):
    """Attacks, which are free (WWZ-6.8-02)."""

    menu: ClassVar[tuple[str, ...]] = ("attack", "end_step", "end_turn")


class EndOfTurn(Step, frozen=True):
    """The Turn is over."""

    def run(self, table: Table[State]) -> None:
        """Clear what belongs to it; the game ends with Turn 10 (WWZ-7-01)."""
        table.emit(TurnEnded(table.state.turn))
        if not finished(table, turn_over=True):
            table.push(StartTurn())


DECISIONS: dict[str, type[_Spending]] = {
    "tracks": PlayerTracks,
    "strikes": PlayerStrikes,
    "build": PlayerBuild,
    "move": PlayerMove,
    "attack": PlayerAttack,
}


def go_on(table: Table[Any]) -> None:
    """Ask in the present step if there is something to do in it, else in the next one where there is (4.1)."""
    state = table.state
    while state.step is not None:
        if legality.anything(state, state.step):
            table.push(DECISIONS[state.step](seats=(0,)))
            return
        table.emit(StepPassed(state.step, forced=True))
    table.push(EndOfTurn())


def push_phases(table: Table[Any], phase: str) -> None:
    """The phases of the Turn from this one on."""
    phases = {"event": EventPhase(), "zed1": ZedPhase(phase=1), "zed2": ZedPhase(phase=2), "player": PlayerPhase()}
    names = list(phases)
    table.push(*(phases[name] for name in names[names.index(phase) :]))
