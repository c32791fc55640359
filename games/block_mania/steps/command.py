"""The Command Phase and the cards at both ends of a turn (specification, 4.2, 4.3, 4.11 step 4, 4.12)."""

from typing import ClassVar

from games.block_mania.deaths import remove
from games.block_mania.effects import ActivationStarted, CommandRolled, EndgameStarted, JusticeReshuffled
from games.block_mania.predicates import type_of
from games.block_mania.scoring import end, finished
from games.block_mania.state import Blocker, State
from games.block_mania.steps.window import Window, asked
from games.block_mania.supply import card_drawn, merged
from games.kernel import Public, Step, Table

#: Cards that may be kept (BM-4D-1).
HAND_LIMIT = 3


class Justice(Step, frozen=True):
    """The phasing seat plays a Justice card (BM-1A-1)."""

    menu: ClassVar[tuple[str, ...]] = ("play_justice",)

    def run(self, table: Table[State]) -> None:
        """The last blocker may be gone now (BM-PLAY-8)."""
        finished(table)


class RollCommand(Step, frozen=True):
    """Two dice are the command points of the turn; then the others may jam them (BM-1B-1, window R)."""

    def run(self, table: Table[State]) -> None:
        """Roll and ask."""
        state = table.state
        roll_points(table, 2)
        others = tuple(state.after(state.phasing))
        table.push(*asked(state, Window(kind="R", event="after_command_roll", order=others)))


def roll_points(table: Table[State], n: int) -> None:
    """Dice for command points of the phasing seat."""
    dice = tuple(table.roll("command", 6) for _ in range(n))
    table.emit(CommandRolled(table.state.phasing, dice, sum(dice)))


class Command(Step, frozen=True):
    """The phasing seat spends its points (BM-PLAY-2)."""

    menu: ClassVar[tuple[str, ...]] = ("play_mania", "deploy_blocker", "activate", "end_command")


class StartActivation(Step, frozen=True, kw_only=True):
    """A blocker that was declared is activated, unless a card forbids it meanwhile (2.9)."""

    blocker: Public[str]

    def alive(self, state: State) -> bool:
        """Whether Fatties may still be activated."""
        return not (state.seats[state.phasing].no_fatties and state.blockers[self.blocker].type == "fatties")

    def run(self, table: Table[State]) -> None:
        """Pay; it has its movement points."""
        state = table.state
        blocker = state.blockers[self.blocker]
        cost = activation_cost(state, blocker)
        table.emit(ActivationStarted(state.phasing, self.blocker, blocker.type, cost, movement_points(state, blocker)))
        table.push(Activation(seats=(state.phasing,), blocker=self.blocker))


def activation_cost(state: State, blocker: Blocker) -> int:
    """The Command value, or what a card makes of it (BM-ACT-1)."""
    cheap = state.seats[state.phasing].mob_cost
    if blocker.type == "mob" and cheap is not None:
        return cheap
    return type_of(state, blocker).command


def movement_points(state: State, blocker: Blocker) -> int:
    """The Move value, and what cards add for the phasing seat's Fatties (BM-ACT-3)."""
    bonus = state.seats[state.phasing].fatty_bonus if blocker.type == "fatties" else 0
    return type_of(state, blocker).move + bonus


class Activation(Step, frozen=True, kw_only=True):
    """A blocker moves and acts, step by step (4.3)."""

    blocker: Public[str]

    menu: ClassVar[tuple[str, ...]] = (
        "walk",
        "ride_elevator",
        "ride_grav_chute",
        "ride_sky_rail",
        "ride_mega_way",
        "ride_pedway",
        "fly",
        "sucker_swing",
        "draw_equipment",
        "give_equipment",
        "deploy_heavy",
        "drop",
        "release_virus",
        "release_gas",
        "toggle_power",
        "buy_mp",
        "end_activation",
    )

    def alive(self, state: State) -> bool:
        """Whether it has not been ended, by itself or by others."""
        return state.active == self.blocker


class EndCards(Step, frozen=True):
    """The phasing seat draws a card, and discards what is too much (4.11, step 4)."""

    def run(self, table: Table[State]) -> None:
        """Without a Mania card left the endgame begins."""
        state = table.state
        if not state.endgame and not state.mania_deck:
            start_endgame(table)
        if state.endgame and not state.justice_deck and state.justice_used:
            if state.reshuffles >= state.options.max_reshuffles:
                judges_come(table)
                return
            deck = table.shuffle("justice_deck", merged(state.justice_used))
            table.emit(JusticeReshuffled(tuple(deck), _top(state, deck)))
        if state.justice_deck if state.endgame else state.mania_deck:
            table.emit(card_drawn(state, state.phasing))
        if sum(state.seats[state.phasing].hand.values()) > HAND_LIMIT:
            table.push(Discard(seats=(state.phasing,)))


def start_endgame(table: Table[State]) -> None:
    """Every card turns over; all discards are the Justice deck (BM-4D-2)."""
    state = table.state
    deck = table.shuffle("justice_deck", merged(state.setup_discard, state.mania_discard))
    table.emit(EndgameStarted(tuple(deck), _top(state, deck)))


def _top(state: State, deck: list[str]) -> str | None:
    return deck[0].split("/")[1] if deck and state.options.card_backs_visible else None


def judges_come(table: Table[State]) -> None:
    """No card is left to draw: everybody is arrested, and the game is over (BM-R53)."""
    for name in list(table.state.blockers):
        remove(table, name, "judges")
    end(table, "cards")


class Discard(Step, frozen=True):
    """The phasing seat discards down to three cards (BM-4D-1)."""

    menu: ClassVar[tuple[str, ...]] = ("discard",)


def opening_justice(state: State) -> tuple[Step, ...]:
    """A Justice card, if there is one in hand."""
    return (Justice(seats=(state.phasing,)),) if state.endgame and state.seats[state.phasing].hand else ()


def opening_roll(_: State) -> tuple[Step, ...]:
    """The dice."""
    return (RollCommand(),)


def opening_command(state: State) -> tuple[Step, ...]:
    """Spending, even without points: Jaegers are free."""
    return (Command(seats=(state.phasing,)),)


def opening_end_cards(_: State) -> tuple[Step, ...]:
    """The draw."""
    return (EndCards(),)
