"""Whole random games: they end, nothing is lost, everything stands where it can (specification, 3.1, 4.10)."""

from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice
from games.kernel import Setting, decide, decisions, legal, start
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.places import exists, figures
from games.portland_occupied_zone.ruleset import DECISIONS_MAX, RULES

SHORT = {"standard_cards": 3, "battle_cards": 3}
OTHER = SHORT | {
    "brick_die": "equal_faces",
    "injury_rule": "last_slot",
    "kim_fourth_state": "happy",
    "initial_bricks": "none",
    "power_relock": False,
    "population_gain": "any",
    "npc_cost": "any_loot",
    "trade_range": "near",
    "gas_timing": "end_of_turn",
    "riot_fallback": "hold",
    "medic_shoots": False,
    "vote_changes": 0,
    "trade_offers": 1,
    "drug_stability": "lasting",
    "cop_cap": [1, 8, 8, 8, 8, 8, 8, 8, 8],
}
REDUCED = OTHER | {"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]]}
GAMES = [
    (1, SHORT | {"characters_per_seat": 8}),
    (1, OTHER),
    (2, SHORT),
    (3, REDUCED),
    (4, OTHER),
    (8, SHORT),
]


def play(setting: Setting, seed: int) -> tuple[Game, int]:
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    start(RULES, state, setting, dice)
    counts, decided = RULES.components(state), 0
    while state.outcome is None:
        answers = {one.seat: found for one in decisions(state) if (found := legal(RULES, state, one.seat))}
        seat = chance.choice(list(answers))
        kind = type(chance.choice(list({type(answer): answer for answer in answers[seat]}.values())))
        wanted = (
            [answer for answer in answers[seat] if type(answer) is kind] if chance.random() < 0.7 else answers[seat]
        )
        decide(RULES, state, seat, chance.choice(wanted), dice)
        decided += 1
        assert decided <= DECISIONS_MAX
        if decided % 10 == 0:
            assert RULES.components(state) == counts
            look(state)
    return state, decided


def look(state: Game) -> None:
    """Everything stands where it can."""
    for name, pc in state.pcs.items():
        assert exists(state, pc.space), name
        assert 0 <= pc.injuries <= state.board.characters[name].injuries
        assert 0 <= pc.crap <= 30
        assert pc.bricks >= 0
    there = list(figures(state).values())
    assert all(exists(state, space) for space in there)
    outside = [space for space in there if space != "courthouse"]
    assert len(set(outside)) == len(outside), "two police figures in one space"
    cells = [cell for thing in (*state.structures.values(), *state.checkpoints.values()) for cell in thing.cells]
    assert len(set(cells)) == len(cells), "structures overlap"
    taken = {dumpster.cell for dumpster in state.dumpsters.values()}
    assert len(taken) == len(state.dumpsters)
    assert taken.isdisjoint(cells)
    assert len(state.cops) <= 8
    assert len(state.decks.shown) == 5 or not state.decks.plans


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), GAMES)
def test_games_end_with_every_piece_somewhere(house: str, seats: int, options: dict[str, Any]) -> None:
    setting = Setting(house, seats, msgspec.convert(options, Options))
    RULES.check_setting(setting)
    for seed in range(2):
        state, decided = play(setting, seed)
        assert state.outcome is not None
        assert state.agenda == []
        assert decided > 20


def test_a_resigned_table_has_lost(match):
    game = match(seats=2, pcs={"steve": {"seat": 0}, "kim": {"seat": 1}}, turn={"pc": "steve"})
    game.do(0, "resign")
    assert game.state.outcome is None, "the others play on"
    assert game.asked() == [(1, "vote")], "a round later seat 1 votes alone"
    game.do(1, "resign")
    assert (game.state.outcome.winners, game.state.outcome.reason) == ((), "resigned")
