"""Setting up a game (specification, 4.2)."""

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import BricksReplenished, DeckShuffled, GameStarted
from games.portland_occupied_zone.frames import ChooseCharacter, PlacePulpit
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.modifiers import bricks_total
from games.portland_occupied_zone.plans import deal
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.texts import Ops


class ChooseCharacters(Step, frozen=True):
    """Seat by seat, round after round, until every seat has its number (4.2 step 1)."""

    def run(self, table: Table[State]) -> None:
        """Ask the next seat, if there is one; else all are there."""
        seat = next_chooser(table.state)
        if seat is not None:
            table.push(ChooseCharacter(seats=(seat,)), self)


def next_chooser(state: State) -> int | None:
    """The seat that chooses a character next: of those that lack some the one with fewest; None: all are there."""
    wanted = state.options.counts(state.seats)
    has = [sum(pc.seat == seat for pc in state.pcs.values()) for seat in range(state.seats)]
    missing = [seat for seat in range(state.seats) if has[seat] < wanted[seat]]
    return min(missing, key=lambda seat: (has[seat], seat), default=None)


class LayOut(Step, frozen=True):
    """Shuffle, deal, and give every character what its board says (4.2 steps 3 to 6)."""

    def run(self, table: Table[State]) -> None:
        """Decks, the order of turns, each character's own set-up, the Pulpit."""
        state = table.state
        shuffle_all(table)
        order = turn_order(state)
        table.emit(GameStarted(order, order[0]))
        deal(table)
        boards = state.board.characters
        own = [Ops(text=boards[pc].setup, me=pc) for pc in state.pcs if boards[pc].setup]
        table.push(*own, FirstBricks(), AskForPulpit())


class FirstBricks(Step, frozen=True):
    """All take their bricks, in turn order (POZ-R10)."""

    def run(self, table: Table[State]) -> None:
        """As many as there are."""
        state = table.state
        for pc in state.turn_order if state.options.initial_bricks == "full" else ():
            replenish(table, pc)


class AskForPulpit(Step, frozen=True):
    """The Speaker places the Pulpit (4.2 step 6)."""

    def run(self, table: Table[State]) -> None:
        """Ask."""
        table.push(PlacePulpit(seats=(leader_seat(table.state),)))


class Shuffled(Step, frozen=True):
    """Decks of a position that nobody has ordered are shuffled before it is played."""

    plans: Public[bool] = True

    def run(self, table: Table[State]) -> None:
        """Shuffle; five plans lie face up."""
        shuffle_all(table)
        if self.plans:
            deal(table)


def replenish(table: Table[State], pc: str) -> None:
    """Bring a character's bricks up to its total, as far as the supply goes (POZ-TRN-2, POZ-BRK-8)."""
    state = table.state
    n = min(bricks_total(state, pc) - state.pcs[pc].bricks, state.supplies.bricks)
    if n > 0:
        table.emit(BricksReplenished(pc, n))


def turn_order(state: State) -> tuple[str, ...]:
    """The order of turns (4.2 step 5, POZ-TRN-1, POZ-R4): `pcs` are in rainbow order."""
    first = next(iter(state.pcs.values())).seat
    seats = [(first + i) % state.seats for i in range(state.seats)]
    return tuple(name for seat in seats for name, pc in state.pcs.items() if pc.seat == seat)


def shuffle_all(table: Table[State]) -> None:
    """Every deck that still lies as it was unpacked (4.2 step 3)."""
    state = table.state
    decks = state.decks
    for deck in tuple(decks.unshuffled):
        if deck == "narrative":
            _shuffle_narratives(table)
        else:
            cards = decks.loot[deck.removeprefix("loot:")] if deck.startswith("loot:") else getattr(decks, deck)
            order = tuple(table.shuffle(deck, cards))
            table.emit(DeckShuffled(deck, len(order), order))


def _shuffle_narratives(table: Table[State]) -> None:
    """Each kind by itself; so many of each are drawn, the standard ones on top (POZ-SET-2.3).

    In a position those that earlier rounds have turned over are out of play.
    """
    state, options = table.state, table.state.options
    left, played = state.decks.standard_left, _played(state)
    standard = table.shuffle("narrative", state.decks.narrative[:left])[: options.standard_cards]
    battle = table.shuffle("narrative", state.decks.narrative[left:])[: options.battle_cards]
    if state.battle:
        standard, battle = [], battle[max(0, played - options.standard_cards) :]
    else:
        standard = standard[played:]
    order = (*standard, *battle)
    table.emit(DeckShuffled("narrative", len(order), order, len(standard)))


def _played(state: State) -> int:
    """How many narratives have been turned over: one a round (POZ-RND-1.2)."""
    before = state.step in ("ideology", "1.1", "1.2")
    return max(0, state.round - before)
