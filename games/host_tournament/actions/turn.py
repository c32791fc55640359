"""What the active seat does in its turn (specification, 4.3)."""

from collections.abc import Iterator
from typing import ClassVar, Self

from games.host_tournament.announcing import announce, pay, use_rule
from games.host_tournament.downloads import act_fault, acts, downloaded, zones_of
from games.host_tournament.effects.board import GroupFormed
from games.host_tournament.effects.plays import AbilityAnnounced, CardAnnounced, FolderSorted
from games.host_tournament.effects.turns import ActionPaid, TurnEndDeclared
from games.host_tournament.frame import Frame
from games.host_tournament.legality import ACTION_TYPES, frame_of, play_fault, plays, price
from games.host_tournament.moves import carried, cost
from games.host_tournament.refusals import refuse, refused
from games.host_tournament.state import State
from games.host_tournament.steps.moving import Movers
from games.host_tournament.steps.ops import Do
from games.host_tournament.steps.plays import Completed
from games.host_tournament.steps.settle import Settle
from games.host_tournament.steps.turns import DRAWN
from games.host_tournament.steps.windows import announced
from games.kernel import Action, Public, Secret, Table

FOLDER = "sort_folder"


class PlayCard(Action, frozen=True):
    """Play a personnel, location, equipment or event from the hand."""

    rule: ClassVar[str] = "HT-3.2"
    exact: ClassVar[bool] = True

    card: Public[str]
    target: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every card with every target."""
        return (cls(card, target) for card, target in plays(state, seat))

    def check(self, state: State, seat: int) -> None:
        """In hand, of a type that is played so, and nothing in 4.3.1 against it."""
        if self.card not in state.seats[seat].hand:
            refused("HT-0.2", "not_in_hand", card=self.card)
        card = state.book.cards[self.card]
        if card.type not in ACTION_TYPES:
            refused("HT-0.2", "wrong_type", card=self.card)
        refuse(play_fault(state, seat, card, self.target, state.actions_left), card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and announce it."""
        state = table.state
        table.stay()
        card = state.book.cards[self.card]
        then = pay(table, price(state, seat, card, self.target))
        frame = frame_of(state, seat, card, self.target)
        told = CardAnnounced(
            seat, state.new_name(card.id), self.target, kind=card.type, rule=frame.rule, here=frame.here
        )
        announce(table, told, *then)

    def notes(self, state: State, seat: int) -> dict[str, object]:
        """What it costs."""
        return {"cost": price(state, seat, state.book.cards[self.card], self.target)}


class MoveGroup(Action, frozen=True, rename={"from_": "from"}):
    """Move a group of personnel to another location."""

    rule: ClassVar[str] = "HT-3.4"
    exact: ClassVar[bool] = True

    from_: Public[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """From every place with somebody to move to every other one that can be paid."""
        for start in state.places if state.actions_left else ():
            movers = state.look.group(start.pid, seat)
            costs: dict[bool, int] = {}  # of a town all places cost the same
            for to in state.places if movers else ():
                far = to.town != start.town
                if to is not start and far not in costs:
                    costs[far] = cost(state, start.pid, to.pid, movers)
                if to is not start and costs[far] <= state.actions_left:
                    yield cls(start.pid, to.pid)

    def check(self, state: State, seat: int) -> None:
        """Two places, somebody who can move, and a cost that can be paid."""
        places = state.look.copies
        if self.from_ not in places or self.to not in places:
            refused("HT-0.2", "no_such_place", place=self.to if self.from_ in places else self.from_)
        if self.from_ == self.to:
            refused("HT-0.2", "same_place", place=self.to)
        movers = state.look.group(self.from_, seat)
        least = cost(state, self.from_, self.to, movers)
        if movers and least > state.actions_left:
            refused("HT-3.1", "too_few_actions", cost=least)
        if not movers:
            carry = carried(state, self.from_, seat)
            there = state.look.all_of(self.from_, seat)
            refused("HT-6.3" if carry else "HT-12.7" if there else "HT-3.4", "nobody_to_move", place=self.from_)

    def apply(self, table: Table[State], seat: int) -> None:
        """Put the group together; it sets off when nobody more is left behind."""
        state = table.state
        table.stay()
        table.emit(GroupFormed(self.from_, self.to))
        movers = state.look.group(self.from_, seat)
        carry = carried(state, self.from_, seat)
        table.push(Movers(seats=(seat,), seat=seat, from_=self.from_, to=self.to, movers=movers, carry=carry))

    def notes(self, state: State, seat: int) -> dict[str, object]:
        """What it costs if all go."""
        return {"cost": cost(state, self.from_, self.to, state.look.group(self.from_, seat))}


class UseAbility(Action, frozen=True):
    """Use an ability of a card in play; `zone`: whence, if all it does is to download one card.

    It is said wherever there is one such card, so that it tells nothing of the other zone (3.3).
    """

    rule: ClassVar[str] = "HT-3.6"
    exact: ClassVar[bool] = True

    source: Public[str]
    index: Public[int]
    zone: Public[str | None] = None

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every ability that can be used."""
        return (cls(source, index, zone) for source, index, zone in acts(state, seat))

    def check(self, state: State, seat: int) -> None:
        """The source is active and the own, it can be paid, its conditions hold, its download is legal."""
        refuse(act_fault(state, seat, self.source, self.index), source=self.source)
        card = downloaded(dict(state.card(self.source).acts)[self.index])
        if card is None and self.zone is not None:
            refused("HT-0.2", "no_target_wanted", zone=self.zone)
        if card is not None and self.zone is None:
            refused("HT-0.2", "zone_missing", card=card)
        if card is not None and self.zone not in zones_of(state, seat, card):
            refused("HT-0.2", "not_in_hand" if self.zone == "hand" else "not_in_deck", card=card)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and announce it."""
        state = table.state
        table.stay()
        rule = dict(state.card(self.source).acts)[self.index]
        if rule.n:
            table.emit(ActionPaid(rule.n))
        table.emit(AbilityAnnounced(seat, self.source, self.index))
        use_rule(table, seat, state.in_play[self.source].card, self.index)
        text = Do(frame=state.look.frame(self.source, self.index), zone=self.zone)
        table.push(announced(self.source, "ability", seat), text, Settle(), Completed())

    def notes(self, state: State, seat: int) -> dict[str, object]:
        """What is downloaded, if that is all it does."""
        card = downloaded(dict(state.card(self.source).acts)[self.index])
        return {} if card is None else {"card": card}


class SortFolder(Action, frozen=True):
    """Discard up to 2 hand cards and draw as many (HT-18.1)."""

    rule: ClassVar[str] = "HT-18.1"

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """One, however many locations there are."""
        yield cls()

    def check(self, state: State, seat: int) -> None:
        """An action is left, a location of one's own in play, a card in hand, not yet done in this turn."""
        rule = state.book.sorting
        if rule is not None and rule.n > state.actions_left:
            refused("HT-3.1", "too_few_actions", cost=rule.n)
        if rule is None or not state.options.sort_folder:
            refused("HT-18.1", "off")
        if not any(state.in_play[name].owner == seat for place in state.places for name in place.copies):
            refused("HT-18.1", "no_location_in_play")
        if not state.seats[seat].hand:
            refused("HT-18.1", "empty_hand")
        if FOLDER in state.seats[seat].used_turn:
            refused("HT-18.4", "used_this_turn")

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and announce it."""
        table.stay()
        rule = table.state.book.sorting
        table.emit(ActionPaid(rule.n if rule is not None else 1), FolderSorted(seat))
        table.push(announced(FOLDER, "ability", seat), Do(frame=Frame(seat, "")), Settle(), Completed())


class EndTurn(Action, frozen=True):
    """End the turn; `draw` is the most to be drawn, named before the first card is seen."""

    rule: ClassVar[str] = "HT-3.12"
    declines: ClassVar[bool] = True
    exact: ClassVar[bool] = True

    draw: Secret[int]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """From 3 down to 0."""
        return map(cls, (3, 2, 1, 0))

    def check(self, state: State, seat: int) -> None:
        """From 0 to 3."""
        if not 0 <= self.draw <= DRAWN:
            refused("HT-3.12", "out_of_range", draw=self.draw)

    def apply(self, table: Table[State], seat: int) -> None:
        """Declare it."""
        table.emit(TurnEndDeclared(seat, self.draw))
