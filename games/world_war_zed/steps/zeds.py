"""The Zed Phases: burst, march leg by leg, attack (specification, 4.3 and 4.4). Nobody decides anything in them."""

from games.kernel import Public, Step, Table
from games.world_war_zed.board import Way
from games.world_war_zed.drawing import draw_region
from games.world_war_zed.effects import (
    BossEntered,
    BossGone,
    BossMoved,
    BurstRegionSelected,
    DirectionRolled,
    DzCrossed,
    GroupSplit,
    ZedPhaseEnded,
    ZedPhaseSkipped,
    ZedsLeftMap,
    ZedsMoved,
    ZedsPlaced,
)
from games.world_war_zed.fighting import boss_alone, fight, overrun
from games.world_war_zed.places import most_zeds, room, target
from games.world_war_zed.scoring import finished
from games.world_war_zed.state import State


class ZedPhase(Step, frozen=True):
    """Zed Phase 1 or 2: Zeds burst in a Region, then attack (in Phase 1, if they can) or move (WWZ-2-03 to -05)."""

    phase: Public[int]

    def run(self, table: Table[State]) -> None:
        """Select the Region, place the Zeds, push what they do."""
        state = table.state
        if self.phase == 2 and state.turn_mods.skip_zed2:
            table.emit(ZedPhaseSkipped(self.phase))
            return
        region = _select(table, self.phase)
        table.emit(ZedsPlaced(region, room(state, "zeds", _burst(state, self.phase)), f"zed{self.phase}"))
        if state.options.zed_boss == "on" and state.boss == "absent":
            table.emit(BossEntered(region))  # WWZ-ZB-01
        kind = target(state, region) if self.phase == 1 else None
        if kind is None:
            table.push(March(phase=self.phase, region=region))
        else:
            table.push(Attack(phase=self.phase, region=region, kind=kind))


class March(Step, frozen=True):
    """The Zeds of a Region split, and the larger half moves on (WWZ-4.3-04 to -11, WWZ-R5)."""

    phase: Public[int]
    region: Public[str]

    def run(self, table: Table[State]) -> None:
        """One leg: to the next Region with an attack or another leg there, or to the end of the phase."""
        state, region = table.state, self.region
        total = state.regions[region].zeds + (state.group.n if state.group is not None else 0)
        table.emit(GroupSplit(region, total, total - total // 2, total // 2))
        way = _direction(table, region)
        if way is None:
            _over(table, self.phase, "halted")  # WWZ-R3
            return
        to, zone = way
        if to in state.board.off_map:
            _leave(table, self.phase, region, to)
            return
        stopped = _cross(table, zone, region) if zone is not None else None
        if stopped is not None:
            _over(table, self.phase, stopped)
            return
        kind = target(state, to)
        _enter(table, region, to, attack=kind is not None)
        if kind is None:
            table.push(March(phase=self.phase, region=to))
        else:
            table.push(Attack(phase=self.phase, region=to, kind=kind))


class Attack(Step, frozen=True):
    """Zeds attack one Area of the Region where they are, and the phase is over (WWZ-4.2-24, WWZ-R8)."""

    phase: Public[int]
    region: Public[str]
    kind: Public[str]

    def run(self, table: Table[State]) -> None:
        """Fort, units, Refugees, the Area itself."""
        stopped = fight(table, f"{self.region}.{self.kind}", self.region)
        if stopped is None:
            overrun(table, self.region, self.kind)
        _over(table, self.phase, stopped or "attack")


def _select(table: Table[State], phase: int) -> str:
    """The Region of the burst (WWZ-4.1-01 to -03, WWZ-ZB-02)."""
    state = table.state
    if phase == 1 and state.boss_at is not None:
        table.emit(BurstRegionSelected(phase, state.boss_at, (), None))
        return state.boss_at
    tied = most_zeds(state)
    region = table.pick("burst_region", tied) if tied else draw_region(table)
    draw = tied.index(region) + 1 if len(tied) > 1 else None
    table.emit(BurstRegionSelected(phase, region, tied, draw))
    return region


def _burst(state: State, phase: int) -> int:
    if phase == 2:
        return state.tracks.burst_min  # WWZ-5-02
    mods = state.turn_mods
    return (state.tracks.burst_min if mods.zed1_use_min else state.tracks.burst_max) + mods.zed1_extra


def _direction(table: Table[State], region: str) -> Way | None:
    """Roll until a face matches; None if the option says that a miss halts the group (WWZ-R3)."""
    faces = table.state.board.faces[region]
    while True:
        die = table.roll("direction", 6)
        way = faces[die]
        table.emit(DirectionRolled(region, die, way[0] if way is not None else None))
        if way is not None or table.state.options.unmatched_roll == "halt":
            return way


def _cross(table: Table[State], zone: str, region: str) -> str | None:
    """Through a Defensive Zone: terrain, then who is in it; why the group was stopped, if it was (WWZ-4.3-08)."""
    state = table.state
    assert state.group is not None
    size, die = state.group.n, table.roll("terrain", 6)
    held = min(die, size)
    table.emit(DzCrossed(zone, die, held, size - held))
    return "held" if held == size else fight(table, f"DZ.{zone}", region)


def _enter(table: Table[State], region: str, to: str, *, attack: bool) -> None:
    state = table.state
    assert state.group is not None
    joins = attack and state.options.arrival_attack == "all_in_region"  # WWZ-R4
    boss = state.group.boss
    table.emit(ZedsMoved(region, to, state.group.n, state.regions[to].zeds if joins else 0))
    if boss:
        table.emit(BossMoved(region, to))


def _leave(table: Table[State], phase: int, region: str, to: str) -> None:
    state = table.state
    assert state.group is not None
    boss = state.group.boss
    table.emit(ZedsLeftMap(region, to, state.group.n))
    if boss:
        table.emit(BossGone(to))  # WWZ-ZB-07
    _over(table, phase, "left_map")


def _over(table: Table[State], phase: int, reason: str) -> None:
    """The phase is over, and the game may be (WWZ-7-02, -03)."""
    if reason == "eliminated":
        boss_alone(table)  # WWZ-ZB-05
    table.emit(ZedPhaseEnded(phase, reason))
    finished(table)
