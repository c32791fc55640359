"""Using cards, powers and structures (specification, 4.5)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.answers import pay_last, payable
from games.portland_occupied_zone.actions.common import begin, check_free, held, me, turn_of
from games.portland_occupied_zone.actions.refusals import Reason, refuse
from games.portland_occupied_zone.cards import HOMEBREW, Card, different
from games.portland_occupied_zone.effects import (
    CardUsed,
    ItemGained,
    NpcKilled,
    PowerUsed,
    StructureUsed,
)
from games.portland_occupied_zone.harm import stability
from games.portland_occupied_zone.language import Call, parse
from games.portland_occupied_zone.modifiers import at, flagged, has_power, holds, staffed, staffed_for
from games.portland_occupied_zone.ops.picks import pickable
from games.portland_occupied_zone.ops.who import selected
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.texts import Ops
from games.portland_occupied_zone.tasks.curing import PayCards, curable

Why = tuple[str, Reason]
USABLE = frozenset("FDS")
MELLOW = "stab(near,1)"  # 2.8, Jeff
SACRIFICE = 2  # 2.6, altar


class UseCard(Action, frozen=True):
    """Use a food, drug or special card."""

    rule: ClassVar[str] = "POZ-TRN-13"
    exact: ClassVar[bool] = True

    card: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind in the hand that can be used now."""
        return (cls(kind) for kind in different(me(state).hand) if not unusable(state, state.board.cards[kind]))

    def check(self, state: State, seat: int) -> None:
        """In the hand, and usable."""
        held(state, turn_of(state).pc, self.card, "POZ-TRN-13")
        why = unusable(state, state.board.cards[self.card])
        if why is not None:
            refuse(*why, card=self.card)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """What it does (2.7)."""
        return {"does": state.board.cards[self.card].text}

    def apply(self, table: Table[State], seat: int) -> None:
        """It is used up; then it does what it says."""
        begin(table)
        state = table.state
        pc, kind = turn_of(state).pc, state.board.cards[self.card]
        card = held(state, pc, self.card, "POZ-TRN-13")
        use(table, pc, card)
        if kind.tags & {"play", "poem"}:
            table.emit(StructureUsed(pc, str(me(state).space), "perform"))
        texts = [text_of(state, pc, card)]
        if kind.type == "D" and flagged(state, pc, "mellow"):
            texts.append(Ops(text=MELLOW, me=pc))
        table.push(*texts)


def use(table: Table[State], pc: str, card: str, on: str | None = None) -> None:
    """A card leaves the hand; a drug with a tail works on until it has worn off (ALG-ENDTURN)."""
    board = table.state.board
    kind = board.kind(card)
    tail = bool(kind.tail)
    table.emit(CardUsed(pc, kind.id, board.back(card), on, tail, tail and board.back(card) == HOMEBREW))


def text_of(state: State, pc: str, card: str, asked: int | None = None) -> Ops:
    """What a card does to `pc`, who uses it, or gets it injected by the seat that is asked for picks."""
    kind = state.board.kind(card)
    wears_off = kind.type == "D" and state.options.drug_stability == "turn"
    return Ops(text=kind.text, me=pc, drug=card if wears_off else None, food=kind.type == "F", asked=asked)


def unusable(state: State, kind: Card) -> Why | None:
    """Why a card cannot be used now: the rule and the reason; None if it can."""
    pc = turn_of(state).pc
    if turn_of(state).in_gas and not frees(kind.ops):
        return "POZ-GAS-4", "in_gas"
    if kind.type not in USABLE:
        return "POZ-LOT-10", "not_to_be_used"
    misplaced = _misplaced(state, kind)
    if misplaced is not None:
        return misplaced
    if kind.type == "F" and flagged(state, pc, "no_food"):
        return "POZ-DIS-6", "cannot_eat"
    idle = _nothing_to_pick(state, pc, kind.ops)
    if idle is not None:
        return idle
    if all(call.name == "cure" for call in kind.ops) and not _cures(state, kind.ops):
        return "POZ-DIS-4", "nothing_to_cure"
    return None


def _misplaced(state: State, kind: Card) -> Why | None:
    """Theater needs a stage, witchcraft a witch and sometimes an altar (2.9)."""
    if kind.tags & {"play", "poem"}:
        if not _on_stage(state):
            return "POZ-RED-2", "not_on_stage"
        if "structure" in turn_of(state).used:
            return "POZ-TRN-11", "once_a_turn"
    if "wcraft" in kind.tags and not flagged(state, turn_of(state).pc, "witch"):
        return "POZ-RED-15", "no_witch"
    if "altar" in kind.tags and not _at_altar(state):
        return "POZ-RED-15", "not_at_the_altar"
    return None


def frees(calls: tuple[Call, ...]) -> bool:
    """Whether a card or power can be used in gas: it cleans the space, or makes immune (4.5)."""
    return any(call.name == "clean" or (call.name == "flag" and call.args[0] == "immune_gas") for call in calls)


def _on_stage(state: State) -> bool:
    space = me(state).space
    thing = state.structures.get(space) if isinstance(space, str) else None
    return thing is not None and state.board.structures[thing.type].performing


def _at_altar(state: State) -> bool:
    pc, space = turn_of(state).pc, me(state).space
    if flagged(state, pc, "altar_free"):
        return True
    thing = state.structures.get(space) if isinstance(space, str) else None
    return thing is not None and thing.type == "altar" and staffed_for(state, pc, "altar")


def _cures(state: State, calls: tuple[Call, ...]) -> bool:
    me_ = turn_of(state).pc
    return any(
        curable(state, pc, paste=call.args[2] == "paste")
        for call in calls
        for pc in selected(state, call.args[0], me_, {})
    )


class UsePower(Action, frozen=True):
    """Use a power of the character, once a turn."""

    rule: ClassVar[str] = "POZ-TRN-12"
    exact: ClassVar[bool] = True

    power: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each one that can be used now."""
        powers = state.board.powers_of[turn_of(state).pc]
        return (cls(power.id) for power in powers if _idle(state, power.id) is None)

    def check(self, state: State, seat: int) -> None:
        """Once a turn, unlocked, active, with something to pick."""
        why = _idle(state, self.power)
        if why is not None:
            refuse(*why, power=self.power)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """What it does (2.7)."""
        return {"does": state.board.powers[self.power].active}

    def apply(self, table: Table[State], seat: int) -> None:
        """Its use is up; then it does what it says."""
        begin(table)
        pc = turn_of(table.state).pc
        table.emit(PowerUsed(pc, self.power))
        table.push(Ops(text=table.state.board.powers[self.power].active, me=pc))


def _idle(state: State, name: str) -> Why | None:
    """Why a power cannot be used now."""
    turn = turn_of(state)
    power = state.board.powers.get(name)
    calls = () if power is None else parse(power.active)
    if turn.in_gas and not frees(calls):
        return "POZ-GAS-4", "in_gas"
    if "power" in turn.used:
        return "POZ-TRN-12", "once_a_turn"
    if power is None or power.owner != turn.pc:
        return "POZ-BRD-6", "no_such_power"
    if not has_power(state, turn.pc, name):
        return "POZ-BRD-6", "locked"
    if not calls:
        return "POZ-TRN-12", "works_by_itself"
    return _nothing_to_pick(state, turn.pc, calls)


def _nothing_to_pick(state: State, pc: str, calls: tuple[Call, ...]) -> Why | None:
    """Why the picks of a card or power come to nothing: what they need is not so, or there is nothing."""
    if pickable(state, pc, calls):
        return None
    for call in calls:
        if call.name == "pick" and not holds(state, pc, call):
            there = all(at(state, pc, part.word(0)) for part in call.when if part.name == "at")
            return ("POZ-R68", "not_staffed") if there else ("POZ-RED-15", "not_at_the_altar")
    return "POZ-LOT-11", "nothing_to_pick"


class UseStructure(Action, frozen=True):
    """Use the structure one is in, once a turn: cook a `recipe`, sacrifice its NPC, drum."""

    rule: ClassVar[str] = "POZ-TRN-11"
    exact: ClassVar[bool] = True

    structure: Public[str]
    ability: Public[str]
    recipe: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each ability of it, each recipe that can be paid."""
        space = me(state).space
        if turn_of(state).in_gas or "structure" in turn_of(state).used or space not in state.structures:
            return
        assert isinstance(space, str)
        for ability in state.board.structures[state.structures[space].type].abilities:
            recipes = [card.id for card in state.board.cards.values() if card.cook] if ability == "cook" else [None]
            for recipe in recipes:
                if _unready(state, space, ability, recipe) is None:
                    yield cls(space, ability, recipe)

    def check(self, state: State, seat: int) -> None:
        """Once a turn, inside, staffed, and what the ability needs."""
        check_free(state)
        if "structure" in turn_of(state).used:
            refuse("POZ-TRN-11", "once_a_turn")
        if self.structure not in state.structures or me(state).space != self.structure:
            refuse("POZ-TRN-11", "not_inside", structure=self.structure)
        why = _unready(state, self.structure, self.ability, self.recipe)
        if why is not None:
            refuse(*why, ability=self.ability)

    def apply(self, table: Table[State], seat: int) -> None:
        """Its use is up; then it works."""
        begin(table)
        state = table.state
        pc = turn_of(state).pc
        table.emit(StructureUsed(pc, self.structure, self.ability))
        if self.ability == "cook":
            assert self.recipe is not None
            price = state.board.cards[self.recipe].cook or 0
            if price == 1 and pay_last(table, pc):
                table.emit(ItemGained(pc, self.recipe, HOMEBREW, "homebrew"))
            else:
                table.push(PayCards(seats=(seat,), pc=pc, left=price, recipe=self.recipe))
        elif self.ability == "sacrifice_npc":
            table.emit(NpcKilled(self.structure, pc, "sacrifice"))
            stability(table, pc, SACRIFICE)
        else:
            for other in selected(state, "all", pc, {}):
                stability(table, other, 1)


def _unready(state: State, structure: str, ability: str, recipe: str | None) -> Why | None:
    """Why an ability of the structure cannot be used now (2.6)."""
    pc = turn_of(state).pc
    thing = state.structures[structure]
    if ability not in state.board.structures[thing.type].abilities:
        return "POZ-TRN-11", "no_such_ability"
    if not staffed(state, structure) and not (thing.type == "altar" and staffed_for(state, pc, "altar")):
        return "POZ-NPC-6", "not_staffed"
    if ability == "sacrifice_npc" and not thing.npcs:
        return "POZ-RED-15", "no_npc_there"
    if ability == "drum" and not flagged(state, pc, "drummer"):
        return "POZ-RED-18", "no_drummer"
    if ability != "cook":
        return None if recipe is None else ("POZ-RED-14", "no_such_recipe")
    price = None if recipe not in state.board.cards else state.board.cards[recipe or ""].cook
    if recipe is None or price is None:
        return "POZ-RED-14", "no_such_recipe"
    if not state.decks.homebrew.get(recipe, 0):
        return "POZ-RED-14", "none_left"
    return None if len(payable(state, pc, recipe=True)) >= price else ("POZ-MTH-1", "too_dear")
