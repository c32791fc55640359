"""Effects of the set-up, and shuffles (specification, 4.2 and 9.1)."""

from typing import ClassVar

from games.kernel import EVERYONE, Effect, Hidden, Public
from games.portland_occupied_zone.cards import SLOTS_OF
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.pieces import add_structure
from games.portland_occupied_zone.state import Lead, Pc, Slots, State


class CharacterChosen(Effect, frozen=True):
    """A seat plays this character (POZ-SET-4.1); it is at work, its personal effect equipped (POZ-SET-4.2 to -4.6)."""

    seat: Public[int]
    pc: Public[str]

    def fold(self, state: State) -> None:
        """The board is laid out; the disease that it starts with leaves the deck (POZ-DIS-12)."""
        board = state.board
        who = board.characters[self.pc]
        slots = Slots()
        setattr(slots, SLOTS_OF[board.cards[who.personal].type][0], who.personal)
        if who.disease is not None:
            state.decks.disease.remove(who.disease)
            slots.acc2 = who.disease
        stability = [name for name, _ in who.track].index(who.start)
        state.pcs[self.pc] = Pc(seat=self.seat, space=who.works_at, stability=stability, slots=slots)
        state.pcs = {pc: state.pcs[pc] for pc in board.characters if pc in state.pcs}


class DeckShuffled(Effect, frozen=True):
    """A deck was shuffled; `standard` is how many narratives are standard ones, `reshuffled`: its used cards are in it.

    Who has seen cards on their way back into it learns that they lie anywhere now.
    """

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    deck: Public[str]
    n: Public[int]
    cards: Hidden[tuple[str, ...]]
    standard: Public[int] = 0
    reshuffled: Public[bool] = False

    def fold(self, state: State) -> None:
        """The new order."""
        decks, cards = state.decks, list(self.cards)
        if self.deck in decks.unshuffled:
            decks.unshuffled.remove(self.deck)
        if self.deck.startswith("loot:"):
            decks.loot[self.deck.removeprefix("loot:")] = cards
        elif self.deck == "disease":
            decks.disease = cards
        elif self.deck == "aktion":
            decks.aktion = cards
            decks.aktion_discard = [] if self.reshuffled else decks.aktion_discard
        elif self.deck == "plans":
            decks.plans = cards
            decks.claimed = [] if self.reshuffled else decks.claimed
        else:
            decks.narrative, decks.standard_left = cards, self.standard


class GameStarted(Effect, frozen=True):
    """All have their characters: the order of turns, and the first Speaker (POZ-SET-5.1, POZ-R4)."""

    turn_order: Public[tuple[str, ...]]
    speaker: Public[str]

    def fold(self, state: State) -> None:
        """The Talking Pillow lies on the first board."""
        state.turn_order = list(self.turn_order)
        state.lead = Lead(holder=self.speaker)


class PulpitPlaced(Effect, frozen=True):
    """The Struggle Pulpit stands (POZ-SET-5.2)."""

    structure: Public[str]
    cell: Public[Cell]

    def fold(self, state: State) -> None:
        """It is a structure like others."""
        add_structure(state, self.structure, "pulpit", (self.cell,))


#: Every effect of this module.
SetupEffect = CharacterChosen | DeckShuffled | GameStarted | PulpitPlaced
