"""What the game still has to do, and whom it asks (specification, 4.1 and 4.3)."""

from games.portland_occupied_zone.frames import (
    ChooseCharacter,
    ChoosePoliceTarget,
    DiseaseSlot,
    Pick,
    PickHandCard,
    PlaceCommune,
    PlacePulpit,
    PlaceStructure,
    TakePillow,
)
from games.portland_occupied_zone.steps.police import Activate, DeployGas, Dispatch, MovePolice
from games.portland_occupied_zone.steps.pursuing import Pursue
from games.portland_occupied_zone.steps.pushing import AfterPush
from games.portland_occupied_zone.steps.rounds import (
    Aktion,
    ClearGas,
    EndRound,
    Harvest,
    Ideology,
    Manage,
    ManagePoz,
    Narrative,
    PoliceStep,
    StartRound,
    Turns,
)
from games.portland_occupied_zone.steps.setup import AskForPulpit, ChooseCharacters, FirstBricks, LayOut, Shuffled
from games.portland_occupied_zone.steps.texts import Ops
from games.portland_occupied_zone.steps.trading import BuildOffer, RespondTrade
from games.portland_occupied_zone.steps.turns import AfterTurn, TakeTurn, Turn, TurnOver
from games.portland_occupied_zone.steps.voting import DiscardAktion, LeaderChoice, Redraw, Vote
from games.portland_occupied_zone.tasks.battle import RaiseCommune, StartBattle
from games.portland_occupied_zone.tasks.building import (
    PayExchange,
    PayPrice,
    PlaceNpcs,
    PlacePopulation,
    PlaceSomeNpcs,
    Populate,
    RemovePopulation,
    Shed,
)
from games.portland_occupied_zone.tasks.curing import CureChoice, Cures, Infections, PayCards, PickBack
from games.portland_occupied_zone.tasks.fighting import ChooseOutcome, Combat, Defend
from games.portland_occupied_zone.tasks.targets import Fight, Shoot

AnyStep = (
    ChooseCharacter
    | PlacePulpit
    | PlaceStructure
    | PlaceCommune
    | DiseaseSlot
    | TakePillow
    | ChoosePoliceTarget
    | Pick
    | PickHandCard
    | StartBattle
    | RaiseCommune
    | Populate
    | PlacePopulation
    | Shed
    | RemovePopulation
    | PlaceSomeNpcs
    | PlaceNpcs
    | PayPrice
    | PayExchange
    | Infections
    | Cures
    | CureChoice
    | PayCards
    | PickBack
    | Combat
    | ChooseOutcome
    | Defend
    | DeployGas
    | MovePolice
    | Activate
    | Pursue
    | Fight
    | Shoot
    | Dispatch
    | AfterPush
    | StartRound
    | Ideology
    | Aktion
    | Narrative
    | Harvest
    | Manage
    | ManagePoz
    | ClearGas
    | PoliceStep
    | Turns
    | EndRound
    | ChooseCharacters
    | LayOut
    | FirstBricks
    | AskForPulpit
    | Shuffled
    | Ops
    | BuildOffer
    | RespondTrade
    | TakeTurn
    | Turn
    | AfterTurn
    | TurnOver
    | Vote
    | LeaderChoice
    | DiscardAktion
    | Redraw
)

__all__ = [
    "Activate",
    "AfterPush",
    "AfterTurn",
    "Aktion",
    "AnyStep",
    "AskForPulpit",
    "BuildOffer",
    "ChooseCharacter",
    "ChooseCharacters",
    "ChooseOutcome",
    "ChoosePoliceTarget",
    "ClearGas",
    "Combat",
    "CureChoice",
    "Cures",
    "Defend",
    "DeployGas",
    "DiscardAktion",
    "DiseaseSlot",
    "Dispatch",
    "EndRound",
    "Fight",
    "FirstBricks",
    "Harvest",
    "Ideology",
    "Infections",
    "LayOut",
    "LeaderChoice",
    "Manage",
    "ManagePoz",
    "MovePolice",
    "Narrative",
    "Ops",
    "PayCards",
    "PayExchange",
    "PayPrice",
    "Pick",
    "PickBack",
    "PickHandCard",
    "PlaceCommune",
    "PlaceNpcs",
    "PlacePopulation",
    "PlacePulpit",
    "PlaceSomeNpcs",
    "PlaceStructure",
    "PoliceStep",
    "Populate",
    "Pursue",
    "RaiseCommune",
    "Redraw",
    "RemovePopulation",
    "RespondTrade",
    "Shed",
    "Shoot",
    "Shuffled",
    "StartBattle",
    "StartRound",
    "TakePillow",
    "TakeTurn",
    "Turn",
    "TurnOver",
    "Turns",
    "Vote",
]
