"""Close Assault (specification, 4.8): fights that must be fought, charges that may."""

from typing import Any, ClassVar

from games.block_mania.board import Side
from games.block_mania.deaths import kill
from games.block_mania.effects import BlockerFlipped, FightRolled
from games.block_mania.equipment import reveal
from games.block_mania.melee import BURNING, Bout, attacker_bonus, bouts_in, charges, main_of, mandatory, total
from games.block_mania.predicates import answers_for, item, occupants
from games.block_mania.state import State
from games.block_mania.steps.window import Declared, attack_windows
from games.kernel import Public, Step, Table


class Assault(Step, frozen=True):
    """The phasing seat fights and charges, in the order that it likes (BM-3CII-1, -2)."""

    menu: ClassVar[tuple[str, ...]] = ("fight", "charge", "end_step")
    root: ClassVar[bool] = True

    def alive(self, state: State) -> bool:
        """Whether there is a fight, or a charge, left."""
        return can_fight(state)


class BeginFight(Step, frozen=True, kw_only=True):
    """A blocker that has charged, if it still stands there, fights whom it finds (BM-3CII-2)."""

    blocker: Public[str]
    square: Public[str]
    side: Public[Side]

    def alive(self, state: State) -> bool:
        """Whether it came alive through what lay there."""
        return self.blocker in state.blockers

    def run(self, table: Table[State]) -> None:
        """The fight; if nobody is left to fight, it has attacked all the same."""
        there = occupants(table.state, self.square, self.side)
        bouts = bouts_in(table.state, (self.square, self.side), there, self.blocker)
        if bouts:
            declare_fight(table, bouts[0], charger=self.blocker)
        else:
            table.emit(BlockerFlipped(self.blocker, fought=True))


class Fight(Declared, frozen=True, kw_only=True):
    """A declared fight: the dice of both mains, and who dies (BM-CA-1)."""

    square: Public[str]
    attackers: Public[tuple[str, ...]]
    defenders: Public[tuple[str, ...]]
    seats_of: Public[tuple[int, int]]
    charger: Public[str | None] = None
    bonus: Public[tuple[int, int]] = (0, 0)

    def modified(self, seat: int, amount: int, *, own: bool) -> dict[str, Any]:
        """A card changes the roll of one side: its own seat's, or the other's."""
        attacks = (seat == self.seats_of[0]) == own
        attacker, defender = self.bonus
        return {"bonus": (attacker + amount, defender) if attacks else (attacker, defender + amount)}

    def run(self, table: Table[State]) -> None:
        """Roll; the lower total's main dies; then both sides may burn the square, and the attackers flip."""
        state = table.state
        mains = main_of(state, self.attackers)[0], main_of(state, self.defenders)[0]
        for main in mains:
            for kind in [kind for kind in main.equipment if item(state, kind).melee]:
                reveal(table, main.id, kind)
        bonus = attacker_bonus(state, self.attackers, self.charger)
        dice = table.roll("fight", 6), table.roll("fight", 6)
        totals = (
            dice[0] + total(state, self.attackers) + bonus + self.bonus[0],
            dice[1] + total(state, self.defenders) + self.bonus[1],
        )
        loser = None if totals[0] == totals[1] else mains[int(totals[0] > totals[1])]
        table.emit(
            FightRolled(self.square, mains[0].id, mains[1].id, dice, totals, None if loser is None else loser.id)
        )
        fires = [
            ChooseAssaultFire(seats=(seat,), blocker=main.id, tokens=tokens, square=self.square)
            for seat, main in zip(self.seats_of, mains, strict=True)
            if (tokens := tuple(kind for kind in BURNING if kind in main.equipment))
        ]
        if loser is not None:
            kill(table, loser.id, "fight")
        done = dict.fromkeys((*self.attackers, *([] if self.charger is None else [self.charger])))
        table.push(*fires, EndFight(attackers=tuple(done)))


class ChooseAssaultFire(Step, frozen=True, kw_only=True):
    """How many Fire markers a fighter, perhaps a dead one, leaves in the square (BM-CA-3)."""

    blocker: Public[str]
    tokens: Public[tuple[str, ...]]
    square: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("choose_assault_fire",)


class EndFight(Step, frozen=True, kw_only=True):
    """The survivors of the phasing side flip (BM-3CII-3), and a Futsy that charged its own seat's blocker."""

    attackers: Public[tuple[str, ...]]

    def run(self, table: Table[State]) -> None:
        """They have fought in this turn."""
        for name in self.attackers:
            if name in table.state.blockers:
                table.emit(BlockerFlipped(name, fought=True))


def declare_fight(table: Table[State], bout: Bout, charger: str | None = None) -> None:
    """Cards may be played by both sides, then the dice are thrown."""
    state = table.state
    seats = state.phasing, answers_for(main_of(state, bout.defenders)[0])
    fight = Fight(
        square=bout.area[0],
        attackers=bout.attackers,
        defenders=bout.defenders,
        seats_of=seats,
        charger=charger,
    )
    table.push(*attack_windows(state, seats[0], (seats[1],), close=True), fight)


def can_fight(state: State) -> bool:
    """Whether the phasing seat owes a fight or may charge."""
    return bool(mandatory(state)) or next(charges(state, state.phasing), None) is not None


def opening_assault(state: State) -> tuple[Step, ...]:
    """A fight or a charge."""
    return (Assault(seats=(state.phasing,)),) if can_fight(state) else ()
