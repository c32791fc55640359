"""The round, step by step (specification, 4.3)."""

from collections.abc import Mapping
from typing import ClassVar

from games.kernel import Public, Step, Table
from games.portland_occupied_zone.effects import (
    AktionRevealed,
    Cleaned,
    DeckShuffled,
    Harvested,
    NarrativeRevealed,
    PowerUsed,
    RoundEnded,
    RoundStarted,
    StepStarted,
    VoteBegun,
)
from games.portland_occupied_zone.leading import commune_stands, leader, leader_seat
from games.portland_occupied_zone.modifiers import dictator, in_force, staffed
from games.portland_occupied_zone.pack_parts import Narrative as Card
from games.portland_occupied_zone.state import RoundStep, State
from games.portland_occupied_zone.steps.police import DeployGas, Dispatch, MovePolice
from games.portland_occupied_zone.steps.texts import Ops
from games.portland_occupied_zone.steps.turns import TakeTurn
from games.portland_occupied_zone.steps.voting import LETTERS, DiscardAktion, LeaderChoice, Vote, push_option
from games.portland_occupied_zone.tasks.battle import StartBattle


class StartRound(Step, frozen=True):
    """A round begins; without standard narratives the battle does (POZ-DIC-1, POZ-R34)."""

    def run(self, table: Table[State]) -> None:
        """Push the round's steps."""
        state = table.state
        table.emit(RoundStarted(state.round + 1))
        table.push(*rest_of_round("ideology"))
        if not state.battle and not state.decks.standard_left:
            table.push(StartBattle())


class Ideology(Step, frozen=True):
    """The living Dictator's ideology works (POZ-DIC-15)."""

    def run(self, table: Table[State]) -> None:
        """Its text, if it has one."""
        state = table.state
        table.emit(StepStarted("ideology"))
        pc = dictator(state)
        for power in state.board.powers_of[pc] if pc is not None else ():
            if power.at is None and power.teach_in and pc is not None:
                table.emit(PowerUsed(pc, power.id, ideology=True))
                table.push(Ops(text=power.teach_in, me=pc))


class Aktion(Step, frozen=True):
    """1.1: the top Aktion card, and who decides on it (POZ-RND-1.1, POZ-GOV-6)."""

    def run(self, table: Table[State]) -> None:
        """Turn it over and ask."""
        state = table.state
        table.emit(StepStarted("1.1"))
        turn_over(table)
        if state.aktion is not None:
            table.push(DiscardAktion())
            self._decide(table)

    def _decide(self, table: Table[State]) -> None:
        state = table.state
        assert state.aktion is not None
        decision = state.board.aktions[state.aktion].decision
        if decision == "none":
            push_option(table, LETTERS[0])
        elif decision == "majority":
            if not state.battle:  # leadership changes only through violence then (POZ-DIC-13)
                living = tuple(name for name, pc in state.pcs.items() if pc.alive)
                table.emit(VoteBegun(living, unanimous=False))
                table.push(Vote(purpose="lead"))
        elif decision == "leader" or state.battle:
            table.push(LeaderChoice(seats=(leader_seat(state),)))
        else:
            table.emit(VoteBegun(LETTERS))
            table.push(Vote(purpose="aktion"))


class Narrative(Step, frozen=True):
    """1.2: the top narrative (POZ-RND-1.2)."""

    def run(self, table: Table[State]) -> None:
        """Turn it over; do what it says, then what a lasting plot says again."""
        state = table.state
        table.emit(StepStarted("1.2"))
        card = reveal(table)
        texts = []
        if card is not None and card.kind == "event":
            texts.append(card.effect)
        plot = None if state.plot is None else state.board.narratives[state.plot]
        if plot is not None and plot.kind == "repeated_plot":
            texts.append(plot.effect)
        table.push(*(Ops(text=text, me=leader(state)) for text in texts))


def turn_over(table: Table[State]) -> None:
    """The next Aktion that is about something on the map; others are discarded (POZ-ALT-3)."""
    board, decks = table.state.board, table.state.decks

    def about(card: str) -> bool:
        return board.on_map(board.aktions[card].refs)

    while table.state.aktion is None and any(map(about, (*decks.aktion, *decks.aktion_discard))):
        if not decks.aktion:  # POZ-R91
            order = tuple(table.shuffle("aktion", decks.aktion_discard))
            table.emit(DeckShuffled("aktion", len(order), order, reshuffled=True))
        card = decks.aktion[0]
        table.emit(AktionRevealed(card, aside=not about(card)))


def reveal(table: Table[State]) -> Card | None:
    """The next narrative that is about something on the map; others are put aside (POZ-ALT-3, POZ-R95)."""
    state = table.state
    decks = state.decks
    while decks.narrative:
        name = decks.narrative[0]
        card = state.board.narratives[name]
        if state.board.on_map(card.refs):
            table.emit(NarrativeRevealed(name))
            return card
        left = decks.standard_left or len(decks.narrative)
        table.emit(NarrativeRevealed(name, aside=True))
        if left == 1:  # the last one of its kind is without effect
            return None
    return None


class Harvest(Step, frozen=True):
    """1.3: staffed farms bring in a card each (POZ-RND-1.3)."""

    def run(self, table: Table[State]) -> None:
        """As far as Homebrew goes."""
        state = table.state
        table.emit(StepStarted("1.3"))
        each = 1 + bool(in_force(state, "farm_plus"))
        for name, thing in state.structures.items():
            card = state.board.structures[thing.type].harvest
            if card is not None and staffed(state, name):
                for _ in range(min(each, state.decks.homebrew.get(card, 0))):
                    table.emit(Harvested(name, card))


class Manage(Step, frozen=True):
    """1.4: the Leader manages the POZ (POZ-RND-1.4)."""

    def run(self, table: Table[State]) -> None:
        """Ask."""
        table.emit(StepStarted("1.4"))
        table.push(ManagePoz(seats=(leader_seat(table.state),)))


class ManagePoz(Step, frozen=True):
    """The Leader exchanges, recruits, reassigns, distributes, proposes other plans, until it ends that."""

    menu: ClassVar[tuple[str, ...]] = (
        "exchange_structures",
        "recruit_npc",
        "reassign_npc",
        "distribute",
        "propose_redraw",
        "end_manage",
    )
    root: ClassVar[bool] = True


class ClearGas(Step, frozen=True):
    """2.1: the gas of the round before is cleared (POZ-RND-2.1)."""

    def run(self, table: Table[State]) -> None:
        """All of it."""
        table.emit(StepStarted("2.1"))
        gas = tuple(table.state.tokens.gas)
        if gas:
            table.emit(Cleaned(gas=gas))


class PoliceStep(Step, frozen=True):
    """2.2 to 2.4: gas, moves, dispatch (POZ-RND-2.2 to -2.4)."""

    number: Public[RoundStep]

    def run(self, table: Table[State]) -> None:
        """Begin it."""
        table.emit(StepStarted(self.number))
        table.push({"2.2": DeployGas, "2.3": MovePolice, "2.4": Dispatch}[self.number]())


class Turns(Step, frozen=True):
    """Each character's turn, in their order (POZ-RND-0.1)."""

    index: Public[int] = 0

    def run(self, table: Table[State]) -> None:
        """The next one, as long as there is one."""
        order = table.state.turn_order
        if self.index == 0:
            table.emit(StepStarted("turns"))
        if self.index < len(order):
            table.push(TakeTurn(pc=order[self.index]), Turns(index=self.index + 1))


class EndRound(Step, frozen=True):
    """The round is over; after the last narrative the game is (POZ-INT-1, POZ-R1)."""

    def run(self, table: Table[State]) -> None:
        """Go on, or end."""
        state = table.state
        table.emit(RoundEnded(state.round))
        if state.decks.narrative:
            table.push(StartRound())
        else:
            commune_stands(table)


STEPS: Mapping[RoundStep, Step] = {
    "ideology": Ideology(),
    "1.1": Aktion(),
    "1.2": Narrative(),
    "1.3": Harvest(),
    "1.4": Manage(),
    "2.1": ClearGas(),
    "2.2": PoliceStep(number="2.2"),
    "2.3": PoliceStep(number="2.3"),
    "2.4": PoliceStep(number="2.4"),
    "turns": Turns(),
}


def rest_of_round(step: RoundStep) -> list[Step]:
    """The steps of a round, from this one on."""
    names = list(STEPS)
    return [*(STEPS[name] for name in names[names.index(step) :]), EndRound()]
