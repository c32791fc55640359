"""Tournaments and drinking sessions (specification, 4.11), from the start to the points."""

from typing import ClassVar, Literal

from msgspec import structs

from games.host_tournament import entering
from games.host_tournament.effects.subgames import (
    DiceRolled,
    Eliminated,
    EntrantsRevealed,
    EntryForced,
    OrderMade,
    PaceRolled,
    PaceSet,
    SubgameBegan,
    SubgameEnded,
    TieShuffled,
)
from games.host_tournament.finish import score
from games.host_tournament.ordering import by_print, ranked, session_pace, tie_classes
from games.host_tournament.state import Roll, State, other
from games.host_tournament.steps.windows import React
from games.host_tournament.values import barred, rated
from games.kernel import Public, Step, Table


def roll_of(state: State) -> Roll:
    """The running subgame."""
    assert state.roll is not None
    return state.roll


def window(state: State, kind: Literal["entry", "roll", "result"]) -> React:
    """A window of the running subgame: the active seat is asked first."""
    return React(window=kind, subject=roll_of(state).place, order=(state.active, other(state.active)))


class Subgame(Step, frozen=True, kw_only=True):
    """A subgame begins at a place, unless something bars it there."""

    kind: Public[Literal["tournament", "drinking"]]
    event: Public[str]
    place: Public[str | None]

    def run(self, table: Table[State]) -> None:
        """Open the first window, then see who enters; within another subgame none begins."""
        state = table.state
        if state.roll is not None or self.place not in state.look.copies or barred(state, self.place, self.kind):
            return
        table.emit(SubgameBegan(self.kind, self.place or "", self.event))
        table.push(window(table.state, "entry"), ForceEntry())


class ForceEntry(Step, frozen=True):
    """Who has to enter and who may not, then the seats choose (HT-8.2)."""

    def run(self, table: Table[State]) -> None:
        """Tell it, and ask every seat that has a choice."""
        state = table.state
        into, out = entering.forced(state)
        roll = roll_of(state)
        if list(into) != roll.forced_in or list(out) != roll.forced_out:
            table.emit(EntryForced(into, out))
        both = (state.active, other(state.active))
        asked = tuple(seat for seat in both if entering.free_seats(state, seat) and entering.optional(state, seat))
        if state.options.entry_order == "active_first":
            table.push(*(Entry(seats=(seat,), asked=(seat,), place=roll.place, open=True) for seat in asked), Enter())
        elif asked:
            table.push(Entry(seats=tuple(sorted(asked)), asked=tuple(sorted(asked)), place=roll.place), Enter())
        else:
            table.push(Enter())


class Entry(Step, frozen=True, kw_only=True):
    """Each seat chooses who enters, sealed; of more than 10 that might, in portions by entry number.

    `open`: what a seat chooses is shown at once (option `active_first`).
    """

    place: Public[str]
    asked: Public[tuple[int, ...]]
    portion: Public[int] = 0
    open: Public[bool] = False

    menu: ClassVar[tuple[str, ...]] = ("choose_entrants",)
    sealed: ClassVar[bool] = True

    def run(self, table: Table[State]) -> None:
        """Ask for the next portion, if a seat has one."""
        more = tuple(seat for seat in self.asked if entering.portion(table.state, seat, self.portion + 1))
        if more:
            table.push(structs.replace(self, seats=more, asked=more, portion=self.portion + 1))


class Enter(Step, frozen=True):
    """All have chosen: the entrants are shown and the dice rolled."""

    def run(self, table: Table[State]) -> None:
        """Roll, or end it if nobody has entered (HT-R21)."""
        state, roll = table.state, roll_of(table.state)
        entrants = entering.entrants(state)
        table.emit(EntrantsRevealed(entrants))
        if not entrants:
            table.emit(SubgameEnded())
            return
        if roll.kind == "tournament":
            table.emit(DiceRolled({name: table.roll("tournament", 6) for name in entrants}))
            table.push(window(state, "roll"), Count())
        else:
            table.emit(PaceRolled(table.roll("pace", 6), table.roll("pace", 6)))
            table.push(window(state, "roll"), Drink())


class Count(Step, frozen=True):
    """The tournament's scores are read; ties between cards of two owners are broken by lot."""

    def run(self, table: Table[State]) -> None:
        """Draw for ties, then make the order."""
        state = table.state
        there = entering.still_there(state)
        if not there:
            table.emit(SubgameEnded())
            return
        classes = []
        for tied in tie_classes(state, there):
            order = tied
            if len({state.in_play[name].owner for name in tied}) > 1:
                order = by_lot(table, tied)
                table.emit(TieShuffled(order))
            classes.append(order)
        table.push(MakeOrder(classes=tuple(classes)))


def by_lot(table: Table[State], names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in an order by chance: one after the other from those left."""
    rest, order = list(names), []
    while rest:
        order.append(table.pick("tie", rest))
        rest.remove(order[-1])
    return tuple(order)


class MakeOrder(Step, frozen=True, kw_only=True):
    """The order is filled slot by slot; within a tie class each seat has its slots and puts its own cards into them."""

    classes: Public[tuple[tuple[str, ...], ...]]
    order: Public[tuple[str, ...]] = ()

    def run(self, table: Table[State]) -> None:
        """Fill the next slot, ask for it if it matters, or count the points."""
        state, done = table.state, len(self.order)
        slots = [(name, tied) for tied in self.classes for name in tied]
        if done == len(slots):
            _count_points(table, self.order)
            return
        name, tied = slots[done]
        owner = state.in_play[name].owner
        own = [card for card in tied if state.in_play[card].owner == owner and card not in self.order]
        if len(own) > 1 and self._matters(state, owner, tied):
            table.push(ArrangeTies(seats=(owner,), seat=owner, cards=tuple(by_print(state, own))), self)
            return
        table.push(structs.replace(self, order=(*self.order, by_print(state, own)[0])))

    def _matters(self, state: State, owner: int, tied: tuple[str, ...]) -> bool:
        """Whether the pack's cards look at the next slot, or at the last one, which the owner's choice leaves open."""
        places = state.book.pack.places_matter
        if places == "last":
            return tied == self.classes[-1] and state.in_play[tied[-1]].owner == owner
        return places == "all" or not self.order


class ArrangeTies(Step, frozen=True, kw_only=True):
    """The owner of tied cards names the one for its highest slot still open (HT-8.6)."""

    seat: Public[int]
    cards: Public[tuple[str, ...]]

    menu: ClassVar[tuple[str, ...]] = ("arrange_ties",)


def _count_points(table: Table[State], order: tuple[str, ...]) -> None:
    """1 for each own entrant; for the winner's owner 1 for each person at the tournament (HT-8.8, HT-8.9)."""
    state, roll = table.state, roll_of(table.state)
    table.emit(OrderMade(order, tuple(ranked(state, name) for name in order)))
    points = [0, 0]
    for name in order:
        points[state.in_play[name].owner] += 1
    present = sum(len(state.look.group(roll.place, seat)) for seat in (0, 1))
    points[state.in_play[order[0]].owner] += len(order) if state.options.winner_points == "entrants" else present
    table.push(window(state, "result"), EndSubgame())
    score(table, (points[0], points[1]))


class Drink(Step, frozen=True):
    """The pace counts: who cannot keep it is eliminated, everyone else scores 3 (HT-9.3, HT-9.4)."""

    def run(self, table: Table[State]) -> None:
        """Set the pace, eliminate, score."""
        state = table.state
        there = entering.still_there(state)
        if not there:
            table.emit(SubgameEnded())
            return
        pace = session_pace(state)
        table.emit(PaceSet(pace))
        out = tuple(name for name in there if rated(state, name, "drinking") < pace)
        table.emit(Eliminated(out))
        points = [0, 0]
        for name in there:
            points[state.in_play[name].owner] += 0 if name in out else 3
        table.push(window(state, "result"), EndSubgame())
        score(table, (points[0], points[1]))


class EndSubgame(Step, frozen=True):
    """The subgame is over."""

    def run(self, table: Table[State]) -> None:
        """Clear it away."""
        table.emit(SubgameEnded())
