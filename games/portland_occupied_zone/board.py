"""A pack made ready to play on, with the tiles in play: geometry (specification, 2.3 and 4.6), cards and tables.

Made once for each pack and set of tiles (packs never change), so that rules look things up and search nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from games.portland_occupied_zone.cards import Card, Mods, card_kinds, standing
from games.portland_occupied_zone.language import parse
from games.portland_occupied_zone.options import Tile
from games.portland_occupied_zone.pack import SHELF
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.pack_parts import (
    Aktion,
    Building,
    Cell,
    Character,
    Colour,
    Edge,
    Map,
    Narrative,
    Pack,
    Plan,
    Power,
    Structure,
)

EDGES: tuple[Edge, ...] = ("n", "e", "s", "w")  # clockwise
COLOURS: tuple[Colour, ...] = ("blue", "white")
#: Steps in the order in which police prefer them (ALG-ROUTE).
DIRECTIONS: Mapping[str, Cell] = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


class Arrow(Struct, frozen=True):
    """A dispatch arrow: its cells, and the site of the same edge and street by name and cells."""

    edge: Edge
    colour: Colour
    cells: tuple[Cell, ...]
    site: str
    site_cells: tuple[Cell, ...]


class PowerKind(Struct, frozen=True):
    """A power: what holds by itself is read, what is done is text."""

    id: str
    owner: str
    at: int | None
    passive: Mods
    active: str
    teach_in: str
    outcome: str | None


class Board(Struct, frozen=True):
    """See the module. `cells` row by row; `around` has the cells next to each, north, east, south, west."""

    pack: Pack
    cells: tuple[Cell, ...]
    ground: frozenset[Cell]
    around: Mapping[Cell, tuple[Cell, ...]]
    square: frozenset[Cell]
    buildings: Mapping[str, Building]
    building_cells: Mapping[str, tuple[Cell, ...]]
    building_at: Mapping[Cell, str]
    dumpsters: Mapping[str, Cell]
    cameras: Mapping[str, Cell]
    arrows: Mapping[tuple[Edge, Colour], Arrow]
    sites: Mapping[str, tuple[Cell, ...]]
    streets: Mapping[str, frozenset[Cell]]
    cards: Mapping[str, Card]
    structures: Mapping[str, Structure]
    structure_mods: Mapping[str, Mods]
    characters: Mapping[str, Character]
    powers: Mapping[str, PowerKind]
    powers_of: Mapping[str, tuple[PowerKind, ...]]
    plans: Mapping[str, Plan]
    aktions: Mapping[str, Aktion]
    narratives: Mapping[str, Narrative]

    def back(self, card: str) -> str:
        """The back of a card."""
        back, colon, kind = card.rpartition(":")
        return back if colon else self.cards[kind].back

    def card(self, kind: str, back: str) -> str:
        """How the card of this kind with this back is written."""
        return kind if self.cards[kind].back == back else f"{back}:{kind}"

    def kind(self, card: str) -> Card:
        """What kind of card it is."""
        return self.cards[card.rpartition(":")[2]]

    def arson_slots(self, building: str) -> int:
        """How many arson tokens a building takes."""
        slots = self.pack.limits.arson_slots
        return slots.courthouse if building == COURTHOUSE else getattr(slots, self.buildings[building].size)

    def on_map(self, refs: Iterable[str]) -> bool:
        """Whether all businesses and streets that a card names are on the map (POZ-ALT-3)."""
        return all(name in self.buildings or self.streets.get(name) for name in refs)

    @property
    def businesses(self) -> tuple[str, ...]:
        """The businesses in play."""
        return tuple(name for name in self.buildings if name != COURTHOUSE)


@cache
def board(digest: str, tiles: tuple[Tile, ...] | None) -> Board:
    """The board of the pack with this SHA-256, with these tiles (None: all)."""
    pack = SHELF[digest]
    here = pack.map
    used = all_tiles(here) if tiles is None else frozenset(tiles)
    cells = tuple(
        (x, y) for y in range(len(here.rows)) for x in range(len(here.rows)) if (x // here.tile, y // here.tile) in used
    )
    on_map = frozenset(cells)
    buildings = {name: building for name, building in here.buildings.items() if on_map.issuperset(building.cells())}
    building_at = {cell: name for name, building in buildings.items() for cell in building.cells()}
    arrows = {(arrow.edge, arrow.colour): arrow for arrow in _arrows(here, on_map)}
    powers = {power.id: _power(pc.id, power) for pc in pack.characters for power in pc.powers}
    x0, y0, x1, y1 = here.courthouse_square
    return Board(
        pack=pack,
        cells=cells,
        ground=on_map - building_at.keys(),
        around={cell: tuple(_around(cell, on_map)) for cell in cells},
        square=frozenset(cell for cell in cells if x0 <= cell[0] <= x1 and y0 <= cell[1] <= y1),
        buildings=buildings,
        building_cells={name: building.cells() for name, building in buildings.items()},
        building_at=building_at,
        dumpsters={name: cell for name, cell in here.dumpsters.items() if cell in on_map},
        cameras={name: cell for name, cell in here.cameras.items() if cell in on_map},
        arrows=arrows,
        sites={arrow.site: arrow.site_cells for arrow in arrows.values()},
        streets=_streets(here, cells),
        cards=card_kinds(pack),
        structures={kind.id: kind for kind in pack.structures},
        structure_mods={kind.id: standing(parse(kind.mods)) for kind in pack.structures},
        characters={pc.id: pc for pc in sorted(pack.characters, key=lambda pc: pc.rank)},
        powers=powers,
        powers_of={pc.id: tuple(powers[power.id] for power in pc.powers) for pc in pack.characters},
        plans={plan.id: plan for plan in pack.plans},
        aktions={card.id: card for card in pack.aktions},
        narratives={card.id: card for card in (*pack.narratives.battle, *pack.narratives.standard)},
    )


def all_tiles(here: Map) -> frozenset[Tile]:
    """All tiles of a map."""
    count = len(here.rows) // here.tile
    return frozenset((x, y) for y in range(count) for x in range(count))


def _around(cell: Cell, on_map: frozenset[Cell]) -> Iterator[Cell]:
    x, y = cell
    return (there for dx, dy in DIRECTIONS.values() if (there := (x + dx, y + dy)) in on_map)


def _arrows(here: Map, on_map: frozenset[Cell]) -> Iterator[Arrow]:
    """Each edge's arrows, on the outermost cells of their streets that are in play (2.3, reduced map)."""
    for edge in EDGES:
        for colour in COLOURS:
            full = here.arrows[edge][colour]
            axis = 0 if edge in "ns" else 1
            lanes = {cell[axis] for cell in full}
            name = _site_of(here, edge, full)
            street = [cell for cell in sorted(on_map) if cell[axis] in lanes]
            if street and name is not None:
                outermost = (min if edge in "nw" else max)(cell[1 - axis] for cell in street)
                inward = outermost + (1 if edge in "nw" else -1)
                row, next_row = (tuple(cell for cell in street if cell[1 - axis] == at) for at in (outermost, inward))
                yield Arrow(edge, colour, row, name, next_row)


def _site_of(here: Map, edge: Edge, arrow: tuple[Cell, ...]) -> str | None:
    """The barricade site just inside an arrow on the whole map."""
    dx, dy = {"n": (0, 1), "e": (-1, 0), "s": (0, -1), "w": (1, 0)}[edge]
    inside = {(x + dx, y + dy) for x, y in arrow}
    return next((name for name, cells in here.barricade_sites.items() if set(cells) == inside), None)


def _streets(here: Map, cells: tuple[Cell, ...]) -> dict[str, frozenset[Cell]]:
    return {
        name: frozenset(cell for cell in cells if cell[0 if street.axis == "x" else 1] in street.lanes)
        for name, street in here.streets.items()
    }


def _power(owner: str, power: Power) -> PowerKind:
    return PowerKind(
        id=power.id,
        owner=owner,
        at=power.at,
        passive=standing(parse(power.passive)),
        active=power.active,
        teach_in=power.teach_in,
        outcome=power.outcome,
    )
