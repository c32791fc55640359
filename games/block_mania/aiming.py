"""Who may attack with what, and at what (specification, 4.6): why not, and the lists of what is legal."""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from msgspec import Struct

from games.block_mania.board import Area
from games.block_mania.pack_parts import Item, Shot
from games.block_mania.predicates import (
    Occupancy,
    controls,
    item,
    occupancy,
    open_air,
    owner,
    pinned,
    place,
    takes_damage,
)
from games.block_mania.refusals import Refusal
from games.block_mania.sight import Sight
from games.block_mania.state import Blocker, State

THROW_LEVEL: Final = 3  # BM-FB-1; the ground is level 0 (BM-R77)
ROBODOG: Final = Shot("shot", 3)  # BM-DF-5, BM-R35


class Gun(Struct, frozen=True):
    """A blocker with a token in its hands, and the way it is fired."""

    blocker: Blocker
    item: Item
    shot: Shot

    @property
    def area(self) -> Area:
        """Where it is fired from."""
        return self.blocker.at, self.blocker.side


def gun_of(state: State, blocker: str, token: str, mode: str) -> Gun:
    """The gun of an attack that was declared legally."""
    held = item(state, token)
    shot = ROBODOG if "robodog" in held.flags else next(shot for shot in held.shots if shot.mode == mode)
    return Gun(state.blockers[blocker], held, shot)


def ready_refusal(state: State, seat: int, name: str, rule: str, pin_rule: str | None = None) -> Refusal | None:
    """Why a blocker may not attack of its own will: not the seat's, flipped, pinned, stuck (4.6, 4.14)."""
    blocker = state.blockers.get(name)
    if blocker is None or not blocker.at:
        return (rule, "no_such_blocker")
    if not controls(state, seat, blocker):
        return ("BM-BLK-5", "futsy_not_activated") if blocker.controller is None else (rule, "not_yours")
    if blocker.flipped:
        return (rule, "flipped")
    if pinned(state, blocker):
        return (pin_rule or rule, "pinned")
    return ("BM-MAN-1", "stuck") if blocker.stuck_until is not None else None


def weapon_refusal(state: State, blocker: Blocker, token: str, mode: str, rule: str) -> Refusal | None:
    """Why a blocker cannot fire a token in this mode: carried, ranged, deployed (BM-SH-1)."""
    if token not in blocker.equipment:
        return (rule, "not_carried")
    held = item(state, token)
    if held.range is None:
        return (rule, "not_a_ranged_weapon")
    if held.heavy and token not in blocker.deployed:
        return (rule, "not_deployed")
    if mode not in {shot.mode for shot in held.shots}:
        return (rule, "no_such_mode")
    return None


def aim_refusal(state: State, seat: int, name: str, token: str, mode: str) -> Refusal | None:
    """Why a blocker may not aim (4.6, step 1)."""
    refused = ready_refusal(state, seat, name, "BM-3CI-1", "BM-SH-1")
    if refused is not None:
        return refused
    blocker = state.blockers[name]
    if (refused := weapon_refusal(state, blocker, token, mode, "BM-SH-1")) is not None:
        return refused
    gun = gun_of(state, name, token, mode)
    if mode == "thrown" and not _high(state, blocker):
        return ("BM-FB-1", "not_in_a_high_window")
    return None if Aiming(state, gun).anything() else ("BM-SH-1", "no_target")


def aims(state: State, seat: int) -> Iterator[tuple[str, str, str]]:
    """What a seat may aim: blocker by blocker, token by token, mode by mode. Kleggs may, at blocks too (BM-R80)."""
    for blocker in state.blockers.values():
        if blocker.equipment and ready_refusal(state, seat, blocker.id, "BM-3CI-1") is None:
            for token in dict.fromkeys(blocker.equipment):
                for shot in item(state, token).shots:
                    if aim_refusal(state, seat, blocker.id, token, shot.mode) is None:
                        yield blocker.id, token, shot.mode


def drill_refusal(state: State, seat: int, name: str) -> Refusal | None:
    """Why a blocker may not drill (BM-3CI-4)."""
    if (refused := ready_refusal(state, seat, name, "BM-3CI-4", "BM-SH-1")) is not None:
        return refused
    return None if drill_of(state, state.blockers[name]) else ("BM-3CI-4", "no_deployed_drill")


def drill_of(state: State, blocker: Blocker) -> str | None:
    """The deployed drill of a blocker."""
    return next((kind for kind in blocker.deployed if "drills" in item(state, kind).flags), None)


def _high(state: State, blocker: Blocker) -> bool:
    """In a Window square, a Balcony or not, from which bombs can be thrown (BM-R76)."""
    here = place(state, blocker.at)
    return here.cls == "window" and not open_air(state, here.id) and here.level >= THROW_LEVEL


class Aiming:
    """A gun that looks for targets on the map as it stands; made anew for each list and each check."""

    def __init__(self, state: State, gun: Gun) -> None:
        self.state = state
        self.gun = gun
        self.sight: Sight = state.sight

    @cached_property
    def standing(self) -> Occupancy:
        """Who stands in which area."""
        return occupancy(self.state)

    @cached_property
    def taken(self) -> set[str]:
        """The squares in which somebody stands."""
        return {square for square, _ in self.standing}

    def anything(self) -> bool:
        """Whether there is any target: the squares next to the gun are looked at first, as one of them mostly is."""
        if self.gun.shot.mode != "thrown" and any(self.block_refusal(square) is None for square in self._outward()):
            return True
        found: tuple[Iterator[object], ...] = (self.areas(), self.throws(), self.rails(), self.units())
        return any(True for kind in found for _ in kind)

    # Blockers

    def areas(self) -> Iterator[Area]:
        """The areas that can be shot at: level ascending, west to east; of a Window each side by itself (BM-WIN-5)."""
        rank = self.state.map.rank
        for area in sorted(self.standing, key=lambda area: (rank[area[0]], area[1])):
            if self.area_refusal(area) is None:
                yield area

    def area_refusal(self, area: Area) -> Refusal | None:
        """Why the blockers in an area cannot be shot at (4.6, step 1)."""
        if not self._known(area):
            return ("BM-SH-1", "no_such_area")
        if self.gun.shot.mode == "thrown":
            return ("BM-FB-1", "thrown_at_a_plaza")
        if area == self.gun.area:
            return ("BM-R95", "own_square")
        return self._nobody(area) or self._reach(area) or self._stopped(area[0])

    def _nobody(self, area: Area) -> Refusal | None:
        others = [one for one in self.standing.get(area, ()) if one.id != self.gun.blocker.id]
        if not others:
            return ("BM-R37", "nobody_there")
        return ("BM-MAN-1", "stuck_blocker_there") if all(one.stuck_until is not None for one in others) else None

    def _known(self, area: Area) -> bool:
        square = self.state.map.squares.get(area[0])
        return square is not None and area[1] in square.sides

    def _reach(self, area: Area) -> Refusal | None:
        """`can_fire`: a line of fire and the range; a homing missile needs neither (BM-SH-5, BM-R30)."""
        if self.gun.shot.homing:
            homes = open_air(self.state, area[0]) or place(self.state, area[0]).cls == "window"
            return None if homes else ("BM-SH-5", "not_for_homing")
        return can_fire_refusal(self.sight, self.gun.area, area, self.gun.item.range)

    def _stopped(self, square: str) -> Refusal | None:
        """A laser deployed in a Window of the target's block stops missiles (BM-SH-6, BM-R67)."""
        block = None if open_air(self.state, square) else owner(self.state, square)
        if "missile" not in self.gun.item.flags or block is None:
            return None
        for blocker in self.state.blockers.values():
            guards = any("stops_missiles" in item(self.state, kind).flags for kind in blocker.deployed)
            if guards and owner(self.state, blocker.at) == block and place(self.state, blocker.at).cls == "window":
                return ("BM-SH-6", "missiles_stopped")
        return None

    # The block itself

    def blocks(self) -> Iterator[str]:
        """The squares that can be attacked: level ascending, west to east."""
        if self.gun.shot.mode != "thrown":
            yield from (square for square in self._near() if self.block_refusal(square) is None)

    def _near(self) -> Iterator[str]:
        """The squares that may be in range: level ascending, west to east."""
        if self._everywhere():
            return iter(self.state.map.order)
        return iter(sorted(self._outward(), key=self.state.map.rank.__getitem__))

    def _outward(self) -> Iterator[str]:
        """The squares that may be in range, the nearest first."""
        if self._everywhere():
            return iter(self.state.map.order)
        most = self.gun.item.range or 0
        return (square for square, away in self.sight.ranges(self.gun.blocker.at).items() if away <= most)

    def _everywhere(self) -> bool:
        """Whether ranges through Open Air do not say how far it shoots."""
        return self.gun.shot.homing or self.state.options.open_living_spaces

    def block_refusal(self, square: str) -> Refusal | None:
        """Why a square itself cannot be attacked (4.6 `attack_block`)."""
        if square not in self.state.map.squares:
            return ("BM-SH-1", "no_such_square")
        if self.gun.shot.mode == "thrown":
            return ("BM-FB-1", "thrown_at_a_plaza")
        if square == self.gun.blocker.at:
            return ("BM-SH-1", "own_square")
        refused = self._worthless(square)
        if refused is not None:
            return refused
        seen = [self._reach((square, side)) for side in place(self.state, square).sides]
        return (None if None in seen else seen[0]) or self._stopped(square)

    def _worthless(self, square: str) -> Refusal | None:
        """What can be damaged: by effects an empty square, by others one with Strength (BM-3CI-3, -6; BM-R73)."""
        if not has_effect(self.gun.shot):
            return None if takes_damage(self.state, square) else ("BM-R40", "takes_no_damage")
        if square in self.taken:
            return ("BM-3CI-3", "not_empty")
        blasts = self.gun.shot.damage is not None and takes_damage(self.state, square)
        return None if blasts or not open_air(self.state, square) else ("BM-3CI-3", "takes_no_damage")

    # The Sky-Rail, plazas, Justice units

    def rails(self) -> Iterator[str]:
        """The Sky-Rail squares that can be cut."""
        if "cuts_sky_rail" in self.gun.item.flags:
            rails = self.state.map.tagged.get("sky_rail", ())
            yield from (square for square in rails if self.rail_refusal(square) is None)

    def rail_refusal(self, square: str) -> Refusal | None:
        """Why the Sky-Rail cannot be cut there (BM-3CI-5)."""
        if "cuts_sky_rail" not in self.gun.item.flags:
            return ("BM-3CI-5", "not_with_this")
        if square not in self.state.map.squares or "sky_rail" not in place(self.state, square).tags:
            return ("BM-3CI-5", "no_sky_rail_there")
        if self.state.square(square).collapsed:
            return ("BM-3CI-5", "collapsed_already")
        return self._reach((square, "-"))

    def throws(self) -> Iterator[Area]:
        """The plazas at which Fire Bombs can be thrown."""
        if self.gun.shot.mode == "thrown":
            here = self.state.map
            ends = sorted([*here.tagged.get("plaza", ()), *here.tagged.get("entrance", ())], key=here.rank.__getitem__)
            yield from ((square, "-") for square in ends if self.throw_refusal((square, "-")) is None)

    def throw_refusal(self, area: Area) -> Refusal | None:
        """Why Fire Bombs cannot be thrown there: a plaza in sight, or the Entrance Plaza opposite (BM-FB-1)."""
        if self.gun.shot.mode != "thrown":
            return ("BM-FB-1", "not_thrown")
        if not self._known(area):
            return ("BM-FB-1", "no_such_area")
        here, target = place(self.state, self.gun.blocker.at), place(self.state, area[0])
        if target.id == self.state.map.opposite(here.id, here.level) and not open_air(self.state, target.id):
            return None if "entrance" in target.tags else ("BM-FB-1", "not_a_plaza")
        if "plaza" not in target.tags:
            return ("BM-FB-1", "not_a_plaza")
        return None if self.sight.visible(self.gun.area, area) else ("BM-FB-1", "not_visible")

    def units(self) -> Iterator[str]:
        """The Justice units that can be shot at."""
        if self.state.options.justice_units_targetable and self.gun.shot.mode != "thrown":
            yield from (unit.id for unit in self.state.units if self.unit_refusal(unit.id) is None)

    def unit_refusal(self, name: str) -> Refusal | None:
        """Why a Justice unit cannot be shot at (BM-ALT-2)."""
        unit = next((unit for unit in self.state.units if unit.id == name), None)
        if not self.state.options.justice_units_targetable or self.gun.shot.mode == "thrown":
            return ("BM-ALT-2", "units_are_no_targets")
        return ("BM-ALT-2", "no_such_unit") if unit is None else self._reach((unit.at, "-"))


def has_effect(shot: Shot) -> bool:
    """Whether a shot damages or burns the square besides (BM-R72)."""
    return shot.damage is not None or shot.fires != 0


def can_fire_refusal(sight: Sight, firer: Area, target: Area, most: int | None) -> Refusal | None:
    """Why there is no shot from one area to another with this range (BM-SH-1 to -3)."""
    if not sight.visible(firer, target):
        return ("BM-SH-3", "not_visible")
    away = sight.range(firer, target)
    return None if away is not None and away <= (most or 0) else ("BM-SH-1", "out_of_range")
