"""Placing, removing and giving structures, placing NPCs (specification, 4.4)."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.common import asked
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.effects import (
    CommunePlaced,
    ExchangeBegun,
    FigurePut,
    NpcPlaced,
    StructureGiven,
    StructurePlaced,
    StructureRemoved,
)
from games.portland_occupied_zone.frames import PlaceCommune as CommuneFrame
from games.portland_occupied_zone.frames import PlaceStructure as StructureFrame
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.places import (
    dumpster_at,
    figures,
    footprint,
    footprints,
    nearest_for_police,
    space_at,
    walkable,
)
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.building import (
    FIXED,
    PayExchange,
    PayPrice,
    PlacePopulation,
    RemovePopulation,
    eligible,
    fitting,
    free_slots,
    gainable,
    given_total,
    next_structure,
    removable,
)


class ChooseType(Action, frozen=True):
    """What gained population is made of."""

    rule: ClassVar[str] = "POZ-R16"
    exact: ClassVar[bool] = True

    type: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each type that fits, if that is open."""
        step = asked(state, PlacePopulation)
        return (cls(kind) for kind in (gainable(state, step.left) if step.type is None else ()))

    def check(self, state: State, seat: int) -> None:
        """It is open, and the type fits."""
        step = asked(state, PlacePopulation)
        if step.type is not None:
            refuse("POZ-R16", "chosen_already")
        if self.type not in gainable(state, step.left):
            refuse("POZ-R16", "not_of_this_type")

    def apply(self, table: Table[State], seat: int) -> None:
        """Then it is placed."""
        table.amend(PlacePopulation, type=self.type)
        table.stay()


class PlaceStructure(Action, frozen=True):
    """Place a structure: by its anchor, turned or not; a barricade by its site."""

    rule: ClassVar[str] = "POZ-GOV-7"
    exact: ClassVar[bool] = True

    anchor: Public[Cell]
    turned: Public[bool] = False
    site: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every footprint, row by row."""
        kind = _kind(state)
        return (cls(*place) for place in (footprints(state, kind, _spared(state)) if kind is not None else ()))

    def check(self, state: State, seat: int) -> None:
        """A legal footprint of the type that is to be placed (4.6)."""
        kind = _kind(state)
        if kind is None:
            refuse("POZ-R16", "no_type_chosen")
        if (self.anchor, self.turned, self.site) not in footprints(state, kind, _spared(state)):
            rule = "POZ-BLD-7" if state.board.structures[kind].site else "POZ-BLD-4"
            refuse(rule, "no_room_there", type=kind)

    def apply(self, table: Table[State], seat: int) -> None:
        """It stands; or it will, when it is paid: what is under it is given first."""
        state = table.state
        kind = _kind(state)
        assert kind is not None
        cells = self._cells(state, kind)
        step = state.agenda[-1]
        if not isinstance(step, StructureFrame) or not step.exchange:
            table.emit(StructurePlaced(next_structure(state), kind, cells))
            return
        under = [name for name in eligible(state, kind) if not set(cells).isdisjoint(state.structures[name].cells)]
        table.emit(ExchangeBegun(kind, cells), *map(StructureGiven, under))
        table.push(PayPrice())

    def _cells(self, state: State, kind: str) -> tuple[Cell, ...]:
        if self.site is not None:
            return state.board.sites[self.site]
        size = state.board.structures[kind].size
        assert size is not None
        return footprint(size, self.anchor, turned=self.turned)


def _kind(state: State) -> str | None:
    step = state.agenda[-1]
    assert isinstance(step, (PlacePopulation, StructureFrame))
    return step.type


def _spared(state: State) -> Iterable[str]:
    step = state.agenda[-1]
    return eligible(state, step.type) if isinstance(step, StructureFrame) and step.exchange else ()


class PlaceCommune(Action, frozen=True):
    """Place the Portland Commune, 3 by 3."""

    rule: ClassVar[str] = "POZ-DIC-5"
    exact: ClassVar[bool] = True

    anchor: Public[Cell]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every place for it, row by row."""
        return (cls(cell) for cell in state.board.cells if _commune_fits(state, cell))

    def check(self, state: State, seat: int) -> None:
        """Walkable cells without dumpster, structure or checkpoint (4.4)."""
        if not _commune_fits(state, self.anchor):
            refuse("POZ-DIC-5", "no_room_there", type="commune")

    def apply(self, table: Table[State], seat: int) -> None:
        """It stands; police on its cells make room (BATTLE_START 6)."""
        state = table.state
        cells = _commune_cells(state, self.anchor)
        table.emit(CommunePlaced(next_structure(state), cells))
        for figure, space in figures(state).items():
            if not isinstance(space, str) and space in cells:
                table.emit(FigurePut(figure, nearest_for_police(state, space)))


def _commune_cells(state: State, anchor: Cell) -> tuple[Cell, ...]:
    assert isinstance(state.agenda[-1], CommuneFrame)
    size = state.board.structures["commune"].size
    assert size is not None
    return footprint(size, anchor, turned=False)


def _commune_fits(state: State, anchor: Cell) -> bool:
    return all(
        walkable(state, cell) and dumpster_at(state, cell) is None and space_at(state, cell) == cell
        for cell in _commune_cells(state, anchor)
    )


class RemoveStructure(Action, frozen=True):
    """Take a structure off the board."""

    rule: ClassVar[str] = "POZ-R67"
    exact: ClassVar[bool] = True

    structure: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """What fits next."""
        step = asked(state, RemovePopulation)
        return (cls(name) for name in fitting(removable(state), step.left, step.cap))

    def check(self, state: State, seat: int) -> None:
        """There, removable, no larger than the last one, and not in vain (4.4)."""
        step = asked(state, RemovePopulation)
        if self.structure not in state.structures:
            refuse("POZ-PLN-7", "no_such_structure", structure=self.structure)
        if self.structure not in removable(state):
            refuse("POZ-RED-2" if state.structures[self.structure].type in FIXED else "POZ-R67", "stays")
        if self.structure not in fitting(removable(state), step.left, step.cap):
            refuse("POZ-R67", "does_not_fit", left=step.left)

    def apply(self, table: Table[State], seat: int) -> None:
        """Off the board."""
        step, state = asked(table.state, RemovePopulation), table.state
        kind = state.structures[self.structure].type
        pop = state.board.structures[kind].pop
        table.emit(StructureRemoved(self.structure, kind, "population"))
        table.amend(RemovePopulation, left=step.left - pop, cap=pop)


class GiveStructure(Action, frozen=True):
    """Give a structure for the new one."""

    rule: ClassVar[str] = "POZ-GOV-8"
    exact: ClassVar[bool] = True

    structure: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """What fits next."""
        return (cls(name) for name in _givable(state))

    def check(self, state: State, seat: int) -> None:
        """Eligible, no larger than the last one, and not in vain (4.4)."""
        if self.structure not in state.structures:
            refuse("POZ-GOV-8", "no_such_structure", structure=self.structure)
        if self.structure not in _left_to_give(state):
            refuse("POZ-R67", "not_eligible", structure=self.structure)
        if self.structure not in _givable(state):
            refuse("POZ-R67", "does_not_fit", left=_owed(state))

    def apply(self, table: Table[State], seat: int) -> None:
        """Marked."""
        table.emit(StructureGiven(self.structure))
        table.amend(PayExchange, cap=table.state.board.structures[table.state.structures[self.structure].type].pop)


def _left_to_give(state: State) -> dict[str, int]:
    assert state.exchange is not None
    return eligible(state, state.exchange.type, state.exchange.given)


def _owed(state: State) -> int:
    assert state.exchange is not None
    return state.board.structures[state.exchange.type].pop - given_total(state)


def _givable(state: State) -> list[str]:
    return fitting(_left_to_give(state), _owed(state), asked(state, PayExchange).cap)


class PlaceNpc(Action, frozen=True):
    """Put an NPC into a structure."""

    rule: ClassVar[str] = "POZ-NPC-1"
    exact: ClassVar[bool] = True

    structure: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every structure with a free slot."""
        return (cls(name) for name in free_slots(state))

    def check(self, state: State, seat: int) -> None:
        """A free slot."""
        check_slot(state, self.structure)

    def apply(self, table: Table[State], seat: int) -> None:
        """There it is."""
        table.emit(NpcPlaced(self.structure))


def check_slot(state: State, structure: str) -> None:
    """Refuse a structure without a free NPC slot, or when all NPCs are on the board (POZ-NPC-1, POZ-NPC-7)."""
    if structure not in state.structures:
        refuse("POZ-NPC-1", "no_such_structure", structure=structure)
    if structure not in free_slots(state):
        refuse("POZ-NPC-1", "no_free_slot", structure=structure)
    if not state.supplies.npc:
        refuse("POZ-NPC-7", "no_npcs_left")
