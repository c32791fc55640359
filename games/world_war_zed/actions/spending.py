"""Buying tracks, striking and building (specification, 4.2, 4.6, 4.7 and 4.12)."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from games.kernel import Action, Public, Table
from games.world_war_zed.actions.moving import check_counter
from games.world_war_zed.actions.paying import check_pp, pay
from games.world_war_zed.actions.refusals import refuse
from games.world_war_zed.effects import BossSlain, FortBuilt, StrikeResolved, TrackChanged, UnitBuilt
from games.world_war_zed.fighting import boss_alone, toughness
from games.world_war_zed.legality import (
    AIR_DEFCON,
    BIOCHEM_DEFCON,
    DEFCON_TO_BUILD,
    TOP,
    builds,
    can_raise,
    defcon_changes,
    strike_regions,
)
from games.world_war_zed.pieces import next_ids
from games.world_war_zed.places import nuked, riot_in, room
from games.world_war_zed.scoring import finished
from games.world_war_zed.state import State

Direction = Literal["toward_1", "toward_5"]
Built = Literal["fort", "ng", "army", "marines"]
RIOT_RULES = {"city": "WWZ-6.6-07", "farm": "WWZ-6.6-08", "open": "WWZ-6.6-09"}
ZEDS_PER_DIE = 5  # WWZ-6.5-03


class _Raise(Action, frozen=True):
    """Raise a track by 1 for 1 PP, once a Turn."""

    track: ClassVar[Literal["research", "food"]]
    top_rule: ClassVar[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The one way to do it."""
        if can_raise(state, cls.track):
            yield cls()

    def check(self, state: State, seat: int) -> None:
        """A PP, not twice, not past the end."""
        check_pp(state)
        if getattr(state.spent, self.track):
            refuse(self.rule, "bought_already", track=self.track)
        now = getattr(state.tracks, self.track)
        if now >= TOP:
            refuse(self.top_rule, "track_at_its_end", track=self.track)
        if now >= state.start.bounds[self.track][1]:
            refuse("WWZ-1.3-01", "beyond_scenario", track=self.track)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and raise."""
        pay(table)
        now = getattr(table.state.tracks, self.track)
        table.emit(TrackChanged(self.track, now, now + 1, "bought"))


class RaiseResearch(_Raise, frozen=True):
    """Raise Research by 1."""

    rule: ClassVar[str] = "WWZ-6.4-01"
    track: ClassVar[Literal["research", "food"]] = "research"
    top_rule: ClassVar[str] = "WWZ-1.1-16"


class RaiseFood(_Raise, frozen=True):
    """Raise the Food Reserves by 1."""

    rule: ClassVar[str] = "WWZ-6.4-02"
    track: ClassVar[Literal["research", "food"]] = "food"
    top_rule: ClassVar[str] = "WWZ-1.1-17"


class ChangeDefcon(Action, frozen=True):
    """Change DEFCON by one step for 1 PP, once a Turn."""

    rule: ClassVar[str] = "WWZ-6.4-03"

    direction: Public[Direction]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """The ways that are open."""
        return (cls(way) for way in defcon_changes(state))  # type: ignore[arg-type] # they are these words

    def check(self, state: State, seat: int) -> None:
        """A PP, not twice, not past the end of the track or the scenario's."""
        check_pp(state)
        if state.spent.defcon:
            refuse("WWZ-6.4-03", "bought_already", track="defcon")
        if state.tracks.defcon == (1 if self.direction == "toward_1" else 5):
            refuse("WWZ-1.1-20", "track_at_its_end", track="defcon")
        if self.direction not in defcon_changes(state):
            refuse("WWZ-1.3-01", "beyond_scenario", track="defcon")

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and change."""
        pay(table)
        now = table.state.tracks.defcon
        table.emit(TrackChanged("defcon", now, now + (-1 if self.direction == "toward_1" else 1), "bought"))


class _Strike(Action, frozen=True):
    """A strike on a Region: 1 PP."""

    kind: ClassVar[Literal["air", "nuclear", "biochemical"]]

    region: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every Region that can be hit."""
        return map(cls, strike_regions(state, cls.kind))

    def check(self, state: State, seat: int) -> None:
        """A PP, the scenario, then what this strike needs."""
        check_pp(state)
        if f"{self.kind}_strike" in state.start.forbid:
            refuse("WWZ-1.3-01", "forbidden_by_scenario")
        self.check_means(state)

    def check_means(self, state: State) -> None:
        """What this kind of strike needs."""
        raise NotImplementedError

    def check_zeds(self, state: State, rule: str) -> None:
        """A Region with Zeds."""
        if self.region not in state.regions:
            refuse(rule, "no_such_region", region=self.region)
        if not state.regions[self.region].zeds:
            refuse(rule, "no_zeds_there", region=self.region)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay, strike, and look for the end."""
        pay(table)
        self.strike(table)
        boss_alone(table)
        finished(table)

    def strike(self, table: Table[State]) -> None:
        """What it does."""
        raise NotImplementedError

    def hit(self, table: Table[State], dice: tuple[int, ...], removed: int) -> None:
        """Remove Zeds, as many as are there (WWZ-R41)."""
        zeds = table.state.regions[self.region].zeds
        table.emit(StrikeResolved(self.kind, self.region, dice, min(removed, zeds)))


class AirStrike(_Strike, frozen=True):
    """An Air Strike on a Region with Zeds."""

    rule: ClassVar[str] = "WWZ-6.5-02"
    kind: ClassVar[Literal["air", "nuclear", "biochemical"]] = "air"

    def check_means(self, state: State) -> None:
        """Air Strikes left, DEFCON 3 or less, Zeds."""
        if not state.tracks.air:
            refuse("WWZ-6.5-02", "no_air_strikes")
        if state.tracks.defcon > AIR_DEFCON:
            refuse("WWZ-6.5-02", "defcon_too_high", defcon=state.tracks.defcon)
        self.check_zeds(state, "WWZ-6.5-03")

    def strike(self, table: Table[State]) -> None:
        """A die for each 5 Zeds or part, each less Toughness."""
        state = table.state
        air, zeds = state.tracks.air, state.regions[self.region].zeds
        table.emit(TrackChanged("air", air, air - 1, "strike"))
        dice = tuple(table.roll("air_strike", 6) for _ in range(-(-zeds // ZEDS_PER_DIE)))
        tough = toughness(state, self.region)
        self.hit(table, dice, sum(max(0, die - tough) for die in dice))


class NuclearStrike(_Strike, frozen=True):
    """A Nuclear Strike on any Region."""

    rule: ClassVar[str] = "WWZ-6.5-04"
    kind: ClassVar[Literal["air", "nuclear", "biochemical"]] = "nuclear"

    def check_means(self, state: State) -> None:
        """DEFCON 1, markers left (WWZ-R25)."""
        if state.tracks.defcon != 1:
            refuse("WWZ-6.5-04", "defcon_too_high", defcon=state.tracks.defcon)
        if state.nukes_used >= state.start.nuclear_limit:
            refuse("WWZ-6.5-06", "nuclear_limit_reached", limit=state.start.nuclear_limit)
        if self.region not in state.regions:
            refuse("WWZ-6.5-04", "no_such_region", region=self.region)

    def strike(self, table: Table[State]) -> None:
        """Everything in the Region goes, the Boss too (WWZ-ZB-06)."""
        boss = table.state.boss_at == self.region
        self.hit(table, (), table.state.regions[self.region].zeds)
        if boss:
            table.emit(BossSlain(self.region))


class BiochemicalStrike(_Strike, frozen=True):
    """A Biochemical Strike on a Region with Zeds."""

    rule: ClassVar[str] = "WWZ-6.5-07"
    kind: ClassVar[Literal["air", "nuclear", "biochemical"]] = "biochemical"

    def check_means(self, state: State) -> None:
        """The technology, DEFCON 2 or less, Zeds."""
        if not state.biochem:
            refuse("WWZ-6.5-07", "no_biochem")
        if state.tracks.defcon > BIOCHEM_DEFCON:
            refuse("WWZ-6.5-07", "defcon_too_high", defcon=state.tracks.defcon)
        self.check_zeds(state, "WWZ-6.5-07")

    def strike(self, table: Table[State]) -> None:
        """Two dice, whatever the Toughness."""
        dice = table.roll("biochemical_strike", 6), table.roll("biochemical_strike", 6)
        self.hit(table, dice, sum(dice))


class Build(Action, frozen=True):
    """Build a Fort or a military unit: 1 PP."""

    rule: ClassVar[str] = "WWZ-6.6-01"

    type: Public[Built]
    area: Public[str]

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Everything everywhere."""
        return (cls(kind, place) for kind, place in builds(state))  # type: ignore[arg-type] # they are these words

    def check(self, state: State, seat: int) -> None:
        """A PP, DEFCON, the counter, the place."""
        check_pp(state)
        self._check_means(state)
        self._check_place(state)

    def _check_means(self, state: State) -> None:
        defcon = state.tracks.defcon
        if defcon > DEFCON_TO_BUILD["fort"]:
            refuse("WWZ-6.6-02", "nothing_built_at_defcon_5")
        if defcon > DEFCON_TO_BUILD[self.type]:
            refuse("WWZ-6.6-03", "defcon_too_high", defcon=defcon)
        if self.type == "fort":
            if not room(state, "forts", 1):
                refuse("WWZ-R37", "none_left", type=self.type)
        elif not state.pool[self.type]:
            if state.box[self.type]:
                refuse("WWZ-6.6-05", "only_in_the_box", type=self.type)
            refuse("WWZ-1.2-08", "none_left", type=self.type)

    def _check_place(self, state: State) -> None:
        area = state.board.areas.get(self.area)
        if area is None:
            refuse("WWZ-6.6-06", "no_such_area", area=self.area)
        check_counter(state, area)
        if area.kind != "dz" and riot_in(state, area):
            refuse(RIOT_RULES[area.kind], "riot_there", area=self.area)
        if nuked(state, area):
            refuse("WWZ-6.6-09", "nuclear_marker_there", area=self.area)
        if self.type == "fort" and self.area in state.forts:
            refuse("WWZ-6.6-10", "fort_there_already", area=self.area)

    def apply(self, table: Table[State], seat: int) -> None:
        """Pay and place."""
        pay(table)
        if self.type == "fort":
            table.emit(FortBuilt(self.area))
        else:
            (unit,) = next_ids(table.state, self.type)
            table.emit(UnitBuilt(unit, self.type, self.area))
