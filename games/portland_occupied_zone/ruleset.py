"""The ruleset: everything the kernel and the shell need to know of Portland Occupied Zone, in one value."""

from typing import Any

from games.kernel import AgendaSet, Answered, PositionSet, Ruleset, SeatResigned, Setting, Table
from games.portland_occupied_zone.actions import AnyAction
from games.portland_occupied_zone.all_steps import AnyStep
from games.portland_occupied_zone.board import all_tiles, board
from games.portland_occupied_zone.bounds import LONGEST, decisions_max
from games.portland_occupied_zone.effects import PozEffect
from games.portland_occupied_zone.evaluate import evaluate
from games.portland_occupied_zone.game import Game, components, initial, set_up
from games.portland_occupied_zone.leading import end_game
from games.portland_occupied_zone.options import Options, check_options, check_tiles
from games.portland_occupied_zone.pack import SHELF
from games.portland_occupied_zone.position import PozPosition
from games.portland_occupied_zone.resample import resample
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.view import View, view

AnyEffect = PozEffect | AgendaSet[AnyStep] | Answered[AnyAction] | SeatResigned | PositionSet

#: What no game exceeds, whatever its options (4.10); `decisions_max` has the bound of those that a game has.
DECISIONS_MAX = decisions_max(LONGEST, seats=8)
MENU_RULE = "POZ-RND-0.1"
RESIGN_RULE = "POZ-RND-0.1"
#: The purposes of shuffles that a scenario may script; loot decks by business.
DECK_ORDERS = ("disease", "aktion", "narrative", "plans")
LOOT = ("merda", "rags", "coop", "hexen", "herpetic", "pizza", "dispensary", "captains")


def menu_rule(_: State) -> str:
    """The rule that refuses what is not owed (4.11)."""
    return MENU_RULE


def last_seat(table: Table[Any], seat: int | None) -> None:
    """The others play on; when all have resigned, all have lost (4.11)."""
    if seat is None:
        end_game(table, "resigned")


def check_setting(setting: Setting) -> None:
    """Refuse options that do not go together with the seats and the pack."""
    options: Options = setting.options
    if options.tiles is not None:
        check_tiles(options.tiles, all_tiles(board(setting.pack, None).pack.map))
    here = board(setting.pack, options.tiles)
    able = tuple(pc for pc, who in here.characters.items() if who.works_at in here.buildings)
    check_options(setting, able)


RULES: Ruleset[Game] = Ruleset(
    id="portland_occupied_zone",
    title="Portland Occupied Zone",
    version=1,
    seats=range(1, 9),
    state=Game,
    view_type=View,
    options=Options,
    effects=AnyEffect,
    actions=AnyAction,
    steps=AnyStep,
    shelf=SHELF,
    bound=DECISIONS_MAX,
    menu_rule=menu_rule,
    resign_rule=RESIGN_RULE,
    orders=frozenset({*DECK_ORDERS, *(f"loot:{name}" for name in LOOT)}),
    initial=initial,
    set_up=set_up,
    view=view,
    resample=resample,
    components=components,
    position=PozPosition(),
    last_seat=last_seat,
    check_setting=check_setting,
    evaluate=evaluate,
)
