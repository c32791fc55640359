"""Positions of random games load; spoilt ones are refused, or can be played on (specification, 3.3)."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice
from games.kernel import (
    EVERYTHING,
    SPECTATOR,
    PositionError,
    Setting,
    decide,
    decisions,
    encode,
    legal,
    start,
    start_at,
)
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import RULES
from tests.unit.portland_occupied_zone.spoiling import spoil

SMALL = {"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]]}
#: Seats and options: with many characters, in the battle from the first round on, on a small map.
GAMES = [
    (1, {"characters_per_seat": 8, "standard_cards": 1, "population_gain": "any"}),
    (2, {"characters_per_seat": 2, "standard_cards": 0, "battle_cards": 4}),
    (2, SMALL | {"standard_cards": 1, "trade_range": "near", "gas_timing": "end_of_turn"}),
    (4, {"standard_cards": 0, "npc_cost": "any_loot", "drug_stability": "lasting"}),
    (8, {"standard_cards": 2, "vote_changes": 1, "injury_rule": "last_slot"}),
]
DECISIONS, EVERY = 200, 10  # of each game: so many, a position of so many
SPOILT, ACTIONS = 40, 60  # of each game: so many spoilt positions, played on so far


def settings(house: str) -> list[Setting]:
    return [Setting(house, seats, msgspec.convert(options, Options)) for seats, options in GAMES]


def act(state: Game, chance: Random, dice: Dice) -> None:
    """A random answer; everybody who owes one has some."""
    answers = {one.seat: legal(RULES, state, one.seat) for one in decisions(state)}
    assert all(answers[one.seat] for one in decisions(state) if one.owes), "a decision without an answer"
    seat = chance.choice([seat for seat, found in answers.items() if found])
    kind = type(chance.choice(list({type(answer): answer for answer in answers[seat]}.values())))
    decide(RULES, state, seat, chance.choice([one for one in answers[seat] if type(one) is kind]), dice)


def positions(setting: Setting, seed: int) -> Iterator[dict[str, Any]]:
    """Some positions of a random game, each read back at once."""
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    start(RULES, state, setting, dice)
    for decided in range(DECISIONS):
        if decided % EVERY == 0 or state.outcome is not None:
            position = json.loads(json.dumps(RULES.position.dump(state)))
            assert RULES.position.load(position, setting, "new") == state
            yield position
        if state.outcome is not None:
            return
        act(state, chance, dice)


def play_on(setting: Setting, loaded: Game, seed: int) -> None:
    """All views, and so many random actions."""
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    start_at(RULES, state, loaded, dice)
    for _ in range(ACTIONS):
        if state.outcome is not None:
            return
        act(state, chance, dice)
    for reader in (*range(setting.seats), SPECTATOR, EVERYTHING):
        encode(RULES.view(state, reader))


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_spoilt_position_is_refused_or_can_be_played_on(house: str, number: int) -> None:
    setting = settings(house)[number]
    whole = list(positions(setting, number))
    chance, refused = Random(number), 0
    for seed in range(SPOILT):
        spoilt = spoil(chance.choice(whole), whole, chance)
        try:
            loaded = RULES.position.load(spoilt, setting, "new")
        except PositionError:
            refused += 1
            continue
        play_on(setting, loaded, seed)
    assert SPOILT / 4 < refused < SPOILT
