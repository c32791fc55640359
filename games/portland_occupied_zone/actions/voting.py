"""Voting and deciding (ALG-VOTE; POZ-VOT-1 to -5)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.kernel import Action, Public, Table
from games.portland_occupied_zone.actions.common import asked
from games.portland_occupied_zone.actions.refusals import refuse
from games.portland_occupied_zone.effects import OptionChosen, StoodFirm, VoteCast
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.voting import LETTERS, Vote, eligible, push_option
from games.portland_occupied_zone.underway import Ballot


class CastVote(Action, frozen=True):
    """Vote for an option, or change the vote."""

    rule: ClassVar[str] = "POZ-VOT-1"
    exact: ClassVar[bool] = True

    option: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every option but the one voted for, as long as changes are left."""
        ballot = ballot_of(state)
        now = ballot.votes.get(seat)
        if now is None or ballot.changes.get(seat, 0) < state.options.vote_changes:
            yield from (cls(option) for option in ballot.options if option != now)

    def check(self, state: State, seat: int) -> None:
        """An option, another one than now, and changes left (POZ-R62)."""
        ballot = ballot_of(state)
        if self.option not in ballot.options:
            refuse("POZ-VOT-1", "no_such_option", options=list(ballot.options))
        if ballot.votes.get(seat) == self.option:
            refuse("POZ-R62", "voted_so_already")
        if seat in ballot.votes and ballot.changes.get(seat, 0) >= state.options.vote_changes:
            refuse("POZ-R62", "no_changes_left")

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """What an option of the Aktion does (2.7)."""
        return _does(state, self.option)

    def apply(self, table: Table[State], seat: int) -> None:
        """Counted; if all have voted, all are asked again, or all agree."""
        state = table.state
        table.emit(VoteCast(seat, self.option))
        ballot, seats = ballot_of(state), eligible(state)
        if any(other not in ballot.votes for other in seats):
            owing = tuple(other for other in seats if other not in ballot.votes)
            table.amend(Vote, seats=owing, also=tuple(other for other in seats if other in ballot.votes))
        else:
            table.amend(Vote, seats=(), also=())


class StandFirm(Action, frozen=True):
    """Not change the vote any more."""

    rule: ClassVar[str] = "POZ-R62"
    exact: ClassVar[bool] = True
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Once all have voted."""
        if all(other in ballot_of(state).votes for other in eligible(state)) and seat not in ballot_of(state).firm:
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """After all have voted, once."""
        ballot = ballot_of(state)
        if any(other not in ballot.votes for other in eligible(state)):
            refuse("POZ-R62", "not_all_have_voted")
        if seat in ballot.firm:
            refuse("POZ-R62", "firm_already")

    def apply(self, table: Table[State], seat: int) -> None:
        """Marked; it owes nothing more, but may still give in."""
        table.amend(Vote, also=(*asked(table.state, Vote).also, seat))
        table.emit(StoodFirm(seat))


class ChooseOption(Action, frozen=True):
    """Decide on the Aktion."""

    rule: ClassVar[str] = "POZ-DIC-12"
    exact: ClassVar[bool] = True

    option: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Its options."""
        return (cls(option) for option in _letters(state))

    def check(self, state: State, seat: int) -> None:
        """One of them."""
        if self.option not in _letters(state):
            refuse("POZ-RND-1.1", "no_such_option", options=list(_letters(state)))

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """What it does (2.7)."""
        return _does(state, self.option)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is done."""
        table.emit(OptionChosen(self.option))
        push_option(table, self.option)


def ballot_of(state: State) -> Ballot:
    """The vote under way."""
    assert isinstance(asked(state, Vote), Vote)
    assert state.ballot is not None
    return state.ballot


def _letters(state: State) -> tuple[str, ...]:
    assert state.aktion is not None
    return LETTERS[: len(state.board.aktions[state.aktion].options)]


def _does(state: State, option: str) -> dict[str, Any]:
    """The text of an option of the Aktion that is open; nothing of other options."""
    if state.aktion is None or option not in LETTERS:
        return {}
    return {"does": state.board.aktions[state.aktion].options[LETTERS.index(option)]}
