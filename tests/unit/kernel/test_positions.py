"""Positions and the effect that starts a game from one; folds are total."""

import msgspec
import pytest

from games.kernel import PositionError, PositionSet, Setting, encode, fold
from tests.tiny import PACK, RULES
from tests.tiny.actions import ChooseHome
from tests.tiny.game import Game, turn, units
from tests.tiny.state import Options


def test_a_recorded_position_replaces_every_field_of_the_state() -> None:
    game = Game(turn(3 - 3, hands=[["no"], ["siren"], []], floors=units(cellar=[1])))
    recorded = RULES.effect_decoder.decode(encode(game.last.effects[0]))
    assert isinstance(recorded, PositionSet)
    state = RULES.initial(game.setting)
    state.discard.append("left over")
    fold(state, [recorded])
    assert encode(state) == encode(game.state)


def test_a_recorded_position_folds_twice_to_independent_states() -> None:
    recorded = Game(turn(hands=[["no"], [], []])).last.effects[0]
    setting = Setting(PACK, 3, Options())
    first, second = RULES.initial(setting), RULES.initial(setting)
    fold(first, [recorded])
    fold(second, [recorded])
    first.hands[0].clear()
    assert second.hands[0] == ["no"]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ({"weather": "rain"}, "weather: no field of a position"),
        ({"round": "two"}, "Expected `int`, got `str` - at `$.round`"),
        ({"hands": [["scope"] * 9, [], []]}, "deck: there are not so many scope"),
        ({"agenda": [{"step": "dance"}]}, "Invalid value 'dance' - at `$.agenda[0].step`"),
    ],
)
def test_an_impossible_position_is_refused_with_a_sentence(position: dict[str, object], sentence: str) -> None:
    with pytest.raises(PositionError) as failure:
        Game(position)
    assert str(failure.value) == sentence


def test_what_a_position_does_not_list_is_completed() -> None:
    state = RULES.position.load({"hands": [["no"], [], []]}, Setting(PACK, 3, Options()), "new")
    assert (state.coins, state.deck.count("no"), len(state.deck)) == ([2, 2, 2], 8, 25)


def test_effects_fold_from_their_json_without_the_code_that_decided_them() -> None:
    game = Game()
    events = [game.last.effects]
    for seat in (2, 0, 1):
        game.act(seat, ChooseHome("roof", game.state.hands[seat][0]))
        events.append(game.last.effects)
    state = RULES.initial(game.setting)
    for effects in events:
        stored = msgspec.json.encode(effects)
        fold(
            state,
            [RULES.effect_decoder.decode(effect) for effect in msgspec.json.decode(stored, type=list[msgspec.Raw])],
        )
    assert encode(state) == encode(game.state)


def test_every_effect_has_a_fold_of_its_own() -> None:
    for kind in RULES.effect_types.values():
        assert "fold" in vars(kind), f"{kind.__name__} has no fold"
