"""What the game still has to do, and whom it asks (specification, 4.1)."""

from games.world_war_zed.steps.event import ChooseEventTarget, EventFreeMove, EventOp, EventPhase
from games.world_war_zed.steps.player import (
    ChooseBreakthrough,
    EndOfTurn,
    PlayerAttack,
    PlayerBuild,
    PlayerMove,
    PlayerPhase,
    PlayerStrikes,
    PlayerTracks,
    ResearchRoll,
    RollPp,
    StartTurn,
)
from games.world_war_zed.steps.riots import AssignRiot, PlaceRiots, Relief, RiotCheck, RiotRelief
from games.world_war_zed.steps.zeds import Attack, March, ZedPhase

AnyStep = (
    StartTurn
    | EventPhase
    | EventOp
    | ChooseEventTarget
    | EventFreeMove
    | ZedPhase
    | March
    | Attack
    | PlayerPhase
    | ResearchRoll
    | ChooseBreakthrough
    | RiotCheck
    | PlaceRiots
    | AssignRiot
    | Relief
    | RiotRelief
    | RollPp
    | PlayerTracks
    | PlayerStrikes
    | PlayerBuild
    | PlayerMove
    | PlayerAttack
    | EndOfTurn
)

__all__ = [
    "AnyStep",
    "AssignRiot",
    "Attack",
    "ChooseBreakthrough",
    "ChooseEventTarget",
    "EndOfTurn",
    "EventFreeMove",
    "EventOp",
    "EventPhase",
    "March",
    "PlaceRiots",
    "PlayerAttack",
    "PlayerBuild",
    "PlayerMove",
    "PlayerPhase",
    "PlayerStrikes",
    "PlayerTracks",
    "Relief",
    "ResearchRoll",
    "RiotCheck",
    "RiotRelief",
    "RollPp",
    "StartTurn",
    "ZedPhase",
]
