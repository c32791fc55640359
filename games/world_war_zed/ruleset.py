"""The ruleset: everything the kernel and the shell need to know of World War Zed: USA, in one value."""

from msgspec import structs

from games.dice import Dice
from games.kernel import AgendaSet, Answered, PositionError, PositionSet, Ruleset, SeatResigned, Setting, Table
from games.world_war_zed.actions import AnyAction
from games.world_war_zed.board import board
from games.world_war_zed.effects import ZedEffect
from games.world_war_zed.evaluate import evaluate
from games.world_war_zed.game import Game, components, initial, set_up, start_tracks
from games.world_war_zed.options import Options, StartTracks
from games.world_war_zed.pack import SHELF
from games.world_war_zed.pack_scenarios import tracks_fault
from games.world_war_zed.position import ZedPosition
from games.world_war_zed.scoring import end
from games.world_war_zed.state import State
from games.world_war_zed.steps import AnyStep
from games.world_war_zed.view import View, view

AnyEffect = ZedEffect | AgendaSet[AnyStep] | Answered[AnyAction] | SeatResigned | PositionSet

#: A safe bound on the decisions of a game (specification, 4.1).
DECISIONS_MAX = 1500
MENU_RULE = "WWZ-6-01"


def menu_rule(_: State) -> str:
    """The rule that refuses what is not asked for: the steps are taken in order (4.12)."""
    return MENU_RULE


def last_seat(table: Table[Game], _: int | None) -> None:
    """Resigning loses, and is scored as things stand (4.12)."""
    end(table, "resigned")


def resample(state: Game, _seat: int, _dice: Dice) -> Game:
    """The same state: nothing is hidden but the future."""
    return RULES.copy(state)


def check_setting(setting: Setting) -> None:
    """Refuse a scenario that the pack does not have, and tracks that start outside its bounds."""
    starts, options = board(setting.pack).starts, setting.options
    if options.scenario not in starts:
        raise PositionError(f"options.scenario: there is no {options.scenario}; there is {', '.join(starts)}")
    start = starts[options.scenario]
    fault = tracks_fault(StartTracks(**start_tracks(start, options)), start)
    if fault is not None:
        named = [name for name, value in structs.asdict(options.start).items() if value is not None]
        raise PositionError(f"options.start.{named[0] if len(named) == 1 else ''}".rstrip(".") + f": {fault}")


RULES: Ruleset[Game] = Ruleset(
    id="world_war_zed",
    title="World War Zed: USA",
    version=1,
    seats=range(1, 2),
    state=Game,
    view_type=View,
    options=Options,
    effects=AnyEffect,
    actions=AnyAction,
    steps=AnyStep,
    shelf=SHELF,
    bound=DECISIONS_MAX,
    menu_rule=menu_rule,
    resign_rule=MENU_RULE,
    initial=initial,
    set_up=set_up,
    view=view,
    resample=resample,
    components=components,
    position=ZedPosition(),
    last_seat=last_seat,
    check_setting=check_setting,
    evaluate=evaluate,
)
