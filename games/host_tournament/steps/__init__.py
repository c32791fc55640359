"""The steps: what the game still has to do, and how each goes on by itself (specification, 4.1 and 4.2)."""

from games.host_tournament.steps import moving, ops, plays, settle, subgame, turns, windows

AnyStep = (
    turns.Throw
    | turns.AskPlaces
    | turns.StartPlace
    | turns.Deal
    | turns.BeginTurn
    | turns.MainAction
    | turns.Countdown
    | turns.Finish
    | turns.EndDraw
    | turns.NextTurn
    | windows.React
    | windows.Fire
    | plays.Resolve
    | plays.Leave
    | plays.Completed
    | plays.Freely
    | settle.Settle
    | settle.Displace
    | ops.Do
    | ops.CardChoice
    | ops.ChooseIcon
    | moving.Movers
    | moving.Arrive
    | subgame.Subgame
    | subgame.ForceEntry
    | subgame.Entry
    | subgame.Enter
    | subgame.Count
    | subgame.MakeOrder
    | subgame.ArrangeTies
    | subgame.Drink
    | subgame.EndSubgame
)
