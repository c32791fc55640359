"""What a seat can ask for (specification, 4.3 to 4.9): set-up, main actions, answers."""

from games.kernel import Resign
from games.tpoc.actions.answers import BreakTie, ChefRemove, ChefStop, DeclineReplacement, KeepTile, ReplaceCard
from games.tpoc.actions.main import DrawCardAndTile, Lunch, PlayCard, PlaySecret, Rescue, SendToPot
from games.tpoc.actions.setup import ChooseSetup

AnyAction = (
    ChooseSetup
    | PlayCard
    | PlaySecret
    | DrawCardAndTile
    | SendToPot
    | Lunch
    | Rescue
    | KeepTile
    | ReplaceCard
    | DeclineReplacement
    | ChefRemove
    | ChefStop
    | BreakTie
    | Resign
)

__all__ = [
    "AnyAction",
    "BreakTie",
    "ChefRemove",
    "ChefStop",
    "ChooseSetup",
    "DeclineReplacement",
    "DrawCardAndTile",
    "KeepTile",
    "Lunch",
    "PlayCard",
    "PlaySecret",
    "ReplaceCard",
    "Rescue",
    "Resign",
    "SendToPot",
]
