"""A tiny ruleset made for tests: the hardest flows of the rulebooks in a street of six places.

Seats hide a card and choose a home (sealed), then each round elect a chair (with trades while they vote), take turns
shooting at places (reaction windows, answers to cards, damage that collapses what stands above), and the police walk.
"""

from pathlib import Path

from games.dice import Dice
from games.kernel import AgendaSet, Answered, PositionSet, Ruleset, SeatResigned, Setting, Table
from tests.tiny import effects as e
from tests.tiny.actions import AnyAction
from tests.tiny.pack import SHELF
from tests.tiny.position import TinyPosition, components, initial
from tests.tiny.state import Options, Tiny
from tests.tiny.steps import AnyStep, ChooseHomes
from tests.tiny.view import TinyView, resample, view

AnyEffect = (
    e.DeckShuffled
    | e.CardTaken
    | e.CardPaid
    | e.HomeChosen
    | e.HomeRevealed
    | e.PlayStarted
    | e.RoundStarted
    | e.VoteCast
    | e.ChairElected
    | e.OfferOpened
    | e.CardOffered
    | e.OfferSent
    | e.OfferClosed
    | e.TurnStarted
    | e.TurnEnded
    | e.AttackDeclared
    | e.Passed
    | e.AutoPassSet
    | e.CardAnnounced
    | e.CardCancelled
    | e.CardResolved
    | e.CardFailed
    | e.CurfewCalled
    | e.UnitShot
    | e.PlaceDamaged
    | e.RansomPaid
    | e.UnitLost
    | e.PoliceWalked
    | e.GameEnded
    | AgendaSet[AnyStep]
    | Answered[AnyAction]
    | SeatResigned
    | PositionSet
)


def set_up(table: Table[Tiny], setting: Setting) -> None:
    """Shuffle, deal the hands, and let all seats choose."""
    state = table.state
    table.emit(e.DeckShuffled(tuple(table.shuffle("deck", state.deck))))
    for _ in range(state.content.hand):
        for seat in range(state.seat_count):
            table.emit(e.CardTaken(seat, state.deck[-1]))
    table.push(ChooseHomes(seats=tuple(range(state.seat_count))))


def last_seat(table: Table[Tiny], seat: int | None) -> None:
    """The last seat wins at once; without any, nobody does."""
    e.end_game(table, "resigned" if seat is None else "last_seat")


def _resample(state: Tiny, seat: int, dice: Dice) -> Tiny:
    return resample(RULES.copy(state), seat, dice)


RULES: Ruleset[Tiny] = Ruleset(
    id="tiny",
    title="Tiny",
    version=1,
    seats=range(1, 5),
    state=Tiny,
    view_type=TinyView,
    options=Options,
    effects=AnyEffect,
    actions=AnyAction,
    steps=AnyStep,
    shelf=SHELF,
    bound=600,
    menu_rule=lambda _: "TINY-0",
    resign_rule="TINY-7",
    initial=initial,
    set_up=set_up,
    view=view,
    resample=_resample,
    components=components,
    position=TinyPosition(),
    last_seat=last_seat,
)

PACK = SHELF.add((Path(__file__).parent / "content" / "tiny.json").read_bytes())
