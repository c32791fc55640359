"""Settling (specification, 4.8): what follows by itself from every change, until nothing does."""

from typing import ClassVar

from games.host_tournament.effects.board import Displaced, EnteredStasis
from games.host_tournament.effects.plays import CardDiscarded
from games.host_tournament.finish import check_decks
from games.host_tournament.look import Names
from games.host_tournament.state import State, other
from games.kernel import Public, Step, Table


class Settle(Step, frozen=True, kw_only=True):
    """Orphans are discarded, the displaced find a place, who lacks a Pint goes into stasis, the decks are looked at.

    `deprive`: Beer Deprivation is looked at, also where it waits for the end of the turn (HT-R30).
    """

    deprive: Public[bool] = False

    def run(self, table: Table[State]) -> None:
        """Settle once; a seat that must place its cards is asked, then it goes on."""
        state = table.state
        discard_orphans(table)
        for seat in (state.active, other(state.active)):
            lost = displaced(state, seat)
            if lost:
                table.push(*_places_for(table, seat, lost), self)
                return
        if self.deprive or state.options.deprivation == "immediate":
            enter_stasis(table)
        check_decks(table)


def discard_orphans(table: Table[State]) -> None:
    """Attachments without their host, and what lies where no place is any more, are discarded."""
    for name in table.state.look.orphans:
        table.emit(CardDiscarded(name))


def displaced(state: State, seat: int) -> Names:
    """The personnel of a seat whose place is gone (4.10)."""
    return tuple(name for name in state.look.displaced if state.in_play[name].owner == seat)


def _places_for(table: Table[State], seat: int, lost: Names) -> tuple[Step, ...]:
    """Ask where they go, or put them there if there is one place, or discard them if there is none."""
    state = table.state
    gone = state.in_play[lost[0]].at
    places = [place.pid for place in state.places if place.town == state.gone.get(gone)]
    places = places or [place.pid for place in state.places]
    if len(places) > 1:
        return (Displace(seats=(seat,), seat=seat, places=tuple(places)),)
    for name in lost:
        table.emit(Displaced(name, places[0]) if places else CardDiscarded(name))
    return ()


class Displace(Step, frozen=True, kw_only=True):
    """The owner of cards that have lost their place puts all of them to another one (4.10)."""

    seat: Public[int]
    places: Public[tuple[str, ...]]

    menu: ClassVar[tuple[str, ...]] = ("choose_place",)


def enter_stasis(table: Table[State]) -> None:
    """Everyone with the icon, without a Pint and without what keeps awake goes into stasis (HT-6.1)."""
    for name in table.state.look.thirsty:
        table.emit(EnteredStasis(name))
