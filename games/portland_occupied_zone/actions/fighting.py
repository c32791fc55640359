"""Attacks, bricks for a fight, and what comes of it (specification, 4.5 and 4.7)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from games.kernel import Action, Public, Secret, Table
from games.portland_occupied_zone.actions.common import begin, check_bricks, check_free, me, throws, turn_of
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.actions.using import text_of, use
from games.portland_occupied_zone.cards import SLOTS, different, find
from games.portland_occupied_zone.effects import BricksDeclared, OutcomeChosen
from games.portland_occupied_zone.fighting import hit_figure, in_reach
from games.portland_occupied_zone.harm import arrest, diseases, hurt, infect
from games.portland_occupied_zone.modifiers import dictator, flagged, has_power, is_type, staffed_for
from games.portland_occupied_zone.ops.cards import steal
from games.portland_occupied_zone.ops.people import relocate
from games.portland_occupied_zone.places import barred, figures, neighbours
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.tasks.fighting import Combat as CombatStep
from games.portland_occupied_zone.tasks.fighting import Defend, begin_combat, defended
from games.portland_occupied_zone.throws import throw
from games.portland_occupied_zone.underway import Combat

Outcome = Literal["injure", "spread_disease", "inject", "steal", "shove", "jail", "snuggle"]


class Attack(Action, frozen=True):
    """Attack another character."""

    rule: ClassVar[str] = "POZ-TRN-8"
    exact: ClassVar[bool] = True

    pc: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every one awake in reach, with a brick in hand."""
        turn = turn_of(state)
        if not turn.in_gas and me(state).bricks:
            for name, pc in state.pcs.items():
                if name != turn.pc and pc.awake and in_reach(state, turn.pc, pc.space):
                    yield cls(name)

    def check(self, state: State, seat: int) -> None:
        """Awake, another one, in reach; a brick in hand (POZ-R89)."""
        check_free(state)
        if self.pc not in state.pcs or self.pc == turn_of(state).pc:
            refuse("POZ-PVP-1", "no_such_character", pc=self.pc)
        if not state.pcs[self.pc].awake:
            refuse("POZ-R59", "not_awake", pc=self.pc)
        if not in_reach(state, turn_of(state).pc, state.pcs[self.pc].space):
            refuse("POZ-R74", "out_of_reach", pc=self.pc)
        if not me(state).bricks:
            refuse("POZ-R89", "no_bricks")

    def apply(self, table: Table[State], seat: int) -> None:
        """Both declare their bricks."""
        begin(table)
        begin_combat(table, turn_of(table.state).pc, self.pc)


class AttackPolice(Action, frozen=True):
    """Attack a police figure, with so many bricks."""

    rule: ClassVar[str] = "POZ-TRN-8"
    exact: ClassVar[bool] = True

    figure: Public[str]
    b: Public[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every figure in reach, with any number of bricks."""
        turn = turn_of(state)
        for figure, space in {} if turn.in_gas or not me(state).bricks else figures(state).items():
            if in_reach(state, turn.pc, space):
                yield from (cls(figure, b) for b in throws(state))

    def check(self, state: State, seat: int) -> None:
        """On the board, in reach; bricks."""
        check_free(state)
        there = figures(state)
        if self.figure not in there:
            refuse("POZ-COP-5", "no_such_figure", figure=self.figure)
        if not in_reach(state, turn_of(state).pc, there[self.figure]):
            refuse("POZ-R74", "out_of_reach", figure=self.figure)
        check_bricks(state, self.b)

    def apply(self, table: Table[State], seat: int) -> None:
        """ALG-HITCOP."""
        begin(table)
        pc = turn_of(table.state).pc
        hit_figure(table, pc, self.figure, throw(table, pc, self.b, "attack_police").total)


class CommitBricks(Action, frozen=True):
    """Say how many bricks a character throws in a fight, or to defend itself."""

    rule: ClassVar[str] = "POZ-PVP-2"
    exact: ClassVar[bool] = True

    pc: Public[str]
    b: Secret[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Any number of those it holds; an attacker at least one, but for a burning dumpster."""
        pc, least = _throwing(state, seat)
        return (cls(pc, b) for b in range(least, state.pcs[pc].bricks + 1))

    def check(self, state: State, seat: int) -> None:
        """The character that is asked; so many bricks."""
        pc, least = _throwing(state, seat)
        if self.pc != pc:
            refuse("POZ-PVP-2", "not_asked", pc=self.pc)
        if not least <= self.b <= state.pcs[pc].bricks:
            refuse("POZ-BRK-2", "not_so_many_bricks", held=state.pcs[pc].bricks)

    def apply(self, table: Table[State], seat: int) -> None:
        """Kept until both are in; or thrown at once."""
        step = table.state.agenda[-1]
        if isinstance(step, Defend):
            defended(table, step, self.b)
        else:
            table.emit(BricksDeclared(seat, self.pc, self.b))


def _throwing(state: State, seat: int) -> tuple[str, int]:
    """Who is to throw, and how many bricks at least (POZ-R89)."""
    step = state.agenda[-1]
    if isinstance(step, Defend):
        return step.pc, 0
    assert isinstance(step, CombatStep)
    fight = fight_of(state)
    pc = step.pc or (fight.attacker if state.seat_of(fight.attacker) == seat else fight.defender)
    return pc, int(pc == fight.attacker and not fight.bonus)


def fight_of(state: State) -> Combat:
    """The fight under way."""
    assert state.combat is not None
    return state.combat


class ChooseOutcome(Action, frozen=True):
    """Say what comes of a won fight: `card` a disease or drug, `space` where to, for the outcomes that need it."""

    rule: ClassVar[str] = "POZ-PVP-10"
    exact: ClassVar[bool] = True

    outcome: Public[Outcome]
    card: Public[str | None] = None
    space: Public[Space | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Injuries, and every alternative that is open."""
        fight = fight_of(state)
        yield cls("injure")
        if flagged(state, fight.attacker, "spread_plus"):
            yield from (cls("injure", card) for card in _catching(state))
        yield from (cls("spread_disease", card) for card in _catching(state))
        yield from (cls("inject", card) for card in _drugs(state))
        if state.pcs[fight.defender].hand:
            yield cls("steal")
        yield from (cls("shove", None, space) for space in _shoves(state))
        if dictator(state) == fight.attacker:
            yield cls("jail")
        if _snuggles(state):
            yield cls("snuggle")

    def check(self, state: State, seat: int) -> None:
        """The outcome is open, with what it needs and nothing else."""
        if any(action == self for action in self.options(state, seat)):
            return
        rules = {
            "spread_disease": "POZ-PVP-11",
            "inject": "POZ-PVP-12",
            "steal": "POZ-PVP-13",
            "shove": "POZ-PVP-14",
            "jail": "POZ-PVP-15",
        }
        refuse(rules.get(self.outcome, "POZ-PVP-10"), "outcome_not_open", outcome=self.outcome)

    def apply(self, table: Table[State], seat: int) -> None:
        """Only injuries hurt (POZ-PVP-16)."""
        fight = fight_of(table.state)
        attacker, defender, won_by = fight.attacker, fight.defender, fight.won_by or 0
        table.emit(OutcomeChosen(attacker, defender, self.outcome, self.card, self.space))
        match self.outcome:
            case "injure":
                hurt(table, defender, won_by, "pc", attacker)
                if self.card is not None:
                    infect(table, defender, self.card, attacker)
            case "spread_disease":
                infect(table, defender, self.card, attacker)
            case "inject":
                self._inject(table, seat, attacker, defender)
            case "steal":
                steal(table, attacker, defender)
            case "shove":
                assert self.space is not None
                relocate(table, defender, self.space, "shove")
            case "jail":
                arrest(table, defender, "commune")
            case "snuggle":
                relocate(table, defender, _bed(table.state), "snuggle")

    def _inject(self, table: Table[State], seat: int, attacker: str, defender: str) -> None:
        state = table.state
        card = find(state.pcs[attacker].hand, self.card or "")
        assert card is not None
        use(table, attacker, card, defender)
        table.push(text_of(state, defender, card, seat))


def _catching(state: State) -> list[str]:
    """The attacker's diseases, if the defender can catch one (POZ-R22)."""
    fight = fight_of(state)
    if len(diseases(state, fight.defender)) >= len(SLOTS):
        return []
    return list(dict.fromkeys(diseases(state, fight.attacker)))


def _drugs(state: State) -> list[str]:
    """The drugs that the attacker can inject, with a needle (POZ-PVP-12)."""
    attacker = fight_of(state).attacker
    if not flagged(state, attacker, "inject"):
        return []
    return list(different(card for card in state.pcs[attacker].hand if is_type(state, card, "D")))


def _shoves(state: State) -> list[Space]:
    defender = fight_of(state).defender
    return [s for s in neighbours(state, state.pcs[defender].space) if barred(state, defender, s) is None]


def _snuggles(state: State) -> bool:
    attacker = fight_of(state).attacker
    powers = state.board.powers_of[attacker]
    able = any(power.outcome == "snuggle" and has_power(state, attacker, power.id) for power in powers)
    return able and staffed_for(state, attacker, "bed")


def _bed(state: State) -> str:
    return next(name for name, thing in state.structures.items() if thing.type == "bed")
