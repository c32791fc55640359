"""Actions through the core: versions, refusals, idempotency, sealed answers, unknown outcomes, repairs, table talk."""

import asyncio
import json

import pytest
from msgspec import to_builtins

from events.store import StoreFailed
from games.kernel import default_action
from server.access import ADMIN, PLAY, Caller
from server.asks import Ask, Once
from server.playing import Act, Repair, act, check_action, repair
from server.problems import Problem
from server.talk import say, words_of
from tests.integration.commands.shell import Shell
from tests.integration.commands.test_rewinding import DRAW, PLAYERS, POSITION
from tests.integration.commands.test_rewinding import PLAY as PLAY_GREY


@pytest.fixture
def shell():
    return Shell()


async def refused(awaitable):
    with pytest.raises(Problem) as problem:
        await awaitable
    return problem.value


async def test_a_game_is_created_joined_and_started(shell):
    game = await shell.create(PLAYERS)
    assert await shell.kinds(game) == ["created", "joined", "joined", "joined", "started"]


async def test_the_version_decided_on_must_be_said_and_be_the_newest(shell):
    game = await shell.position(PLAYERS, POSITION)
    version = (await shell.events(game))[-1].header.version
    problem = await refused(shell.act(game, "ann", PLAY_GREY, if_version=None))
    assert problem.code == "version_required"
    await shell.act(game, "ann", PLAY_GREY, if_version=version)
    problem = await refused(shell.act(game, "bob", DRAW, if_version=version))
    assert problem.code == "version_conflict"
    assert [event["version"] for event in problem.members["missed"]] == [version + 1]
    problem = await refused(shell.act(game, "bob", DRAW, if_version=version + 7))
    assert problem.code == "version_conflict"


async def test_messages_do_not_move_the_game_on(shell):
    game = await shell.position(PLAYERS, POSITION)
    version = (await shell.events(game))[-1].header.version
    await say(shell.games, shell.ask("cat"), game, None, "good luck")
    await shell.act(game, "ann", PLAY_GREY, if_version=version)


async def test_other_seats_sealed_answers_do_not_move_the_game_on(shell):
    game = await shell.create(PLAYERS)
    version = (await shell.events(game))[-1].header.version
    for player in ("cat", "ann", "bob"):
        async with shell.games.game(game) as live:
            seat = live.meta.seats_of(player)[0]
            action = to_builtins(default_action(live.rules, live.state, seat))
        await shell.act(game, player, action, if_version=version)


async def test_a_refusal_names_rule_reason_and_menu_and_writes_nothing(shell):
    game = await shell.position(PLAYERS, POSITION)
    before = await shell.kinds(game)
    problem = await refused(shell.act(game, "ann", {**PLAY_GREY, "colour": "green"}))
    assert (problem.code, problem.members["rule"]) == ("illegal_action", "TPOC-4.1.1")
    assert "play_card" in problem.members["menu"]
    problem = await refused(shell.act(game, "bob", DRAW))
    assert (problem.code, problem.members["rule"]) == ("not_your_decision", "TPOC-4.0.1")
    assert "menu" not in problem.members
    problem = await refused(shell.act(game, "ann", {"action": "fly"}))
    assert problem.code == "invalid"
    problem = await refused(shell.act(game, "ann", DRAW, seat=1))
    assert problem.code == "not_allowed"
    problem = await refused(shell.act(game, "ann", DRAW, seat=9))
    assert problem.code == "not_found"
    assert await shell.kinds(game) == before


async def test_check_says_the_same_and_writes_nothing(shell):
    game = await shell.position(PLAYERS, POSITION)
    before = await shell.kinds(game)
    caller = Caller(player="ann", scopes=frozenset({PLAY}))
    await check_action(shell.games, caller, game, Act(DRAW))
    problem = await refused(check_action(shell.games, caller, game, Act({**PLAY_GREY, "colour": "green"})))
    assert problem.members["rule"] == "TPOC-4.1.1"
    assert await shell.kinds(game) == before


async def test_a_repeat_with_the_same_key_gets_the_first_answer_also_after_a_restart(shell):
    game = await shell.position(PLAYERS, POSITION)
    first = await act(shell.games, shell.ask("ann", key="k"), game, Act(PLAY_GREY))
    again = Shell(shell.store)
    assert await act(again.games, again.ask("ann", key="k"), game, Act(PLAY_GREY)) == first
    assert (
        await refused(act(again.games, again.ask("ann", key="k", request=b"other"), game, Act(DRAW)))
    ).code == "key_reused"
    assert (await shell.kinds(game)).count("acted") == 1


async def test_what_is_written_names_the_digest_that_it_follows_on(shell, monkeypatch):
    game = await shell.position(PLAYERS, POSITION)
    appends, append = [], shell.store.append

    async def noted(wanted):
        appends.append(wanted)
        return await append(wanted)

    monkeypatch.setattr(shell.store, "append", noted)
    await shell.act(game, "ann", PLAY_GREY)
    await say(shell.games, shell.ask("cat"), game, None, "good luck")
    log = await shell.events(game)
    assert [one.follows for one in appends] == [log[one.expected - 1].digest for one in appends]


async def test_of_many_at_once_exactly_one_wins_and_the_others_get_what_they_missed(shell):
    game = await shell.position(PLAYERS, POSITION)
    version = (await shell.events(game))[-1].header.version
    tries = [shell.act(game, "ann", PLAY_GREY, if_version=version) for _ in range(20)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    won = [answer for answer in answers if isinstance(answer, dict)]
    lost = [answer for answer in answers if isinstance(answer, Problem)]
    assert len(won) == 1
    assert len(lost) == 19
    assert all(problem.code == "version_conflict" and problem.members["missed"] for problem in lost)


async def test_an_unknown_outcome_is_resolved_by_the_log_and_the_key(shell, monkeypatch):
    game = await shell.position(PLAYERS, POSITION)
    append = shell.store.append

    async def written_but_unknown(what):
        await append(what)
        raise StoreFailed("the answer was lost")

    monkeypatch.setattr(shell.store, "append", written_but_unknown)
    problem = await refused(act(shell.games, shell.ask("ann", key="k"), game, Act(PLAY_GREY)))
    assert problem.code == "unavailable"
    monkeypatch.undo()
    answer = json.loads(await act(shell.games, shell.ask("ann", key="k"), game, Act(PLAY_GREY)))
    assert answer["version"] == (await shell.events(game))[-1].header.version
    assert (await shell.kinds(game)).count("acted") == 1


async def test_a_failed_append_leaves_no_trace_in_memory(shell, monkeypatch):
    game = await shell.position(PLAYERS, POSITION)
    before = await shell.state(game)

    async def failing(what):
        raise StoreFailed("disk")

    monkeypatch.setattr(shell.store, "append", failing)
    assert (await refused(shell.act(game, "ann", PLAY_GREY))).code == "unavailable"
    monkeypatch.undo()
    assert await shell.state(game) == before
    await shell.act(game, "ann", PLAY_GREY)


async def test_a_caller_that_goes_away_does_not_cut_a_command_in_two(shell):
    game = await shell.position(PLAYERS, POSITION)
    task = asyncio.create_task(shell.games.run(act(shell.games, shell.ask("ann"), game, Act(PLAY_GREY))))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await shell.games.stop()
    assert (await shell.kinds(game))[-1] == "acted"


async def test_an_operator_repairs_with_a_reason_that_all_see(shell):
    game = await shell.position(PLAYERS, POSITION)
    caller = Caller(player="op", scopes=frozenset({ADMIN}))
    ask = Ask(caller, shell.respond("op"), None, "*")
    await repair(shell.games, ask, game, Repair("the player is ill", 0, PLAY_GREY))
    event = (await shell.events(game))[-1]
    assert (event.header.kind, event.header.actor, event.header.seat) == ("repaired", "operator:op", 0)
    assert b"the player is ill" in event.data
    assert (await refused(repair(shell.games, shell.ask("ann"), game, Repair("x", 1, DRAW)))).code == "not_allowed"
    assert (await refused(repair(shell.games, ask, game, Repair(" ", 1, DRAW)))).code == "invalid"


async def test_words_are_beside_the_log_and_can_be_erased(shell):
    game = await shell.position(PLAYERS, POSITION)
    await say(shell.games, shell.ask("bob"), game, None, "an unmistakable sentence")
    event = (await shell.events(game))[-1]
    assert b"unmistakable" not in event.data
    caller = Caller(player="cat", scopes=frozenset({PLAY}))
    spoken = await words_of(shell.games, caller, game, event.header.version)
    assert spoken.words == "an unmistakable sentence"
    assert json.loads(event.data)["details"]["commitment"] == spoken.commitment(event.header.version)
    await shell.store.erase_words(game, event.header.version)
    assert await words_of(shell.games, caller, game, event.header.version) is None


async def test_the_last_event_publishes_outcome_and_seed_and_nothing_follows(shell):
    game = await shell.position(PLAYERS, {**POSITION, "deck": ["orange"]})
    answer = await shell.act(game, "ann", DRAW)
    assert answer["status"] == "ended"
    assert await shell.kinds(game) == ["created", "joined", "joined", "joined", "started", "acted", "ended"]
    for action in (DRAW, {"action": "resign"}):
        assert (await refused(shell.act(game, "bob", action))).code == "game_over"


async def test_once_of_another_player_is_another_key(shell):
    game = await shell.position(PLAYERS, POSITION)
    await act(shell.games, shell.ask("ann", key="k"), game, Act(PLAY_GREY))
    other = Ask(Caller(player="bob", scopes=frozenset({PLAY})), shell.respond("bob"), Once("bob", "k", b"x"), "*")
    await act(shell.games, other, game, Act({**PLAY_GREY, "colour": "green"}))


async def test_a_scenario_may_script_no_shuffle_that_the_game_does_not_have(shell):
    problem = await refused(shell.position(PLAYERS, POSITION, orders={"hand": (("red",),)}))
    assert problem.code == "invalid"
    assert "'hand'" in problem.detail
