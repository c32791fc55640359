"""What a seat can ask for (specification, 4.4 and 4.5)."""

from games.kernel import Resign
from games.portland_occupied_zone.actions.answers import (
    ChooseDisease,
    ChoosePoliceTarget,
    ChooseSlot,
    Pick,
    PickBack,
    PickCard,
    StopPaying,
    TakePillow,
)
from games.portland_occupied_zone.actions.bodies import SearchBody, StealFromBody, TakeTinPot, TransmitDisease
from games.portland_occupied_zone.actions.building import (
    ChooseType,
    GiveStructure,
    PlaceCommune,
    PlaceNpc,
    PlaceStructure,
    RemoveStructure,
)
from games.portland_occupied_zone.actions.burning import ClearGas, CommitArson, DestroyCamera, Extinguish
from games.portland_occupied_zone.actions.equipping import Equip, Unequip
from games.portland_occupied_zone.actions.fighting import Attack, AttackPolice, ChooseOutcome, CommitBricks
from games.portland_occupied_zone.actions.looting import ClaimPlan, CreateNpc, Discard, DumpsterDive, Loot
from games.portland_occupied_zone.actions.managing import (
    Distribute,
    EndManage,
    ExchangeStructures,
    ProposeRedraw,
    ReassignNpc,
    RecruitNpc,
)
from games.portland_occupied_zone.actions.moving import EndTurn, UseTunnel, Walk
from games.portland_occupied_zone.actions.pushing import PushDumpster
from games.portland_occupied_zone.actions.setup import ChooseCharacter, PlacePulpit
from games.portland_occupied_zone.actions.trading import (
    AcceptTrade,
    AddItem,
    AskItem,
    ChooseGiven,
    DeclineTrade,
    DropOffer,
    OfferTrade,
    SendOffer,
)
from games.portland_occupied_zone.actions.using import UseCard, UsePower, UseStructure
from games.portland_occupied_zone.actions.voting import CastVote, ChooseOption, StandFirm

AnyAction = (
    Pick
    | PickCard
    | StopPaying
    | PickBack
    | ChooseSlot
    | ChooseDisease
    | TakePillow
    | ChoosePoliceTarget
    | SearchBody
    | StealFromBody
    | TakeTinPot
    | TransmitDisease
    | ChooseType
    | PlaceStructure
    | PlaceCommune
    | RemoveStructure
    | GiveStructure
    | PlaceNpc
    | CommitArson
    | DestroyCamera
    | Extinguish
    | ClearGas
    | Equip
    | Unequip
    | Attack
    | AttackPolice
    | CommitBricks
    | ChooseOutcome
    | Loot
    | DumpsterDive
    | Discard
    | CreateNpc
    | ClaimPlan
    | ExchangeStructures
    | RecruitNpc
    | ReassignNpc
    | Distribute
    | ProposeRedraw
    | EndManage
    | Walk
    | UseTunnel
    | EndTurn
    | PushDumpster
    | ChooseCharacter
    | PlacePulpit
    | OfferTrade
    | AddItem
    | AskItem
    | SendOffer
    | DropOffer
    | AcceptTrade
    | DeclineTrade
    | ChooseGiven
    | UseCard
    | UsePower
    | UseStructure
    | CastVote
    | StandFirm
    | ChooseOption
    | Resign
)

__all__ = [
    "AcceptTrade",
    "AddItem",
    "AnyAction",
    "AskItem",
    "Attack",
    "AttackPolice",
    "CastVote",
    "ChooseCharacter",
    "ChooseDisease",
    "ChooseGiven",
    "ChooseOption",
    "ChooseOutcome",
    "ChoosePoliceTarget",
    "ChooseSlot",
    "ChooseType",
    "ClaimPlan",
    "ClearGas",
    "CommitArson",
    "CommitBricks",
    "CreateNpc",
    "DeclineTrade",
    "DestroyCamera",
    "Discard",
    "Distribute",
    "DropOffer",
    "DumpsterDive",
    "EndManage",
    "EndTurn",
    "Equip",
    "ExchangeStructures",
    "Extinguish",
    "GiveStructure",
    "Loot",
    "OfferTrade",
    "Pick",
    "PickBack",
    "PickCard",
    "PlaceCommune",
    "PlaceNpc",
    "PlacePulpit",
    "PlaceStructure",
    "ProposeRedraw",
    "PushDumpster",
    "ReassignNpc",
    "RecruitNpc",
    "RemoveStructure",
    "Resign",
    "SearchBody",
    "SendOffer",
    "StandFirm",
    "StealFromBody",
    "StopPaying",
    "TakePillow",
    "TakeTinPot",
    "TransmitDisease",
    "Unequip",
    "UseCard",
    "UsePower",
    "UseStructure",
    "UseTunnel",
    "Walk",
]
