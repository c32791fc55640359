"""kill -9 of a real server at random moments, under load: what was told is kept, and the games go on."""

import asyncio
import json
import random
from collections import Counter

import pytest

from events.sqlite import SqliteStore
from events.sqlite_file import SqliteFile
from projections.history import open_game
from projections.lobby import Lobby, Search
from projections.verify import verify
from server.catalogue import Catalogue
from tests.integration.hardening.crash_child import Servers
from tests.integration.hardening.crash_kit import Ledger, Streamer, Web

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SEED = 20261130
TABLES = 2


async def test_nothing_told_is_lost_however_often_the_server_is_killed(tmp_path, request, anyio_backend):
    crashes = request.config.getoption("--crashes")
    servers = Servers(tmp_path, snapshot_events=16, subscriptions_max=10_000)  # a long run follows hundreds of games
    servers.start()

    async def kill(_):
        servers.kill()
        servers.start()

    ledger, streamers = await under_load(servers.port, TABLES, crashes, kill)
    assert servers.stop() == 0
    check_logged(servers.log)
    assert servers.killed == crashes
    assert min(streamer.resumed for streamer in streamers) > 1
    database = SqliteFile(servers.settings.database)
    await check_log(database, SqliteStore(database), ledger)
    print(f"{crashes} kills, {told_of(ledger, streamers)}")  # noqa: T201 - shown with -s


async def under_load(port, tables, crashes, kill):
    """Have clients play at so many tables while `kill(chance)` is done so often: their ledger and streamers."""
    chance, ledger = random.Random(SEED), Ledger()
    watcher = Streamer(port, ledger)
    streamers = [watcher]
    async with asyncio.TaskGroup() as group:
        watcher.task = group.create_task(watcher.run())
        playing = [group.create_task(table(port, ledger, streamers, group, n)) for n in range(tables)]
        await ledger.acks(2 * tables)
        for _ in range(crashes):
            before = len(ledger.acked)
            await ledger.acks(chance.choice((0, 0, 1, 1, 2, 3, 5, 8, 13)))
            await asyncio.sleep(chance.random() * 0.05)
            await kill(chance)
            await check_repeats(ledger, before)
        await ledger.acks(10)
        await caught_up(ledger, streamers)
        for client in [*playing, *(streamer.task for streamer in streamers)]:
            client.cancel()
    return ledger, streamers


def told_of(ledger, streamers):
    """What clients were told, and what they had to say twice."""
    resent = sum(client.resent for client in (*streamers, *ledger.webs))
    told = f"{len(ledger.acked)} answers, {len(ledger.told)} versions told, {len(ledger.games)} games"
    return f"{told}, {resent} requests sent again"


async def table(port, ledger, streamers, group, number):
    """Two people and a bot, who play one game after the other: one by HTTP, one over a socket."""
    chance = random.Random(SEED + number)
    async with Web(port, ledger) as web, Web(port, ledger) as other:
        await web.sign_up()
        await other.sign_up()
        streamer = Streamer(port, ledger, other.player, other.token, SEED - number)
        streamer.task = group.create_task(streamer.run())
        streamers.append(streamer)
        while True:
            wanted = {"ruleset": "tpoc", "seats": ["me", "open", "bot:random"]}
            game = (await web.command("POST", "/v1/games", wanted)).json()["game"]
            ledger.games.append(game)
            await streamers[0].follow(game)
            await other.command("POST", f"/v1/games/{game}/seats/1", {})
            await streamer.follow(game)
            await web.play(game, 0, chance)


async def check_repeats(ledger, before):
    """The newest answer from before the kill, and one of older ones: asked again, they are the same."""
    for acked in [one for one in ledger.acked[max(0, before - 5) :] if one.request is not None][-2:]:
        assert await acked.request[0].repeat(acked) == acked.response


async def caught_up(ledger, streamers):
    """Whoever looks on has all that anybody was told."""
    head = {game: max(one.version for one in ledger.acked if one.game == game) for game in ledger.games}
    # The timeout of the test is the limit.
    while any(streamers[0].versions.get(game, 0) < version for game, version in head.items()):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def check_log(database, store, ledger):
    """The database holds every game, whole and sound, and all that anybody was told of it."""
    rulesets = {name: entry.rules for name, entry in Catalogue.load().items()}
    log = {}
    for game in ledger.games:
        events = await store.read(game)
        assert [event.header.version for event in events] == list(range(1, len(events) + 1))
        verify(rulesets["tpoc"], events, await store.secret(game))
        assert await store.game_head(game) == (len(events), events[-1].digest)
        assert (await open_game(store, rulesets, game)).meta.digest == events[-1].digest
        log |= {(game, event.header.version): event for event in events}
    for place, digests in ledger.told.items():
        assert digests == {log[place].digest.hex()}, place
    await check_answers(store, ledger, log)
    positions = sorted(event.position for event in log.values())
    assert positions == list(range(1, await store.head() + 1))
    found, _ = await Lobby(database).search(Search(), limit=10_000)
    heads = {game: max(version for other, version in log if other == game) for game in ledger.games}
    assert {one["game"]: one["version"] for one in found} == heads
    assert await store.quarantined() == []
    await store.close()


async def check_answers(store, ledger, log):
    """Each answer told of an event that is there, was kept as it was given, and came of one event."""
    for acked in ledger.acked:
        assert acked.digest == log[acked.game, acked.version].digest.hex()
        kept = await store.command(acked.player, acked.key)
        assert acked.request is None or kept.response == acked.response
    done = [event.header.key for event in log.values() if event.header.kind in ("acted", "said")]
    assert [key for key, count in Counter(done).items() if count > 1 and key is not None] == []


def check_logged(log, expected=()):
    """No server found a fault in itself; `expected`: what it says while something else is away."""
    lines = [json.loads(line) for line in log.read_text().split("\n") if line.startswith("{")]
    assert lines
    assert [one for one in lines if one["level"] in ("error", "critical") and one["event"] not in expected] == []
