"""Settling (specification, 4.8): what follows by itself from every change, until nothing does."""

from typing import ClassVar

from games.host_tournament.effects.board import Displaced, EnteredStasis
from games.host_tournament.effects.plays import CardDiscarded
from games.host_tournament.finish import check_decks
from games.host_tournament.look import NOBODY, Names
from games.host_tournament.state import TABLE, State, other
from games.kernel import Public, Step, Table

PINT = "pint"


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
    state = table.state
    for name in state.look.order:
        card = state.in_play.get(name)
        if card is None or card.at == TABLE or card.at in state.look.copies or card.at in state.in_play:
            continue
        if state.book.cards[card.card].type != "personnel":
            table.emit(CardDiscarded(name))


def displaced(state: State, seat: int) -> Names:
    """The personnel of a seat whose place is gone (4.10)."""
    look = state.look
    return tuple(name for name in look.field(seat, active=False) if state.in_play[name].at not in look.copies)


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


def deprived(state: State, name: str) -> bool:
    """Whether Beer Deprivation has a card that is not yet in stasis: no Pint, nothing that keeps it awake (HT-6.1)."""
    card = state.in_play[name]
    if card.stasis is not None or card.awake or not state.book.cards[card.card].beer:
        return False
    return not any(state.in_play[part].card == PINT for part in state.look.attached.get(name, NOBODY))


def enter_stasis(table: Table[State]) -> None:
    """Everyone with the icon and without a Pint goes into stasis."""
    state = table.state
    for name in state.look.order:
        if deprived(state, name):
            table.emit(EnteredStasis(name))
