"""The actions that answer what an event, research or Riots ask (specification, 4.2 and 4.12)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self, TypeVar

from games.kernel import Action, Public, Step, Table
from games.world_war_zed import steps
from games.world_war_zed.actions.moving import check_move
from games.world_war_zed.actions.refusals import refuse
from games.world_war_zed.effects import BreakthroughChosen, EventTargetChosen, RiotRemoved, TrackChanged, UnitMoved
from games.world_war_zed.events.doing import do_at
from games.world_war_zed.legality import BIOCHEM_DEFCON, breakthroughs, moves
from games.world_war_zed.places import riots
from games.world_war_zed.state import State
from games.world_war_zed.steps.riots import calm_class, place_riot

S = TypeVar("S", bound=Step)
Breakthrough = Literal["strength", "toughness", "burst_min", "burst_max", "biochem"]
#: The rule that says how far each goes.
LIMIT_RULES = {
    "strength": "WWZ-6.1-03",
    "toughness": "WWZ-6.1-04",
    "burst_min": "WWZ-6.1-05",
    "burst_max": "WWZ-6.1-06",
}


def _asked(state: State, kind: type[S]) -> S:
    """The step that is answered: the top of the agenda."""
    step = state.agenda[-1]
    assert isinstance(step, kind)
    return step


class ChooseEventTarget(Action, frozen=True):
    """Choose where the Random Event strikes: a Region, an area, a unit, or a type of unit."""

    rule: ClassVar[str] = "WWZ-3-01"

    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Each candidate."""
        return map(cls, _asked(state, steps.ChooseEventTarget).candidates)

    def check(self, state: State, seat: int) -> None:
        """It must be one of the candidates."""
        if self.target not in _asked(state, steps.ChooseEventTarget).candidates:
            refuse("WWZ-3-01", "not_a_candidate", target=self.target)

    def apply(self, table: Table[State], seat: int) -> None:
        """The op goes on."""
        op = _asked(table.state, steps.ChooseEventTarget).chosen_op(table.state)
        table.emit(EventTargetChosen(self.target))
        do_at(table, op, self.target)


class EventMoveUnit(Action, frozen=True):
    """Move a unit by a Random Event, free of charge."""

    rule: ClassVar[str] = "WWZ-6.7-01"

    unit: Public[str]
    to: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every unit with every destination."""
        return (cls(unit, to) for unit, to in moves(state, free=True))

    def check(self, state: State, seat: int) -> None:
        """As for any move but its cost (WWZ-R47)."""
        check_move(state, self.unit, self.to)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is there."""
        table.emit(UnitMoved(self.unit, table.state.units[self.unit].at, self.to))


class DeclineEvent(Action, frozen=True):
    """Do not use the free move."""

    rule: ClassVar[str] = "WWZ-3-01"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Nothing."""


class ChooseBreakthrough(Action, frozen=True):
    """Choose what the research gives."""

    rule: ClassVar[str] = "WWZ-6.1-02"

    option: Public[Breakthrough]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Whatever would have an effect."""
        return (cls(option) for option in breakthroughs(state))  # type: ignore[arg-type] # they are these words

    def check(self, state: State, seat: int) -> None:
        """A track that can go down, or biochemical weapons by their conditions (WWZ-R23, WWZ-R24)."""
        if self.option in breakthroughs(state):
            return
        if self.option != "biochem":
            refuse(LIMIT_RULES[self.option], "at_its_limit", track=self.option)
        if "biochem" in state.start.forbid:
            refuse("WWZ-1.3-01", "forbidden_by_scenario")
        if state.biochem:
            refuse("WWZ-6.1-07", "developed_already")
        if state.tracks.defcon > BIOCHEM_DEFCON:
            refuse("WWZ-6.1-07", "defcon_too_high", defcon=state.tracks.defcon)
        refuse("WWZ-6.1-07", "no_earlier_success")

    def apply(self, table: Table[State], seat: int) -> None:
        """The track goes down by one."""
        table.emit(BreakthroughChosen(self.option))
        if self.option != "biochem":
            now = getattr(table.state.tracks, self.option)
            table.emit(TrackChanged(self.option, now, now - 1, "breakthrough"))


class AssignRiot(Action, frozen=True):
    """Choose who riots: a Refugee by its id, or a City by its Region."""

    rule: ClassVar[str] = "WWZ-6.2-04"

    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """All of the class whose turn it is."""
        return map(cls, calm_class(state, _asked(state, steps.AssignRiot).kind))

    def check(self, state: State, seat: int) -> None:
        """Of that class, and calm."""
        if self.target in calm_class(state, _asked(state, steps.AssignRiot).kind):
            return
        if self.target in riots(state):
            refuse("WWZ-6.2-04", "riots_already", target=self.target)
        refuse("WWZ-6.2-04", "wrong_class", target=self.target)

    def apply(self, table: Table[State], seat: int) -> None:
        """The Riot breaks out."""
        left = _asked(table.state, steps.AssignRiot).left - 1
        place_riot(table, self.target, left, forced=False)


class FeedRioters(Action, frozen=True):
    """Spend a Food to remove a Riot."""

    rule: ClassVar[str] = "WWZ-6.2-06"

    target: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every Riot."""
        return map(cls, riots(state))

    def check(self, state: State, seat: int) -> None:
        """There must be a Riot, and Food."""
        if self.target not in riots(state):
            refuse("WWZ-6.2-06", "no_riot_there", target=self.target)
        if not state.tracks.food:
            refuse("WWZ-6.2-06", "no_food")

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and calm."""
        food = table.state.tracks.food
        table.emit(TrackChanged("food", food, food - 1, "relief"), RiotRemoved(self.target))


class DeclineRelief(Action, frozen=True):
    """Feed nobody."""

    rule: ClassVar[str] = "WWZ-6.2-06"
    declines: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        yield cls()

    def apply(self, table: Table[State], seat: int) -> None:
        """Nothing."""
