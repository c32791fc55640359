"""A state that a seat cannot tell from the real one: what it does not know is dealt anew (specification, 3.4)."""

from games.dice import Dice
from games.host_tournament import entering
from games.host_tournament.state import AutoPass, State
from games.host_tournament.steps.ops import CardChoice
from games.host_tournament.steps.subgame import Entry

THROWS = ("paper", "scissors", "stone")


def resample(state: State, seat: int, dice: Dice) -> State:
    """The same state with hands, decks and sealed choices that `seat` does not know made anew."""
    if state.phase == "ended":
        return state
    for number in range(2):
        if number == seat:
            state.seats[number].deck = dice.shuffle("deck", state.seats[number].deck)
            continue
        _deal(state, number, dice)
        _seal(state, number, dice)
    return state


def _deal(state: State, number: int, dice: Dice) -> None:
    """Hand and deck of a seat: known hand cards stay; a choice that it owes from them stays as it is."""
    owner = state.seats[number]
    if any(isinstance(s, CardChoice) and s.seat == number and not s.open for s in state.agenda):
        owner.deck = dice.shuffle("deck", owner.deck)
        return
    known = list(owner.shown)
    hand = list(owner.hand)
    for card in known:
        hand.remove(card)
    pool = dice.shuffle("resample", sorted([*hand, *owner.deck]))
    owner.hand = [*known, *pool[: len(hand)]]
    owner.deck = pool[len(hand) :]


def _seal(state: State, number: int, dice: Dice) -> None:
    """What a seat has sealed, or said of later windows, is made up anew."""
    owner = state.seats[number]
    if owner.wish is not None:
        owner.wish = dice.pick("wish", (0, 1, 2, 3))
    if state.rps[number] is not None:
        state.rps[number] = dice.pick("throw", THROWS)
    owner.auto_pass = AutoPass() if dice.pick("auto_pass", (True, False)) else owner.auto_pass
    roll = state.roll
    if roll is not None and roll.chosen[number] is not None and _sealed(state):
        roll.chosen[number] = None
        most = entering.free_seats(state, number)
        those = [name for name in entering.optional(state, number) if dice.pick("enter", (True, False))]
        roll.chosen[number] = those[:most]


def _sealed(state: State) -> bool:
    """Whether entrants are being chosen, and not yet shown."""
    return any(isinstance(step, Entry) and not step.open for step in state.agenda)
