"""Positions of this ruleset: reading, completing, writing them, where a game goes on from one, and pure questions."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.kernel import PositionError, Setting, Table
from games.kernel.positions import all_seats, impossible, read_position
from games.tpoc import legality, pending
from games.tpoc.codes import in_order, is_villager
from games.tpoc.completion import complete
from games.tpoc.counting import candidates, vote
from games.tpoc.effects import SuddenDeathBegan
from games.tpoc.game import Game, initial
from games.tpoc.position_doc import PositionDoc, SeatDoc, card_counts, card_list, tile_counts, tile_list
from games.tpoc.state import Seat, State
from games.tpoc.steps import BeginTurn, ChooseSetup, CountBallot, SuddenDeath
from games.tpoc.targets import targets


class TpocPosition:
    """`load`, `begin`, `dump`, `schema`; no named procedures; the questions `targets` and `decide`."""

    procedures: Mapping[str, Callable[..., None]] = {}

    def __init__(self) -> None:
        self.questions: Mapping[str, Callable[..., Any]] = {"targets": _ask_targets, "decide": _ask_decide}

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, completed as 3.3 says; the only base is `new`.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        if base != "new":
            impossible("base", "this ruleset has no start of its pack; the only base is new")
        doc = read_position(position, PositionDoc)
        game = _filled(initial(setting), doc)
        game.agenda = pending.agenda(game, doc.agenda)
        complete(game, doc)
        legality.check(game, doc)
        return game

    def begin(self, table: Table[Game]) -> None:
        """Push what comes first in a position without an agenda (3.3, nr. 7)."""
        state = table.state
        if state.phase == "setup":
            table.push(ChooseSetup(seats=pending.undecided(state)))
        elif state.phase == "play":
            table.push(BeginTurn(seat=state.active, turn=state.turn))
        elif state.phase == "election":
            table.push(CountBallot())
        elif state.phase == "sudden_death":
            table.emit(SuddenDeathBegan(tuple(state.contenders)))
            table.push(SuddenDeath())

    def dump(self, state: State) -> dict[str, Any]:
        """The whole state as a position: every zone listed, in canonical order."""
        whole: dict[str, Any] = msgspec.to_builtins(state)
        del whole["pack"], whole["options"]
        for number, seat in enumerate(whole["seats"]):
            seat["resigned"] = number in state.resigned
        whole["bag_exact"] = True
        return whole

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""
        return msgspec.json.schema(PositionDoc)


def _filled(game: Game, doc: PositionDoc) -> Game:
    """The game with every zone that the position lists."""
    for field in ("phase", "first", "active", "turn", "skips", "tiles_out_hidden", "contenders", "outcome"):
        setattr(game, field, getattr(doc, field))
    tile_list((aside.tile for aside in doc.tiles_out_hidden), "tiles_out_hidden")
    game.deck = card_list(doc.deck or [], "deck")
    game.bag = tile_list(doc.bag, "bag")
    game.ballot = tile_list(doc.ballot, "ballot")
    game.current = None if doc.current is None else tile_list([doc.current], "current")[0]
    for field in ("cards_out", "discards"):
        setattr(game, field, card_counts(getattr(doc, field), field))
    for field in ("board", "pot", "tiles_out"):
        setattr(game, field, tile_counts(getattr(doc, field), field))
    seats = all_seats(doc.seats, game.seat_count, SeatDoc)
    game.seats = [_seat(seat, f"seats[{number}]") for number, seat in enumerate(seats)]
    game.resigned = list(dict.fromkeys([*doc.resigned, *(i for i, seat in enumerate(seats) if seat.resigned)]))
    return game


def _seat(doc: SeatDoc, field: str) -> Seat:
    return Seat(
        hand=card_counts(doc.hand, f"{field}.hand"),
        platform=card_counts(doc.platform, f"{field}.platform"),
        secret=None if doc.secret is None else card_list([doc.secret], f"{field}.secret")[0],
        secret_played=doc.secret is not None,
        leaders=list(in_order(card_list(doc.leaders, f"{field}.leaders"))),
        won=tile_counts(doc.won, f"{field}.won"),
        start_tiles=tile_list(doc.start_tiles, f"{field}.start_tiles"),
        setup=doc.setup,
    )


def _ask_targets(state: State, seat: int, colour: str) -> list[int]:
    """Whom `seat` may accuse with `colour` (4.5), in seat order."""
    return list(targets(state, seat, colour))


def _ask_decide(state: State, tile: str) -> dict[str, Any]:
    """How a villager votes if counted now (4.9): `why`, `totals`, and if so `winner`, `breaker`, `tied`.

    Raises:
        PositionError: the tile is no villager.
    """
    if not is_villager(tile):
        raise PositionError(f"decide.tile: {tile!r} is no villager")
    counted = msgspec.to_builtins(vote(state, tile, candidates(state)))
    return {name: value for name, value in counted.items() if value not in (None, ())}
