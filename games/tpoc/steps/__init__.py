"""What the game still has to do (specification, 4.1 and 4.2): turns, tiles, the election."""

from games.tpoc.steps.election import BreakTie, CountBallot, Election, Finish, SuddenDeath
from games.tpoc.steps.tiles import ChefCull, KeepTile, ReplaceCard, ResolveTile
from games.tpoc.steps.turns import BeginTurn, ChooseSetup, EndTurn, MainAction

AnyStep = (
    ChooseSetup
    | BeginTurn
    | MainAction
    | EndTurn
    | ResolveTile
    | ReplaceCard
    | KeepTile
    | ChefCull
    | Election
    | CountBallot
    | BreakTie
    | Finish
    | SuddenDeath
)

__all__ = [
    "AnyStep",
    "BeginTurn",
    "BreakTie",
    "ChefCull",
    "ChooseSetup",
    "CountBallot",
    "Election",
    "EndTurn",
    "Finish",
    "KeepTile",
    "MainAction",
    "ReplaceCard",
    "ResolveTile",
    "SuddenDeath",
]
