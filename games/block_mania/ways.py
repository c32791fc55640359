"""What the map allows whatever lies on it: walking edges, shafts, landing places (specification, 4.4.1 to 4.4.4)."""

from functools import cache

from games.block_mania.board import Area, Map

#: Swings go so many levels down, and nobody swings from below that (BM-SW-1, BM-SW-4).
SWING_DOWN = 3


@cache
def edges(here: Map) -> dict[str, tuple[str, ...]]:
    """The squares to which an edge for walkers leads from each: stairs are everywhere (4.4.1, item 3; BM-WALK-2)."""
    return {name: tuple(to for to in near if _edge(here, name, to)) for name, near in here.cardinal.items()}


def _edge(here: Map, one: str, other: str) -> bool:
    a, b = here.squares[one], here.squares[other]
    if a.block is not None and b.block is not None:
        return a.block == b.block
    if a.level != b.level:
        return False
    tags = a.tags & b.tags
    if "plaza" in tags or "pedway" in tags:
        return True
    inner, outer = (a, b) if a.block is not None else (b, a)
    return ("entrance" in inner.tags and "plaza" in outer.tags) or (
        "pedway_terminus" in inner.tags and "pedway" in outer.tags
    )


@cache
def boards_near(here: Map, square: str) -> frozenset[int]:
    """The boards that a square is on and their neighbours: as far as a flyer gets (4.4.3)."""
    n = len(here.boards)
    found = {board + step for board in here.squares[square].boards for step in (-1, 0, 1)}
    return frozenset(board % n if here.wraps else board for board in found if here.wraps or 0 <= board < n)


@cache
def landings(here: Map, square: str) -> tuple[Area, ...]:
    """The areas to which a flyer may come from a square while all blocks stand: Open Air, outside Windows, Balconies.

    A flyer comes to the outside of a Window (BM-WIN-2), of a Balcony to either side (BM-WIN-9). Stations and Vehicle
    Parks are among them; whether they can be flown into depends on what has collapsed.
    """
    near, found = boards_near(here, square), []
    for place in here.squares.values():
        if place.id == square or not near.intersection(place.boards):
            continue
        if place.cls == "open_air" or place.tags & {"station", "vehicle_park"}:
            found.append((place.id, "-"))
        elif place.cls == "window":
            found += [(place.id, side) for side in (("in", "out") if "balcony" in place.tags else ("out",))]
    return tuple(found)  # type: ignore[arg-type] # the sides are words of Side


@cache
def doors(here: Map, square: str) -> tuple[tuple[str, ...], ...]:
    """The Tubeways of a Station, or Tunnels of a Vehicle Park: those west of it, those east of it."""
    place = here.squares[square]
    tag = "tubeway" if "station" in place.tags else "tunnel"
    row = [here.squares[name] for name in here.tower[place.block or 0] if here.squares[name].level == place.level]
    found = [one for one in row if tag in one.tags]
    return (
        tuple(one.id for one in found if one.c < place.c),
        tuple(one.id for one in found if one.c > place.c),
    )


@cache
def swing_end(here: Map, square: str) -> str | None:
    """Where a swing from a Window leads: to a Window of the opposite face, three levels down (BM-SW-1, -5)."""
    end = here.opposite(square, SWING_DOWN)
    return end if end is not None and here.squares[end].cls == "window" else None


def facing(here: Map, square: str) -> bool:
    """Whether another tower's face lies opposite this face square."""
    return here.opposite(square) is not None
