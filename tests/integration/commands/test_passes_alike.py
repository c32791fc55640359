"""Host Tournament, HT 4.4.4: others learn of a pass that it was made, never whether by hand or by a preference."""

import pytest

from games.kernel import SPECTATOR
from projections.views import event_of
from tests.integration.commands.shell import CATALOGUE, Shell

RULES = CATALOGUE["host_tournament"].rules
ANN, BOB = "ann", "bob"
POSITION = {
    "turn": 3,
    "active": 0,
    "seats": [{"hand": ["pint"]}, {"hand": ["second_wind"]}],
    "in_play": {
        "bent_corner1": {"card": "bent_corner", "owner": 0},
        "tamsin1": {"card": "tamsin", "owner": 0, "at": "bent_corner"},
    },
}
BY_HAND = {"action": "pass"}
FOR_THE_TURN = {"action": "pass", "rest": "turn"}
BY_PREFERENCE = {"action": "set_auto_pass", "kinds": ["after_action"], "until": "my_turn", "wake": []}


async def told_of(action, readers=(0, SPECTATOR)):
    """What others are told of seat 1's answer in the window after an action, but for the digest of what is hidden."""
    shell = Shell()
    game = await shell.position([ANN, BOB], POSITION, ruleset="host_tournament")
    await shell.act(game, ANN, {"action": "sort_folder"})
    await shell.act(game, ANN, {"action": "choose_none"})
    await shell.act(game, BOB, action)
    async with shell.games.game(game) as live:
        assert not live.state.agenda[-1].window, "the window is closed"
    event = (await shell.events(game))[-1]
    return [
        {k: v for k, v in event_of(RULES, event, reader).items() if k not in ("digest", "game")} for reader in readers
    ]


@pytest.mark.parametrize("action", [FOR_THE_TURN, BY_PREFERENCE], ids=["for the turn", "by preference"])
async def test_a_pass_by_hand_and_one_that_says_more_look_the_same_to_others(action):
    hand, other = await told_of(BY_HAND), await told_of(action)
    assert hand == other
    assert [effect["effect"] for effect in hand[0]["effects"]][:2] == ["passed", "window_closed"]


async def test_the_own_seat_sees_what_it_has_said():
    (own,) = await told_of(BY_PREFERENCE, readers=(1,))
    assert list(own["action"]["kinds"]) == ["after_action"]
    assert own["effects"][0]["auto_pass"]["until"] == "my_turn"


async def test_a_preference_set_at_another_time_is_nobody_elses_business():
    shell = Shell()
    game = await shell.position([ANN, BOB], POSITION, ruleset="host_tournament")
    await shell.act(game, BOB, BY_PREFERENCE)
    event = (await shell.events(game))[-1]
    for reader in (0, SPECTATOR):
        assert event_of(RULES, event, reader)["kind"] == "hidden"
    await shell.act(game, ANN, {"action": "sort_folder"})
    await shell.act(game, ANN, {"action": "choose_none"})
    shown = event_of(RULES, (await shell.events(game))[-1], 0)
    passed = [effect for effect in shown["effects"] if effect["effect"] == "passed"]
    assert passed == [{"effect": "passed", "seat": 1}], "passed in the very event that opened the window"
