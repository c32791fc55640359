"""The undo table of TPOC (specification, section 9), row by row: who is asked when a seat takes an action back.

`own`: nobody is asked. `consent`: all others are. A row that names another seat's answer asks at least that seat.
"""

import json

import pytest
from msgspec import to_builtins

from games.kernel import default_action
from server.rewinding import RewindWish, rewind
from tests.integration.commands.shell import Shell
from tests.integration.commands.test_rewinding import PLAYERS

ALL = [1, 2]
OWN = None

SEATS = [
    {"hand": ["red", "red", "grey", "blue"], "platform": ["blue"]},
    {"hand": ["green", "blue"], "platform": ["red", "grey"]},
    {"hand": ["yellow", "green"], "platform": ["red"]},
]


def position(**changes):
    return {"seats": SEATS, "deck": ["orange"] * 5, "bag": ["red/grey", "chef"], **changes}


def played(colour, **more):
    return {"action": "play_card", "colour": colour, "drop": None, "accuse": None, **more}


LUNCH = {"action": "lunch", "discard": "red", "tile": "green/red"}
DRAW = {"action": "draw_card_and_tile"}

#: what is done (player, action) from which position, and whom the undo of it all by the first player asks
ROWS = {
    "play_card without accusation": (position(), [("ann", played("grey"))], OWN),
    "play_card with accusation, before the answer": (position(), [("ann", played("red", accuse=1))], OWN),
    "play_card with accusation, declined": (
        position(),
        [("ann", played("red", accuse=1)), ("bob", {"action": "decline_replacement"})],
        ALL,
    ),
    "play_card with accusation, replaced": (
        position(),
        [("ann", played("red", accuse=1)), ("bob", {"action": "replace_card", "colour": "green"})],
        ALL,
    ),
    "play_secret": (position(), [("ann", {"action": "play_secret", "colour": "grey"})], OWN),
    "draw_card_and_tile": (position(), [("ann", DRAW)], ALL),
    "send_to_pot": (
        position(board=["green/blue"]),
        [("ann", {"action": "send_to_pot", "discard": "grey", "tile": "green/blue"})],
        OWN,
    ),
    "rescue": (position(pot=["red/green"]), [("ann", {"action": "rescue", "tile": "red/green"})], OWN),
    "lunch": (position(pot=["green/red"]), [("ann", LUNCH)], ALL),
    "the action that draws the last card": (
        position(deck=["orange"], seats=[SEATS[0], SEATS[1], {**SEATS[2], "leaders": ["red"]}]),
        [("ann", DRAW)],
        "over",
    ),
}


async def asked_for_undo(shell, game, player, to):
    given = json.loads(await rewind(shell.games, shell.ask(player), game, RewindWish(to=to), redo=False))
    return given["request"]["asked"] if given["request"] else None


@pytest.mark.parametrize("row", ROWS)
async def test_undo_asks_whom_the_table_says(row):
    state, actions, asked = ROWS[row]
    shell = Shell()
    game = await shell.position(PLAYERS, state)
    start = (await shell.events(game))[-1].header.version
    for player, action in actions:
        answer = await shell.act(game, player, action)
    if asked == "over":
        assert answer["status"] == "ended"  # and what has ended is not undone: see test_playing
        return
    assert await asked_for_undo(shell, game, "ann", start) == asked


async def test_undo_of_a_replacement_is_own_until_the_next_event():
    shell = Shell()
    game = await shell.position(PLAYERS, position())
    version = (await shell.act(game, "ann", played("red", accuse=1)))["version"]
    await shell.act(game, "bob", {"action": "replace_card", "colour": "green"})
    assert await asked_for_undo(shell, game, "bob", version) is None


@pytest.mark.parametrize(
    ("bag", "kept", "asked"), [(["red/grey", "chef"], "red/grey", OWN), (["red/grey", "chef"], "chef", OWN)]
)
async def test_undo_of_keep_tile_is_own_if_a_villager_or_chef_was_kept(bag, kept, asked):
    shell = Shell()
    game = await shell.position(PLAYERS, position(bag=bag, pot=["green/red"]))
    version = (await shell.act(game, "ann", LUNCH))["version"]
    await shell.act(game, "ann", {"action": "keep_tile", "tile": kept})
    assert await asked_for_undo(shell, game, "ann", version) == asked


async def test_undo_of_keep_tile_asks_all_if_a_leader_cost_something_and_a_window_was_answered():
    shell = Shell()
    seats = [SEATS[0], {**SEATS[1], "leaders": ["red"]}, {**SEATS[2], "platform": ["red", "red"]}]
    game = await shell.position(PLAYERS, position(seats=seats, bag=["leader:red", "chef"], pot=["green/red"]))
    version = (await shell.act(game, "ann", LUNCH))["version"]
    await shell.act(game, "ann", {"action": "keep_tile", "tile": "leader:red"})
    await shell.act(game, "bob", {"action": "decline_replacement"})
    assert await asked_for_undo(shell, game, "ann", version) == ALL


async def test_undo_of_the_last_choose_setup_asks_all_and_of_another_nobody():
    shell = Shell()
    game = await shell.create(PLAYERS)
    start = (await shell.events(game))[-1].header.version
    for player in ("bob", "cat"):
        await _choose(shell, game, player)
    assert await asked_for_undo(shell, game, "cat", start + 1) is None
    for player in ("cat", "ann"):
        version = (await _choose(shell, game, player))["version"]
    assert await asked_for_undo(shell, game, "ann", version - 1) == ALL


async def _choose(shell, game, player):
    async with shell.games.game(game) as live:
        seat = live.meta.seats_of(player)[0]
        action = to_builtins(default_action(live.rules, live.state, seat))
    return await shell.act(game, player, action)


async def test_undo_of_a_broken_tie_asks_all():
    shell = Shell()
    tied = {"hand": ["red"], "platform": ["red", "grey"]}
    seats = [tied, tied, {"leaders": ["red"]}]
    ballot = ["red/grey", "red/grey", "red/grey"]
    state = {"phase": "election", "seats": seats, "ballot": ballot}
    game = await shell.position(["cat", "bob", "ann"], state)
    version = (await shell.events(game))[-1].header.version
    await shell.act(game, "ann", {"action": "break_tie", "winner": 0})
    assert await asked_for_undo(shell, game, "ann", version) == [0, 1]
