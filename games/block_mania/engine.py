"""Explosions, fire, damage and collapse (specification, 4.9; BM-3CI-7): one queue, first in, first out.

An engine lives within one event: nothing in it waits for a decision. What an attack or a card places is appended and
drained before anything else goes on. While one entry is worked on, the attacks, demo checks, explosions and collapses
that it causes happen at once; the damage and fire that they cause go to the end of the queue (BM-R48).
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from games.block_mania.deaths import kill
from games.block_mania.effects import (
    DamageAdded,
    DemoChecked,
    EquipmentReturned,
    Exploded,
    FireAdded,
    FireLost,
    FireRemoved,
    FireSpread,
    HalfRolled,
    PedwaySevered,
    PowerSet,
    SquareCollapsed,
)
from games.block_mania.equipment import reveal
from games.block_mania.pack import SHELF
from games.block_mania.predicates import answers_for, open_air, owner, place, takes_damage
from games.block_mania.state import Blocker, State
from games.block_mania.volley import DEMO, Blast, Carrier, volley
from games.kernel import Table

DEMO_BLAST: Final = Blast("demo", 4)  # BM-3A-1
EXPLOSION: Final = Blast("explosion", 3)  # BM-FIRE-1, BM-SD-4
EXPLODES: Final = 5  # the die of an Armory or Vehicle Park
FALLS: Final = 6  # die and damage before
FIRES_MAX: Final = 3
EXPLOSIVE: Final = ("armory", "vehicle_park")
BELOW_TANK: Final = {"column_below": ((0, -1), (0, -2), (0, -3)), "row_below": ((-1, -1), (0, -1), (1, -1))}

Entry = tuple[Literal["damage", "fire"], str, str]


class Engine:
    """See the module. `exploded` counts the demo charges of each blocker that went off in it."""

    def __init__(self, table: Table[State]) -> None:
        self.table = table
        self.exploded: Counter[str] = Counter()
        self._queue: deque[Entry] = deque()

    def damage(self, square: str, cause: str, n: int = 1) -> None:
        """Append so many tokens of structural damage, one at a time (BM-SD-6); `cause` is attack, fire or cascade."""
        self._queue.extend([("damage", square, cause)] * n)

    def fire(self, square: str, cause: str, n: int = 1) -> None:
        """Append so many Fire markers that are placed directly."""
        self._queue.extend([("fire", square, cause)] * n)

    def drain(self) -> None:
        """Work off the queue."""
        while self._queue:
            what, square, cause = self._queue.popleft()
            if what == "damage":
                self._damage(square, cause)
            else:
                self.burn(square, cause)

    def attack(self, blast: Blast, targets: Iterable[Blocker]) -> None:
        """Rolls, deaths and demo checks (4.6, steps 3, 4 and 6)."""
        held = Counter(self.exploded)
        carriers = volley(self.table, blast, targets)
        self.check_demos([replace(c, charges=c.charges + held[c.blocker]) for c in carriers])

    def check_demos(self, carriers: Sequence[Carrier], *, drained: bool = False) -> None:
        """A die for each carrier, dead or alive, that has a charge left: on 6 one goes off (BM-SH-11, BM-R32).

        That it is rolled tells of the charge: one that was hidden is known from now on (BM-R57).
        """
        for carrier in carriers:
            if self.exploded[carrier.blocker] >= carrier.charges:
                continue
            if carrier.blocker in self.table.state.blockers:
                reveal(self.table, carrier.blocker, DEMO)
            die = self.table.roll("demo_check", 6)
            self.table.emit(DemoChecked(carrier.blocker, carrier.square, die))
            if die == 6:
                self._lose_charge(carrier.blocker)
                self.demo(carrier.square)
            if drained:
                self.drain()

    def demo(self, square: str) -> None:
        """A demo charge explodes: attack, damage to the square, demo checks (BM-3A-1)."""
        self.table.emit(Exploded(square, DEMO))
        held = Counter(self.exploded)
        carriers = volley(self.table, DEMO_BLAST, self._standing((square,)))
        self.damage(square, "attack", self.half_roll(square))
        self.check_demos([replace(c, charges=c.charges + held[c.blocker]) for c in carriers])

    def half_roll(self, square: str) -> int:
        """Half of a die, rounded down (BM-SH-10, BM-R33)."""
        die = self.table.roll("half", 6)
        self.table.emit(HalfRolled(square, die, die // 2))
        return die // 2

    def collapse(self, square: str, cause: str, *, exploded: bool = False) -> None:
        """A square collapses: all in it is gone, both sides of a Window (BM-R49), the three squares above are damaged.

        Among these may be a Pedway or Mega-Way, or a tower beside one (BM-R41). An Armory that the damage of a cascade
        could not explode may explode by its collapse (BM-R43).
        """
        state = self.table.state
        block = None if open_air(state, square) else owner(state, square)
        tags = place(state, square).tags
        goes_off = not exploded and "armory" in tags and block is not None
        die = self.table.roll("explosion", 6) if goes_off else None
        self.table.emit(SquareCollapsed(square, cause, block, die))
        for blocker in self._standing((square,)):
            kill(self.table, blocker.id, "collapse")
        if block is not None and "power_house" in tags:
            self._lights_out(block)
        if die is not None and die >= EXPLODES:
            self.table.emit(Exploded(square, "armory"))
            self.attack(EXPLOSION, self._standing(self._around(square)))
        for above in state.map.above[square]:
            self.damage(above, "cascade")

    def explode(self, square: str) -> None:
        """An Armory or Vehicle Park explodes: all in reach are attacked, then it collapses (BM-FIRE-1, BM-R46)."""
        what = next(tag for tag in EXPLOSIVE if tag in place(self.table.state, square).tags)
        self.table.emit(Exploded(square, what))
        self.attack(EXPLOSION, self._standing((square, *self._around(square))))
        self.collapse(square, "explosion", exploded=True)

    def burn(self, square: str, cause: str) -> None:
        """A Fire marker is placed directly, on a collapsed square too (BM-R39); a full one spreads it (4.9 `fire`).

        By an option markers pile up instead, and spread in the End Phase alone (BM-ALT-4).
        """
        state = self.table.state
        if open_air(state, square):
            return
        if state.square(square).fire < FIRES_MAX or state.options.hotter_than_the_sun:
            self.kindle(square, cause)
        else:
            self.spread(square)

    def kindle(self, square: str, cause: str) -> None:
        """One marker more, whatever is there, and the explosion check (BM-FIRE-1, BM-R45)."""
        die = self._explosion_check(square)
        self.table.emit(FireAdded(square, cause, die))
        if die is not None and die >= EXPLODES:
            self.explode(square)

    def spread(self, square: str) -> None:
        """The marker goes to another square by two dice, if it can burn there (BM-FIRE-2 to -4)."""
        state = self.table.state
        dice = self.table.roll("scatter", 6), self.table.roll("scatter", 6)
        to = scattered(state, square, dice)
        burns = to is not None and to != square and _same_tower(state, square, to)
        if to is None or not burns or state.square(to).collapsed or state.square(to).fire >= FIRES_MAX:
            self.table.emit(FireLost(square, dice))
            return
        die = self._explosion_check(to)
        self.table.emit(FireSpread(square, to, dice, die))
        if die is not None and die >= EXPLODES:
            self.explode(to)

    def _damage(self, square: str, cause: str) -> None:
        """One token of structural damage (4.9 `damage`): it is rolled for now and never again (BM-SD-7).

        An Armory rolls for an explosion, then for its collapse (BM-R42); a Vehicle Park does not explode (BM-R84).
        """
        state = self.table.state
        here = state.square(square)
        if not takes_damage(state, square) or (cause == "cascade" and here.collapsed):
            return
        if open_air(state, square):
            self._damage_way(square, cause)
            return
        before, tags = here.damage, place(state, square).tags
        explosion = self.table.roll("explosion", 6) if "armory" in tags and cause != "cascade" else None
        explodes = explosion is not None and explosion >= EXPLODES
        die = None if explodes else self.table.roll("damage", 6)
        self.table.emit(DamageAdded(square, cause, explosion, die))
        if "water_tank" in tags and before == 0:
            self._douse(square)
        if die is None:
            self.explode(square)
        elif die + before >= FALLS:
            self.collapse(square, cause)

    def _damage_way(self, square: str, cause: str) -> None:
        """A Pedway or Mega-Way: damage, then collapse, then (a Pedway) severance, all without a roll (BM-SD-2, -3)."""
        here = self.table.state.square(square)
        if here.collapsed:
            for blocker in self._standing((square,)):
                kill(self.table, blocker.id, "severed")
            self.table.emit(PedwaySevered(square))
        elif here.damage:
            self.collapse(square, cause)
        else:
            self.table.emit(DamageAdded(square, cause))

    def _douse(self, tank: str) -> None:
        """The water of a tank puts out the fires below it (BM-SD-5, BM-R47)."""
        state = self.table.state
        for east, down in BELOW_TANK[state.options.water_tank_douse]:
            below = state.map.step(tank, east, down)
            if below is not None and (fires := state.square(below).fire):
                self.table.emit(FireRemoved(below, fires, "water_tank"))

    def _explosion_check(self, square: str) -> int | None:
        state = self.table.state
        explosive = any(tag in place(state, square).tags for tag in EXPLOSIVE)
        return self.table.roll("explosion", 6) if explosive and not state.square(square).collapsed else None

    def _around(self, square: str) -> list[str]:
        """The squares next to an explosion: level descending, west to east (BM-R44)."""
        here = self.table.state.map
        near = here.eight if self.table.state.options.explosion_adjacency == "eight" else here.cardinal
        return sorted(near[square], key=lambda name: -here.squares[name].level)

    def _standing(self, squares: Iterable[str]) -> list[Blocker]:
        """Everybody in these squares, square by square, in order of arrival."""
        state = self.table.state
        ranks = {square: rank for rank, square in enumerate(squares)}
        there = [blocker for blocker in state.blockers.values() if blocker.at in ranks]
        return sorted(there, key=lambda blocker: (ranks[blocker.at], blocker.arrived))

    def _lose_charge(self, name: str) -> None:
        """The charge that goes off is used up, if its carrier lives; a dead one's is in the pool already."""
        self.exploded[name] += 1
        blocker = self.table.state.blockers.get(name)
        if blocker is not None:
            self.table.emit(EquipmentReturned(answers_for(blocker), name, DEMO, "exploded", open=True))

    def _lights_out(self, block: int) -> None:
        """By an option the power goes with the Power House (BM-R24)."""
        state = self.table.state
        if state.options.power_house_collapse == "power_off" and state.seats[block].power:
            self.table.emit(PowerSet(block, on=False, cause="collapse"))


def scattered(state: State, square: str, dice: tuple[int, int]) -> str | None:
    """The square to which two dice lead from here: west or east by the first, down or up by the second (2.7)."""
    table = SHELF[state.pack].scatter
    return state.map.step(square, table.horizontal[dice[0] - 1], table.vertical[dice[1] - 1])


def _same_tower(state: State, square: str, other: str) -> bool:
    block = place(state, square).block
    return block is not None and block == place(state, other).block and not open_air(state, other)
