"""Where Sky-Rail and Mega-Way run, behind the towers (specification, 4.4.2)."""

from functools import cache
from typing import Final, Literal

from msgspec import Struct

from games.block_mania.board import Map

Way = Literal["sky_rail", "mega_way"]
#: The tags of the squares that can be seen of a way, and of its stops.
PARTS: Final = {
    "sky_rail": ({"sky_rail", "tubeway", "station"}, "station"),
    "mega_way": ({"mega_way", "tunnel", "vehicle_park"}, "vehicle_park"),
}


class Route(Struct, frozen=True):
    """One way round from a stop to another: the squares on it that can be seen, and the boards it crosses."""

    squares: tuple[str, ...]
    boards: frozenset[int]


@cache
def routes(here: Map, way: Way, start: str, end: str) -> tuple[Route, ...]:
    """The routes from one stop to another on the same level: eastward and westward, as far as the map lets.

    Of the two blocks at the ends only the part on the travel side is on it, with the stop itself.
    """
    first, last = here.squares[start], here.squares[end]
    found = []
    for direction in (1, -1):
        distance = direction * (last.x - first.x)
        if here.wraps:
            distance %= here.width
        if distance <= 0:
            continue
        xs = [first.x + direction * passed for passed in range(distance + 1)]
        names = [here.at[x % here.width if here.wraps else x, first.level] for x in xs]
        parts = tuple(name for name in names if here.squares[name].tags & PARTS[way][0])
        blocks = frozenset(block for name in names if (block := here.squares[name].block) is not None)
        found.append(Route(parts, blocks))
    return tuple(found)


@cache
def stops(here: Map, way: Way, start: str) -> tuple[str, ...]:
    """The stops that can be reached from one, as long as the route is clear."""
    level = here.squares[start].level
    return tuple(
        name
        for name in here.tagged.get(PARTS[way][1], ())
        if name != start and here.squares[name].level == level and routes(here, way, start, name)
    )
