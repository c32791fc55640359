"""Positions of this ruleset: reading, completing, writing them, where a game goes on from one, and pure questions."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from games.kernel import Setting, Table
from games.kernel.positions import impossible, read_position
from games.world_war_zed.board import board
from games.world_war_zed.filling import check, fill
from games.world_war_zed.game import Game, draw_zeds, laid_out
from games.world_war_zed.pending import check_agenda
from games.world_war_zed.places import target
from games.world_war_zed.position_doc import PositionDoc, derived
from games.world_war_zed.scoring import score
from games.world_war_zed.state import State, d3
from games.world_war_zed.steps import Relief, RiotCheck, RollPp
from games.world_war_zed.steps.player import go_on, push_phases


class ZedPosition:
    """`load`, `begin`, `dump`, `schema`; no named procedures; the questions `d3`, `d6z`, `score`, `target`.

    Every scenario of the pack is a base; `new` is the one that the options name.
    """

    procedures: Mapping[str, Callable[..., None]] = {}

    def __init__(self) -> None:
        self.questions: Mapping[str, Callable[..., Any]] = {
            "d3": lambda _, die: d3(_face(die, "d3")),
            "d6z": lambda state, die: state.d6z(_face(die, "d6z")),
            "score": score,
            "target": _ask_target,
        }

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> Game:
        """The state that a position describes, over a scenario of the pack.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """
        doc = read_position(position, PositionDoc)
        named = doc.scenario if doc.scenario is not UNSET else setting.options.scenario if base == "new" else base
        starts = board(setting.pack).starts
        if named not in starts:
            impossible("base" if doc.scenario is UNSET else "scenario", f"there is no {named}; {', '.join(starts)}")
        game = laid_out(setting, named)
        fill(game, doc)
        game.agenda = list(doc.agenda)
        check(game, doc)
        check_agenda(game)
        return game

    def begin(self, table: Table[Game]) -> None:
        """Push what comes first: the phase or step that the position names, from its beginning."""
        state = table.state
        if state.outcome is not None:
            return
        if not state.zeds_seen:
            draw_zeds(table)
        if state.phase != "player":
            push_phases(table, state.phase)
        elif state.step in (None, "research"):
            push_phases(table, "player")
        elif state.step == "riots":
            table.push(RiotCheck(), RollPp())
        elif state.step == "relief":
            table.push(Relief(), RollPp())
        elif state.step == "pp":
            table.push(RollPp())
        else:
            go_on(table)

    def dump(self, state: State) -> dict[str, Any]:
        """The whole state as a position, in canonical order."""
        whole: dict[str, Any] = msgspec.to_builtins(state)
        for name in ("pack", "options", "regions", "boss_at"):
            del whole[name]
        regions = state.regions.items()
        whole |= {
            "zeds": {name: region.zeds for name, region in regions},
            "nukes": {name: region.nukes for name, region in regions},
            "cities": [name for name, region in regions if region.city],
            "farms": [name for name, region in regions if region.farm],
            "riots": [name for name, region in regions if region.riot],
            "boss": state.boss if state.boss_at is None else state.boss_at,
            "breakdown": None if state.result is None else dict(state.result.breakdown),
        }
        return whole | derived(state)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""
        return msgspec.json.schema(PositionDoc)


def _face(die: int, field: str) -> int:
    if die not in range(1, 7):
        impossible(f"{field}.die", f"a die shows 1 to 6, not {die!r}")
    return die


def _ask_target(state: State, region: str) -> str | None:
    """The kind of Area that Zeds in a Region would attack (city, farm, open); None if there is none.

    Raises:
        PositionError: there is no such Region.
    """
    if region not in state.regions:
        impossible("target.region", f"there is no Region {region!r}")
    return target(state, region)
