"""The recorded facts of the game (specification, 4.12): set-up, cards, tiles, election."""

from games.tpoc.effects.cards import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    CardReplaced,
    PlatformCardDropped,
    PlatformCardLost,
    ReplacementDeclined,
    RivalAccused,
    SecretPlayed,
    TurnBegan,
    TurnSkipped,
)
from games.tpoc.effects.election import (
    AbstainersRemoved,
    BallotShuffled,
    ElectionBegan,
    GameEnded,
    SecretRevealed,
    SuddenDeathBegan,
    SuddenDeathTileDrawn,
    TieBroken,
    TileTurned,
    TileUnclaimed,
    TileWon,
)
from games.tpoc.effects.setup import (
    BagShuffled,
    CardsTakenOut,
    DeckShuffled,
    FirstPlayerChosen,
    HandDealt,
    MisdealShown,
    PlatformRevealed,
    SetupSealed,
    StartTilesDrawn,
    StartTilesPlaced,
    StartTilesReturned,
    StartTilesSetAside,
)
from games.tpoc.effects.tiles import (
    BagFoundEmpty,
    ChefDrawn,
    ChefFinished,
    LeaderAbstained,
    LeaderEndorsed,
    LeaderLeft,
    LeaderMoved,
    LeaderStayed,
    LunchDrawn,
    TileCulled,
    TileDrawn,
    TileEaten,
    TileKept,
    TilePlaced,
    TilePotted,
    TileRejected,
    TileRescued,
)

#: Every effect of this ruleset, without the kernel's own.
TpocEffect = (
    DeckShuffled
    | CardsTakenOut
    | HandDealt
    | BagShuffled
    | StartTilesDrawn
    | MisdealShown
    | StartTilesReturned
    | FirstPlayerChosen
    | SetupSealed
    | PlatformRevealed
    | StartTilesPlaced
    | StartTilesSetAside
    | TurnBegan
    | TurnSkipped
    | CardPlayed
    | PlatformCardDropped
    | SecretPlayed
    | RivalAccused
    | PlatformCardLost
    | CardReplaced
    | ReplacementDeclined
    | CardDiscarded
    | CardDrawn
    | TileDrawn
    | BagFoundEmpty
    | TilePlaced
    | TilePotted
    | TileEaten
    | TileRescued
    | TileCulled
    | LunchDrawn
    | TileKept
    | TileRejected
    | LeaderEndorsed
    | LeaderStayed
    | LeaderMoved
    | LeaderLeft
    | LeaderAbstained
    | ChefDrawn
    | ChefFinished
    | ElectionBegan
    | BallotShuffled
    | AbstainersRemoved
    | SecretRevealed
    | TileTurned
    | TieBroken
    | TileWon
    | TileUnclaimed
    | SuddenDeathBegan
    | SuddenDeathTileDrawn
    | GameEnded
)

__all__ = [
    "AbstainersRemoved",
    "BagFoundEmpty",
    "BagShuffled",
    "BallotShuffled",
    "CardDiscarded",
    "CardDrawn",
    "CardPlayed",
    "CardReplaced",
    "CardsTakenOut",
    "ChefDrawn",
    "ChefFinished",
    "DeckShuffled",
    "ElectionBegan",
    "FirstPlayerChosen",
    "GameEnded",
    "HandDealt",
    "LeaderAbstained",
    "LeaderEndorsed",
    "LeaderLeft",
    "LeaderMoved",
    "LeaderStayed",
    "LunchDrawn",
    "MisdealShown",
    "PlatformCardDropped",
    "PlatformCardLost",
    "PlatformRevealed",
    "ReplacementDeclined",
    "RivalAccused",
    "SecretPlayed",
    "SecretRevealed",
    "SetupSealed",
    "StartTilesDrawn",
    "StartTilesPlaced",
    "StartTilesReturned",
    "StartTilesSetAside",
    "SuddenDeathBegan",
    "SuddenDeathTileDrawn",
    "TieBroken",
    "TileCulled",
    "TileDrawn",
    "TileEaten",
    "TileKept",
    "TilePlaced",
    "TilePotted",
    "TileRejected",
    "TileRescued",
    "TileTurned",
    "TileUnclaimed",
    "TileWon",
    "TpocEffect",
    "TurnBegan",
    "TurnSkipped",
]
