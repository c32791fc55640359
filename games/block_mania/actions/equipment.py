"""What an active blocker does with equipment and the Power House (specification, 4.3)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.block_mania.actions.command import active, must_leave
from games.block_mania.board import Map
from games.block_mania.effects import (
    DrawUsed,
    EquipmentDeployed,
    EquipmentGiven,
    GasReleased,
    MpSpent,
    PowerSet,
    VirusReleased,
)
from games.block_mania.equipment import DrawTokens, push_surplus, reveal, seen, stays_up
from games.block_mania.pieces import without
from games.block_mania.predicates import controls, functional, item, may_use, open_air, owner, pinned, type_of
from games.block_mania.refusals import refuse
from games.block_mania.state import Blocker, State
from games.kernel import Action, Public, Secret, Table

#: What deploying a heavy item costs, and every other action with equipment (BM-EQA-6, -7).
HEAVY_COST, COST = 2, 1


def own_turn(state: State, cost: int, rule: str = "") -> Blocker:
    """The active blocker, which may act and has the points that the `rule` asks for."""
    blocker = active(state)
    if blocker.must_leave:
        must_leave()
    if blocker.mp_left < cost:
        refuse(rule, "not_enough_mp")
    return blocker


def check_held(blocker: Blocker, token: str, rule: str) -> None:
    """The blocker must carry such a token."""
    if token not in blocker.equipment:
        refuse(rule, "not_carried", token=token)


class OnToken(Action, frozen=True):
    """What actions on one carried token share."""

    token: Secret[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind that the blocker carries."""
        return map(cls, dict.fromkeys(active(state).equipment))


class DrawEquipment(Action, frozen=True):
    """Draw a token from an Armory or Hardware Store; the blocker moves no more (BM-R20)."""

    rule: ClassVar[str] = "BM-EQA-1"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Not a Superhero; alone on a store that works and is not looted; once."""
        blocker = own_turn(state, 0)
        if "no_equipment" in type_of(state, blocker).flags:
            refuse("BM-BLK-11", "uses_no_equipment")
        if _store(state, blocker.at) is None:
            refuse("BM-EQA-1", "no_store_here")
        if not functional(state, blocker.at):
            refuse("BM-R25", "collapsed")
        if state.square(blocker.at).looted:
            refuse("BM-EQA-1", "looted_already")
        if any(one.at == blocker.at for one in state.blockers.values() if one is not blocker):
            refuse("BM-R78" if pinned(state, blocker) else "BM-EQA-1", "not_alone")
        if blocker.drew:
            refuse("BM-R20", "drew_already")

    def apply(self, table: Table[State], seat: int) -> None:
        """One token."""
        blocker = active(table.state)
        table.emit(DrawUsed(blocker.id))
        table.stay()
        table.push(DrawTokens(blocker=blocker.id, pool=_store(table.state, blocker.at) or "", left=1))


def _store(state: State, square: str) -> str | None:
    tags = state.map.squares[square].tags
    return "armory" if "armory" in tags else "hardware" if "hardware_store" in tags else None


class GiveEquipment(Action, frozen=True):
    """Give a token to a neighbour that has a movement point left (BM-EQA-5)."""

    rule: ClassVar[str] = "BM-EQA-5"

    token: Secret[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each kind to each neighbour."""
        giver = active(state)
        near = set(state.map.cardinal[giver.at])
        tokens = dict.fromkeys(giver.equipment)
        for name, one in state.blockers.items():
            if one.at in near and one.mp_left:
                yield from (cls(token, name) for token in tokens)

    def check(self, state: State, seat: int) -> None:
        """Carried, heavy or not (BM-R62); to one that is near, was activated, has a point and may use it."""
        giver = own_turn(state, 0)
        check_held(giver, self.token, "BM-EQA-5")
        receiver = state.blockers.get(self.to)
        if receiver is None or receiver is giver:
            refuse("BM-EQA-5", "no_such_blocker", blocker=self.to)
        if not controls(state, seat, receiver):
            refuse("BM-EQA-5", "not_yours", blocker=self.to)
        if not hands_meet(state.map, state, giver, receiver):
            refuse("BM-R89", "not_next_to_it", blocker=self.to)
        if not receiver.activated_this_turn or receiver.mp_left < COST:
            refuse("BM-EQA-5", "not_enough_mp", blocker=self.to)
        if not may_use(state, receiver, self.token):
            refuse(
                "BM-BLK-11" if "no_equipment" in type_of(state, receiver).flags else "BM-EQ-2",
                "cannot_use_it",
                blocker=self.to,
            )
        if giver.stuck_until is not None or receiver.stuck_until is not None:
            refuse("BM-MAN-1", "stuck")
        if not stays_up(state, giver, without(giver.equipment, self.token)):
            refuse("BM-FLY-1", "would_fall")
        if item(state, self.token).heavy and not stays_up(state, receiver, (*receiver.equipment, self.token)):
            refuse("BM-FLY-4", "heavy")

    def apply(self, table: Table[State], seat: int) -> None:
        """From hand to hand; what is too much goes back."""
        giver = active(table.state)
        table.emit(EquipmentGiven(seat, giver.id, self.to, self.token, seen(table.state, giver, self.token)))
        table.stay()
        push_surplus(table, self.to)


def hands_meet(here: Map, state: State, one: Blocker, other: Blocker) -> bool:
    """Whether no wall is between two areas of neighbouring squares (4.5.1, BM-R89)."""
    if other.at not in here.cardinal[one.at]:
        return False
    a, b = here.squares[one.at], here.squares[other.at]
    out_a, out_b = (open_air(state, x.at) or x.side == "out" for x in (one, other))
    if not out_a and not out_b:
        return a.block == b.block
    if out_a and out_b:
        return True
    inner = b if out_a else a
    return inner.cls == "interior" and a.level == b.level


class DeployHeavy(OnToken, frozen=True):
    """Set up a heavy item where the blocker stands (BM-EQA-6)."""

    rule: ClassVar[str] = "BM-EQA-6"

    def check(self, state: State, seat: int) -> None:
        """Carried, heavy, one that is not set up yet."""
        blocker = own_turn(state, 0)
        check_held(blocker, self.token, "BM-EQA-6")
        if not item(state, self.token).heavy:
            refuse("BM-EQA-6", "not_heavy", token=self.token)
        if blocker.deployed.count(self.token) >= blocker.equipment.count(self.token):
            refuse("BM-EQA-6", "deployed_already", token=self.token)
        if blocker.mp_left < HEAVY_COST:
            refuse("BM-EQA-6", "not_enough_mp")

    def apply(self, table: Table[State], seat: int) -> None:
        """It stands."""
        blocker = active(table.state)
        reveal(table, blocker.id, self.token)
        table.emit(EquipmentDeployed(blocker.id, self.token, HEAVY_COST))
        table.stay()

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """Its cost in movement points."""
        return {"cost": HEAVY_COST}


class ReleaseVirus(Action, frozen=True):
    """Set the plascrete virus free in a tower (BM-EQA-8)."""

    rule: ClassVar[str] = "BM-EQA-8"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Carried, in a tower."""
        blocker = own_turn(state, COST, "BM-EQA-8")
        check_held(blocker, "plascrete_virus", "BM-EQA-8")
        check_attacks_so(state, blocker)
        if open_air(state, blocker.at):
            refuse("BM-R56", "not_in_a_tower")

    def apply(self, table: Table[State], seat: int) -> None:
        """It is loose."""
        blocker = active(table.state)
        table.emit(VirusReleased(blocker.id, blocker.at))
        table.stay()


class ReleaseGas(Action, frozen=True):
    """Let nerve gas into a block from its Power House (BM-EQA-9)."""

    rule: ClassVar[str] = "BM-EQA-9"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """Carried, in a Power House that works."""
        blocker = own_turn(state, COST, "BM-EQA-9")
        check_held(blocker, "nerve_gas", "BM-EQA-9")
        check_attacks_so(state, blocker)
        _check_power_house(state, blocker, "BM-EQA-9")

    def apply(self, table: Table[State], seat: int) -> None:
        """It works in the Combat Phase."""
        blocker = active(table.state)
        table.emit(GasReleased(blocker.id, owner(table.state, blocker.at) or 0))
        table.stay()


class TogglePower(Action, frozen=True):
    """Switch the power of a block in its Power House (BM-EQA-10)."""

    rule: ClassVar[str] = "BM-EQA-10"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """In a Power House that works."""
        _check_power_house(state, own_turn(state, COST, "BM-EQA-10"), "BM-EQA-10")

    def apply(self, table: Table[State], seat: int) -> None:
        """Off or on."""
        state = table.state
        blocker = active(state)
        block = owner(state, blocker.at) or 0
        table.emit(MpSpent(blocker.id, COST), PowerSet(block, not state.seats[block].power, "power_house"))
        table.stay()


def check_attacks_so(state: State, blocker: Blocker) -> None:
    """Kleggs shoot and fight: bombs, mines, virus and gas are attacks by other means (BM-BLK-9, BM-R94)."""
    if "only_shoot_and_fight" in type_of(state, blocker).flags:
        refuse("BM-BLK-9", "not_for_its_type")


def _check_power_house(state: State, blocker: Blocker, rule: str) -> None:
    if "power_house" not in state.map.squares[blocker.at].tags:
        refuse(rule, "no_power_house_here")
    if not functional(state, blocker.at):
        refuse("BM-R24", "collapsed")
