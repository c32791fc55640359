"""Undo and redo: who is asked, what happens, and what stays (architecture.md "Undo policy"; TPOC section 9)."""

import json

import pytest

from projections.rewind import Terms
from projections.unsound import UnsoundError
from projections.verify import verify
from server.forking import Fork, fork
from server.playing import Act, act, resign
from server.problems import Problem
from server.rewinding import Answer, RewindWish, answer, rewind, withdraw
from tests.integration.commands.shell import CATALOGUE, Shell

PLAYERS = ["ann", "bob", "cat"]
#: Seat 0 to act; everybody can play a card, draw, or accuse.
POSITION = {
    "seats": [
        {"hand": ["red", "red", "grey"], "platform": ["blue"]},
        {"hand": ["green", "blue"], "platform": ["red", "grey"]},
        {"hand": ["yellow", "green"], "platform": ["red"]},
    ],
    "deck": ["orange"] * 5,
    "bag": ["red/grey"] * 2,
}
PLAY = {"action": "play_card", "colour": "grey", "drop": None, "accuse": None}
ACCUSE = {"action": "play_card", "colour": "red", "drop": None, "accuse": 1}
DRAW = {"action": "draw_card_and_tile"}


async def undo(shell, game, player, *, redo=False, **wish):
    given = await rewind(shell.games, shell.ask(player), game, RewindWish(**wish), redo=redo)
    return json.loads(given)


async def consent(shell, game, player, request, *, accept=True):
    return json.loads(await answer(shell.games, shell.ask(player), game, request, Answer(accept)))


@pytest.fixture
def shell():
    return Shell()


async def test_undo_of_a_card_that_told_nothing_is_free(shell):
    game = await shell.position(PLAYERS, POSITION)
    before = await shell.state(game)
    await shell.act(game, "ann", PLAY)
    given = await undo(shell, game, "ann")
    assert given["request"] is None
    assert await shell.state(game) == before
    assert (await shell.kinds(game))[-2:] == ["acted", "rewound"]


async def test_undo_of_a_draw_asks_all_others(shell):
    game = await shell.position(PLAYERS, POSITION)
    before = await shell.state(game)
    await shell.act(game, "ann", DRAW)
    request = (await undo(shell, game, "ann"))["request"]
    assert request["asked"] == [1, 2]
    assert (await consent(shell, game, "bob", request["id"]))["request"]["asked"] == [2]
    assert (await consent(shell, game, "cat", request["id"]))["request"] is None
    assert await shell.state(game) == before
    async with shell.games.game(game) as live:
        assert live.meta.assisted


async def test_undo_beyond_another_seats_action_asks_that_seat(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", PLAY)
    await shell.act(game, "bob", {"action": "play_card", "colour": "green", "drop": None, "accuse": None})
    assert (await undo(shell, game, "ann"))["request"]["asked"] == [1]


async def test_undo_of_an_accusation_is_own_until_the_target_answers(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", ACCUSE)
    assert (await undo(shell, game, "ann"))["request"] is None
    await shell.act(game, "ann", ACCUSE)
    await shell.act(game, "bob", {"action": "decline_replacement"})
    assert (await undo(shell, game, "ann"))["request"]["asked"] == [1, 2]


async def test_a_refusal_ends_the_request_and_nothing_moves(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", DRAW)
    state = await shell.state(game)
    request = (await undo(shell, game, "ann"))["request"]["id"]
    assert (await consent(shell, game, "bob", request, accept=False))["request"] is None
    assert await shell.state(game) == state
    with pytest.raises(Problem) as refused:
        await consent(shell, game, "cat", request)
    assert refused.value.code == "not_found"


async def test_while_a_request_is_open_nothing_else_moves(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", DRAW)
    request = (await undo(shell, game, "ann"))["request"]["id"]
    for wanted in (Act(DRAW), Act({"action": "resign"})):
        with pytest.raises(Problem) as refused:
            await act(shell.games, shell.ask("bob"), game, wanted)
        assert refused.value.code == "undo_open"
    with pytest.raises(Problem) as refused:
        await undo(shell, game, "bob")
    assert refused.value.code == "undo_open"
    with pytest.raises(Problem) as refused:
        await withdraw(shell.games, shell.ask("bob"), game, request)
    assert refused.value.code == "not_allowed"
    await withdraw(shell.games, shell.ask("ann"), game, request)
    await shell.act(game, "bob", {"action": "play_card", "colour": "green", "drop": None, "accuse": None})


async def test_redo_restores_the_state_by_the_same_consent(shell):
    game = await shell.position(PLAYERS, POSITION, undo="free")
    await shell.act(game, "ann", DRAW)
    drawn = await shell.state(game)
    await undo(shell, game, "ann")
    await undo(shell, game, "ann", redo=True)
    assert await shell.state(game) == drawn
    with pytest.raises(Problem) as refused:
        await undo(shell, game, "ann", redo=True)
    assert refused.value.code == "undo_refused"


async def test_redo_is_a_tree_an_abandoned_line_can_be_taken_up_by_its_version(shell):
    game = await shell.position(PLAYERS, POSITION, undo="free")
    await shell.act(game, "ann", DRAW)
    first, version = await shell.state(game), (await shell.events(game))[-1].header.version
    await undo(shell, game, "ann")
    await shell.act(game, "ann", PLAY)
    with pytest.raises(Problem):
        await undo(shell, game, "ann", redo=True)
    await undo(shell, game, "ann", redo=True, to=version)
    assert await shell.state(game) == first


async def test_draws_are_never_taken_back(shell):
    tied = {"hand": ["red"], "platform": ["red", "grey"]}
    seats = [tied, tied, {"leaders": ["red", "grey"]}]
    state = {"seats": seats, "board": ["red/grey"] * 3 + ["grey/red"] * 3, "deck": ["orange"], "bag": ["blue/green"]}
    game = await shell.position(PLAYERS, state, undo="free")
    ballots = []
    for _ in range(8):
        await shell.act(game, "ann", DRAW)  # the last card: the election shuffles the ballot; seat 2 breaks ties
        draws = (await shell.events(game))[-1].header.draws
        ballots.append(await shell.state(game))
        await undo(shell, game, "ann")
        assert (await shell.events(game))[-1].header.draws == draws > 0
    assert len(set(ballots)) > 1


async def test_resignation_in_the_range_asks_everybody(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", PLAY)
    await resign(shell.games, shell.ask("cat"), game, None)
    assert (await undo(shell, game, "ann"))["request"]["asked"] == [1, 2]


async def test_undo_by_root_cause_takes_back_the_act_that_opened_the_answer(shell):
    game = await shell.position(PLAYERS, POSITION, undo="free")
    before = await shell.state(game)
    await shell.act(game, "ann", ACCUSE)
    given = await shell.act(game, "bob", {"action": "decline_replacement"})
    await undo(shell, game, "bob", root_of=given["version"])
    assert await shell.state(game) == before


async def test_policy_off_and_targets_that_are_none(shell):
    game = await shell.position(PLAYERS, POSITION, undo="off")
    await shell.act(game, "ann", PLAY)
    with pytest.raises(Problem) as refused:
        await undo(shell, game, "ann")
    assert refused.value.code == "undo_refused"
    game = await shell.position(PLAYERS, POSITION)
    started = (await shell.events(game))[-1].header.version
    for to in (started - 1, 0, -3, started, started + 1, 10**9):
        with pytest.raises(Problem) as refused:
            await undo(shell, game, "ann", to=to)
        assert refused.value.code == "undo_refused"
    with pytest.raises(Problem) as refused:
        await undo(shell, game, "ann")
    assert refused.value.members["reason"] == "nothing_to_undo"


async def test_a_player_is_not_asked_for_own_seats(shell):
    game = await shell.position(["ann", "ann", "cat"], POSITION)
    await shell.act(game, "ann", PLAY, seat=0)
    await shell.act(game, "ann", {"action": "play_card", "colour": "green", "drop": None, "accuse": None}, seat=1)
    assert (await undo(shell, game, "ann", seat=0, to=(await shell.events(game))[-1].header.version - 2))[
        "request"
    ] is None


async def test_after_a_restart_the_rewound_state_is_the_same(shell):
    game = await shell.position(PLAYERS, POSITION, undo="free")
    await shell.act(game, "ann", PLAY)
    await shell.act(game, "bob", {"action": "play_card", "colour": "green", "drop": None, "accuse": None})
    await undo(shell, game, "bob")
    await shell.act(game, "bob", {"action": "play_card", "colour": "blue", "drop": None, "accuse": None})
    await undo(shell, game, "ann")
    again = Shell(shell.store)
    assert await again.state(game) == await shell.state(game)


async def test_verification_finds_a_rewind_that_lacked_consent(shell, monkeypatch):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", DRAW)

    async def nobody(*_):
        return Terms((), assisted=False)

    monkeypatch.setattr("server.rewinding.terms", nobody)
    await undo(shell, game, "ann")
    rules, seed = CATALOGUE["tpoc"].rules, await shell.store.secret(game)
    with pytest.raises(UnsoundError, match="others had to agree"):
        verify(rules, await shell.events(game), seed)


async def test_verification_accepts_every_way_to_rewind(shell):
    game = await shell.position(PLAYERS, POSITION)
    await shell.act(game, "ann", PLAY)
    await undo(shell, game, "ann")
    await shell.act(game, "ann", DRAW)
    for accept in (False, True):
        request = (await undo(shell, game, "ann"))["request"]["id"]
        await consent(shell, game, "bob", request, accept=accept)
    await consent(shell, game, "cat", request)
    request = (await undo(shell, game, "ann", redo=True))["request"]["id"]
    await withdraw(shell.games, shell.ask("ann"), game, request)
    rules, seed = CATALOGUE["tpoc"].rules, await shell.store.secret(game)
    assert verify(rules, await shell.events(game), seed).rewinds == 2


async def test_an_action_decided_while_a_request_was_open_is_refused_after_its_withdrawal(shell):
    game = await shell.position(PLAYERS, POSITION)
    before = (await shell.act(game, "ann", DRAW))["version"]
    given = await undo(shell, game, "ann")
    await withdraw(shell.games, shell.ask("ann"), game, given["request"]["id"])
    green = {"action": "play_card", "colour": "green", "drop": None, "accuse": None}
    with pytest.raises(Problem) as refused:
        await shell.act(game, "bob", green, if_version=given["version"])
    assert refused.value.code == "version_conflict"
    assert refused.value.members["missed"]
    await shell.act(game, "bob", green, if_version=before)


async def test_a_fork_is_as_visible_as_its_source(shell):
    game = await shell.position(["ann"] * 3, POSITION, visibility="private")
    answer = json.loads(await fork(shell.games, shell.ask("ann"), game, Fork()))
    async with shell.games.game(answer["game"]) as live:
        assert live.meta.created.visibility == "private"
