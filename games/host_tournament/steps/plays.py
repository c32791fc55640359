"""Announced plays: carried out, or come to nothing; and the end of a normal action (specification, 4.3.1)."""

from games.host_tournament.downloads import replaced
from games.host_tournament.effects.plays import (
    CardDiscarded,
    CardEntered,
    CardFizzled,
    PersonaSwapped,
    PlaceOpened,
    PlaceStacked,
)
from games.host_tournament.effects.turns import ActionCompleted
from games.host_tournament.frame import Frame
from games.host_tournament.legality import place_fault, unique_fault
from games.host_tournament.state import Played, State
from games.host_tournament.steps.ops import Do
from games.host_tournament.steps.windows import after_action
from games.host_tournament.zones import card_of
from games.kernel import Public, Step, Table


class Resolve(Step, frozen=True, kw_only=True):
    """An announced card is carried out, unless it was nullified."""

    play: Public[str]

    def run(self, table: Table[State]) -> None:
        """See whether it still can be, let it enter play, then do what it says."""
        state = table.state
        play = state.played(self.play)
        if play is None:
            return
        if _lost(state, play):
            table.emit(CardFizzled(play.name))
        elif play.replace is not None:
            table.emit(PersonaSwapped(play.seat, play.replace, play.name))
        elif play.kind == "location":
            _open(table, play)
        elif play.kind in ("personnel", "equipment"):
            at = play.target or ""
            table.emit(CardEntered(play.name, at, state.entry_no))
            _do(table, play)
        else:
            table.push(Leave(play=play.name))
            _do(table, play)


def _do(table: Table[State], play: Played) -> None:
    if play.rule < 0:
        return
    here, host = play.here, play.target if play.kind == "equipment" else None
    frame = Frame(play.seat, play.card, play.name, play.rule, here, host, play.group, play.moved, play.trig)
    table.push(Do(frame=frame))


def _open(table: Table[State], play: Played) -> None:
    """A location opens its place, or lies on the other seat's copy of it (HT-15.4)."""
    lay(table, play.seat, play.name, play.target)
    frame = Frame(play.seat, play.card, play.name, play.rule, table.state.in_play[play.name].at)
    if play.rule >= 0:
        table.push(Do(frame=frame))


def lay(table: Table[State], seat: int, name: str, town: str | None) -> None:
    """Lay a location: its own place, or on top of the same unique one."""
    state = table.state
    play = state.played(name)
    card = state.book.cards[play.card if play is not None else card_of(name)]
    for place in state.places:
        if card.unique and state.card(place.copies[0]).id == card.id:
            table.emit(PlaceStacked(seat, place.pid, name))
            return
    table.emit(
        PlaceOpened(seat, card.id if card.unique else name, name, card.town if card.town != "any" else town or "")
    )


def _lost(state: State, play: Played) -> bool:
    """Whether what was named is gone, or a unique key or the town forbids the play by now."""
    card = state.book.cards[play.card]
    if play.replace is not None:
        frame = Frame(play.seat, play.card, "", play.rule, play.here)
        return replaced(state, frame, card) != play.replace
    if play.here is not None and play.here not in state.look.copies:
        return True
    if play.kind not in ("personnel", "equipment", "location"):
        return False
    if play.kind == "equipment" and play.target not in state.in_play:
        return True
    target = None if play.kind == "location" else play.target
    return bool(place_fault(state, play.seat, card, target) or unique_fault(state, play.seat, card))


class Leave(Step, frozen=True, kw_only=True):
    """An event, interrupt or chula that was carried out is discarded, unless it stays (HT-10.5)."""

    play: Public[str]

    def run(self, table: Table[State]) -> None:
        """Discard it."""
        if table.state.played(self.play) is not None:
            table.emit(CardDiscarded(self.play))


class Completed(Step, frozen=True):
    """A normal action is over, whatever came of it (HT-R15)."""

    def run(self, table: Table[State]) -> None:
        """The other seat may answer with a static chula or an interrupt."""
        table.emit(ActionCompleted())
        table.push(after_action(table.state))


class Freely(Step, frozen=True):
    """A free action is over, and by the option `static_after_free` static chulas may follow (HT-R14)."""

    def run(self, table: Table[State]) -> None:
        """Open the window."""
        table.push(after_action(table.state))
