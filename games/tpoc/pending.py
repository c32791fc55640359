"""The agenda of a position: the pending decision as written, checked, with what lies beneath it (4.1, 4.2)."""

from msgspec import structs

from games.kernel.positions import impossible
from games.tpoc.codes import COLOURS
from games.tpoc.game import Game
from games.tpoc.position_doc import tile_list
from games.tpoc.steps import (
    AnyStep,
    BreakTie,
    ChefCull,
    ChooseSetup,
    CountBallot,
    KeepTile,
    MainAction,
    ReplaceCard,
    SuddenDeath,
)
from games.tpoc.steps.tiles import can_cull


def agenda(game: Game, written: list[AnyStep]) -> list[AnyStep]:
    """The whole agenda of a position whose `agenda` was `written`.

    Raises:
        PositionError: no game comes to this decision in this position.
    """
    if not written or game.outcome is not None:
        return []
    top = _owed(game, written[-1])
    beneath = _beneath(game, top)
    if written[:-1] and written[:-1] != beneath:
        impossible("agenda", f"beneath this {_name(top)} lies {', '.join(map(_name, beneath)) or 'nothing'}")
    _check(game, top)
    return [*beneath, top]


def _name(step: AnyStep) -> str:
    return str(step.__struct_config__.tag)


def _owed(game: Game, step: AnyStep) -> AnyStep:
    """The step with the seats that owe it; they may be left out."""
    if isinstance(step, ChooseSetup):
        seats = undecided(game)
    elif isinstance(step, MainAction):
        seats = (game.active,)
    elif isinstance(step, (ReplaceCard, KeepTile, ChefCull, BreakTie)):
        seats = (step.seat,)
    else:
        impossible("agenda", f"{_name(step)} is no decision")
    if step.seats not in ((), seats) or step.also or not all(0 <= seat < game.seat_count for seat in seats):
        impossible("agenda", f"the seats that owe this {_name(step)} are {list(seats)}")
    return structs.replace(step, seats=seats)


def undecided(game: Game) -> tuple[int, ...]:
    """The seats that have not chosen their set-up."""
    return tuple(number for number, seat in enumerate(game.seats) if seat.setup is None)


def _beneath(game: Game, top: AnyStep) -> list[AnyStep]:
    if isinstance(top, (ReplaceCard, KeepTile, ChefCull)):
        return [MainAction()]
    if isinstance(top, BreakTie):
        return [SuddenDeath() if game.phase == "sudden_death" else CountBallot()]
    return []


def _check(game: Game, top: AnyStep) -> None:
    phases = {ChooseSetup: ("setup",), BreakTie: ("election", "sudden_death")}.get(type(top), ("play",))
    if game.phase not in phases:
        impossible("agenda", f"there is no {_name(top)} in the phase {game.phase}")
    if isinstance(top, ReplaceCard) and (top.colour not in COLOURS or top.why not in ("accused", "leader")):
        impossible("agenda", "replace_card has a colour and why: accused or leader")
    if isinstance(top, ReplaceCard) and not game.seats[top.seat].hand:
        impossible("agenda", "replace_card is asked for while the hand has a card (TPOC-R15)")
    if isinstance(top, KeepTile):
        _check_lunch(game, top)
    if isinstance(top, ChefCull) and not (
        can_cull(game, top.seat, top.left) and top.left <= game.content().on_draw.chef.max
    ):
        impossible("agenda", "chef_cull needs removals left, a card in hand and a villager on the board (4.2)")
    if isinstance(top, BreakTie):
        _check_tie(game, top)


def _check_lunch(game: Game, step: KeepTile) -> None:
    tile_list(step.tiles, "agenda.tiles")
    if len(step.tiles) != game.content().limits.lunch_draw:
        impossible("agenda", f"keep_tile is about {game.content().limits.lunch_draw} tiles (TPOC-4.4.2)")
    if step.open != (game.options.lunch_draw == "open"):
        impossible("agenda", "keep_tile is open if the option lunch_draw says so (TPOC-R25)")


def _check_tie(game: Game, step: BreakTie) -> None:
    tied = list(step.tied)
    if step.tile != game.current:
        impossible("current", "it is the tile of the break_tie")
    if len(set(tied)) < 2 or sorted(set(tied)) != tied or not all(0 <= seat < game.seat_count for seat in tied):
        impossible("agenda", "break_tie has two tied seats or more, each named once, in seat order")
