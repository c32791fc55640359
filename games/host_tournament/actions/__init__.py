"""The actions: what may be asked for, why not, and what comes of it (specification, 4.2 and 4.3)."""

from games.host_tournament.actions import answers as a
from games.host_tournament.actions import free as f
from games.host_tournament.actions import setup as s
from games.host_tournament.actions import turn as t
from games.host_tournament.actions import windows as w
from games.host_tournament.passing import Pass
from games.kernel import Resign

AnyAction = (
    s.Throw
    | s.ChooseStartPlace
    | t.PlayCard
    | t.MoveGroup
    | t.UseAbility
    | t.SortFolder
    | f.SpecialDownload
    | f.SwapPersona
    | t.EndTurn
    | w.PlayInterrupt
    | w.PlayChula
    | Pass
    | w.SetAutoPass
    | a.LeaveBehind
    | a.SetOff
    | a.Choose
    | a.ChooseNone
    | a.ChoosePlace
    | a.ChooseIcon
    | a.ChooseEntrants
    | a.ArrangeTies
    | Resign
)
