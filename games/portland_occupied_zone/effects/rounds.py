"""Effects of the round: its steps, the cards turned over, the battle, the end (specification, 4.3 and 9.1)."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Outcome, Public
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pieces import add_structure, drop_structure, end_modifiers, note
from games.portland_occupied_zone.state import RoundStep, State, TeachIn

PHASE_OF = {
    **dict.fromkeys(("ideology", "1.1", "1.2", "1.3", "1.4"), "teach_in"),
    **dict.fromkeys(("2.1", "2.2", "2.3", "2.4"), "police"),
    "turns": "turns",
}


class RoundStarted(Effect, frozen=True):
    """A round begins."""

    round: Public[int]

    def fold(self, state: State) -> None:
        """No building has hurt anybody yet (POZ-ARS-10)."""
        state.round = self.round
        state.turn_index = 0
        state.teach_in = TeachIn()
        for pc in state.pcs.values():
            pc.burned_by = []


class StepStarted(Effect, frozen=True):
    """A step of the round begins (4.3)."""

    step: Public[RoundStep]

    def fold(self, state: State) -> None:
        """The step tells the phase."""
        state.step = self.step
        state.phase = PHASE_OF[self.step]  # type: ignore[assignment] # one of the phases


class RoundEnded(Effect, frozen=True):
    """The last turn of the round is over."""

    round: Public[int]

    def fold(self, state: State) -> None:
        """What held for the round holds no more."""
        end_modifiers(state, "round")
        state.step = None


class AktionRevealed(Effect, frozen=True):
    """The top Aktion card is face up (POZ-RND-1.1); `aside`: it names what is not on the map (POZ-ALT-3)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]
    aside: Public[bool] = False

    def fold(self, state: State) -> None:
        """It is on the table until it is discarded; aside it is discarded at once."""
        state.decks.aktion.remove(self.card)
        if self.aside:
            state.decks.aktion_discard.append(self.card)
        else:
            state.aktion = self.card


class AktionDiscarded(Effect, frozen=True):
    """The Aktion card has been dealt with."""

    card: Public[str]

    def fold(self, state: State) -> None:
        """Onto its discard pile."""
        state.decks.aktion_discard.append(self.card)
        state.aktion = None


class NarrativeRevealed(Effect, frozen=True):
    """The top narrative is face up (POZ-RND-1.2); `aside`: it names what is not on the map (POZ-ALT-3)."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    card: Public[str]
    aside: Public[bool] = False

    def fold(self, state: State) -> None:
        """A plot drives out the one before it; everything else is out of play."""
        decks = state.decks
        decks.narrative.remove(self.card)
        decks.standard_left = max(0, decks.standard_left - 1)
        if self.aside or state.board.narratives[self.card].kind == "event":
            decks.narrative_out.append(self.card)
            return
        if state.plot is not None:
            decks.narrative_out.append(state.plot)
        state.plot = self.card


class Harvested(Effect, frozen=True):
    """A staffed farm brought in a card (POZ-RND-1.3)."""

    structure: Public[str]
    card: Public[str]

    def fold(self, state: State) -> None:
        """From Homebrew to the store."""
        state.decks.homebrew[self.card] -= 1
        state.decks.store.append(self.card)


class BattleStarted(Effect, frozen=True):
    """The Battle of Hawthorne begins: the acting Leader is Dictator, the courthouse is gone (BATTLE_START)."""

    dictator: Public[str]

    def fold(self, state: State) -> None:
        """No standard narrative is left; figures in the courthouse stand on their circles; the Pulpit is removed."""
        state.battle = True
        assert state.lead is not None
        state.lead.holder = self.dictator
        state.lead.token = "tin_pot"  # noqa: S105 no password
        decks = state.decks
        decks.narrative_out += decks.narrative[: decks.standard_left]
        del decks.narrative[: decks.standard_left]
        decks.standard_left = 0
        _remove_courthouse(state)
        for name in [name for name, thing in state.structures.items() if thing.type == "pulpit"]:
            drop_structure(state, name)


def _remove_courthouse(state: State) -> None:
    house = state.buildings[COURTHOUSE]
    state.supplies.arson += house.arson
    house.standing, house.arson = False, 0
    circles = state.board.buildings[COURTHOUSE].circles
    assert circles is not None
    for officer, circle in ((state.jackson, circles.jackson), (state.medic, circles.medic)):
        if officer.space == COURTHOUSE:
            officer.space = circle
    if state.medic.tending == COURTHOUSE:
        state.medic.tending = None


class CommunePlaced(Effect, frozen=True):
    """The Portland Commune stands (POZ-DIC-5)."""

    structure: Public[str]
    cells: Public[tuple[tuple[int, int], ...]]

    def fold(self, state: State) -> None:
        """Who was on its cells is inside."""
        add_structure(state, self.structure, "commune", self.cells)


class GameEnded(Effect, frozen=True):
    """The game is over: the Commune stands, or the police have it, or nobody lives, or all have resigned."""

    reason: Public[str]
    winners: Public[tuple[int, ...]]
    scores: Public[tuple[int, ...]]
    places: Public[tuple[int, ...]]

    def fold(self, state: State) -> None:
        """Nothing is owed any more."""
        state.phase, state.step = "over", None
        state.outcome = Outcome(self.winners, self.scores, self.places, self.reason)


class StructureUsed(Effect, frozen=True):
    """A character used a structure, once in its turn (POZ-TRN-11); `performed`: theater or poetry."""

    pc: Public[str]
    structure: Public[str]
    ability: Public[str]

    def fold(self, state: State) -> None:
        """Its use is up."""
        if state.turn is not None and state.turn.pc == self.pc:
            state.turn.used.append("structure")
        if self.ability == "perform":
            note(state, self.pc, "performed")


#: Every effect of this module.
RoundEffect = (
    RoundStarted
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
)
