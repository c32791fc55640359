"""The effects: what is recorded of a game, and how it changes the state (specification, 4.13).

What the other seat has seen is taken back with its consent only: such effects tell everyone (section 9).
"""

from games.host_tournament.effects import board as b
from games.host_tournament.effects import plays as p
from games.host_tournament.effects import subgames as g
from games.host_tournament.effects import turns as t

HostEffect = (
    t.ThrowSealed
    | t.ThrowsRevealed
    | t.FirstSeatDrawn
    | t.PlacesAsked
    | t.DeckSearched
    | t.DeckShuffled
    | t.CardsDrawn
    | t.TurnBegan
    | t.StopsReduced
    | t.ActionPaid
    | t.ActionCompleted
    | t.TurnEndDeclared
    | t.CountedDown
    | t.CountdownFinished
    | t.PointsScored
    | t.RollOff
    | t.GameEnded
    | t.AutoPassSet
    | t.Passed
    | t.WindowOpened
    | t.WindowClosed
    | p.CardAnnounced
    | p.AbilityAnnounced
    | p.SpecialUsed
    | p.FolderSorted
    | p.RuleUsed
    | p.RuleFired
    | p.CardNullified
    | p.CardFizzled
    | p.CardEntered
    | p.PlaceOpened
    | p.PlaceStacked
    | p.CardDiscarded
    | p.PersonaSwapped
    | p.CardChosen
    | p.CardDropped
    | p.CardsRecycled
    | p.RandomPicked
    | b.GroupFormed
    | b.LeftBehind
    | b.MoveAnnounced
    | b.GroupArrived
    | b.MoveFailed
    | b.Stopped
    | b.Freed
    | b.EnteredStasis
    | b.LeftStasis
    | b.Displaced
    | b.IconChosen
    | g.SubgameBegan
    | g.EntryForced
    | g.EntrySealed
    | g.EntrantsRevealed
    | g.DiceRolled
    | g.DieRerolled
    | g.TieShuffled
    | g.OrderMade
    | g.PaceRolled
    | g.PaceChanged
    | g.PaceSet
    | g.Eliminated
    | g.SubgameEnded
)
