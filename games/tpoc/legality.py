"""Which positions can be (specification, 3.3, nr. 3 to 7); what cannot is refused with the name of the field."""

from collections.abc import Callable, Iterable

from games.kernel.positions import all_seats, impossible
from games.tpoc.codes import counted, holds, is_villager, total
from games.tpoc.game import Game
from games.tpoc.position_doc import PositionDoc, SeatDoc
from games.tpoc.state import Seat
from games.tpoc.steps import BreakTie, MainAction


def check(game: Game, doc: PositionDoc) -> None:
    """Refuse a position that no game can come to.

    Raises:
        PositionError: it is impossible, with a sentence that names the field.
    """
    _check_table(game)
    _check_leaders(game)
    for number, (seat, written) in enumerate(
        zip(game.seats, all_seats(doc.seats, game.seat_count, SeatDoc), strict=True)
    ):
        _check_seat(game, seat, f"seats[{number}]", written.secret_played)
    _check_numbers(game)
    _PHASES[game.phase](game)


def _check_table(game: Game) -> None:
    for field in ("board", "pot", "ballot"):
        _villagers(getattr(game, field), field)
    if total(game.pot) > game.seat_count:
        impossible("pot", f"it holds at most {game.seat_count} villagers (TPOC-4.3.2)")
    if game.ballot and game.phase not in ("election", "ended"):
        impossible("ballot", "there is one in the election only")
    if game.contenders and game.phase not in ("sudden_death", "ended"):
        impossible("contenders", "there are some in sudden death only (TPOC-6.9)")
    if any(tile.seat is None for tile in game.tiles_out_hidden) and game.phase in ("setup", "play"):
        impossible("tiles_out_hidden", "villagers stay at home from the election on (TPOC-5.5)")
    asked = bool(game.agenda) and isinstance(game.agenda[-1], BreakTie)
    if game.current is not None and not (asked or game.outcome):
        impossible("current", "a tile is being counted under a break_tie only")


def _check_leaders(game: Game) -> None:
    held = [colour for seat in game.seats for colour in seat.leaders]
    for colour in held:
        if held.count(colour) > 1:
            impossible("leaders", f"{colour} is held twice; a leader is held by at most one seat")


def _check_seat(game: Game, seat: Seat, field: str, secret_played: bool | None) -> None:  # noqa: FBT001 as written
    limits = game.content().limits
    _villagers(seat.won, f"{field}.won")
    if seat.won and game.phase in ("setup", "play"):
        impossible(f"{field}.won", "villagers are won in the election (TPOC-5.7)")
    if total(seat.platform) > limits.platform:
        impossible(f"{field}.platform", f"it has at most {limits.platform} cards (TPOC-2.1)")
    if game.phase not in ("setup", "ended") and total(seat.hand) > limits.hand:
        impossible(f"{field}.hand", f"it has at most {limits.hand} cards (TPOC-2.8)")
    if secret_played is not None and secret_played != (seat.secret is not None):
        impossible(f"{field}.secret_played", "it is true if there is a secret, and false if there is none")
    if game.phase not in ("setup", "ended") and (seat.start_tiles or seat.setup):
        impossible(f"{field}.start_tiles", "there are start tiles and set-up choices in the set-up only")


def _check_numbers(game: Game) -> None:
    count = game.seat_count
    aside = [tile.seat for tile in game.tiles_out_hidden if tile.seat is not None]
    for field, seats in {
        "first": [game.first],
        "active": [game.active],
        "contenders": game.contenders,
        "resigned": game.resigned,
        "tiles_out_hidden": aside,
    }.items():
        if any(not 0 <= seat < count for seat in seats):
            impossible(field, f"seats are 0 to {count - 1}")
    if game.phase != "ended":
        if len(game.resigned) > count - 2:
            impossible("resigned", "two seats at least are left while the game goes on")
        if game.skips >= count:
            impossible("skips", "after a whole round of turns passed over comes the election (TPOC-R29)")
        if game.outcome is not None:
            impossible("outcome", "a game that goes on has none")


def _check_setup(game: Game) -> None:
    limits = game.content().limits
    _empty(game, ("board", "pot"))
    for number, seat in enumerate(game.seats):
        field = f"seats[{number}]"
        if total(seat.hand) != limits.deal or seat.platform or seat.secret:
            impossible(f"{field}.hand", f"in the set-up all cards of a seat are its {limits.deal} in hand (TPOC-3.2)")
        if len(seat.start_tiles) != limits.start_tiles or not any(map(is_villager, seat.start_tiles)):
            impossible(f"{field}.start_tiles", f"{limits.start_tiles} tiles, a villager among them (TPOC-3.10)")
        if seat.setup is not None:
            fits = holds(seat.hand, seat.setup.platform) and holds(counted(seat.start_tiles), seat.setup.tiles)
            sizes = len(seat.setup.platform) == limits.start_platform and len(seat.setup.tiles) >= limits.start_keep_min
            if not (fits and sizes and all(map(is_villager, seat.setup.tiles))):
                impossible(f"{field}.setup", "it is no choice from these cards and tiles (TPOC-3.4, TPOC-3.5)")


def _check_play(game: Game) -> None:
    if not game.deck and (not game.agenda or isinstance(game.agenda[-1], MainAction)):
        impossible("deck", "between turns it has a card at least; an empty one means the election (TPOC-4.2.4)")


def _check_election(game: Game) -> None:
    _empty(game, ("board", "pot"))


def _check_sudden_death(game: Game) -> None:
    _empty(game, ("board", "pot"))
    contenders = game.contenders
    if len(set(contenders)) < 2 or sorted(set(contenders)) != contenders:
        impossible("contenders", "two seats or more compete, each named once, in seat order (TPOC-6.9)")
    if any(seat in game.resigned for seat in contenders) and not game.agenda:
        impossible("contenders", "a resigned seat does not compete")


def _check_ended(game: Game) -> None:
    if game.outcome is None:
        impossible("phase", "a position that has ended has an outcome")


_PHASES: dict[str, Callable[[Game], None]] = {
    "setup": _check_setup,
    "play": _check_play,
    "election": _check_election,
    "sudden_death": _check_sudden_death,
    "ended": _check_ended,
}


def _villagers(tiles: Iterable[str], field: str) -> None:
    for tile in tiles:
        if not is_villager(tile):
            impossible(field, f"{tile} is no villager, and only villagers come here")


def _empty(game: Game, fields: tuple[str, ...]) -> None:
    for field in fields:
        if getattr(game, field):
            impossible(field, f"it is empty in the phase {game.phase}")
