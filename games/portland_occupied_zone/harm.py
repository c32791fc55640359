"""What can befall a character (specification, 4.7): injuries, knock-out, arrest, death, fire, filth, disease.

Whatever asks somebody (where a disease goes) is pushed on the agenda, so callers push what comes after beforehand.
"""

from games.kernel import Table
from games.portland_occupied_zone.cards import SLOTS, kind_of
from games.portland_occupied_zone.effects import (
    Arrested,
    Befouled,
    Burned,
    Cleaned,
    CrapulenceChanged,
    DiseaseContracted,
    Healed,
    Hurt,
    Killed,
    KnockedOut,
    Released,
    SlotChosen,
    StabilityChanged,
)
from games.portland_occupied_zone.effects.people import Cause
from games.portland_occupied_zone.frames import DiseaseSlot, TakePillow
from games.portland_occupied_zone.language import parse
from games.portland_occupied_zone.leading import end_game
from games.portland_occupied_zone.modifiers import flagged, staffed, track
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import (
    befouled,
    commune,
    gassed,
    is_building,
    nearest_for_pc,
    token_cells,
)
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.throws import d4

CRAP_MAX = 30  # POZ-SCO-3


def crapulence(table: Table[State], pc: str, n: int, why: str) -> None:
    """Move a character's crapulence, within its track (POZ-R13)."""
    now = table.state.pcs[pc].crap
    moved = max(0, min(CRAP_MAX, now + n)) - now
    if moved:
        table.emit(CrapulenceChanged(pc, moved, why))


def stability(table: Table[State], pc: str, n: int, drug: str | None = None, *, soften: bool = True) -> None:
    """Move a character's state of mind, within its track (POZ-MEN-1); `calm` makes a loss 1 smaller."""
    state = table.state
    if soften and n < 0 and flagged(state, pc, "calm"):
        n += 1
    now = state.pcs[pc].stability
    moved = max(0, min(len(track(state, pc)) - 1, now + n)) - now
    if moved:
        table.emit(StabilityChanged(pc, moved, drug))


def heal(table: Table[State], pc: str, n: int | None) -> None:
    """Remove up to `n` injuries (None: all) of a living character."""
    injuries = table.state.pcs[pc].injuries
    healed = injuries if n is None else min(n, injuries)
    if healed > 0:
        table.emit(Healed(pc, healed))


def hurt(table: Table[State], pc: str, n: int, cause: Cause, by: str | None = None) -> None:
    """ALG-HURT: injuries, and what comes of too many (POZ-BRD-8, POZ-R7); `by` a character that attacked."""
    state = table.state
    who = state.pcs[pc]
    if n <= 0 or not who.awake:
        return
    after, slots = who.injuries + n, state.board.characters[pc].injuries
    table.emit(Hurt(pc, n, cause))
    if after > slots or (after == slots and state.options.injury_rule == "last_slot"):
        down(table, pc, cause, by)


def down(table: Table[State], pc: str, cause: Cause, by: str | None = None) -> None:
    """ALG-DOWN: knocked out, arrested or dead, by what caused it (POZ-PVP-5 to -9)."""
    if cause == "cop" and table.state.buildings[COURTHOUSE].standing:
        arrest(table, pc, "courthouse")
    elif cause in ("cop", "medic"):
        kill(table, pc, cause)
    else:
        knock_out(table, pc, cause, by)


def knock_out(table: Table[State], pc: str, cause: Cause, by: str | None = None) -> None:
    """KO: whoever did it by an attack gains crapulence (POZ-SCO-7, POZ-R14)."""
    table.emit(KnockedOut(pc, cause, by))
    if by is not None and by != pc:
        crapulence(table, by, table.state.board.characters[by].feats["ko"], "knock_out")


def arrest(table: Table[State], pc: str, jail: str) -> None:
    """ARREST, in the courthouse's jail or the Commune's (POZ-ARR-1 to -6, POZ-PVP-15)."""
    state = table.state
    who = state.pcs[pc]
    weapon = who.slots.weapon
    if weapon is not None and state.board.kind(weapon).type == "P":
        weapon = None
    lost = min(who.crap, state.board.pack.limits.arrest_crap)
    if jail == "commune":
        space = commune(state)
        assert space is not None
        table.emit(Arrested(pc, "commune", space, lost, weapon))
    else:
        table.emit(Arrested(pc, "courthouse", COURTHOUSE, lost, weapon))
    infect(table, pc)


def kill(table: Table[State], pc: str, cause: Cause) -> None:
    """KILL (POZ-KIL-1, -2); with the last living character the game is lost (POZ-R85)."""
    state = table.state
    table.emit(Killed(pc, cause))
    befoul(table, token_cells(state, state.pcs[pc].space)[0])
    if not any(other.alive for other in state.pcs.values()):
        end_game(table, "all_dead")


def befoul(table: Table[State], cell: Cell) -> None:
    """Put a befoulment on a cell, if there is one left and none there (POZ-WST-13)."""
    state = table.state
    if state.supplies.befoul > 0 and cell not in state.tokens.befoul:
        table.emit(Befouled(cell))


def release(table: Table[State], pc: str, *, awake: bool = True) -> None:
    """ALG-RELEASE: out of jail, in front of the courthouse or in the Commune (POZ-ARR-7)."""
    state = table.state
    who = state.pcs[pc]
    if who.jail == "courthouse":
        outside = state.board.buildings[COURTHOUSE].door[1]
        space = nearest_for_pc(state, pc, outside)
        table.emit(Released(pc, space, awake))
        enter(table, pc, space, "release")
    else:
        table.emit(Released(pc, who.space, awake))


def immune(state: State, pc: str, space: Space) -> bool:
    """Whether no token in a space can knock this character out (POZ-WST-12)."""
    return not (
        (befouled(state, space) and not flagged(state, pc, "immune_befoul"))
        or (gassed(state, space) and not flagged(state, pc, "immune_gas"))
    )


def foul(table: Table[State], pc: str) -> None:
    """ALG-FOUL: knocked out by filth or gas, perhaps infected; one token goes with it (POZ-WST-9 to -11)."""
    state = table.state
    if not state.pcs[pc].awake:
        return
    space = state.pcs[pc].space
    knock_out(table, pc, "other")
    if d4(table, "foul") == 1:
        infect(table, pc)
    clean_one(table, space)


def clean_one(table: Table[State], space: Space) -> None:
    """Take one token out of a space, a befoulment before gas."""
    tokens, cells = table.state.tokens, token_cells(table.state, space)
    for kind in ("befoul", "gas"):
        there = [cell for cell in cells if cell in getattr(tokens, kind)]
        if there:
            table.emit(Cleaned(**{kind: (there[0],)}))
            return


def fire(table: Table[State], pc: str, building: str, strength: int | None = None) -> None:
    """ALG-FIRE: a burning building hurts once a round (POZ-ARS-9, -10); `strength` as it was, if it has burnt down."""
    state = table.state
    who = state.pcs[pc]
    n = state.buildings[building].arson if strength is None else strength
    if n and who.awake and building not in who.burned_by and not flagged(state, pc, "immune_fire"):
        table.emit(Burned(pc, building))
        hurt(table, pc, n, "other")


def enter(table: Table[State], pc: str, space: Space, how: str) -> None:
    """ALG-ENTER: what a space does to who comes in (`how` step, tunnel, push, shove, power, release)."""
    state = table.state
    if state.pcs[pc].awake and not immune(state, pc, space):
        foul(table, pc)
        return
    if isinstance(space, str) and space in state.structures:
        _enter_structure(table, pc, space, how)
    elif is_building(state, space):
        fire(table, pc, str(space))


def _enter_structure(table: Table[State], pc: str, name: str, how: str) -> None:
    """What a structure does to who comes in (POZ-RED-1, -4, -8, -17); a body only catches diseases."""
    state = table.state
    kind = state.board.structures[state.structures[name].type]
    who, lead = state.pcs[pc], state.lead
    if kind.entering and (pc != "magic_pink" or kind.id != "bed") and staffed(state, name):
        for call in parse(kind.entering):
            if call.name == "hurt":
                hurt(table, pc, call.number(1), "other")
            elif call.name == "infect":  # who is knocked out by the prick has the disease all the same (POZ-RED-4)
                infect(table, pc)
    if kind.id == "pulpit" and how == "step" and who.awake and lead is not None and lead.holder != pc:
        table.push(TakePillow(seats=(who.seat,), pc=pc))


def diseases(state: State, pc: str) -> list[str]:
    """The diseases that a character has, with those that have no slot yet."""
    who = state.pcs[pc]
    return [*(card for _, card in who.slots.filled() if state.board.kind(card).type == "P"), *who.catching]


def infect(table: Table[State], pc: str, card: str | None = None, giver: str | None = None) -> None:
    """ALG-INFECT: with this card (of `giver`), or the top one of the deck; with four diseases nothing happens (R22)."""
    state = table.state
    if len(diseases(state, pc)) >= len(SLOTS) or not state.pcs[pc].alive:
        return
    if card is None:
        if not state.decks.disease:
            return
        card = state.decks.disease[0]
    table.emit(DiseaseContracted(pc, card, giver))
    for call in state.board.cards[kind_of(card)].contracted:
        if call.name == "stab":
            stability(table, pc, call.number(1))
    choices = open_slots(state, pc)
    if len(choices) == 1:
        table.emit(SlotChosen(pc, choices[0], card))
    else:
        table.push(DiseaseSlot(seats=(state.seat_of(pc),), pc=pc, card=card))


def open_slots(state: State, pc: str) -> list[str]:
    """Where a disease can go: any free slot; if none is free, any without a disease (POZ-DIS-2, -3)."""
    slots = state.pcs[pc].slots
    free = [slot for slot in SLOTS if getattr(slots, slot) is None]
    return free or [slot for slot, card in slots.filled() if state.board.kind(card).type != "P"]
