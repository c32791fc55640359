"""Where a blocker may go (specification, 4.4): lists of legal moves, and why others are refused.

`Mover` is made once for each list of options: it has the occupancy of the map. The ways out of a square that a drop
must leave open are asked of a `Mover` with other movement points and other equipment.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from games.block_mania.board import Area
from games.block_mania.movement import Mode, clear, edge_refusal, entry_refusal, indoors, out_of_order, step_cost
from games.block_mania.predicates import (
    Occupancy,
    can_fly,
    functional,
    item,
    occupancy,
    occupants,
    open_air,
    pinned,
    seat_of,
    type_of,
)
from games.block_mania.refusals import Refusal
from games.block_mania.routes import routes, stops
from games.block_mania.state import Blocker, State
from games.block_mania.ways import SWING_DOWN, doors, edges, facing, landings, swing_end

#: The rule of each ride.
_RULES = {
    "elevator": "BM-TR-4",
    "grav_chute": "BM-TR-5",
    "sky_rail": "BM-TR-6",
    "mega_way": "BM-TR-7",
    "pedway": "BM-TR-8",
}


class Mover:
    """One blocker that is to move, with `mp` movement points, on the map as it stands."""

    def __init__(self, state: State, blocker: Blocker, mp: int | None = None) -> None:
        self.state = state
        self.map = state.map
        self.blocker = blocker
        self.area: Area = (blocker.at, blocker.side)
        self.mp = blocker.mp_left if mp is None else mp

    @cached_property
    def standing(self) -> Occupancy:
        """Who stands where: for long lists."""
        return occupancy(self.state)

    def held(self) -> Refusal | None:
        """Why the blocker may not move at all."""
        if pinned(self.state, self.blocker):
            return ("BM-ACT-4", "pinned")
        if self.blocker.stuck_until is not None:
            return ("BM-MAN-1", "stuck")
        if self.blocker.movement_over:
            return ("BM-EQA-1" if self.blocker.drew else "BM-MAN-1", "movement_over")
        return None

    def enters(self, area: Area, mode: Mode) -> Refusal | None:
        """Why the blocker may not come to an area by this mode."""
        there = [one for one in occupants(self.state, *area) if one.id != self.blocker.id]
        return entry_refusal(self.state, there, self.blocker, mode)

    # Walking (4.4.1)

    def walk_refusal(self, to: str) -> Refusal | None:
        """Why a step to a square is not allowed."""
        if to not in self.map.squares or to not in self.map.cardinal[self.area[0]]:
            return ("BM-WALK-1", "not_next_to_it")
        if (held := self.held()) is not None:
            return held
        if (barred := edge_refusal(self.state, self.area, to)) is not None:
            return barred
        cost = step_cost(self.state, self.area[0], to)
        if cost > self.mp:
            return ("BM-WALK-1", "not_enough_mp")
        if cost == 0 and to in self.blocker.free_trail:
            return ("BM-R92", "free_step_back")
        return self.enters((to, indoors(self.state, to)), "walk")

    def walks(self) -> Iterator[str]:
        """The squares that one step leads to."""
        if self.held() is None:
            yield from (to for to in edges(self.map)[self.area[0]] if self.walk_refusal(to) is None)

    # Transit (4.4.2, BM-TR-1)

    def ride_refusal(self, mode: str, to: str | None) -> Refusal | None:
        """Why a ride is not allowed; the grav chute has no `to`."""
        if (held := self.held()) is not None:
            return held
        if (out := self._boards(mode)) is not None:
            return out
        ends = self.chute_end() if mode == "grav_chute" else to
        if mode != "grav_chute" and to not in self.ends(mode):
            return self._no_end(mode, to)
        if self.mp < 1:
            return (_RULES[mode], "not_enough_mp")
        if ends is None or (mode == "grav_chute" and self.lethal_chute()):
            return None
        return self.enters((ends, "-"), "transit")

    def rides(self, mode: str) -> Iterator[str]:
        """The squares that a ride leads to."""
        if self.mp >= 1 and self.held() is None and self._boards(mode) is None:
            yield from (to for to in self.ends(mode) if self.enters((to, "-"), "transit") is None)

    def _boards(self, mode: str) -> Refusal | None:
        """Why the blocker cannot get on where it stands."""
        rule, state, here = _RULES[mode], self.state, self.area[0]
        place, flags = self.map.squares[here], type_of(state, self.blocker).flags
        fits = {
            "elevator": bool(place.features & {"E", "K"}) and not open_air(state, here),
            "grav_chute": "G" in place.features and not open_air(state, here) and self.chute_end() is not None,
            "sky_rail": "station" in place.tags and functional(state, here),
            "mega_way": "vehicle_park" in place.tags and functional(state, here),
            "pedway": "pedway" in place.tags or ("pedway_terminus" in place.tags and functional(state, here)),
        }[mode]
        if not fits:
            return (rule, "not_where_it_stops")
        if mode == "mega_way" and "no_mega_way" in flags:
            return (rule, "not_for_its_type")
        if mode == "sky_rail":
            # BM-R18.
            if "no_sky_rail" in flags and not (state.options.mob_sky_rail and self.blocker.type == "mob"):
                return ("BM-BLK-10" if self.blocker.type == "mob" else rule, "not_for_its_type")
            if not state.square(here).cars:
                return (rule, "no_car")
        return None

    def ends(self, mode: str) -> tuple[str, ...]:
        """Where a ride from here may end, whoever stands there."""
        state, here = self.state, self.area[0]
        if mode == "elevator":
            return tuple(self._elevator_ends())
        if mode == "pedway":
            return tuple(self._pedway_ends())
        if mode == "grav_chute":
            return ()
        way: Literal["sky_rail", "mega_way"] = "sky_rail" if mode == "sky_rail" else "mega_way"
        return tuple(
            to
            for to in stops(self.map, way, here)
            if functional(state, to)
            and any(clear(state, route.squares, route.boards) for route in routes(self.map, way, here, to))
        )

    def _elevator_ends(self) -> Iterator[str]:
        here = self.area[0]
        if not self.state.seats[seat_of(self.state, self.map.squares[here].block or 0)].power:
            return
        for letter, shaft in self.map.shafts.get(here, {}).items():
            if letter != "G" and not any(self.state.square(name).collapsed for name in shaft):
                yield from (name for name in shaft if name != here)

    def _pedway_ends(self) -> Iterator[str]:
        """The other end, or either from a Pedway square in the middle (BM-R70)."""
        for pedway in self.map.pedways.get(self.area[0], ()):
            if not out_of_order(self.state, pedway) and len(pedway.termini) == 2:
                yield from (name for name in pedway.termini if name != self.area[0])

    def chute_end(self) -> str | None:
        """The bottom of the grav chute here; None at the bottom."""
        shaft = self.map.shafts.get(self.area[0], {}).get("G", (self.area[0],))
        return shaft[0] if shaft[0] != self.area[0] else None

    def lethal_chute(self) -> bool:
        """Whether a square of the grav chute has collapsed: the rider dies (BM-TR-5)."""
        return any(self.state.square(name).collapsed for name in self.map.shafts[self.area[0]]["G"])

    def _no_end(self, mode: str, to: str | None) -> Refusal:
        if mode == "elevator" and to in {n for shaft in self.map.shafts[self.area[0]].values() for n in shaft}:
            return ("BM-TR-4", "out_of_order")
        if mode == "pedway":
            return ("BM-TR-8", "out_of_order")
        return (_RULES[mode], "no_way_there")

    # Flying (4.4.3, BM-FLY-5)

    def fly_refusal(self, area: Area) -> Refusal | None:
        """Why a flight to an area is not allowed."""
        if (start := self._take_off()) is not None:
            return start
        if area[0] not in self.map.squares or area not in self._landings():
            return self._no_landing(area)
        return self.enters(area, "transit")

    def flights(self) -> Iterator[Area]:
        """The areas that a flight leads to."""
        if self._take_off() is not None:
            return
        for area in self._landings():
            there = self.standing.get(area)
            if there is None or entry_refusal(self.state, there, self.blocker, "transit") is None:
                yield area

    def _take_off(self) -> Refusal | None:
        state = self.state
        if not can_fly(state, self.blocker):
            heavy = any(item(state, kind).heavy for kind in self.blocker.equipment)
            return ("BM-FLY-4", "heavy") if heavy else ("BM-FLY-1", "cannot_fly")
        if (held := self.held()) is not None:
            return held
        if self.mp < 1:
            return ("BM-FLY-1", "not_enough_mp")
        # From Open Air a flyer may fly on (BM-R16).
        place = self.map.squares[self.area[0]]
        outdoors = open_air(state, place.id) or self.area[1] == "out" or bool(place.tags & {"balcony", "entrance"})
        inside = self.blocker.flew_in and bool(place.tags & {"station", "vehicle_park"}) and self._open_door(place.id)
        return None if outdoors or inside else ("BM-FLY-1", "no_take_off_here")

    def _landings(self) -> list[Area]:
        state, found, seen = self.state, [], set()
        standing = [not seat.collapsed for seat in state.seats]
        for area in landings(self.map, self.area[0]):
            block = self.map.squares[area[0]].block
            if block is None:
                found.append(area)
            elif not standing[seat_of(state, block)]:
                seen.add(block)
            elif area[1] != "-" or self._open_door(area[0]):
                found.append(area)
        # A fallen tower is Open Air, every square of it.
        found += [(name, "-") for block in sorted(seen) for name in self.map.tower[block] if name != self.area[0]]
        return found

    def _open_door(self, square: str) -> bool:
        """Whether a Station or Vehicle Park can be flown into: one side of its block is open (BM-FLY-3)."""
        sides = doors(self.map, square)
        clear_sides = (side and not any(self.state.square(name).collapsed for name in side) for side in sides)
        return functional(self.state, square) and any(clear_sides)

    def _no_landing(self, area: Area) -> Refusal:
        place = self.map.squares.get(area[0])
        if place is not None and place.tags & {"station", "vehicle_park"}:
            return ("BM-FLY-3", "closed")
        if place is not None and place.cls == "window" and area[1] == "in":
            return ("BM-FLY-2", "arrives_outside")
        return ("BM-FLY-1", "no_landing_there")

    # Swinging (4.4.4)

    def swing_refusal(self) -> Refusal | None:
        """Why a swing is not allowed."""
        state, here = self.state, self.map.squares[self.area[0]]
        if here.cls != "window" or self.area[1] != "in" or open_air(state, here.id) or not facing(self.map, here.id):
            return ("BM-SW-1", "not_inside_a_window")
        if not self._has_sucker_gun():
            return ("BM-SW-1", "no_sucker_gun")
        if (held := self.held()) is not None:
            return held
        if self.mp < 1:
            return ("BM-SW-1", "not_enough_mp")
        if self.lethal_swing():
            return None
        end = swing_end(self.map, here.id)
        if end is None or open_air(state, end):
            return ("BM-SW-1", "no_window_there")
        return self.enters((end, "in"), "transit")

    def lethal_swing(self) -> bool:
        """Whether the swinger would hit the ground (BM-SW-4)."""
        return self.map.squares[self.area[0]].level < SWING_DOWN

    def _has_sucker_gun(self) -> bool:
        innate = "sucker_gun_innate" in type_of(self.state, self.blocker).flags
        return innate or any("swings" in item(self.state, kind).flags for kind in self.blocker.equipment)

    # Ways out (4.3, drop)

    def has_way_out(self) -> bool:
        """Whether any move that is not lethal leads out of the square."""
        if next(self.walks(), None) or next(self.flights(), None):
            return True
        if any(next(self.rides(mode), None) for mode in ("elevator", "sky_rail", "mega_way", "pedway")):
            return True
        if self.ride_refusal("grav_chute", None) is None and not self.lethal_chute():
            return True
        return self.swing_refusal() is None and not self.lethal_swing()
