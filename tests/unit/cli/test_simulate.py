"""`simulate` and the bot that it plays with."""

from itertools import cycle

import pytest

from server.playing import Act
from server.random_bot import choose
from server.simulate import Plan, StuckError, play_games, simulate, totals
from tests.integration.replay_kit import CATALOGUE


def test_every_number_of_seats_is_played_in_turn(turnlog):
    told = turnlog("simulate", "tpoc", "--games", 6, "--seed", "s", "--json").json()
    assert [game["seats"] for game in told["games"]] == [3, 4, 5, 3, 4, 5]
    assert told["totals"]["games"] == 6
    assert all(game["winners"] or game["reason"] for game in told["games"])


def test_seats_and_options_are_played_as_asked(turnlog):
    told = turnlog("simulate", "tpoc", "--games", 2, "--seats", 4, "--options", "lunch_draw=open", "--json").json()
    assert [game["seats"] for game in told["games"]] == [4, 4]
    assert told["options"] == {"lunch_draw": "open"}


def test_a_game_is_the_same_in_whatever_order_games_are_played():
    plan = Plan("tiny", 7, "order")
    alone = [play_games(CATALOGUE, plan, [number])[0] for number in (7, 3, 5)]
    together = simulate(lambda: CATALOGUE, plan, 1)
    assert alone == [together[6], together[2], together[4]]
    assert len({one.digest for one in together}) == 7


def test_another_seed_gives_other_games():
    one = totals(simulate(lambda: CATALOGUE, Plan("tiny", 3, "a"), 1))
    other = totals(simulate(lambda: CATALOGUE, Plan("tiny", 3, "b"), 1))
    assert one["digest"] != other["digest"]


def test_a_game_beyond_its_bound_is_an_error(turnlog, monkeypatch):
    monkeypatch.setattr("server.simulate.random_turn", looping())
    with pytest.raises(StuckError, match="did not end within 600 decisions"):
        play_games(CATALOGUE, Plan("tiny", 1, "stuck"), [1])


def looping():
    """Players who only ever set and lift a standing pass: the game does not move on."""
    settings = cycle((True, False))

    async def turn(games, game, players):
        return Act({"action": "set_auto_pass", "on": next(settings)}, 0)

    return turn


def test_progress_counts_every_game():
    done = []
    simulate(lambda: CATALOGUE, Plan("tiny", 12, "progress"), 1, done.append)
    assert sum(done) == 12


def test_the_random_bot_chooses_every_action_and_nothing_else():
    actions = ["a", "b", "c"]
    chosen = [choose(actions, bytes([0] * 15 + [n])) for n in range(9)]
    assert chosen == actions * 3
    with pytest.raises(IndexError):
        choose([], bytes(16))
