"""Growing and shrinking the POZ: population, NPCs, exchanges (specification, 4.4)."""

from collections.abc import Iterable
from typing import ClassVar

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import StructureRemoved, StructuresExchanged
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.places import has_room
from games.portland_occupied_zone.state import State

#: What the six-tents rule and gained population are made of (POZ-R16).
ONES = ("tent", "laundry")
FIXED = ("pulpit", "commune")  # never removed, never given


class Populate(Step, frozen=True):
    """Population has been gained: `left` of it is to be placed (ALG-POP, POZ-BLD-2)."""

    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """Ask for the next structure; what has no room or supply is lost."""
        state = table.state
        kinds = gainable(state, self.left)
        if kinds:
            only = kinds[0] if len(kinds) == 1 else None
            table.push(PlacePopulation(seats=(leader_seat(state),), left=self.left, type=only))


class PlacePopulation(Step, frozen=True):
    """The Leader chooses a type, if there are several, and a place, until `left` has been added."""

    menu: ClassVar[tuple[str, ...]] = ("choose_type", "place_structure")
    auto: ClassVar[bool] = True

    left: Public[int]
    type: Public[str | None] = None

    def run(self, table: Table[State]) -> None:
        """Go on with the rest."""
        assert self.type is not None
        table.push(Populate(left=self.left - table.state.board.structures[self.type].pop))


class Shed(Step, frozen=True):
    """Population is lost: `left` of it, structure by structure, none larger than `cap` (4.4)."""

    left: Public[int]
    cap: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """All of it if there is no more than that, else the Leader chooses."""
        state = table.state
        if self.left <= 0:
            return
        there = removable(state)
        if sum(there.values()) <= self.left:
            table.emit(*(StructureRemoved(name, state.structures[name].type, "population") for name in there))
        else:
            table.push(RemovePopulation(seats=(leader_seat(state),), left=self.left, cap=self.cap))


class RemovePopulation(Step, frozen=True):
    """The Leader removes a structure; nothing superfluous may go (POZ-R67)."""

    menu: ClassVar[tuple[str, ...]] = ("remove_structure",)
    auto: ClassVar[bool] = True

    left: Public[int]
    cap: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """Go on with the rest."""
        table.push(Shed(left=self.left, cap=self.cap))


class PlaceSomeNpcs(Step, frozen=True):
    """Up to `left` NPCs come from the supply."""

    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """Ask for the next one, as long as there is one and a slot for it."""
        state = table.state
        if self.left and state.supplies.npc and any(free_slots(state)):
            table.push(PlaceNpcs(seats=(leader_seat(state),), left=self.left))


class PlaceNpcs(Step, frozen=True):
    """The Leader puts an NPC into a free slot."""

    menu: ClassVar[tuple[str, ...]] = ("place_npc",)
    auto: ClassVar[bool] = True

    left: Public[int]

    def run(self, table: Table[State]) -> None:
        """Go on with the rest."""
        table.push(PlaceSomeNpcs(left=self.left - 1))


class PayPrice(Step, frozen=True):
    """An exchange goes on until what is given reaches the price (POZ-GOV-8)."""

    cap: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """When it is paid the given ones leave and the new one stands."""
        state = table.state
        deal = state.exchange
        assert deal is not None
        if given_total(state) < state.board.structures[deal.type].pop:
            table.push(PayExchange(seats=(leader_seat(state),), cap=self.cap))
        else:
            table.emit(StructuresExchanged(next_structure(state), deal.type, deal.cells, tuple(deal.given)))


class PayExchange(Step, frozen=True):
    """The Leader gives a structure for the new one, none larger than `cap`."""

    menu: ClassVar[tuple[str, ...]] = ("give_structure",)
    auto: ClassVar[bool] = True

    cap: Public[int | None] = None

    def run(self, table: Table[State]) -> None:
        """Go on with the rest."""
        table.push(PayPrice(cap=self.cap))


def next_structure(state: State) -> str:
    """The id of the next structure."""
    return f"s{state.made['s'] + 1}"


def gainable(state: State, left: int) -> list[str]:
    """The types that gained population can be made of now."""
    kinds = state.board.structures.values()
    wide = state.options.population_gain == "any"
    return [
        kind.id
        for kind in kinds
        if (kind.id in ONES or (wide and kind.buyable))
        and 0 < kind.pop <= left
        and state.supplies.structures[kind.id] > 0
        and has_room(state, kind.id)
    ]


def removable(state: State) -> dict[str, int]:
    """The structures that can be removed, with their population."""
    kinds = state.board.structures
    return {
        name: kinds[thing.type].pop
        for name, thing in state.structures.items()
        if thing.type not in FIXED and kinds[thing.type].pop
    }


def eligible(state: State, kind: str, given: Iterable[str] = ()) -> dict[str, int]:
    """The structures that can be given for one of this type, with their population (4.4)."""
    price = state.board.structures[kind].pop
    there = removable(state).items()
    return {n: pop for n, pop in there if pop < price and not state.structures[n].npcs and n not in given}


def given_total(state: State) -> int:
    """The population given so far in an exchange."""
    assert state.exchange is not None
    return sum(state.board.structures[state.structures[name].type].pop for name in state.exchange.given)


def fitting(there: dict[str, int], left: int, cap: int | None) -> list[str]:
    """What may go next: no larger than the last one, and with all others of at most its size reaching what is left."""
    return [
        name
        for name, pop in there.items()
        if (cap is None or pop <= cap)
        and pop + sum(other for n, other in there.items() if n != name and other <= pop) >= left
    ]


def free_slots(state: State) -> list[str]:
    """The structures with a free NPC slot."""
    kinds = state.board.structures
    return [name for name, thing in state.structures.items() if thing.npcs < kinds[thing.type].npcs]
