"""Targets, conditions and values of card texts (cards, 2.2 and 2.3), with the stats and skills that they look at.

Everything is worked out from what is in play now; several copies of one card count once unless they say cumulative.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from games.host_tournament import ops
from games.host_tournament.frame import Frame
from games.host_tournament.look import NOBODY, Holding, Names
from games.host_tournament.ops import Condition, Target, Value, When
from games.host_tournament.state import State, other
from games.host_tournament.zones import card_of

M = TypeVar("M", bound=ops.Modifier)


class Chooser(Protocol):
    """Who decides what a card text leaves open while it is carried out."""

    def pick(self, names: Names, word: ops.Pick, seat: int) -> Names:
        """The ones that a player picks."""

    def rand(self, names: Names, n: int) -> Names:
        """Some by chance."""

    def best(self, names: Names, owner: int) -> str:
        """One among equals, chosen by its owner."""

    def icon(self, name: str, town: str) -> bool:
        """Whether a dual-icon card is of this town for a card of the other seat."""


def seat_of(frame: Frame, player: str) -> int:
    """The seat that YOU or OPP means."""
    return frame.you if player == "YOU" else other(frame.you)


def members(state: State, frame: Frame, w: Target, chooser: Chooser | None = None, how: str = "active") -> Names:
    """The instances that a target means; `how`: the active ones, or those `stopped`, in `stasis`, in `any` state."""
    if isinstance(w, str):
        return _named(state, frame, w, how)
    match w:
        case ops.Only(inner, x):
            return _only(state, frame, members(state, frame, inner, chooser, _how(x, how)), x, chooser)
        case ops.Below(inner, stat, n):
            return tuple(m for m in members(state, frame, inner, chooser, how) if rated(state, m, stat) < n)
        case ops.On(inner, card):
            return tuple(
                found for m in members(state, frame, inner, chooser, how) if (found := _on(state, m, card)) is not None
            )
    assert chooser is not None, "the pack check keeps choices out of conditions"
    return _chosen(state, frame, w, chooser, how)


def _chosen(state: State, frame: Frame, w: ops.Pick | ops.Rand | ops.Best, chooser: Chooser, how: str) -> Names:
    match w:
        case ops.Pick(inner, _, player, x):
            found = members(state, frame, inner, chooser, _how(x, how) if x else how)
            found = _only(state, frame, found, x, chooser) if x else found
            return chooser.pick(found, w, seat_of(frame, player))
        case ops.Rand(inner, n):
            return chooser.rand(members(state, frame, inner, chooser, how), n)
    found = members(state, frame, w.w, chooser, how)
    most = max((rated(state, m, w.stat) for m in found), default=0)
    equal = tuple(m for m in found if rated(state, m, w.stat) == most)
    return (chooser.best(equal, state.in_play[equal[0]].owner),) if equal else NOBODY


def _how(x: str, how: str) -> str:
    return x if x in ("stopped", "stasis") else how


def _named(state: State, frame: Frame, name: str, how: str) -> Names:
    match name:
        case "SELF" | "HOST":
            one = frame.name if name == "SELF" else frame.host
            return (one,) if one is not None and one in state.in_play else NOBODY
        case "MINE":
            return _here(state, frame, (frame.you,), how)
        case "THEIRS":
            return _here(state, frame, (other(frame.you),), how)
        case "ALL":
            return _here(state, frame, (state.active, other(state.active)), how)
        case "YOURS":
            return _those(state, state.look.field(frame.you, active=how == "active"), how)
        case "FIELD":
            return _those(state, state.look.field(frame.you, active=False), "any" if how == "active" else how)
        case "GROUP":
            return _group(state, frame, how)
        case "ENTRANTS":
            return tuple(m for m in state.roll.entrants if m in state.in_play) if state.roll is not None else NOBODY
        case "HERE":
            return state.look.copies.get(frame.here or "", NOBODY)
    return NOBODY


def _here(state: State, frame: Frame, seats: tuple[int, ...], how: str) -> Names:
    look = state.look
    if how == "active":
        groups = [look.group(frame.here, seat) for seat in seats]
        return groups[0] if len(groups) == 1 else groups[0] + groups[1]
    return _those(state, tuple(name for seat in seats for name in look.all_of(frame.here, seat)), how)


def _those(state: State, names: Names, how: str) -> Names:
    if how == "stopped":
        return tuple(name for name in names if state.in_play[name].stop)
    if how == "stasis":
        return tuple(name for name in names if state.in_play[name].stasis is not None)
    return names


def _group(state: State, frame: Frame, how: str) -> Names:
    """The group that a chula was played on: those still active, of movers those that still move."""
    there = tuple(name for name in frame.group if name in state.in_play)
    if how != "active":
        return _those(state, there, how)
    look = state.look
    return tuple(name for name in there if look.active(name) and (state.in_play[name].moving or not frame.moved))


def _only(state: State, frame: Frame, names: Names, x: str, chooser: Chooser | None) -> Names:
    if x in ("stopped", "stasis"):
        return names
    found = tuple(name for name in names if has(state, name, x))
    if chooser is None or x not in state.book.towns:
        return found
    return tuple(name for name in found if not _asks_icon(state, frame, name) or chooser.icon(name, x))


def _asks_icon(state: State, frame: Frame, name: str) -> bool:
    """HT-R31: a card of the other seat asks the owner of a dual icon."""
    return len(state.card(name).aff) == 2 and state.in_play[name].owner != frame.you


def _on(state: State, host: str, card: str) -> str | None:
    found = [name for name in state.look.attached.get(host, NOBODY) if state.in_play[name].card == card]
    return min(found, key=lambda name: (state.in_play[name].counter or 0, state.in_play[name].entry), default=None)


# Conditions and values.


def holds(state: State, frame: Frame, when: When) -> bool:
    """Whether all conditions hold; `once(turn)` is another question (`used` in `legality.py`)."""
    for condition in when.all:  # noqa: SIM110 (asked so often that a generator would show)
        if not true(state, frame, condition):
            return False
    return True


def true(state: State, frame: Frame, condition: Condition) -> bool:
    """Whether a condition holds."""
    if isinstance(condition, ops.At):
        return at_venue(state, frame.here, condition.venue)
    if isinstance(condition, ops.Ge):
        return value(state, frame, condition.v) >= condition.n
    if isinstance(condition, ops.Lt):
        return value(state, frame, condition.v) < condition.n
    if isinstance(condition, ops.Won):
        return state.roll is not None and state.roll.winner in members(state, frame, condition.w)
    return True


def at_venue(state: State, pid: str | None, venue: str) -> bool:
    """Whether a place is a venue of this kind."""
    return venue in state.look.venues.get(pid or "", NOBODY)


def value(state: State, frame: Frame, v: Value) -> int:
    """A value, worked out now."""
    if isinstance(v, ops.Count):
        return _count(state, frame, v.w, v.x)
    if isinstance(v, ops.Total):
        return sum(rated(state, m, v.stat) for m in _counted(state, members(state, frame, v.w), v.w))
    return v


def _count(state: State, frame: Frame, w: Target, x: str) -> int:
    if w == "HERE":
        return sum(state.in_play[name].card == x for name in state.look.lying.get(frame.here or "", NOBODY))
    if x in ("stopped", "stasis"):
        return len(_those(state, members(state, frame, w, how=x), x))
    found = _counted(state, members(state, frame, w), w)
    return len(found) if x == "personnel" else sum(has(state, m, x) for m in found)


def _counted(state: State, names: Names, w: Target) -> Names:
    """SELF and HOST are targets in any state, and count only while active."""
    return tuple(name for name in names if state.look.active(name)) if w in ("SELF", "HOST") else names


def has(state: State, name: str, x: str) -> int:
    """How many times a personnel has x: a skill with its level, a town, a card id (its own, or attached)."""
    book, card = state.book, state.in_play[name]
    if x in book.skills:
        return level(state, name, x)
    if x in book.towns:
        return int(x in book.cards[card.card].aff)
    if x in ("personnel", card.card):
        return 1
    return int(any(state.in_play[part].card == x for part in state.look.attached.get(name, NOBODY)))


# Stats, skills and what else holds (HT-R22, HT-R36).


def rated(state: State, name: str, stat: str) -> int:
    """A stat of a personnel with all that holds now, never below 0, without an upper limit (HT-R22)."""
    look = state.look
    kept = look.stats.get((name, stat))
    if kept is None:
        base = state.card(name).stats.get(stat, 0)
        changes = (
            (holding.frame.name, holding.cum, mod.n)
            for holding, mod in mods(state, ops.Buff)
            if mod.stat in (stat, "every_stat") and touches(state, holding, mod.w, name)
        )
        kept = look.stats[name, stat] = max(0, base + summed(changes))
    return kept


def level(state: State, name: str, skill: str) -> int:
    """How many times a personnel has a skill."""
    look = state.look
    kept = look.levels.get((name, skill))
    if kept is None:
        base = state.card(name).skills.get(skill, 0)
        changes = (
            (holding.frame.name, holding.cum, mod.n)
            for holding, mod in mods(state, ops.Grant)
            if mod.skill == skill and touches(state, holding, mod.w, name)
        )
        kept = look.levels[name, skill] = max(0, base + summed(changes))
    return kept


def summed(changes: Iterable[tuple[str, bool, int]]) -> int:
    """The sum of changes to one thing, each with the instance that makes it and whether copies of its card add up.

    All that one instance says adds up; of copies that are not cumulative the strongest alone counts (HT-17.1, HT-R36).
    """
    total, singles = 0, dict[str, int]()
    for name, cum, n in changes:
        if cum:
            total += n
        else:
            singles[name] = singles.get(name, 0) + n
    strongest: dict[str, int] = {}
    for name, n in singles.items():
        card = card_of(name)
        if abs(n) >= abs(strongest.get(card, 0)):
            strongest[card] = n
    return total + sum(strongest.values())


def mods(state: State, kind: type[M]) -> Iterator[tuple[Holding, M]]:
    """What holds of one kind, with whose it is."""
    return ((holding, mod) for holding, mod in state.look.mods.get(kind, ()) if _held(state, holding))


def _held(state: State, holding: Holding) -> bool:
    kept = state.look.held.get(holding.frame)
    if kept is None:
        kept = state.look.held[holding.frame] = holds(state, holding.frame, holding.rule.c)
    return kept


def touches(state: State, holding: Holding, w: Target, name: str) -> bool:
    """Whether what holds for W holds for this one; a card attached to a stopped one gives nothing to others (4.8)."""
    host = holding.frame.host
    if host is not None and host != name and not state.look.active(host):
        return False
    return name in members(state, holding.frame, w)


def immune(state: State, name: str, card: str) -> bool:
    """Whether a chula does nothing to this one."""
    return any(mod.card == card and touches(state, holding, mod.w, name) for holding, mod in mods(state, ops.Immune))


def barred(state: State, pid: str | None, game: str) -> bool:
    """Whether no such subgame can be started at a place (HT-18.6)."""
    return any(mod.game == game and holding.frame.here == pid for holding, mod in mods(state, ops.Bar))
