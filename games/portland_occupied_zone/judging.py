"""Which positions are impossible (specification, 3.3), and which agendas fit."""

from collections import Counter

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import SLOTS_OF
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.modifiers import track
from games.portland_occupied_zone.places import barred, cells_of, dumpster_at, exists, figures, is_building, walkable
from games.portland_occupied_zone.position_doc import PositionDoc


def check(game: Game, doc: PositionDoc) -> None:
    """Refuse a position that cannot be.

    Raises:
        PositionError: a sentence that names the field.
    """
    _check_supplies(game)
    _check_structures(game)
    for name in game.pcs:
        _check_pc(game, name)
    for figure, space in figures(game).items():
        if not exists(game, space):
            impossible(f"{figure}.space", "there is no such space")
    _check_order(game)
    if doc.population is not UNSET and doc.population != population(game):
        impossible("population", f"it is {population(game)}")
    _check_agenda(game)


def _check_supplies(game: Game) -> None:
    supplies = game.supplies
    for field in ("bricks", "arson", "npc", "befoul"):
        if getattr(supplies, field) < 0:
            impossible(f"supplies.{field}", "there are not so many")
    for kind, n in supplies.structures.items():
        if n < 0:
            impossible(f"supplies.structures.{kind}", "there are not so many")
    for name, building in game.buildings.items():
        if building.arson > (game.board.arson_slots(name) if building.standing else 0):
            impossible(f"buildings.{name}.arson", "it has not so many slots")
    for name, point in game.checkpoints.items():
        if point.arson > game.board.pack.limits.arson_slots.checkpoint:
            impossible(f"checkpoints.{name}.arson", "it has not so many slots")


def _check_structures(game: Game) -> None:
    taken: Counter[object] = Counter()
    for name in (*game.structures, *game.checkpoints):
        for cell in cells_of(game, name):
            taken[cell] += 1
            if not walkable(game, cell) or dumpster_at(game, cell) is not None:
                impossible(f"structures.{name}.cells", f"{list(cell)} is no open ground")
            if taken[cell] > 1:
                impossible(f"structures.{name}.cells", f"{list(cell)} is taken")
    for name, structure in game.structures.items():
        if structure.npcs > game.board.structures[structure.type].npcs:
            impossible(f"structures.{name}.npcs", "it has not so many slots")


def _check_pc(game: Game, name: str) -> None:
    pc, field = game.pcs[name], f"pcs.{name}"
    if not exists(game, pc.space):
        impossible(f"{field}.space", "there is no such space")
    _check_place(game, name)
    if pc.injuries > game.board.characters[name].injuries:
        impossible(f"{field}.injuries", "it has not so many slots")
    if pc.stability >= len(track(game, name)):
        impossible(f"{field}.stability", f"it has {len(track(game, name))} states")
    for slot, card in pc.slots.filled():
        _check_card(game, f"{field}.slots.{slot}", card)
        if slot not in SLOTS_OF.get(game.board.kind(card).type, ()):
            impossible(f"{field}.slots.{slot}", f"{card} does not go there")
    for card in pc.hand:
        _check_card(game, f"{field}.hand", card)


def _check_card(game: Game, field: str, card: str) -> None:
    if card.rpartition(":")[2] not in game.board.cards:
        impossible(field, f"there is no card {card}")


def _check_place(game: Game, name: str) -> None:
    """Who is awake is where it can be (police may have come since); a body lies on no dumpster."""
    pc, field = game.pcs[name], f"pcs.{name}.space"
    shut = barred(game, name, pc.space)
    if pc.awake and shut is not None and shut[1] != "police_there":
        impossible(field, f"it cannot be there: {shut[1]} ({shut[0]})")
    if not is_building(game, pc.space) and any(dumpster_at(game, cell) for cell in cells_of(game, pc.space)):
        impossible(field, "there is a dumpster")


def _check_order(game: Game) -> None:
    if game.phase != "setup" and sorted(game.turn_order) != sorted(game.pcs):
        impossible("turn_order", "it has every character once")
    for name, dumpster in game.dumpsters.items():
        if not walkable(game, dumpster.cell):
            impossible(f"dumpsters.{name}.cell", "it is no open ground")
    if game.exchange is not None and not set(game.exchange.given) <= game.structures.keys():
        impossible("exchange.given", "they are structures on the board")


def _check_agenda(game: Game) -> None:
    if game.outcome is not None and game.agenda:
        impossible("agenda", "a game that is over has none")
    for index, step in enumerate(game.agenda):
        if any(not 0 <= seat < game.seats for seat in (*step.seats, *step.also)):
            impossible(f"agenda[{index}]", f"there are {game.seats} seats")
        if step.seats and not step.menu:
            impossible(f"agenda[{index}]", "nobody is asked in it")
