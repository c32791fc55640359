"""The steps of the tiny ruleset: what it still has to do, and how each goes on by itself."""

from typing import TYPE_CHECKING, ClassVar

from msgspec import structs

from games.kernel import Action, Public, Step, Table
from tests.tiny import effects as e

if TYPE_CHECKING:
    from tests.tiny.state import Tiny


class ChooseHomes(Step, frozen=True):
    """All seats choose a home and a card to bury, sealed; then all homes are shown in seat order."""

    menu: ClassVar[tuple[str, ...]] = ("choose_home",)
    sealed: ClassVar[bool] = True

    def run(self, table: "Table[Tiny]") -> None:
        for seat, home in enumerate(table.state.homes):
            table.emit(e.HomeRevealed(seat, home or ""))
        table.emit(e.PlayStarted(table.state.content.places[-1].id))
        table.push(Round())


class Round(Step, frozen=True):
    """A round: the vote, a turn for each seat, the patrol, the end of the round."""

    def run(self, table: "Table[Tiny]") -> None:
        state = table.state
        table.emit(e.RoundStarted(state.round + 1))
        first = state.chair or 0
        turns = [BeginTurn(seat=seat) for seat in (first, *state.after(first))]
        patrol = [Walk(left=3)] if state.options.patrol else []
        table.push(Vote(seats=state.playing()), *turns, *patrol, EndRound())


class Vote(Step, frozen=True):
    """Every seat names a chair; who has named one owes nothing more, but may still change it or trade."""

    menu: ClassVar[tuple[str, ...]] = ("cast_vote", "offer_trade")
    root: ClassVar[bool] = True

    def run(self, table: "Table[Tiny]") -> None:
        votes = [choice for choice in table.state.votes.values() if choice not in table.state.resigned]
        most = max((votes.count(choice) for choice in votes), default=0)
        tied = sorted({choice for choice in votes if votes.count(choice) == most})
        if tied:
            table.emit(e.ChairElected(table.pick("chair", tied), tuple(tied)))


class BuildOffer(Step, frozen=True, kw_only=True):
    """The offerer lays out cards, one at a time."""

    to: Public[int]

    menu: ClassVar[tuple[str, ...]] = ("add_card", "send_offer", "drop_offer")


class RespondTrade(Step, frozen=True, kw_only=True):
    """The addressee takes the cards for a coin, or does not."""

    offerer: Public[int]

    menu: ClassVar[tuple[str, ...]] = ("accept_trade", "decline_trade")


class BeginTurn(Step, frozen=True, kw_only=True):
    """A seat's turn begins, unless it has resigned."""

    seat: Public[int]

    def alive(self, state: "Tiny") -> bool:
        return self.seat not in state.resigned

    def run(self, table: "Table[Tiny]") -> None:
        table.emit(e.TurnStarted(self.seat))
        table.push(Turn(seats=(self.seat,)))


class Turn(Step, frozen=True):
    """Two actions, in any order. A curfew cuts it short once what the seat began is finished."""

    menu: ClassVar[tuple[str, ...]] = ("shoot", "take_card", "end_turn")
    auto: ClassVar[bool] = True
    root: ClassVar[bool] = True

    def alive(self, state: "Tiny") -> bool:
        return not state.curfew


class Window(Step, frozen=True, kw_only=True):
    """What both windows share: `order` is asked one seat at a time, by public facts, until all have `passed`."""

    order: Public[tuple[int, ...]]
    passed: Public[tuple[int, ...]] = ()

    menu: ClassVar[tuple[str, ...]] = ("play_card", "pass_window")
    window: ClassVar[bool] = True

    def run(self, table: "Table[Tiny]") -> None:
        state, passed = table.state, self.passed
        for seat in self.order:
            if seat in passed:
                continue
            if seat not in state.resigned and (state.hands[seat] or state.options.ask == "always"):
                table.push(structs.replace(self, passed=passed, seats=(seat,)))
                return
            passed = (*passed, seat)
            table.emit(e.Passed(seat, rest=False))

    def standing(self, state: "Tiny", seat: int) -> Action | None:
        from tests.tiny.actions import PassWindow  # noqa: PLC0415 (actions push steps)

        return PassWindow() if seat in state.standing or seat in state.auto else None


class React(Window, frozen=True):
    """The window of a declared attack: the firer first, then the owners of the targets. Who passes is out of it."""


class Answer(Window, frozen=True, kw_only=True):
    """The window of an announced card. A card played in it empties `passed`; a cancelled subject closes it."""

    subject: Public[int]

    def alive(self, state: "Tiny") -> bool:
        card = state.card_announced(self.subject)
        return card is not None and not card.cancelled


class Resolve(Step, frozen=True, kw_only=True):
    """An announced card is carried out, or goes away if it was cancelled meanwhile."""

    subject: Public[int]

    def run(self, table: "Table[Tiny]") -> None:
        state = table.state
        announced = state.card_announced(self.subject)
        assert announced is not None
        if announced.cancelled:
            table.emit(e.CardFailed(self.subject))
            return
        table.emit(e.CardResolved(self.subject))
        card = state.content.card(announced.card)
        assert card is not None
        if card.use == "cancel":
            assert announced.answers is not None
            table.emit(e.CardCancelled(announced.answers))
        elif card.use == "curfew":
            table.emit(e.CurfewCalled(announced.seat))
        else:
            attack = next(step for step in reversed(state.agenda) if isinstance(step, Attack))
            table.amend(Attack, bonus=attack.bonus + (card.value if card.use == "aim" else -card.value))


class Attack(Step, frozen=True, kw_only=True):
    """The shots: one die for each unit there, the firer's own too, then one point of damage to the place."""

    seat: Public[int]
    place: Public[str]
    bonus: Public[int] = 0

    def run(self, table: "Table[Tiny]") -> None:
        dice = [(owner, table.roll("shot", 6)) for owner in table.state.floors[self.place].units]
        for owner, die in dice:
            hit = die + self.bonus >= 5
            table.emit(e.UnitShot(self.place, owner, die, self.bonus, hit))
        table.push(Damage(entries=(self.place,)))


class Damage(Step, frozen=True, kw_only=True):
    """A queue, first in, first out: a decision may fall between two entries, so it is a step."""

    entries: Public[tuple[str, ...]]

    def run(self, table: "Table[Tiny]") -> None:
        if not self.entries:
            return
        place, *rest = self.entries
        table.push(Damage(entries=tuple(rest)))
        _damage(table, place)


def _damage(table: "Table[Tiny]", place: str) -> None:
    floor = table.state.floors[place]
    if floor.collapsed:
        return
    die = table.roll("damage", 6)
    collapses = die + 2 * floor.damage >= 6
    table.emit(e.PlaceDamaged(place, die, collapses))
    if not collapses:
        return
    above = next(spot.above for spot in table.state.content.places if spot.id == place)
    if above is not None:
        queue = next(step for step in reversed(table.state.agenda) if isinstance(step, Damage))
        table.amend(Damage, entries=(*queue.entries, above))
    table.push(*(Ransom(seats=(owner,), place=place, why="rubble") for owner in floor.units))


class Ransom(Step, frozen=True, kw_only=True):
    """A unit is in the hands of the police or under rubble: a coin saves it. Without a coin nobody is asked."""

    place: Public[str]
    why: Public[str]

    menu: ClassVar[tuple[str, ...]] = ("pay_ransom", "give_up")
    auto: ClassVar[bool] = True


class Walk(Step, frozen=True, kw_only=True):
    """The police walk by themselves, step by step; where they meet units they stop for the first of them."""

    left: Public[int]

    def run(self, table: "Table[Tiny]") -> None:
        if self.left == 0:
            return
        table.push(Walk(left=self.left - 1))
        state = table.state
        place = state.content.place(state.police)
        assert place is not None
        to = None
        while to is None:
            die = table.roll("patrol", 6)
            to = place.exits[die - 1]
            table.emit(e.PoliceWalked(place.id, die, to))
        if state.floors[to].units:
            table.push(Ransom(seats=(state.floors[to].units[0],), place=to, why="police"))


class EndRound(Step, frozen=True):
    """The last round, or no unit left, ends the game."""

    def run(self, table: "Table[Tiny]") -> None:
        state = table.state
        if state.round == state.options.rounds:
            e.end_game(table, "rounds")
        elif not any(floor.units for floor in state.floors.values()):
            e.end_game(table, "no_units")
        else:
            table.push(Round())


AnyStep = (
    ChooseHomes
    | Round
    | Vote
    | BuildOffer
    | RespondTrade
    | BeginTurn
    | Turn
    | React
    | Answer
    | Resolve
    | Attack
    | Damage
    | Ransom
    | Walk
    | EndRound
)
