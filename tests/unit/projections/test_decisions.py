"""Pending decisions as they are told to who owes them, or may answer."""

from projections.kinds import Scenario
from projections.views import decisions_of
from server.playing import Act, act
from tests.integration.replay_kit import ANN, Table

#: The first round begins with a vote.
POSITION = {"revealed": True, "police": "yard", "homes": ["roof"] * 2, "hands": [["no", "scope"], ["smoke"]]}


async def test_a_seat_that_may_answer_but_has_nothing_left_to_answer_has_no_default():
    """It has voted, changed its vote, and made the offer that it may make in this round."""
    table = Table("nothing left")
    units = {"floors": {"roof": {"units": [0, 1]}}}
    game = await table.make(("me", "bot:random"), scenario=Scenario(state=POSITION | units))
    for action in (
        {"action": "offer_trade", "to": 1},
        {"action": "drop_offer"},
        {"action": "cast_vote", "choice": 1},
        {"action": "cast_vote", "choice": 0},
    ):
        await act(table.games, ANN, game, Act(action, 0))
    async with table.games.game(game) as live:
        told = next(one for one in decisions_of(live, 0, (0,), most=None) if one["seat"] == 0)
    assert (told["owes"], told["default"], told["total"], told["actions"]) == (False, None, 0, [])
