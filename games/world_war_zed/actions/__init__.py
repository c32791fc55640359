"""What the player can ask for (specification, 4.2): answers, spending, moving, attacking."""

from games.kernel import Resign
from games.world_war_zed.actions.answers import (
    AssignRiot,
    ChooseBreakthrough,
    ChooseEventTarget,
    DeclineEvent,
    DeclineRelief,
    EventMoveUnit,
    FeedRioters,
)
from games.world_war_zed.actions.moving import Attack, MoveUnit
from games.world_war_zed.actions.paying import EndStep, EndTurn
from games.world_war_zed.actions.spending import (
    AirStrike,
    BiochemicalStrike,
    Build,
    ChangeDefcon,
    NuclearStrike,
    RaiseFood,
    RaiseResearch,
)

AnyAction = (
    ChooseEventTarget
    | EventMoveUnit
    | DeclineEvent
    | ChooseBreakthrough
    | AssignRiot
    | FeedRioters
    | DeclineRelief
    | RaiseResearch
    | RaiseFood
    | ChangeDefcon
    | AirStrike
    | NuclearStrike
    | BiochemicalStrike
    | Build
    | MoveUnit
    | Attack
    | EndStep
    | EndTurn
    | Resign
)

__all__ = [
    "AirStrike",
    "AnyAction",
    "AssignRiot",
    "Attack",
    "BiochemicalStrike",
    "Build",
    "ChangeDefcon",
    "ChooseBreakthrough",
    "ChooseEventTarget",
    "DeclineEvent",
    "DeclineRelief",
    "EndStep",
    "EndTurn",
    "EventMoveUnit",
    "FeedRioters",
    "MoveUnit",
    "NuclearStrike",
    "RaiseFood",
    "RaiseResearch",
    "Resign",
]
