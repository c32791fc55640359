"""Who fights whom hand to hand, and with what total (specification, 4.8)."""

from collections.abc import Iterator

from msgspec import Struct

from games.block_mania.aiming import ready_refusal
from games.block_mania.board import Area
from games.block_mania.movement import edge_refusal, entry_refusal, indoors
from games.block_mania.predicates import (
    answers_for,
    controls,
    item,
    occupancy,
    occupants,
    open_air,
    owner,
    sonic,
    type_of,
)
from games.block_mania.refusals import Refusal
from games.block_mania.state import Blocker, State

#: Weapons that may burn the square of a fight.
BURNING = ("flamer", "fire_bombs")


class Bout(Struct, frozen=True):
    """A fight that may take place: the phasing side in an area, and an enemy side; seat `against` answers for it."""

    area: Area
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    against: int


def sides(there: list[Blocker]) -> list[list[Blocker]]:
    """Those who stand in an area by side, in order of arrival: each Futsy is a side of its own."""
    found: dict[object, list[Blocker]] = {}
    for one in there:
        found.setdefault(one.id if one.controller is None else one.controller, []).append(one)
    return list(found.values())


def bouts_in(state: State, area: Area, there: list[Blocker], charger: str | None = None) -> list[Bout]:
    """The fights of one area: the phasing seat's own side, or a Futsy that it activated, against each other side.

    Of two such Futsies the one that has charged attacks, else the earlier arrival; two that nobody has activated leave
    each other alone (BM-R59). The sides of a Window are areas of their own (BM-R74).
    """
    found = sides([one for one in there if one.stuck_until is None])
    mine = [side for side in found if controls(state, state.phasing, side[0])]
    mine.sort(key=lambda side: (side[0].controller is None, side[0].id != charger))
    if not mine or len(found) == 1:
        return []
    attackers = mine[0]
    return [
        Bout(area, tuple(one.id for one in attackers), tuple(one.id for one in side), answers_for(side[0]))
        for side in found
        if side is not attackers
    ]


def mandatory(state: State) -> list[Bout]:
    """The fights that the phasing seat still owes: of those who have not fought this turn (BM-3CII-1, BM-R66)."""
    found = []
    for area, there in occupancy(state).items():
        if len(there) > 1:
            bouts = bouts_in(state, area, there)
            if bouts and not all(state.blockers[name].fought_this_turn for name in bouts[0].attackers):
                found += bouts
    rank = state.map.rank
    return sorted(found, key=lambda bout: (rank[bout.area[0]], bout.area[1]))


def charge_refusal(state: State, seat: int, name: str, to: str) -> Refusal | None:
    """Why a blocker may not charge into a square (4.8; BM-3CII-2); others may have charged there before (BM-R86)."""
    refused = ready_refusal(state, seat, name, "BM-3CII-2")
    if refused is not None:
        return refused
    blocker = state.blockers[name]
    if to not in state.map.squares or to not in state.map.cardinal[blocker.at]:
        return ("BM-3CII-2", "not_next_to_it")
    refused = edge_refusal(state, (blocker.at, blocker.side), to) or entry_refusal(
        state, occupants(state, to, indoors(state, to)), blocker, "charge"
    )
    return ("BM-3CII-2", refused[1]) if refused is not None and refused[0] != "BM-MAN-1" else refused


def charges(state: State, seat: int) -> Iterator[tuple[str, str]]:
    """Who may charge where: blocker by blocker, square by square."""
    taken = {one.at for one in state.blockers.values()}
    for blocker in state.blockers.values():
        if blocker.at and not blocker.flipped and controls(state, seat, blocker):
            for to in state.map.cardinal[blocker.at]:
                if to in taken and charge_refusal(state, seat, blocker.id, to) is None:
                    yield blocker.id, to


def main_of(state: State, names: tuple[str, ...]) -> tuple[Blocker, Blocker | None]:
    """Who of a side rolls, and the Superhero that helps it (BM-CA-2, BM-R79)."""
    there = sorted((state.blockers[name] for name in names), key=lambda one: one.arrived)
    plain = [one for one in there if "stacks" not in type_of(state, one).flags]
    main = plain[0] if plain else there[0]
    heroes = (one for one in there if one is not main and "stacks" in type_of(state, one).flags)
    return main, next(heroes, None)


def total(state: State, names: tuple[str, ...]) -> int:
    """What a side adds to its die, before cards and what only the attacker has (BM-CA-1).

    A Robodog counts, a Demo Charge does not (BM-R31, BM-R35).
    """
    main, hero = main_of(state, names)
    block = None if open_air(state, main.at) else owner(state, main.at)
    arms = sum(item(state, kind).dv for kind in main.equipment if item(state, kind).melee)
    help_ = type_of(state, hero).strength if hero is not None else 0
    return type_of(state, main).strength + help_ + arms - int(sonic(state, block))


def attacker_bonus(state: State, names: tuple[str, ...], charger: str | None) -> int:
    """A swing of this turn into the square of the fight, and the weight of a Fatty that has charged (BM-CA-1)."""
    main, _ = main_of(state, names)
    swung = main.sucker_entered_turn is not None and main.sucker_entered_turn == state.turn_no
    return int(swung) + (type_of(state, main).charge_bonus if charger == main.id else 0)
