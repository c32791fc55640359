"""A game as it begins, and where every piece of it is (conservation: specification, section 3)."""

from typing import Any, Literal

from msgspec import structs

from games.kernel import Setting, Table
from games.world_war_zed.board import board
from games.world_war_zed.drawing import draw_region
from games.world_war_zed.effects import GameSetUp, TurnStarted, ZedsPlaced
from games.world_war_zed.options import Options, StartTracks
from games.world_war_zed.pieces import PREFIX, add_fort, add_unit, change_unit, next_ids
from games.world_war_zed.starts import Start
from games.world_war_zed.state import Region, Spent, State, Tracks, TurnMods
from games.world_war_zed.steps import AnyStep
from games.world_war_zed.steps.player import push_phases


class Game(State, kw_only=True):
    """The state with its agenda typed, so that it can be read back from JSON."""

    agenda: list[AnyStep] = []


def initial(setting: Setting) -> Game:
    """A game laid out as its scenario says, before what is drawn by chance."""
    return laid_out(setting, setting.options.scenario)


def laid_out(setting: Setting, scenario: str) -> Game:
    """A game of this scenario of the pack, whatever the options name."""
    here = board(setting.pack)
    start = here.starts[scenario]
    options = start.ruled(setting.options)
    tracks = start_tracks(start, options)
    turn = tracks.pop("turn")
    game = Game(
        pack=setting.pack,
        options=options if not start.boss else structs.replace(options, zed_boss="on"),
        scenario=scenario,
        turn=turn,
        phase="zed1" if start.skip_first_event else "event",
        tracks=Tracks(**tracks),
        regions={
            name: Region(zeds=start.zeds.get(name, 0), city=name in start.cities, farm=name in start.farms)
            for name in here.regions
        },
        made=dict.fromkeys(PREFIX, 0),
        pool=dict(start.pool),
        box=dict(start.box),
        spent=Spent(),
        turn_mods=TurnMods(),
        zeds_seen=any(start.zeds.values()),
    )
    for placed in start.place:
        put(game, placed.what, placed.at, placed.n, riot=placed.riot)
    if isinstance(start.boss, str):
        game.boss, game.boss_at = "on_map", start.boss
    return game


def start_tracks(start: Start, options: Options) -> dict[str, Any]:
    """Where the tracks start: as the scenario says, with what the options override (WWZ-R16)."""
    return {**_given(start.tracks), **_given(options.start)}


def put(state: State, what: str, at: str, count: int = 1, *, riot: bool = False) -> None:
    """Counters on the map before the game begins."""
    for _ in range(count):
        if what == "fort":
            add_fort(state, at)
            continue
        (unit,) = next_ids(state, what)
        add_unit(state, unit, what, at)
        if riot:
            change_unit(state, unit, riot=True)


def set_up(table: Table[Game], _: Setting) -> None:
    """Lay out the scenario, draw its random Zeds, begin the first Turn (WWZ-1.3-01, WWZ-2-02)."""
    state = table.state
    table.emit(GameSetUp(state.scenario))
    draw_zeds(table)
    phase: Literal["zed1", "event"] = "zed1" if state.start.skip_first_event else "event"
    table.emit(TurnStarted(state.turn, phase))
    push_phases(table, phase)


def draw_zeds(table: Table[Game]) -> None:
    """The Zeds of a scenario that start in Regions drawn by chance, each in another one."""
    for drawn in table.state.start.random_zeds:
        taken: set[str] = set()
        while len(taken) < drawn.regions:
            region = draw_region(table)
            if region not in taken:
                taken.add(region)
                table.emit(ZedsPlaced(region, drawn.n, "setup"))


def components(state: State) -> dict[str, int]:
    """Military counters by type, and Nuclear markers, wherever they are."""
    counts = {kind: state.pool[kind] + state.box[kind] for kind in state.pool}
    for unit in state.units.values():
        if unit.type in counts:
            counts[unit.type] += 1
    unused = state.start.nuclear_limit - state.nukes_used
    return counts | {"nuclear": unused + sum(region.nukes for region in state.regions.values())}


def _given(tracks: StartTracks) -> dict[str, Any]:
    return {name: value for name, value in structs.asdict(tracks).items() if value is not None}
