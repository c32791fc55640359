"""How pieces move from one place to another: what the folds of effects are made of."""

from games.portland_occupied_zone.cards import HOMEBREW
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import near
from games.portland_occupied_zone.state import Space, State, Structure


def put_pc(state: State, pc: str, space: Space) -> None:
    """A character is somewhere else; who leaves the Medic's side is not beside him any more (ALG-MEDIC)."""
    who = state.pcs[pc]
    who.space = space
    turn = state.turn
    if turn is not None and turn.pc == pc and space != turn.start_space:
        turn.left_start = True
    medic = state.medic
    if pc in medic.beside and (medic.space is None or not near(state, medic.space, space)):
        medic.beside.remove(pc)


def note(state: State, pc: str, what: str, n: int = 1) -> None:
    """Count something that a character has done in its own turn (2.12)."""
    if n and state.turn is not None and state.turn.pc == pc:
        state.turn.log[what] = state.turn.log.get(what, 0) + n


def add_structure(state: State, name: str, kind: str, cells: tuple[Cell, ...]) -> None:
    """A structure stands, and holds the characters on its cells."""
    state.structures[name] = Structure(type=kind, cells=cells)
    state.made["s"] += 1
    state.supplies.structures[kind] -= 1
    for pc in state.pcs.values():
        if pc.space in cells:
            pc.space = name


def drop_structure(state: State, name: str) -> None:
    """A structure is gone; who was in it is on its anchor cell, its NPCs are back in the supply (4.6)."""
    gone = state.structures.pop(name)
    state.supplies.structures[gone.type] += 1
    state.supplies.npc += gone.npcs
    anchor = gone.cells[0]
    for pc in state.pcs.values():
        if pc.space == name:
            pc.space = anchor
    for cop in state.cops.values():
        if cop.space == name:
            cop.space = anchor
    for officer in (state.jackson, state.medic):
        if officer.space == name:
            officer.space = anchor


def put_away(state: State, card: str) -> None:
    """A used card leaves the game; a homebrew card goes back to its supply (POZ-WST-2, POZ-WST-3)."""
    if state.board.back(card) == HOMEBREW:
        kind = card.rpartition(":")[2]
        state.decks.homebrew[kind] = state.decks.homebrew.get(kind, 0) + 1
    else:
        state.decks.removed.append(card)


def take_from_hand(state: State, pc: str, kind: str, back: str) -> str:
    """A card leaves a hand: how it is written."""
    card = state.board.card(kind, back)
    state.pcs[pc].hand.remove(card)
    return card


def pay_bricks(state: State, pc: str, n: int) -> None:
    """Bricks go back to the supply (POZ-BRK-3)."""
    state.pcs[pc].bricks -= n
    state.supplies.bricks += n


def end_modifiers(state: State, until: str, pc: str | None = None) -> None:
    """Modifiers for a time end: of one character, or (None) all of this duration."""
    state.timed = [timed for timed in state.timed if timed.until != until or (pc is not None and timed.pc != pc)]
