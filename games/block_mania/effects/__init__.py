"""The recorded facts of the game (specification, 9.1); README.md has their fields, readers and what they reveal."""

from games.block_mania.effects.blocks import (
    ArsonRolled,
    BlockCollapsed,
    CatastropheChecked,
    CatastropheRolled,
    DamageAdded,
    Exploded,
    FireAdded,
    FireChecked,
    FireLost,
    FireRemoved,
    FireSpread,
    GasReleased,
    Looted,
    LootRolled,
    PedwaySevered,
    PowerSet,
    Scrawled,
    SquareCollapsed,
    VirusChecked,
    VirusMoved,
    VirusReleased,
)
from games.block_mania.effects.cards import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CarMoved,
    CarPlaced,
    EndgameStarted,
    JusticePlayed,
    JusticeReshuffled,
    RemovalRolled,
    Screened,
    UnitFired,
    UnitPlaced,
    UnitRemoved,
    WindowOpened,
    WindowPassed,
)
from games.block_mania.effects.combat import (
    AttackDeclared,
    AttackRolled,
    DefensiveFirePassed,
    DemoChecked,
    FightRolled,
    FireChosen,
    HalfRolled,
)
from games.block_mania.effects.command import (
    ActivationEnded,
    ActivationStarted,
    BlockerDeployed,
    BlockerFlagged,
    BlockerFlipped,
    BlockerKilled,
    BlockerMoved,
    BlockerPinned,
    BlockerRemoved,
    CommandRolled,
    ControlTaken,
    ElevatorAnswered,
    MpBought,
    MpSpent,
    PointsLost,
    SwingRolled,
    TurnFlagSet,
)
from games.block_mania.effects.equipment import (
    DrawUsed,
    EquipmentDeployed,
    EquipmentDrawn,
    EquipmentGiven,
    EquipmentReturned,
    EquipmentShown,
    TokenDropped,
    TokenInspected,
    TokenRemoved,
    TokenTaken,
    TrapSprung,
)
from games.block_mania.effects.setup import (
    BlockChosen,
    BlockerDrawn,
    BlockerPlaced,
    BlockersFreed,
    BlockersUnflipped,
    GameOver,
    GameStarted,
    PhaseStarted,
    TurnEnded,
    TurnStarted,
)

#: Every effect of this ruleset, without the kernel's own.
BlockEffect = (
    GameStarted
    | BlockChosen
    | BlockerDrawn
    | BlockerPlaced
    | PhaseStarted
    | TurnStarted
    | TurnEnded
    | BlockersUnflipped
    | BlockersFreed
    | GameOver
    | CommandRolled
    | PointsLost
    | BlockerDeployed
    | ActivationStarted
    | ActivationEnded
    | MpBought
    | MpSpent
    | BlockerMoved
    | BlockerPinned
    | BlockerFlagged
    | BlockerKilled
    | BlockerRemoved
    | BlockerFlipped
    | ControlTaken
    | TurnFlagSet
    | ElevatorAnswered
    | SwingRolled
    | EquipmentDrawn
    | EquipmentReturned
    | EquipmentGiven
    | EquipmentDeployed
    | EquipmentShown
    | DrawUsed
    | TokenDropped
    | TokenInspected
    | TokenTaken
    | TokenRemoved
    | TrapSprung
    | CardDrawn
    | CardPlayed
    | JusticePlayed
    | CardDiscarded
    | WindowOpened
    | Screened
    | WindowPassed
    | EndgameStarted
    | JusticeReshuffled
    | RemovalRolled
    | UnitPlaced
    | UnitFired
    | UnitRemoved
    | CarPlaced
    | CarMoved
    | AttackDeclared
    | AttackRolled
    | DefensiveFirePassed
    | DemoChecked
    | HalfRolled
    | FireChosen
    | FightRolled
    | FireAdded
    | FireRemoved
    | FireSpread
    | FireLost
    | FireChecked
    | DamageAdded
    | SquareCollapsed
    | PedwaySevered
    | Exploded
    | LootRolled
    | Looted
    | ArsonRolled
    | Scrawled
    | VirusReleased
    | VirusChecked
    | VirusMoved
    | GasReleased
    | PowerSet
    | CatastropheRolled
    | CatastropheChecked
    | BlockCollapsed
)

__all__ = [
    "ActivationEnded",
    "ActivationStarted",
    "ArsonRolled",
    "AttackDeclared",
    "AttackRolled",
    "BlockChosen",
    "BlockCollapsed",
    "BlockEffect",
    "BlockerDeployed",
    "BlockerDrawn",
    "BlockerFlagged",
    "BlockerFlipped",
    "BlockerKilled",
    "BlockerMoved",
    "BlockerPinned",
    "BlockerPlaced",
    "BlockerRemoved",
    "BlockersFreed",
    "BlockersUnflipped",
    "CarMoved",
    "CarPlaced",
    "CardDiscarded",
    "CardDrawn",
    "CardPlayed",
    "CatastropheChecked",
    "CatastropheRolled",
    "CommandRolled",
    "ControlTaken",
    "DamageAdded",
    "DefensiveFirePassed",
    "DemoChecked",
    "DrawUsed",
    "ElevatorAnswered",
    "EndgameStarted",
    "EquipmentDeployed",
    "EquipmentDrawn",
    "EquipmentGiven",
    "EquipmentReturned",
    "EquipmentShown",
    "Exploded",
    "FightRolled",
    "FireAdded",
    "FireChecked",
    "FireChosen",
    "FireLost",
    "FireRemoved",
    "FireSpread",
    "GameOver",
    "GameStarted",
    "GasReleased",
    "HalfRolled",
    "JusticePlayed",
    "JusticeReshuffled",
    "LootRolled",
    "Looted",
    "MpBought",
    "MpSpent",
    "PedwaySevered",
    "PhaseStarted",
    "PointsLost",
    "PowerSet",
    "RemovalRolled",
    "Scrawled",
    "Screened",
    "SquareCollapsed",
    "SwingRolled",
    "TokenDropped",
    "TokenInspected",
    "TokenRemoved",
    "TokenTaken",
    "TrapSprung",
    "TurnEnded",
    "TurnFlagSet",
    "TurnStarted",
    "UnitFired",
    "UnitPlaced",
    "UnitRemoved",
    "VirusChecked",
    "VirusMoved",
    "VirusReleased",
    "WindowOpened",
    "WindowPassed",
]
