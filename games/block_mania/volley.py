"""Dice against targets: steps 3 and 4 of every Shooting attack (specification, 4.6; BM-SH-7, BM-SH-8)."""

from collections.abc import Iterable

from msgspec import Struct

from games.block_mania.deaths import kill
from games.block_mania.effects import AttackRolled
from games.block_mania.predicates import (
    answers_for,
    civic,
    dark,
    item,
    lies_open,
    open_air,
    owner,
    place,
    sonic,
    type_of,
)
from games.block_mania.state import Blocker, State
from games.kernel import Table

#: What a score kills or damages with (BM-SH-7).
HIT = 6
DEMO = "demo_charge"


class Blast(Struct, frozen=True):
    """What is rolled with: `dv` has the cards in it already.

    `modified`: the square of each target counts, or the square `at`; `counts`: the dead are worth Defeat Points.
    """

    cause: str
    dv: int
    modified: bool = True
    counts: bool = True
    at: str | None = None


class Carrier(Struct, frozen=True):
    """A blocker that was rolled against, in this square, and how many demo charges it carried (BM-SH-11).

    All knew of `known` of them; `seat` answered for it, and alone knew `unknown` more tokens of their pool (BM-R57).
    """

    blocker: str
    square: str
    charges: int
    seat: int = 0
    known: int = 0
    unknown: int = 0


def square_modifier(state: State, square: str) -> int:
    """What the target's square adds to a score: Open Air or Civic, darkness, a Sonic Cannon (BM-SH-7, BM-R29).

    Where the firer stands does not matter (BM-R68).
    """
    if open_air(state, square):
        return 1
    block = owner(state, square)
    assert block is not None
    unlit = place(state, square).cls == "interior" and dark(state, block)
    return int(civic(state, square)) - int(unlit) - int(sonic(state, block))


def roll(table: Table[State], blast: Blast, targets: Iterable[Blocker]) -> list[Blocker]:
    """A die against each of the targets, in their order: those who die of it."""
    state = table.state
    dead = []
    for target in targets:
        die = table.roll(blast.cause, 6)
        score = die + blast.dv - type_of(state, target).strength
        if blast.modified:
            score += square_modifier(state, blast.at or target.at)
        table.emit(AttackRolled(blast.cause, target.at, die, score, score >= HIT, target.id))
        if score >= HIT:
            dead.append(target)
    return dead


def volley(table: Table[State], blast: Blast, targets: Iterable[Blocker]) -> tuple[Carrier, ...]:
    """Roll against all but the stuck, then all who are hit die together: what charges each of them carried."""
    attacked = [target for target in targets if target.stuck_until is None]
    carriers = tuple(_carrier(table.state, target) for target in attacked)
    for target in roll(table, blast, attacked):
        kill(table, target.id, blast.cause, counts=blast.counts)
    return carriers


def _carrier(state: State, target: Blocker) -> Carrier:
    seen = target.equipment if lies_open(state, target) else target.shown
    among = [
        sum(item(state, kind).pool == item(state, DEMO).pool for kind in kinds) for kinds in (target.equipment, seen)
    ]
    return Carrier(
        blocker=target.id,
        square=target.at,
        charges=target.equipment.count(DEMO),
        seat=answers_for(target),
        known=seen.count(DEMO),
        unknown=among[0] - among[1],
    )
