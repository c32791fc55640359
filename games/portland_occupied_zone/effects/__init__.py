"""The recorded facts of the game (specification, 9.1); the README lists them with who sees what."""

from games.portland_occupied_zone.effects.building import (
    ExchangeBegun,
    NpcKilled,
    NpcMoved,
    NpcPlaced,
    StructureDestroyed,
    StructureGiven,
    StructurePlaced,
    StructureRemoved,
    StructuresExchanged,
)
from games.portland_occupied_zone.effects.cards import (
    BodySearched,
    CardDiscarded,
    CardDropped,
    CardUsed,
    DiseaseContracted,
    DiseaseCured,
    DrugWoreOff,
    DumpsterDived,
    GarbageTaken,
    ItemGained,
    ItemsRobbed,
    ItemStolen,
    LootDrawn,
    LootMilled,
    PowerUsed,
    SlotChosen,
)
from games.portland_occupied_zone.effects.combat import (
    BricksDeclared,
    BricksThrown,
    CombatBegun,
    CombatDecided,
    OutcomeChosen,
)
from games.portland_occupied_zone.effects.fire import (
    ArsonAdded,
    Befouled,
    BuildingBurnt,
    CameraDestroyed,
    CameraRestored,
    Cleaned,
    DumpsterLit,
    DumpsterPushed,
    FireRemoved,
    Gassed,
)
from games.portland_occupied_zone.effects.governing import (
    GivenChosen,
    ItemAdded,
    ItemAsked,
    OfferBegun,
    OfferDropped,
    OptionChosen,
    Picked,
    PillowTaken,
    PlanClaimed,
    PlanDealt,
    PlansRedrawn,
    PotTaken,
    RedrawProposed,
    StoodFirm,
    TradeAnswered,
    TradeOffered,
    VoteBegun,
    VoteCast,
    VoteEnded,
)
from games.portland_occupied_zone.effects.people import (
    Arrested,
    Burned,
    CrapulenceChanged,
    DieRolled,
    Healed,
    Hurt,
    Killed,
    KnockedOut,
    ModifierGiven,
    StabilityChanged,
)
from games.portland_occupied_zone.effects.police import (
    CheckpointPlaced,
    CheckpointRemoved,
    CopDispatched,
    FigureAttacked,
    FigureDefeated,
    FigureMoved,
    FigurePut,
    FigureReturned,
    FigureStunned,
    MedicAttacked,
    MedicTends,
    StunEnded,
)
from games.portland_occupied_zone.effects.rounds import (
    AktionDiscarded,
    AktionRevealed,
    BattleStarted,
    CommunePlaced,
    GameEnded,
    Harvested,
    NarrativeRevealed,
    RoundEnded,
    RoundStarted,
    StepStarted,
    StructureUsed,
)
from games.portland_occupied_zone.effects.setup import (
    CharacterChosen,
    DeckShuffled,
    GameStarted,
    PulpitPlaced,
)
from games.portland_occupied_zone.effects.turns import (
    BricksChanged,
    BricksReplenished,
    Equipped,
    EquippingClosed,
    GasNoticed,
    Released,
    Relocated,
    Revived,
    Stepped,
    TurnEnded,
    TurnLost,
    TurnStarted,
    Unequipped,
)

#: Every effect of this ruleset, without the kernel's own.
PozEffect = (
    CharacterChosen
    | DeckShuffled
    | GameStarted
    | PulpitPlaced
    | RoundStarted
    | StepStarted
    | RoundEnded
    | AktionRevealed
    | AktionDiscarded
    | NarrativeRevealed
    | Harvested
    | BattleStarted
    | CommunePlaced
    | GameEnded
    | StructureUsed
    | TurnStarted
    | TurnLost
    | TurnEnded
    | Revived
    | Released
    | BricksReplenished
    | BricksChanged
    | EquippingClosed
    | Equipped
    | Unequipped
    | Stepped
    | Relocated
    | GasNoticed
    | Hurt
    | Burned
    | Healed
    | StabilityChanged
    | CrapulenceChanged
    | KnockedOut
    | Arrested
    | Killed
    | ModifierGiven
    | DieRolled
    | LootDrawn
    | GarbageTaken
    | ItemGained
    | CardUsed
    | DrugWoreOff
    | CardDiscarded
    | CardDropped
    | LootMilled
    | PowerUsed
    | DumpsterDived
    | DiseaseContracted
    | SlotChosen
    | DiseaseCured
    | ItemStolen
    | BodySearched
    | ItemsRobbed
    | VoteBegun
    | VoteCast
    | StoodFirm
    | VoteEnded
    | OptionChosen
    | Picked
    | PillowTaken
    | PotTaken
    | PlanDealt
    | PlanClaimed
    | RedrawProposed
    | PlansRedrawn
    | OfferBegun
    | ItemAdded
    | ItemAsked
    | OfferDropped
    | TradeOffered
    | GivenChosen
    | TradeAnswered
    | StructurePlaced
    | StructureRemoved
    | StructureDestroyed
    | ExchangeBegun
    | StructureGiven
    | StructuresExchanged
    | NpcPlaced
    | NpcMoved
    | NpcKilled
    | ArsonAdded
    | FireRemoved
    | BuildingBurnt
    | DumpsterLit
    | DumpsterPushed
    | CameraDestroyed
    | CameraRestored
    | Befouled
    | Gassed
    | Cleaned
    | BricksThrown
    | CombatBegun
    | BricksDeclared
    | CombatDecided
    | OutcomeChosen
    | FigureMoved
    | FigureAttacked
    | FigureDefeated
    | FigureReturned
    | FigurePut
    | FigureStunned
    | StunEnded
    | CopDispatched
    | CheckpointPlaced
    | CheckpointRemoved
    | MedicAttacked
    | MedicTends
)

__all__ = [
    "AktionDiscarded",
    "AktionRevealed",
    "Arrested",
    "ArsonAdded",
    "BattleStarted",
    "Befouled",
    "BodySearched",
    "BricksChanged",
    "BricksDeclared",
    "BricksReplenished",
    "BricksThrown",
    "BuildingBurnt",
    "Burned",
    "CameraDestroyed",
    "CameraRestored",
    "CardDiscarded",
    "CardDropped",
    "CardUsed",
    "CharacterChosen",
    "CheckpointPlaced",
    "CheckpointRemoved",
    "Cleaned",
    "CombatBegun",
    "CombatDecided",
    "CommunePlaced",
    "CopDispatched",
    "CrapulenceChanged",
    "DeckShuffled",
    "DieRolled",
    "DiseaseContracted",
    "DiseaseCured",
    "DrugWoreOff",
    "DumpsterDived",
    "DumpsterLit",
    "DumpsterPushed",
    "Equipped",
    "EquippingClosed",
    "ExchangeBegun",
    "FigureAttacked",
    "FigureDefeated",
    "FigureMoved",
    "FigurePut",
    "FigureReturned",
    "FigureStunned",
    "FireRemoved",
    "GameEnded",
    "GameStarted",
    "GarbageTaken",
    "GasNoticed",
    "Gassed",
    "GivenChosen",
    "Harvested",
    "Healed",
    "Hurt",
    "ItemAdded",
    "ItemAsked",
    "ItemGained",
    "ItemStolen",
    "ItemsRobbed",
    "Killed",
    "KnockedOut",
    "LootDrawn",
    "LootMilled",
    "MedicAttacked",
    "MedicTends",
    "ModifierGiven",
    "NarrativeRevealed",
    "NpcKilled",
    "NpcMoved",
    "NpcPlaced",
    "OfferBegun",
    "OfferDropped",
    "OptionChosen",
    "OutcomeChosen",
    "Picked",
    "PillowTaken",
    "PlanClaimed",
    "PlanDealt",
    "PlansRedrawn",
    "PotTaken",
    "PowerUsed",
    "PozEffect",
    "PulpitPlaced",
    "RedrawProposed",
    "Released",
    "Relocated",
    "Revived",
    "RoundEnded",
    "RoundStarted",
    "SlotChosen",
    "StabilityChanged",
    "StepStarted",
    "Stepped",
    "StoodFirm",
    "StructureDestroyed",
    "StructureGiven",
    "StructurePlaced",
    "StructureRemoved",
    "StructureUsed",
    "StructuresExchanged",
    "StunEnded",
    "TradeAnswered",
    "TradeOffered",
    "TurnEnded",
    "TurnLost",
    "TurnStarted",
    "Unequipped",
    "VoteBegun",
    "VoteCast",
    "VoteEnded",
]
