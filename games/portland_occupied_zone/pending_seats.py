"""Whom a decision on an agenda asks (specification, 4.1)."""

from typing import Final

from games.kernel import Step
from games.portland_occupied_zone import all_steps as steps
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.setup import next_chooser

#: Decisions of the Leader; of the seat of the character that they name.
LEADERS: Final = (
    steps.PlacePulpit,
    steps.PlaceStructure,
    steps.PlaceCommune,
    steps.PlacePopulation,
    steps.RemovePopulation,
    steps.PlaceNpcs,
    steps.PayExchange,
    steps.ChoosePoliceTarget,
    steps.ManagePoz,
    steps.LeaderChoice,
)
OWN: Final = (
    steps.DiseaseSlot,
    steps.TakePillow,
    steps.CureChoice,
    steps.PayCards,
    steps.PickBack,
    steps.Defend,
    steps.Turn,
)


def asked(state: State, step: Step, beneath: Step | None) -> int | None:
    """The one seat that a decision asks; None: it asks several, which is tested with what it needs."""
    if isinstance(step, LEADERS):
        return leader_seat(state)
    if isinstance(step, OWN):
        return state.seat_of(step.pc)
    match step:
        case steps.Pick() | steps.PickHandCard():
            assert isinstance(beneath, steps.Ops)
            return state.seat_of(beneath.me) if beneath.asked is None else beneath.asked
        case steps.ChooseCharacter():
            return next_chooser(state)
        case steps.BuildOffer() | steps.RespondTrade() if state.offer is not None:
            return state.seat_of(state.offer.pc if isinstance(step, steps.BuildOffer) else state.offer.to)
        case steps.ChooseOutcome() if state.combat is not None:
            return state.seat_of(state.combat.attacker)
    return None
