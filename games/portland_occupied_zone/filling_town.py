"""The town and the POZ of a position (specification, 3.3)."""

from typing import Any

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import commune, footprint, space_at, walkable
from games.portland_occupied_zone.position_doc import PositionDoc, StructureDoc, given
from games.portland_occupied_zone.state import Camera, Checkpoint, Structure


def fill_town(game: Game, doc: PositionDoc) -> None:
    """Buildings, dumpsters, cameras and tokens; in the battle the courthouse is gone."""
    game.battle = doc.battle is True
    if game.battle:
        game.buildings[COURTHOUSE].standing = False
    for name, building in doc.buildings.items():
        if name not in game.buildings:
            impossible(f"buildings.{name}", "there is no such building on the map")
        for field, value in given(building).items():
            setattr(game.buildings[name], field, value)
    for name, dumpster in doc.dumpsters.items():
        if name not in game.dumpsters:
            impossible(f"dumpsters.{name}", "there is no such dumpster on the map")
        for field, value in given(dumpster).items():
            setattr(game.dumpsters[name], field, value)
    for name, camera in doc.cameras.items():
        if name not in game.cameras:
            impossible(f"cameras.{name}", "there is no such camera on the map")
        game.cameras[name] = Camera(present=camera.present)
    game.tokens = doc.tokens


def fill_poz(game: Game, doc: PositionDoc) -> None:
    """Structures and checkpoints."""
    listed = {} if doc.structures is UNSET else by_id(doc.structures, "s")
    game.structures = {
        name: Structure(type=part.type, cells=_cells(game, f"structures.{name}", part), npcs=part.npcs)
        for name, part in listed.items()
    }
    for name, point in by_id(doc.checkpoints, "k").items():
        cells = game.board.sites.get(point.site) if point.site is not UNSET else point.cells
        if not cells:
            impossible(f"checkpoints.{name}", "it has cells, or a site of the map")
        game.checkpoints[name] = Checkpoint(cells=cells, arson=point.arson)
    if game.battle and not doc.agenda:
        _commune(game)


def _commune(game: Game) -> None:
    """A battle has a Commune; one that is not listed stands where the courthouse was, if it can."""
    size, (x, y, *_) = game.board.structures["commune"].size, game.board.buildings[COURTHOUSE].rect
    cells = () if size is None else footprint(size, (x, y), turned=False)
    if commune(game) is None and all(walkable(game, cell) and space_at(game, cell) == cell for cell in cells):
        game.structures[f"s{last(game.structures, 's') + 1}"] = Structure(type="commune", cells=cells)


def by_id(parts: Any, letter: str) -> dict[str, Any]:
    """Parts by id; those of a list that have none are counted up (3.3)."""
    if isinstance(parts, dict):
        return parts
    return {part.id if part.id is not UNSET else f"{letter}{n}": part for n, part in enumerate(parts, 1)}


def _cells(game: Game, field: str, part: StructureDoc) -> tuple[Any, ...]:
    kind = game.board.structures.get(part.type)
    if kind is None:
        return impossible(f"{field}.type", f"there is no structure {part.type}")
    if part.cells is not UNSET:
        return part.cells
    if part.site is not UNSET:
        return game.board.sites.get(part.site) or impossible(f"{field}.site", "there is no such site on the map")
    if part.anchor is UNSET or kind.size is None:
        return impossible(field, "it has cells, an anchor or a site")
    return footprint(kind.size, part.anchor, turned=part.turned)


def last(things: dict[str, Any], letter: str) -> int:
    """The highest number among the ids of things."""
    numbers = [int(name[1:]) for name in things if name[:1] == letter and name[1:].isdecimal()]
    return max(numbers, default=0)
