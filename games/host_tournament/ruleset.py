"""The ruleset: everything the kernel and the shell need to know of Host Tournament, in one value."""

from games.dice import Dice
from games.host_tournament.actions import AnyAction
from games.host_tournament.deck import Setup
from games.host_tournament.doing import perform
from games.host_tournament.effects import HostEffect
from games.host_tournament.evaluate import evaluate
from games.host_tournament.finish import last_seat
from games.host_tournament.game import Game, check_setting, components, initial, set_up
from games.host_tournament.options import Options
from games.host_tournament.pack import SHELF, names
from games.host_tournament.position import HostPosition
from games.host_tournament.resample import resample
from games.host_tournament.state import State
from games.host_tournament.steps import AnyStep
from games.host_tournament.steps.ops import performers
from games.host_tournament.view import View, view
from games.kernel import AgendaSet, Answered, PositionSet, Ruleset, SeatResigned

# What carries out card texts needs the steps, and the step `do` needs it.
performers[:] = [perform]

AnyEffect = HostEffect | AgendaSet[AnyStep] | Answered[AnyAction] | SeatResigned | PositionSet

#: A bound on the decisions of a game of 200 turns, 1,000 for each (specification, 1). Two seats that leave behind
#: whom they can, one by one, every turn, were seen to need 16,000; the longest of 700 random games had 1,127.
DECISIONS_MAX = 200 * 1000
MENU_RULE = "HT-0.1"


def menu_rule(_: State) -> str:
    """The rule that refuses what is not asked for."""
    return MENU_RULE


def _resample(state: Game, seat: int, dice: Dice) -> Game:
    made = RULES.copy(state)
    resample(made, seat, dice)
    return made


RULES: Ruleset[Game] = Ruleset(
    id="host_tournament",
    title="Host Tournament",
    version=1,
    seats=range(2, 3),
    state=Game,
    view_type=View,
    options=Options,
    setup=Setup,
    effects=AnyEffect,
    actions=AnyAction,
    steps=AnyStep,
    shelf=SHELF,
    bound=DECISIONS_MAX,
    menu_rule=menu_rule,
    resign_rule=MENU_RULE,
    orders=frozenset({"deck_0", "deck_1"}),
    initial=initial,
    set_up=set_up,
    view=view,
    resample=_resample,
    components=components,
    position=HostPosition(),
    last_seat=last_seat,
    check_setting=check_setting,
    evaluate=evaluate,
    words=names,
)
