"""The bot `search:N`: in processes of its own, beside all other games, and nothing it finds too late is done."""

import asyncio
import json
import multiprocessing
import signal
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from events.database import Unfit
from games.kernel import encode
from projections.lobby import Lobby
from server import services as parts
from server.ports import SystemRandom
from server.problems import Problem
from server.search.searcher import choose_by_search
from server.search.worker import SearchFailed, load_ruleset
from tests.integration.search_kit import (
    LIMITS,
    AnyPool,
    first_legal,
    gate_at,
    load_gated,
    pool_of,
    some_task,
    world_of,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def random():
    return SystemRandom()


async def test_a_game_of_search_bots_is_played_to_its_end():
    async with pool_of() as pool, world_of(pool) as world:
        live = await world.end(await world.create("bot:search:2", "bot:search:3", "bot:random"))
        assert live.meta.outcome is not None
        # Without a key for signed heads the log is not signed, and that is told.
        assert {line["event"] for line in world.logs if line["log_level"] != "info"} <= {"heads_off"}


async def test_a_process_answers_what_the_search_finds_in_process(random):
    task = some_task(random)
    rules = load_ruleset(task.ruleset)
    state = rules.state_decoder.decode(task.state)
    async with pool_of() as pool:
        assert await pool.search(task) == encode(choose_by_search(rules, state, task.seat, 3, task.seed))


async def test_the_loop_goes_on_while_a_search_runs(random):
    async with pool_of() as pool:
        await pool.search(some_task(random))  # from here on the process is there
        beats = 0
        search = asyncio.create_task(pool.search(some_task(random, iterations=150)))
        while not search.done():
            beats += 1
            await asyncio.sleep(0)
        assert (await search).startswith(b'{"action":"choose_setup"')
        assert beats > 20  # a search in the loop leaves room for one or two


async def test_other_games_are_played_while_a_search_runs(tmp_path, monkeypatch):
    async with (
        gate_at(tmp_path / "gate", monkeypatch) as gate,
        pool_of(load_gated) as pool,
        world_of(pool) as world,
    ):
        thinks = await world.create("me", "bot:search:2", "bot:random")
        held = await gate.arrived()
        await world.end(await world.create("bot:random", "bot:random", "bot:random"))
        assert await world.versions_of(thinks, 1) == []
        held.release()
        await world.until(thinks, lambda live: live.state.seats[1].setup is not None)


async def test_what_is_found_for_an_older_version_is_dropped(tmp_path, monkeypatch):
    async with (
        gate_at(tmp_path / "gate", monkeypatch) as gate,
        pool_of(load_gated) as pool,
        world_of(pool) as world,
    ):
        game = await world.create("me", "bot:search:2", "bot:random")
        late = await gate.arrived()
        await world.resign(game)
        late.release()
        again = await gate.arrived()
        assert await world.versions_of(game, 1) == []
        assert [line["game"] for line in world.logged("bot_answer_dropped")] == [game]
        again.release()
        await world.until(game, lambda live: live.state.phase == "play")
        assert len(await world.versions_of(game, 1)) == 1


async def test_what_is_found_stands_if_meanwhile_others_have_answered_the_same_sealed_decision(tmp_path, monkeypatch):
    async with (
        gate_at(tmp_path / "gate", monkeypatch) as gate,
        pool_of(load_gated) as pool,
        world_of(pool) as world,
    ):
        game = await world.create("me", "bot:search:2", "bot:random")
        held = await gate.arrived()
        await world.act(game)
        held.release()
        await world.until(game, lambda live: live.state.phase == "play")
        assert world.logged("bot_answer_dropped") == []


@pytest.mark.parametrize(
    "answer",
    [b"{", b"[]", b'{"action":"draw_card_and_tile"}', b'{"action":"choose_setup","platform":[],"tiles":[]}'],
    ids=["no JSON", "no action", "not on the menu", "against the rules"],
)
async def test_what_is_not_legal_is_never_done(answer):
    pool = AnyPool(lambda _: answer)
    async with world_of(pool) as world:
        game = await world.create("me", "bot:search", "bot:search:7")
        await world.until(game, lambda live: all(seat.setup is not None for seat in live.state.seats[1:]))
        assert [line["bot"] for line in world.logged("bot_search_failed")] == ["bot:search", "bot:search:7"]
        assert [task.iterations for task in pool.tasks] == [500, 7]


async def test_a_search_that_fails_is_answered_by_chance():
    def fails(task):
        raise SearchFailed("no luck today")

    async with world_of(AnyPool(fails)) as world:
        await world.end(await world.create("bot:random", "bot:random", "bot:search:9"))
        assert {line["why"] for line in world.logged("bot_search_failed")} == {"no luck today"}


@pytest.mark.parametrize("workers", [1, 2])
async def test_as_many_searches_run_as_there_are_processes_and_nobody_is_forgotten(workers):
    pool = AnyPool(first_legal, workers)
    async with world_of(pool) as world:
        games = [await world.create("bot:search:1", "bot:random", "bot:search:1") for _ in range(4)]
        for game in games:
            await world.end(game)
        assert pool.most == workers


async def test_private_games_of_search_bots_go_on_after_a_restart_with_no_more_iterations_than_are_allowed_now(
    tmp_path,
):
    class Thinker(AnyPool):
        async def search(self, task):
            await asyncio.Event().wait()

    database = tmp_path / "log.db"
    async with world_of(Thinker(first_legal), database) as world:
        game = await world.create("me", "bot:search:4000", "bot:random", visibility="private")
        await world.services.runner.catch_up()
        assert await world.services.lobby.bots() == ["bot:random", "bot:search:4000"]
    pool = AnyPool(first_legal)
    async with world_of(pool, database, search_iterations_max=50) as world:
        await world.until(game, lambda live: live.state.seats[1].setup is not None)
    assert [task.iterations for task in pool.tasks] == [50]


async def test_bots_that_begin_anew_in_the_middle_of_a_search_search_again(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "DATABASE_AWAY_S", 0)
    damaged, asked, bots = asyncio.Event(), [], Lobby.bots

    async def unfit_at_first(lobby):
        asked.append(lobby)
        if len(asked) == 1:
            await damaged.wait()
            raise Unfit("no such table")
        return await bots(lobby)

    monkeypatch.setattr(Lobby, "bots", unfit_at_first)
    async with (
        asyncio.timeout(60),
        gate_at(tmp_path / "gate", monkeypatch) as gate,
        pool_of(load_gated) as pool,
        world_of(pool) as world,
    ):
        game = await world.create("me", "bot:search:2", "bot:random")
        left_off = await gate.arrived()
        damaged.set()
        await left_off.closed()
        (await gate.arrived()).release()
        await world.until(game, lambda live: live.state.seats[1].setup is not None)
        assert len(world.logged("tables_unfit")) == 1
        assert world.logged("bot_search_failed") == []


@pytest.mark.parametrize(
    "name", ["bot:search:0", "bot:search:007", "bot:search:5001", "bot:search:", "bot:search:x", "bot:chess", "search"]
)
async def test_other_names_are_no_bots(name):
    async with world_of(AnyPool(first_legal)) as world:
        with pytest.raises(Problem) as refused:
            await world.create("me", name, "open")
        assert refused.value.code == "invalid"
        assert "bot:search:N (N from 1 to 5000)" in refused.value.detail


async def test_a_process_that_dies_is_replaced_and_its_search_begun_anew(tmp_path, monkeypatch, random):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        search = asyncio.create_task(pool.search(some_task(random)))
        first = await gate.arrived()
        first.kill()
        second = await gate.arrived()
        assert second.pid != first.pid
        second.release()
        assert json.loads(await search)["action"] == "choose_setup"


async def test_a_search_that_kills_every_process_fails_and_the_next_one_works(tmp_path, monkeypatch, random):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        search = asyncio.create_task(pool.search(some_task(random)))
        (await gate.arrived()).kill()
        (await gate.arrived()).kill()
        with pytest.raises(SearchFailed, match="its process died 2 times"):
            await search
        search = asyncio.create_task(pool.search(some_task(random)))
        (await gate.arrived()).release()
        assert json.loads(await search)["action"] == "choose_setup"


async def test_a_search_that_takes_too_long_is_given_up_and_the_next_one_works(tmp_path, monkeypatch, random):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        search = asyncio.create_task(pool.search(some_task(random)))
        (await gate.arrived()).release()
        await search
        pool.limits = type(LIMITS)(1, 2, timeout_s=0.01)
        with pytest.raises(SearchFailed, match=r"no answer in 0\.01 s"):
            await pool.search(some_task(random))
        await (await gate.arrived()).closed()
        pool.limits = LIMITS
        search = asyncio.create_task(pool.search(some_task(random)))
        (await gate.arrived()).release()
        assert json.loads(await search)["action"] == "choose_setup"


async def test_no_more_wait_than_may(tmp_path, monkeypatch, random):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        searches = [asyncio.create_task(pool.search(some_task(random))) for _ in range(3)]
        held = await gate.arrived()
        with pytest.raises(SearchFailed, match="2 searches are waiting"):
            await pool.search(some_task(random))
        held.release()
        for _ in searches[1:]:
            (await gate.arrived()).release()
        await asyncio.gather(*searches)


async def test_closing_ends_searches_and_processes(tmp_path, monkeypatch, random):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        search = asyncio.create_task(pool.search(some_task(random)))
        held = await gate.arrived()
        assert held.pid in {process.pid for process in multiprocessing.active_children()}
        await pool.close()
        with pytest.raises(SearchFailed, match="the pool is closed"):
            await search
        assert held.pid not in {process.pid for process in multiprocessing.active_children()}
        with pytest.raises(SearchFailed, match="the pool is closed"):
            await pool.search(some_task(random))


async def test_stopping_the_server_does_not_wait_for_a_search(tmp_path, monkeypatch):
    async with gate_at(tmp_path / "gate", monkeypatch) as gate, pool_of(load_gated) as pool:
        async with world_of(pool) as world:
            await world.create("me", "bot:search:2", "bot:random")
            held = await gate.arrived()
        assert held.pid not in {process.pid for process in multiprocessing.active_children()}


CHILD = """
import asyncio
from server.ports import SystemRandom
from tests.integration.search_kit import load_gated, pool_of, some_task

async def main():
    async with pool_of(load_gated) as pool:
        await pool.search(some_task(SystemRandom()))

if __name__ == "__main__":
    asyncio.run(main())
"""


async def test_no_process_outlives_a_server_that_is_killed(tmp_path, monkeypatch):
    script = tmp_path / "server_with_a_pool.py"
    script.write_text(CHILD)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    async with gate_at(tmp_path / "gate", monkeypatch) as gate:
        server = await asyncio.create_subprocess_exec(sys.executable, script, cwd=ROOT)
        held = await gate.arrived()
        server.send_signal(signal.SIGKILL)
        await server.wait()
        # It waits at the gate for ever, unless it ends with the server: then its end of the socket is closed.
        await held.closed()


async def test_a_search_that_fails_in_its_process_says_why(random):
    with capture_logs() as logs:
        async with pool_of() as pool:
            with pytest.raises(SearchFailed, match="nothing to choose from"):
                await pool.search(replace(some_task(random), seat=99))
            assert json.loads(await pool.search(some_task(random)))["action"] == "choose_setup"
    assert logs == []
