"""The ruleset: everything the kernel and the shell need to know of Block Mania, in one value."""

from games.block_mania.effects import BlockEffect
from games.block_mania.evaluate import evaluate
from games.block_mania.messages import AnyAction, AnyStep, Game
from games.block_mania.options import Options
from games.block_mania.pack import SHELF
from games.block_mania.position import BlockPosition
from games.block_mania.resample import resample
from games.block_mania.scoring import end
from games.block_mania.state import State
from games.block_mania.steps.setup import set_up
from games.block_mania.supply import components, deck, initial, setup_discard
from games.block_mania.view import View, view
from games.kernel import AgendaSet, Answered, PositionError, PositionSet, Ruleset, SeatResigned, Setting, Table

AnyEffect = BlockEffect | AgendaSet[AnyStep] | Answered[AnyAction] | SeatResigned | PositionSet

#: A safe bound on the decisions of a game, several times what a long-winded player takes: README.md has the figures.
DECISIONS_MAX = 40_000
MENU_RULE = "BM-PLAY-1"


def menu_rule(_: State) -> str:
    """The rule that refuses what is not asked for: players act in their turns and phases (4.18)."""
    return MENU_RULE


def last_seat(table: Table[Game], _: int | None) -> None:
    """With one seat left the game is over, and that seat wins (4.18)."""
    end(table, "resigned")


def new_game(setting: Setting) -> Game:
    """A game before its set-up."""
    return Game(**{name: getattr(state, name) for state in (initial(setting),) for name in state.__struct_fields__})


def check_setting(setting: Setting) -> None:
    """Refuse a discard that leaves no card for each seat, and boards that do not make a row."""
    options, pack = setting.options, SHELF[setting.pack]
    left = len(deck(pack, options)) - setup_discard(options, setting.seats) - options.opening_hand * setting.seats
    if left < setting.seats:
        raise PositionError(f"options.discard: it leaves {left} cards; there is at least one for each seat (BM-SET-9)")
    boards, known = options.first_boards, {board.id for board in pack.boards}
    if not boards:
        return
    if len(boards) != setting.seats or len(set(boards)) != len(boards) or not set(boards) <= known:
        raise PositionError("options.first_boards: a board of the pack for each seat, each once (BM-SET-7)")


RULES: Ruleset[Game] = Ruleset(
    id="block_mania",
    title="Block Mania",
    version=1,
    seats=range(2, 5),
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
    orders=frozenset({"turn_order", "mania_deck", "justice_deck"}),
    initial=new_game,
    set_up=set_up,
    view=view,
    resample=resample,
    components=components,
    position=BlockPosition(),
    last_seat=last_seat,
    check_setting=check_setting,
    evaluate=evaluate,
)
