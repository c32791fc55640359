"""The frame of a turn (specification, 4.2): one phase after the other; those with nothing to do are passed over."""

from games.block_mania.effects import BlockersFreed, BlockersUnflipped, PhaseStarted, Screened, TurnEnded, TurnStarted
from games.block_mania.scoring import finished
from games.block_mania.state import Phase, State
from games.block_mania.steps.openings import OPENINGS
from games.kernel import Public, Step, Table

#: The phases of a turn, in order (BM-PLAY-2 to -5).
ORDER: tuple[Phase, ...] = (
    "justice",
    "roll",
    "command",
    "defensive",
    "combat_bombs",
    "combat_justice",
    "shoot",
    "assault",
    "loot",
    "arson",
    "scrawl",
    "firefight",
    "end_virus",
    "end_fire",
    "end_catastrophe",
    "end_cards",
)
#: Before these the end of the game is checked: after the Command, Defensive Fire and Combat Phases (BM-PLAY-8).
CHECKED = frozenset({"defensive", "combat_bombs", "end_virus"})


class Enter(Step, frozen=True, kw_only=True):
    """A phase begins, if there is anything to do in it; then the next one."""

    phase: Public[Phase]

    def run(self, table: Table[State]) -> None:
        """Open the phase, with the next one beneath; a seat that has nothing left goes through them too (BM-R69)."""
        if self.phase in CHECKED and finished(table):
            return
        state = table.state
        after = ORDER.index(self.phase) + 1
        beneath = Enter(phase=ORDER[after]) if after < len(ORDER) else EndTurn()
        opening = OPENINGS[self.phase](state)
        if state.options.equipment_hidden:
            table.emit(Screened(state.phasing, self.phase, bool(opening)))
        if opening:
            table.emit(PhaseStarted(state.phasing, self.phase))
        table.push(*opening, beneath)


class StartTurn(Step, frozen=True, kw_only=True):
    """The turn of a seat begins (BM-PLAY-1)."""

    seat: Public[int]

    def run(self, table: Table[State]) -> None:
        """It is phasing; its first phase is next."""
        table.emit(TurnStarted(self.seat, table.state.turn_no + 1))
        stuck = tuple(name for name, one in table.state.blockers.items() if one.stuck_until == self.seat)
        if stuck:
            table.emit(BlockersFreed(self.seat, stuck))
        table.push(Enter(phase="justice"))


class EndTurn(Step, frozen=True):
    """The turn ends: unflip, forget what was for this turn, and on to the next seat (4.11, step 5)."""

    def run(self, table: Table[State]) -> None:
        """The end of the game is checked once more, after phase 4."""
        state = table.state
        seat = state.phasing
        flipped = tuple(name for name, one in state.blockers.items() if one.flipped and one.controller in (seat, None))
        table.emit(BlockersUnflipped(seat, flipped), TurnEnded(seat))
        if not finished(table):
            table.push(StartTurn(seat=state.after(seat)[0]))
