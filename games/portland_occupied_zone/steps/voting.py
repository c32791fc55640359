"""Voting (ALG-VOTE) and the Leader's choice (specification, 4.1, 4.3)."""

from collections.abc import Callable
from typing import ClassVar, Literal

from games.kernel import Action, Public, Step, Table
from games.portland_occupied_zone.effects import AktionDiscarded, PillowTaken, VoteEnded
from games.portland_occupied_zone.harm import stability
from games.portland_occupied_zone.leading import leader
from games.portland_occupied_zone.modifiers import flagged
from games.portland_occupied_zone.plans import redraw
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.texts import Ops
from games.portland_occupied_zone.tasks.building import Shed

Purpose = Literal["aktion", "lead", "redraw"]
LETTERS = ("a", "b")


class Vote(Step, frozen=True):
    """All who may vote do, then stand firm; who owes nothing may still change its vote (POZ-R62)."""

    menu: ClassVar[tuple[str, ...]] = ("cast_vote", "stand_firm", "offer_trade")
    root: ClassVar[bool] = True

    purpose: Public[Purpose]

    def run(self, table: Table[State]) -> None:
        """Nobody owes anything: all agree, all are firm, or it is time to stand firm."""
        state = table.state
        if not eligible(state):
            table.emit(VoteEnded(None))
            return
        due, others = owing(state)
        if due:
            table.push(Vote(seats=due, also=others, purpose=self.purpose))
        else:
            self._close(table)

    def _close(self, table: Table[State]) -> None:
        ballot = table.state.ballot
        assert ballot is not None
        votes = [ballot.votes[seat] for seat in eligible(table.state)]
        most = max(votes, key=votes.count)
        needed = len(votes) if ballot.unanimous else len(votes) // 2 + 1
        passed = most if votes.count(most) >= needed else None
        table.emit(VoteEnded(passed))
        if passed is not None:
            self._pass(table, passed)
        elif ballot.unanimous:
            fail(table)

    def _pass(self, table: Table[State], option: str) -> None:
        state = table.state
        if self.purpose == "lead":
            assert state.lead is not None
            if state.lead.holder != option:
                table.emit(PillowTaken(option))
        elif self.purpose == "aktion":
            push_option(table, option)
        elif option == "yes":
            push_redraw(table)

    def settle(self, state: State, seat: int, default: Callable[[], Action]) -> Action | None:
        """Who has resigned has no vote (4.11)."""
        return None


class LeaderChoice(Step, frozen=True):
    """The Leader alone decides (POZ-DIC-12)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_option",)
    root: ClassVar[bool] = True


class DiscardAktion(Step, frozen=True):
    """The Aktion has been dealt with."""

    def run(self, table: Table[State]) -> None:
        """Onto its pile."""
        if table.state.aktion is not None:
            table.emit(AktionDiscarded(table.state.aktion))


class Redraw(Step, frozen=True):
    """The price of new plans is paid: here they are (POZ-PLN-6, -7)."""

    def run(self, table: Table[State]) -> None:
        """Replace the five."""
        redraw(table)


def eligible(state: State) -> tuple[int, ...]:
    """The seats that vote: with a character awake, and not resigned (POZ-VOT-5)."""
    awake = {pc.seat for pc in state.pcs.values() if pc.awake}
    return tuple(seat for seat in sorted(awake) if seat not in state.resigned)


def owing(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who owes a vote, or to stand firm in a vote that is not unanimous; and who else votes."""
    ballot, seats = state.ballot, eligible(state)
    assert ballot is not None
    due = tuple(seat for seat in seats if seat not in ballot.votes)
    if not due and len({ballot.votes[seat] for seat in seats}) > 1:
        due = tuple(seat for seat in seats if seat not in ballot.firm)
    return due, tuple(seat for seat in seats if seat not in due)


def push_option(table: Table[State], option: str) -> None:
    """What an option of the Aktion does."""
    state = table.state
    assert state.aktion is not None
    text = state.board.aktions[state.aktion].options[LETTERS.index(option)]
    table.push(Ops(text=text, me=leader(state)))


def push_redraw(table: Table[State]) -> None:
    """New plans for their price."""
    table.push(Shed(left=table.state.board.pack.limits.redraw_cost), Redraw())


def fail(table: Table[State]) -> None:
    """A failed vote is a blow to everybody alive (POZ-VOT-3), but for who is `vote_proof`."""
    state = table.state
    for pc in state.living():
        if not flagged(state, pc, "vote_proof"):
            stability(table, pc, -state.board.pack.limits.failed_vote)
