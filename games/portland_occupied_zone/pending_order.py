"""What lies on what in an agenda (specification, 4.3): the rest of the round, and on it what each step pushes."""

from collections.abc import Mapping
from typing import Final

from games.kernel import Step
from games.portland_occupied_zone import all_steps as steps
from games.portland_occupied_zone.possible_round import in_set_up
from games.portland_occupied_zone.state import RoundStep, State
from games.portland_occupied_zone.steps.rounds import rest_of_round

Kinds = tuple[type[Step], ...]

#: What texts and mishaps ask for, wherever they happen.
BY_TEXTS: Final[Kinds] = (
    steps.Ops,
    steps.PlaceStructure,
    steps.PlacePopulation,
    steps.RemovePopulation,
    steps.PlaceNpcs,
    steps.Infections,
    steps.Cures,
    steps.CureChoice,
    steps.DiseaseSlot,
    steps.Defend,
    steps.RaiseCommune,
    steps.PlaceCommune,
)
#: What waits beneath while they happen.
RUNNING: Final[Kinds] = (
    steps.Ops,
    steps.Turn,
    steps.TurnOver,
    steps.DiscardAktion,
    steps.LeaderChoice,
    steps.ChooseOutcome,
    steps.AfterPush,
    steps.Infections,
    steps.Cures,
    steps.Defend,
    steps.Activate,
    steps.DiseaseSlot,
    steps.RaiseCommune,
    steps.Redraw,
    steps.FirstBricks,
)
FIGHTS: Final[Kinds] = (steps.Pursue, steps.Fight, steps.Shoot)
SET_UP: Final[Kinds] = (steps.LayOut, steps.AskForPulpit, steps.PlacePulpit)
#: What lies on the rest of the round in each of its steps; None: between two rounds.
LOWEST: Final[Mapping[RoundStep | None, Kinds]] = {
    None: (steps.RaiseCommune, steps.PlaceCommune),
    "ideology": BY_TEXTS,
    "1.1": (steps.DiscardAktion,),
    "1.2": BY_TEXTS,
    "1.4": (steps.ManagePoz,),
    "2.3": (steps.Activate, *FIGHTS, steps.Defend, steps.DiseaseSlot),
    "turns": (steps.AfterTurn, steps.TurnOver),
}
#: What everything else lies on.
BENEATH: Final[Mapping[type[Step], Kinds]] = {
    **dict.fromkeys(BY_TEXTS, RUNNING),
    steps.PlaceStructure: (*RUNNING, steps.ManagePoz),
    steps.ChooseCharacters: (steps.LayOut,),
    steps.ChooseCharacter: (steps.ChooseCharacters,),
    steps.FirstBricks: (steps.AskForPulpit,),
    steps.Vote: (steps.DiscardAktion, steps.ManagePoz),
    steps.LeaderChoice: (steps.DiscardAktion,),
    steps.Redraw: (steps.ManagePoz,),
    steps.Activate: (steps.Activate,),
    **dict.fromkeys(FIGHTS, (steps.Activate,)),
    steps.ChoosePoliceTarget: FIGHTS,
    steps.Turn: (steps.AfterTurn,),
    steps.AfterPush: (steps.Turn,),
    steps.Combat: (steps.Turn, steps.AfterPush, steps.Combat),
    steps.ChooseOutcome: (steps.Turn, steps.AfterPush),
    steps.TakePillow: (steps.Turn,),
    steps.PickBack: (steps.Turn,),
    steps.PayCards: (steps.Turn, steps.Ops),
    steps.BuildOffer: (steps.Turn, steps.Vote),
    steps.RespondTrade: (steps.BuildOffer,),
    steps.PayExchange: (steps.PlaceStructure,),
    steps.Pick: (steps.Ops,),
    steps.PickHandCard: (steps.Ops,),
}


def beginning(state: State) -> list[Step]:
    """In a game from its set-up on, the answered decision that the first round came of (4.2 step 6)."""
    return [] if in_set_up(state) else [step for step in state.agenda[:1] if step == steps.PlacePulpit()]


def root(state: State) -> list[Step]:
    """What is left of the round, the next of it on top; nothing in the set-up."""
    if in_set_up(state):
        return []
    if state.step == "turns":
        return [steps.EndRound(), steps.Turns(index=state.turn_index + 1)]
    rest = rest_of_round(state.step or "ideology")
    return rest[:0:-1] if state.step is not None else rest[::-1]


def lies_on(state: State, step: Step, beneath: Step | None) -> bool:
    """Whether a step can lie on another one; None: on what is left of the round."""
    if beneath is not None:
        return isinstance(beneath, BENEATH.get(type(step), ()))
    return isinstance(step, SET_UP if in_set_up(state) else LOWEST.get(state.step, ()))
