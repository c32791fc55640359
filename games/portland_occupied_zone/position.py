"""Positions of this ruleset: reading, completing, writing them, where a game goes on from one, and pure questions."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.kernel import Setting, Step, Table
from games.kernel.positions import impossible, read_position
from games.portland_occupied_zone.filling import fill
from games.portland_occupied_zone.game import Game, initial
from games.portland_occupied_zone.judging import check
from games.portland_occupied_zone.judging_names import check_names
from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.position_doc import PositionDoc
from games.portland_occupied_zone.questions import ask_clear, ask_footprint, ask_rates, ask_route, ask_visible
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.steps.rounds import EndRound, Turns, rest_of_round
from games.portland_occupied_zone.steps.setup import ChooseCharacters, LayOut, Shuffled
from games.portland_occupied_zone.steps.turns import AfterTurn, TakeTurn
from games.portland_occupied_zone.steps.turns import Turn as TurnStep


class PozPosition:
    """`load`, `begin`, `dump`, `schema`; no named procedures; the questions of 3.3."""

    procedures: Mapping[str, Callable[..., None]] = {}

    def __init__(self) -> None:
        self.questions: Mapping[str, Callable[..., Any]] = {
            "visible": ask_visible,
            "clear": ask_clear,
            "route": ask_route,
            "rates": ask_rates,
            "population": population,
            "legal_footprint": ask_footprint,
        }

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, over a fresh set-up (3.3); the only base is `new`.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        if base != "new":
            impossible("base", "this ruleset has no start of its pack; the only base is new")
        doc = read_position(position, PositionDoc, str_keys=True)
        game = initial(setting)
        check_names(game, doc)
        fill(game, doc)
        game.agenda = list(doc.agenda)
        check(game, doc, initial(setting))
        return game

    def begin(self, table: Table[Game]) -> None:
        """Push what comes first in a position without an agenda; decks that nobody ordered are shuffled before."""
        state = table.state
        if state.outcome is not None:
            return
        if state.phase == "setup":
            table.push(ChooseCharacters(), LayOut())
            return
        table.push(*self._first(state))
        if state.decks.unshuffled:
            table.push(Shuffled(plans=not state.decks.shown))

    def _first(self, state: Game) -> list[Step]:
        """The steps from where play is on."""
        if state.step != "turns":
            assert state.step is not None
            return rest_of_round(state.step)
        index, order = state.turn_index, state.turn_order
        after: list[Step] = [Turns(index=index + 1), EndRound()]
        if state.turn is not None:
            pc = state.turn.pc
            return [TurnStep(seats=(state.seat_of(pc),), pc=pc), AfterTurn(pc=pc), *after]
        return [TakeTurn(pc=order[index]), *after] if index < len(order) else [EndRound()]

    def dump(self, state: State) -> dict[str, Any]:
        """The whole state as a position, in canonical order."""
        whole: dict[str, Any] = msgspec.to_builtins(state)
        del whole["pack"], whole["options"]
        whole["seats"] = [[name for name, pc in state.pcs.items() if pc.seat == seat] for seat in range(state.seats)]
        whole["population"] = population(state)
        return whole

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""
        return msgspec.json.schema(PositionDoc)
