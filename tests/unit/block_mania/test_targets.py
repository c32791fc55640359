"""4.6: the lists of targets against the rules written down a second time, plainly, on positions made at random."""

from fractions import Fraction
from random import Random

import msgspec
import pytest

from games.block_mania.aiming import Aiming, gun_of
from games.block_mania.defending import Defence, defences
from games.block_mania.pack import SHELF
from tests.unit.block_mania.kit import BOARDS, DIGEST, NAMES, state_of

PACK = SHELF[DIGEST]
ITEMS = {item.id: item for item in PACK.equipment}
GUNS = ["spitgun", "stump_gun", "mdl", "flamer", "missile_launcher", "fire_bombs", "spit_cannon"]
SHORT = {name: short for short, name in NAMES.items()}


class Plain:
    """Sections 4.5 and 4.6 without any preparation: dictionaries of columns and levels, and loops."""

    def __init__(self, state):
        self.state = state
        self.map = state.map
        self.cells = {(s.x, s.level): s for s in self.map.squares.values()}
        self.width = self.map.width

    def fallen(self, block):
        board = self.state.boards[block]
        return next(seat for seat in self.state.seats if seat.board == board).collapsed

    def air(self, square):
        return square.block is None or self.fallen(square.block)

    def near(self, square, ways):
        for east, up in ways:
            x = square.x + east
            found = self.cells.get((x % self.width if self.map.wraps else x, square.level + up))
            if found is not None:
                yield found

    def ranges(self, start):
        """Layer by layer; only Open Air is stepped on from."""
        away, layer = {start.id: 0}, [start]
        while layer:
            fresh = []
            for here in layer:
                if here is not start and not self.air(here):
                    continue
                steps = list(self.near(here, [(0, 1), (0, -1), (1, 0), (-1, 0)]))
                for there in self.near(here, [(1, 1), (1, -1), (-1, 1), (-1, -1)]):
                    fit = [self.air(s) or s.cls == "window" for s in (here, there)]
                    if all(fit) and (self.air(here) or self.air(there)):
                        steps.append(there)
                for there in steps:
                    if there.id not in away:
                        away[there.id] = away[here.id] + 1
                        fresh.append(there)
            layer = fresh
        return away

    def point(self, square):
        shift = 0 if self.air(square) else {2: -1, 7: 1}[square.c]
        return 2 * square.x + shift, 2 * square.level

    def clear(self, start, end):
        """The exact test, box by box, with fractions."""
        turns = (-self.width, 0, self.width) if self.map.wraps else (0,)
        for (x, y), square in self.cells.items():
            if self.air(square):
                continue
            for turn in turns:
                box = ((2 * (x + turn) - 1, 2 * (x + turn) + 1), (2 * y - 1, 2 * y + 1))
                if self.meets(start, end, box):
                    return False
        return True

    @staticmethod
    def meets(start, end, box):
        first, last = Fraction(0), Fraction(1)
        for axis in (0, 1):
            delta = end[axis] - start[axis]
            low, high = box[axis]
            if delta == 0:
                if not low < start[axis] < high:
                    return False
            else:
                ends = sorted((Fraction(low - start[axis], delta), Fraction(high - start[axis], delta)))
                first, last = max(first, ends[0]), min(last, ends[1])
        return first < last

    def visible(self, firer, target):
        one, other = self.map.squares[firer[0]], self.map.squares[target[0]]
        if one is other:
            return firer[1] != target[1]
        together = not self.air(one) and not self.air(other) and one.block == other.block
        if together and other in self.near(one, [(0, 1), (0, -1), (1, 0), (-1, 0)]):
            return not (firer[1] == "out" and one.level == other.level)
        if together and one.c == other.c:
            return False
        if any(not self.air(s) and s.c not in (2, 7) for s in (one, other)):
            return False
        start, (x, y) = self.point(one), self.point(other)
        turns = (-2 * self.width, 0, 2 * self.width) if self.map.wraps else (0,)
        return any(self.clear(start, (x + turn, y)) for turn in turns)

    def reach(self, gun, away, target):
        square = self.map.squares[target[0]]
        if gun.shot.homing:
            return self.air(square) or square.cls == "window"
        steps = 1 if target[0] == gun.blocker.at else away.get(target[0], 99)
        return steps <= gun.item.range and self.visible(gun.area, target)

    def stopped(self, gun, square):
        if gun.item.id != "missile_launcher" or self.air(square):
            return False
        return any(
            "mdl" in one.deployed
            and self.map.squares[one.at].block == square.block
            and self.map.squares[one.at].cls == "window"
            for one in self.state.blockers.values()
        )

    def areas(self, gun):
        away = self.ranges(self.map.squares[gun.blocker.at])
        others = [one for one in self.state.blockers.values() if one.id != gun.blocker.id]
        return {
            (one.at, one.side)
            for one in others
            if self.reach(gun, away, (one.at, one.side)) and not self.stopped(gun, self.map.squares[one.at])
        }

    def damageable(self, square):
        here = self.state.square(square.id)
        if not self.air(square):
            return not here.collapsed
        return (square.kind == "mw" and not here.collapsed) or (square.kind == "pw" and not here.severed)

    def blocks(self, gun):
        away = self.ranges(self.map.squares[gun.blocker.at])
        taken = {one.at for one in self.state.blockers.values()}
        found = set()
        for square in self.map.squares.values():
            if square.id == gun.blocker.at or self.stopped(gun, square):
                continue
            if gun.shot.damage or gun.shot.fires:
                fits = square.id not in taken and (
                    not self.air(square) or (gun.shot.damage is not None and self.damageable(square))
                )
            else:
                fits = self.damageable(square)
            if fits and any(self.reach(gun, away, (square.id, side)) for side in square.sides):
                found.add(square.id)
        return found


def at_random(seed):
    chance = Random(seed)
    seats = chance.choice((2, 3, 4))
    boards = BOARDS[:seats]
    state = state_of(seats=seats)
    squares = list(state.map.squares.values())
    people = []
    for number in range(26):
        square = chance.choice(squares)
        side = chance.choice(square.sides)
        at = f"{SHORT[square.id.split(':')[0]]}:{square.id.split(':')[1]} {side}"
        kind = chance.choice(["juves", "mob", "citi_def", "futsy"])
        people.append((f"b{number}", kind, number % seats, at, chance.choice(GUNS)))
    marks = {}
    for square in chance.sample(squares, 50):
        board, cell = square.id.split(":")
        fate = chance.choice([{"collapsed": True}, {"damage": 1}, {"fire": 2}])
        if fate == {"collapsed": True} and square.kind == "pw" and chance.random() < 0.5:
            fate = fate | {"severed": True}
        marks[f"{SHORT[board]}:{cell}"] = fate
    state = state_of(people, marks, seats=seats)
    for one in state.blockers.values():
        one.deployed = tuple(kind for kind in one.equipment if ITEMS[kind].heavy)
        one.activated_this_turn = chance.random() < 0.4
        one.flipped = chance.random() < 0.2
    if chance.random() < 0.4:
        fallen = chance.choice(boards)
        next(seat for seat in state.seats if seat.board == fallen).collapsed = True
    return chance, state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_lists_of_targets_are_those_of_the_specification(seed):
    chance, state = at_random(seed)
    plain = Plain(state)
    for one in chance.sample(list(state.blockers.values()), 3):
        for shot in ITEMS[one.equipment[0]].shots:
            if shot.mode == "thrown":
                continue
            gun = gun_of(state, one.id, one.equipment[0], shot.mode)
            aiming = Aiming(state, gun)
            areas, blocks = list(aiming.areas()), list(aiming.blocks())
            assert len(areas) == len(set(areas))
            assert set(areas) == plain.areas(gun), (one, shot)
            assert set(blocks) == plain.blocks(gun), (one, shot)
            assert blocks == sorted(blocks, key=state.map.rank.__getitem__)
            assert aiming.anything() is bool(areas or blocks or list(aiming.rails())), (one, shot)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_the_lists_of_defensive_fire_are_those_of_the_specification(seed):
    _, state = at_random(100 + seed)
    plain, expected = Plain(state), set()
    everybody = list(state.blockers.values())
    for firer in everybody:
        here = (firer.at, firer.side)
        beside = [one for one in everybody if (one.at, one.side) == here and one is not firer]
        enemies = [one for one in beside if "futsy" in (one.type, firer.type) or one.seat != firer.seat]
        if firer.seat == state.phasing or firer.type == "futsy" or firer.flipped or enemies:
            continue
        away = plain.ranges(state.map.squares[firer.at])
        for target in everybody:
            there = (target.at, target.side)
            steps = 1 if target.at == firer.at and there != here else away.get(target.at, 99)
            if not target.activated_this_turn or steps != 1 or not plain.visible(here, there):
                continue
            for shot in ITEMS[firer.equipment[0]].shots:
                gun = gun_of(state, firer.id, firer.equipment[0], shot.mode)
                if shot.mode == "thrown" or plain.stopped(gun, state.map.squares[target.at]):
                    continue
                if not shot.homing or plain.reach(gun, away, there):
                    expected.add(Defence(firer.id, firer.equipment[0], shot.mode, target.id))
    listed = [found for seat in state.after(state.phasing) for found in defences(state, seat)]
    assert len(listed) == len(set(listed))
    assert set(listed) == expected, msgspec.to_builtins(state)
