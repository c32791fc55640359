"""The ruleset: everything the kernel and the shell need to know of TPOC, in one value."""

from games.kernel import AgendaSet, Answered, PositionError, PositionSet, Ruleset, SeatResigned, Setting, Table
from games.tpoc.actions import AnyAction
from games.tpoc.deal import set_up
from games.tpoc.effects import TileRejected, TpocEffect
from games.tpoc.evaluate import evaluate
from games.tpoc.finish import game_ended
from games.tpoc.game import Game, components, initial, pending_lunch
from games.tpoc.pack import SHELF
from games.tpoc.position import TpocPosition
from games.tpoc.resample import resample
from games.tpoc.state import Options, State
from games.tpoc.steps import AnyStep
from games.tpoc.view import View, view

AnyEffect = TpocEffect | AgendaSet[AnyStep] | Answered[AnyAction] | SeatResigned | PositionSet

#: A safe bound on the decisions of a game (specification, section 1).
DECISIONS_MAX = 400


def menu_rule(state: State) -> str:
    """The rule that refuses what is not asked for (4.13): choosing in the set-up, else one of the five actions."""
    return "TPOC-3.4" if state.phase == "setup" else "TPOC-4.0.1"


def last_seat(table: Table[Game], seat: int | None) -> None:
    """With one seat left the game is over at once, and that seat wins (4.14).

    Tiles drawn at a lunch and not chosen from yet leave the game with nobody's choice.
    """
    lunch = pending_lunch(table.state)
    if lunch is not None:
        table.emit(*(TileRejected(lunch.seat, tile, lunch.open) for tile in lunch.tiles))
    table.emit(game_ended(table.state, () if seat is None else (seat,), "last_seat"))


def check_setting(setting: Setting) -> None:
    """Refuse a first player that is no seat of the game."""
    first = setting.options.first_player
    if first != "random" and first >= setting.seats:
        raise PositionError(f"options.first_player: the seats are 0 to {setting.seats - 1}, not {first}")


RULES: Ruleset[Game] = Ruleset(
    id="tpoc",
    title="TPOC: The Politics of Cannibals",
    version=1,
    seats=range(3, 6),
    state=Game,
    view_type=View,
    options=Options,
    effects=AnyEffect,
    actions=AnyAction,
    steps=AnyStep,
    shelf=SHELF,
    bound=DECISIONS_MAX,
    menu_rule=menu_rule,
    resign_rule="TPOC-4.0.1",
    orders=frozenset({"deck", "bag", "ballot"}),
    initial=initial,
    set_up=set_up,
    view=view,
    resample=resample,
    components=components,
    position=TpocPosition(),
    last_seat=last_seat,
    check_setting=check_setting,
    evaluate=evaluate,
)
