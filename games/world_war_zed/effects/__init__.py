"""The recorded facts of the game (specification, 4.10): turns, events, Zeds, combat, the Player Phase."""

from games.world_war_zed.effects.combat import (
    CityDestroyed,
    DzCrossed,
    FarmDestroyed,
    FortAssaulted,
    RefugeesOverrun,
    UnitAssaulted,
)
from games.world_war_zed.effects.events import (
    AreaRemoved,
    EffectApplied,
    EffectSkipped,
    EventTargetChosen,
    RandomEventRolled,
    TurnModified,
    UnitPlaced,
    UnitRecovered,
    UnitRemoved,
)
from games.world_war_zed.effects.player import (
    BreakthroughChosen,
    FortBuilt,
    FortRemoved,
    ResearchRolled,
    RiotPlaced,
    RiotRemoved,
    RiotsCounted,
    StrikeResolved,
    UnitBuilt,
    UnitMoved,
    ZedsAttacked,
)
from games.world_war_zed.effects.turns import (
    GameEnded,
    GameSetUp,
    PpRolled,
    PriorityChanged,
    StepPassed,
    TrackChanged,
    TurnEnded,
    TurnStarted,
)
from games.world_war_zed.effects.zeds import (
    BossEntered,
    BossGone,
    BossMoved,
    BossSlain,
    BurstRegionSelected,
    DirectionRolled,
    GroupSplit,
    RegionDrawn,
    ZedPhaseEnded,
    ZedPhaseSkipped,
    ZedsLeftMap,
    ZedsMoved,
    ZedsPlaced,
    ZedsRemoved,
)

#: Every effect of this ruleset, without the kernel's own.
ZedEffect = (
    GameSetUp
    | TurnStarted
    | TurnEnded
    | StepPassed
    | TrackChanged
    | PriorityChanged
    | PpRolled
    | GameEnded
    | RandomEventRolled
    | EffectApplied
    | EffectSkipped
    | EventTargetChosen
    | TurnModified
    | UnitPlaced
    | UnitRemoved
    | UnitRecovered
    | AreaRemoved
    | RegionDrawn
    | BurstRegionSelected
    | ZedPhaseSkipped
    | ZedsPlaced
    | ZedsRemoved
    | GroupSplit
    | DirectionRolled
    | ZedsMoved
    | ZedsLeftMap
    | ZedPhaseEnded
    | BossEntered
    | BossMoved
    | BossSlain
    | BossGone
    | DzCrossed
    | FortAssaulted
    | UnitAssaulted
    | RefugeesOverrun
    | FarmDestroyed
    | CityDestroyed
    | ResearchRolled
    | BreakthroughChosen
    | RiotsCounted
    | RiotPlaced
    | RiotRemoved
    | FortRemoved
    | StrikeResolved
    | UnitBuilt
    | FortBuilt
    | UnitMoved
    | ZedsAttacked
)

__all__ = [
    "AreaRemoved",
    "BossEntered",
    "BossGone",
    "BossMoved",
    "BossSlain",
    "BreakthroughChosen",
    "BurstRegionSelected",
    "CityDestroyed",
    "DirectionRolled",
    "DzCrossed",
    "EffectApplied",
    "EffectSkipped",
    "EventTargetChosen",
    "FarmDestroyed",
    "FortAssaulted",
    "FortBuilt",
    "FortRemoved",
    "GameEnded",
    "GameSetUp",
    "GroupSplit",
    "PpRolled",
    "PriorityChanged",
    "RandomEventRolled",
    "RefugeesOverrun",
    "RegionDrawn",
    "ResearchRolled",
    "RiotPlaced",
    "RiotRemoved",
    "RiotsCounted",
    "StepPassed",
    "StrikeResolved",
    "TrackChanged",
    "TurnEnded",
    "TurnModified",
    "TurnStarted",
    "UnitAssaulted",
    "UnitBuilt",
    "UnitMoved",
    "UnitPlaced",
    "UnitRecovered",
    "UnitRemoved",
    "ZedEffect",
    "ZedPhaseEnded",
    "ZedPhaseSkipped",
    "ZedsAttacked",
    "ZedsLeftMap",
    "ZedsMoved",
    "ZedsPlaced",
    "ZedsRemoved",
]
