"""The background audit: what is sound passes, and whatever differs is found, told, counted and dropped."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from hashlib import sha256

import msgspec
import pytest

from events.store import Snapshot, StoreFailed
from projections.history import image, keep_snapshot, open_game
from server.audit import LIVE, LOG, SNAPSHOT, Audit
from server.search.worker import load_ruleset
from tests import tiny
from tests.integration.operation.kit import figures, served

pytestmark = pytest.mark.slow


def load(ruleset):
    """In the audit's process: the rules that the stream's kit has."""
    return tiny.RULES if ruleset == tiny.RULES.id else load_ruleset(ruleset)


@asynccontextmanager
async def audited(**settings):
    """A server, its HTTP client, and an audit that is asked for what it finds."""
    async with served(metrics_open=True, **settings) as (world, http):
        audit = Audit(world.games, load)
        try:
            yield world, http, audit
        finally:
            await audit._pool.close()


async def anew(world, game):
    """The game as the log makes it."""
    return image(await open_game(world.services.store, world.games.rulesets(), game))


async def test_games_of_all_sorts_are_sound():
    async with audited(snapshot_events=10) as (world, http, audit):
        players = await world.players(3)
        waiting = await world.open_game(players[0])
        alone = await world.create([players[0]] * 3)
        await world.play(alone, 12)
        await world.undo(alone, players[0], to=9)
        await world.undo(alone, players[0], redo=True)
        await world.play(alone, 3)
        ended = await world.create(players)
        await world.play(ended, 8)
        for player in players[:2]:
            await world.resign(ended, player)
        tiny_game = await world.create(players, ruleset="tiny")
        await world.play(tiny_game)
        games = [waiting, alone, ended, tiny_game]
        assert [await audit.check(game) for game in games] == [[]] * len(games)
        told = await figures(http)
        assert told("turnlog_replay_checks_total", result="sound") == len(games)
        assert told("turnlog_replay_check_duration_seconds_count") == len(games)


async def test_a_planted_difference_in_memory_is_found_and_dropped(expected_errors, logged):
    expected_errors.add("replay_mismatch")
    async with audited() as (world, http, audit):
        game = await world.create(await world.players(3))
        await world.play(game, 5)
        sound = await anew(world, game)
        async with world.games.game(game) as live:
            live.moment.opened.append((1, "planted"))
        assert await audit.check(game) == [LIVE]
        async with world.games.game(game) as live:
            assert image(live) == sound
        assert await audit.check(game) == []
        told = await figures(http)
        assert told("turnlog_replay_mismatches_total", part="live") == 1
        assert told("turnlog_replay_checks_total", result="mismatch") == 1
        (line,) = (line for line in logged if line["event"] == "replay_mismatch")
        assert (line["game"], line["part"]) == (game, "live")


async def test_a_planted_difference_in_a_snapshot_is_found_and_dropped(expected_errors):
    expected_errors.add("replay_mismatch")
    async with audited() as (world, http, audit):
        game, store = await world.create(await world.players(3)), world.services.store
        await world.play(game, 5)
        live = await open_game(store, world.games.rulesets(), game)
        await keep_snapshot(store, live)
        assert await audit.check(game) == []
        kept = await store.load_snapshot(game)
        planted = kept.state.replace(b'"started":', b'"started":1')
        assert planted != kept.state
        await store.drop_snapshots(game)
        await store.save_snapshot(Snapshot(game, kept.version, kept.format, planted, sha256(planted).digest()))
        assert await audit.check(game) == [SNAPSHOT]
        assert await store.load_snapshot(game) is None
        assert await audit.check(game) == []
        assert (await figures(http))("turnlog_replay_mismatches_total", part="snapshot") == 1


async def test_a_snapshot_of_another_program_is_no_difference():
    async with audited() as (world, _, audit):
        game, store = await world.create(await world.players(3)), world.services.store
        await store.save_snapshot(Snapshot(game, 3, "of old", b"{}", sha256(b"{}").digest()))
        assert await audit.check(game) == []
        assert await store.load_snapshot(game) is not None


@pytest.mark.parametrize("damage", ["digest", "effects", "bytes"])
async def test_a_log_that_was_changed_is_found(damage, tmp_path, expected_errors, logged):
    expected_errors.add("replay_mismatch")
    async with audited(database=tmp_path / "t.db") as (world, http, audit):
        game = await world.create(await world.players(3))
        await world.play(game, 6)
        change(world.services.database, game, await world.version(game) - 2, damage)
        assert await audit.check(game) == [LOG]
        assert (await figures(http))("turnlog_replay_mismatches_total", part="log") == 1
        (line,) = (line for line in logged if line["event"] == "replay_mismatch")
        assert set(line) <= {"event", "log_level", "game", "part", "version", "what"}  # not what was in the cards


def change(database, game, version, damage):
    """Change one stored event as a disk or a person could."""
    connection: sqlite3.Connection = database._connection
    connection.execute("drop trigger events_are_not_updated")
    where = "where game = ? and version = ?"
    data = connection.execute(f"select data from events {where}", (game, version)).fetchone()[0]
    if damage == "digest":
        connection.execute(f"update events set digest = ? {where}", (bytes(32), game, version))
    elif damage == "bytes":
        connection.execute(f"update events set data = ? {where}", (data[:-2], game, version))
    else:
        told = msgspec.json.decode(data)
        told["effects"] = told["effects"][:-1]
        connection.execute(f"update events set data = ? {where}", (msgspec.json.encode(told), game, version))


async def test_the_audit_follows_the_games_that_move_by_itself(expected_errors, monkeypatch):
    expected_errors.add("replay_mismatch")
    async with served(metrics_open=True, audit_share=1.0, audit_interval_s=0.0) as (world, http):
        dropped, drop = asyncio.Event(), world.services.audit._drop

        async def noted(game):
            await drop(game)
            dropped.set()

        monkeypatch.setattr(world.services.audit, "_drop", noted)
        game = await world.create(await world.players(3))
        async with world.games.game(game) as live:
            live.meta.assisted = True
        await world.play(game, 1)
        await dropped.wait()
        async with world.games.game(game) as live:
            assert not live.meta.assisted
        assert (await figures(http))("turnlog_replay_mismatches_total", part="live") >= 1


async def test_an_audit_that_ended_as_the_store_was_away_audits_again_when_it_begins_anew(expected_errors, monkeypatch):
    expected_errors.add("replay_mismatch")
    async with audited(audit_share=0.0, audit_interval_s=0.0) as (world, http, audit):
        game = await world.create(await world.players(3))
        async with world.games.game(game) as live:
            live.meta.assisted = True
        dropped, drop = asyncio.Event(), audit._drop

        async def away_at_first(game):
            monkeypatch.setattr(audit, "_drop", noted)
            raise StoreFailed("away")

        async def noted(game):
            await drop(game)
            dropped.set()

        def move():
            audit._waiting[game] = None
            audit._wake.set()

        monkeypatch.setattr(audit, "_drop", away_at_first)
        move()
        with pytest.raises(StoreFailed):
            await audit.run()
        move()
        running = asyncio.create_task(audit.run())
        async with asyncio.timeout(60):
            await dropped.wait()
        running.cancel()
        await asyncio.wait([running])
        told = await figures(http)
        assert told("turnlog_replay_checks_total", result="mismatch") == 2
        assert told("turnlog_replay_checks_total", result="failed") == 0


async def test_no_share_is_no_audit():
    async with served(metrics_open=True, audit_share=0.0, audit_interval_s=0.0) as (world, http):
        await world.play(await world.create(await world.players(3)), 20)
        assert world.services.audit.waiting == 0
        told = await figures(http)
        assert "turnlog_replay_checks_total{" not in told.text


async def test_what_waits_is_bounded_and_each_game_waits_once():
    async with served(audit_share=1.0, audit_interval_s=3600.0, audit_queue_max=2) as (world, _):
        for _ in range(4):
            await world.play(await world.create(await world.players(3)), 2)
        assert world.services.audit.waiting == 2


async def test_games_that_are_too_long_are_left_to_verify():
    async with audited(audit_events_max=3) as (world, http, audit):
        game = await world.create(await world.players(3))
        assert await audit.check(game) == []
        assert (await figures(http))("turnlog_replay_checks_total", result="too_long") == 1


async def test_an_audit_that_fails_harms_nothing(logged):
    async with audited() as (world, http, audit):
        assert await audit.check("no such game") == []
        assert (await figures(http))("turnlog_replay_checks_total", result="failed") == 1
        assert [line["log_level"] for line in logged if line["event"] == "replay_check_failed"] == ["warning"]
        assert world.services.checks()["background"]


async def test_the_server_answers_while_a_game_is_audited():
    async with audited() as (world, http, audit):
        game = await world.create(await world.players(3))
        await world.play(game, 40)
        auditing = asyncio.create_task(audit.check(game))
        answers = 0
        while not auditing.done():
            assert (await http.get(f"/v1/games/{game}")).status_code == 200
            answers += 1
        assert await auditing == []
        assert answers > 1
