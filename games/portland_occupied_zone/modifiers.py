"""Modifiers and flags in force (specification, 2.7), and the rates that rest on them (ALG-RATE)."""

from collections.abc import Iterator

from games.portland_occupied_zone.cards import Mods, kind_of
from games.portland_occupied_zone.language import Call, parse
from games.portland_occupied_zone.pack_parts import Character
from games.portland_occupied_zone.places import near
from games.portland_occupied_zone.state import State

FOOD, DRUG = "F", "D"
BRICKS_AT = (14, 28)  # POZ-BRD-7
TYPE_OF = {"food": FOOD, "drug": DRUG}


def track(state: State, pc: str) -> tuple[tuple[str, int], ...]:
    """The states of stability of a character, and what each adds to bricks and movement (POZ-MEN-3 to -8)."""
    states = state.board.characters[pc].track
    fourth = state.options.kim_fourth_state
    if pc == "kim" and fourth != "manic":  # POZ-R8
        return tuple((fourth, 0) if name == "manic" else (name, added) for name, added in states)
    return states


def dictator(state: State) -> str | None:
    """The living Dictator, whose ideology is in force (POZ-DIC-15)."""
    lead = state.lead
    if lead is None or lead.token != "tin_pot" or not state.pcs[lead.holder].alive:  # noqa: S105 no password
        return None
    return lead.holder


def unlocked(state: State, pc: str) -> int:
    """The crapulence that counts for unlocking (POZ-SCO-4, POZ-R15)."""
    who = state.pcs[pc]
    return who.crap if state.options.power_relock else who.crap_best


def has_power(state: State, pc: str, power: str) -> bool:
    """Whether a character's power is unlocked; an ideology: whether it is in force."""
    kind = state.board.powers[power]
    if kind.owner != pc:
        return False
    return dictator(state) == pc if kind.at is None else unlocked(state, pc) >= kind.at


def sources(state: State, pc: str) -> Iterator[Mods]:
    """What holds for a character by its equipment, its powers and its ideology."""
    board = state.board
    slots = state.pcs[pc].slots
    for card in (slots.weapon, slots.apparel, slots.acc1, slots.acc2):
        if card is not None:
            yield board.cards[kind_of(card)].mods
    crap, rules = unlocked(state, pc), dictator(state) == pc
    for power in board.powers_of[pc]:
        if rules if power.at is None else crap >= power.at:
            yield power.passive


def plot_calls(state: State) -> tuple[Call, ...]:
    """What the active plot keeps in force."""
    return () if state.plot is None else parse(state.board.narratives[state.plot].effect)


def modifier(state: State, pc: str, key: str) -> int:
    """The sum of a character's modifiers of a kind."""
    total = 0
    for mods in sources(state, pc):
        total += mods.numbers.get(key, 0)
        for call in mods.conditional:
            if call.name == "mod" and call.args[0] == key and holds(state, pc, call):
                total += call.number(1)
    for timed in state.timed:
        if timed.key == key and timed.pc == pc:
            total += timed.n
    if state.plot is not None:
        for call in plot_calls(state):
            if call.name == "mod" and call.args[0] == key and "who" in call.named:
                total += call.number(1)
    return total


def flagged(state: State, pc: str, flag: str) -> bool:
    """Whether a flag holds for a character."""
    if flag == "immune_gas" and _in_aura(state, pc):
        return True
    for mods in sources(state, pc):
        if flag in mods.flags:
            return True
        if any(call.name == "flag" and call.args[0] == flag and holds(state, pc, call) for call in mods.conditional):
            return True
    return any(timed.key == flag and timed.pc == pc for timed in state.timed)


def _in_aura(state: State, pc: str) -> bool:
    """Whether somebody near shares her filter (`gas_aura`)."""
    space = state.pcs[pc].space
    return any(
        other.alive and near(state, other.space, space) and any("gas_aura" in m.flags for m in sources(state, name))
        for name, other in state.pcs.items()
    )


def in_force(state: State, key: str) -> int:
    """A modifier or flag of the whole game: by the plot, for a time, or by the Dictator's ideology."""
    total = sum(timed.n for timed in state.timed if timed.key == key and timed.pc is None)
    for call in plot_calls(state):
        if call.name in ("mod", "flag") and call.args[0] == key:
            total += call.number(1) if call.name == "mod" else 1
    leader = dictator(state)
    if leader is not None and any(key in mods.flags for mods in sources(state, leader)):
        total += 1
    return total


def holds(state: State, pc: str, call: Call, target: str | None = None) -> bool:
    """Whether all conditions of a call hold for a character."""
    return all(_condition(state, pc, condition, target) for condition in call.when)


def _condition(state: State, pc: str, condition: Call, target: str | None) -> bool:
    match condition.name:
        case "battle":
            return state.battle
        case "at":
            return at(state, pc, condition.word(0))
        case "staffed":
            return staffed_for(state, pc, condition.word(0))
        case "has":
            return any(is_type(state, card, TYPE_OF[condition.word(0)]) for card in state.pcs[pc].hand)
        case _:
            return target in state.pcs and state.pcs[target].status == "ko"


def is_type(state: State, card: str, kind: str) -> bool:
    """Whether a card is of a type (F food, D drug …)."""
    return state.board.cards[kind_of(card)].type == kind


def at(state: State, pc: str, place: str) -> bool:
    """Whether a character is in a building, or in a structure of this type."""
    space = state.pcs[pc].space
    if not isinstance(space, str) or state.pcs[pc].status == "jailed":
        return False
    return space == place or (space in state.structures and state.structures[space].type == place)


def staffed(state: State, structure: str) -> bool:
    """Whether a structure works: its NPC slots are full, or it has none (2.6; Allison at the drums, 2.8)."""
    thing = state.structures[structure]
    slots = state.board.structures[thing.type].npcs
    if thing.npcs >= slots:
        return True
    if "drum" not in state.board.structures[thing.type].abilities:
        return False
    helpers = sum(
        pc.awake and pc.space == structure and flagged(state, name, "drummer") for name, pc in state.pcs.items()
    )
    return thing.npcs + helpers >= slots


def staffed_for(state: State, pc: str, kind: str) -> bool:
    """Whether there is a structure of a type that works, for this character (`own_altar`, `bed_free`)."""
    there = [name for name, thing in state.structures.items() if thing.type == kind]
    spared = {"altar": "own_altar", "bed": "bed_free"}.get(kind)
    if there and spared is not None and flagged(state, pc, spared):
        return True
    return any(staffed(state, name) for name in there)


def structure_bonus(state: State, key: str) -> int:
    """What the structures on the board add for every character: brick piles, a staffed drum circle."""
    mods = state.board.structure_mods
    return sum(
        mods[thing.type].numbers[key]
        for name, thing in state.structures.items()
        if key in mods[thing.type].numbers and staffed(state, name)
    )


def _base(state: State, pc: str) -> Character:
    return state.board.characters[pc]


def stability_change(state: State, pc: str) -> int:
    """What a character's state of mind adds to bricks and movement."""
    return track(state, pc)[state.pcs[pc].stability][1]


def bricks_total(state: State, pc: str) -> int:
    """Up to how many bricks a character takes at the start of its turn (ALG-RATE)."""
    unlocked_at = unlocked(state, pc)
    total = _base(state, pc).bricks + sum(unlocked_at >= at for at in BRICKS_AT)
    total += modifier(state, pc, "max_bricks") + stability_change(state, pc) + structure_bonus(state, "max_bricks")
    return max(0, total)


def move_rate(state: State, pc: str) -> int:
    """How far a character can go in a turn (ALG-RATE)."""
    total = _base(state, pc).move + modifier(state, pc, "move") + stability_change(state, pc)
    return max(0, total + structure_bonus(state, "move"))


def hand_limit(state: State, pc: str) -> int:
    """How many cards a character may hold at the end of its turn (POZ-LOT-3)."""
    return max(0, state.board.pack.limits.hand + modifier(state, pc, "hand_limit"))
