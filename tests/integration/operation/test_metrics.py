"""What /metrics tells, to whom, and that it is neither a secret nor without bounds."""

import asyncio
import re
from pathlib import Path

import pytest

from events.store import StoreFailed
from server.metrics import COUNTER, GAUGE, HISTOGRAM, METRICS
from server.outbox import Outbox
from tests.integration.operation.kit import Figures, bearing, figures, new_game, served, signed_up, token_of

pytestmark = pytest.mark.slow

#: No label may have more values than this, whatever clients do.
LABEL_VALUES_MAX = 120
UNITS = (
    "_total",
    "_seconds",
    "_events",
    "_writes",
    "_games",
    "_bytes",
    "_sockets",
    "_cached",
    "_running",
    "_ready",
    "_tasks",
    "_subscriptions",
    "_up",
    "_connected",
)


async def test_metrics_are_for_operators_alone():
    async with served() as (world, client):
        assert (await client.get("/metrics")).status_code == 401
        player = bearing(await token_of(world))
        assert (await client.get("/metrics", headers=player)).status_code == 403
        operator = bearing(await token_of(world, ("admin",)))
        response = await client.get("/metrics", headers=operator)
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"


async def test_a_setting_opens_them():
    async with served(metrics_open=True) as (_, client):
        accept = "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
        assert (await client.get("/metrics", headers={"Accept": accept})).status_code == 200


async def test_requests_problems_and_refusals_are_counted_by_names_of_ours():
    async with served(metrics_open=True) as (_, client):
        _, token = await signed_up(client)
        game = (await client.post("/v1/games", json=new_game(), headers=bearing(token))).json()["game"]
        await client.get(f"/v1/games/{game}")
        await client.get("/v1/games/none")
        await client.get("/wherever")
        await client.request("PROPFIND", "/v1/games")
        await client.get("/")
        rescue = {"seat": 0, "action": {"action": "rescue", "tile": "red/grey"}}
        headers = bearing(token) | {"If-Match": "*"}
        refused = (await client.post(f"/v1/games/{game}/actions", json=rescue, headers=headers)).json()
        told = await figures(client)
        requests = "turnlog_http_requests_total"
        assert told(requests, method="GET", route="/v1/games/{game}", status="200") == 1
        assert told(requests, method="GET", route="/v1/games/{game}", status="404") == 1
        assert told(requests, method="GET", route="none", status="404") == 1
        assert told(requests, method="GET", route="page", status="200") == 1
        assert told(requests, method="other", route="none", status="405") == 1
        assert told(requests, method="POST", route="/v1/players", status="201") == 1
        seconds = "turnlog_http_request_duration_seconds_count"
        assert told(seconds, method="GET", route="/v1/games/{game}") == 2
        assert told("turnlog_problems_total", code="not_found", channel="http") == 2
        assert refused["code"] == "illegal_action"
        assert told("turnlog_refusals_total", code="illegal_action", reason=refused["reason"]) == 1


async def test_the_log_and_the_database_are_measured():
    async with served(metrics_open=True) as (_, client):
        _, token = await signed_up(client)
        await client.post("/v1/games", json=new_game(), headers=bearing(token))
        await client.post("/v1/games", json=new_game(("me", "open", "open")), headers=bearing(token))
        told = await figures(client)
        assert told("turnlog_append_duration_seconds_count") == 2
        assert told("turnlog_commit_duration_seconds_count") >= 3
        assert told("turnlog_commit_batch_writes_sum") >= told("turnlog_commit_batch_writes_count") >= 3
        assert told("turnlog_commit_queue_writes") == 0
        assert told("turnlog_games_cached") == 2
        assert told("turnlog_ready", check="log") == told("turnlog_ready", check="background") == 1


async def test_the_lag_of_read_models_is_told_and_goes():
    async with served(metrics_open=True) as (world, client):
        await world.create(await world.players(3))
        await world.services.runner.catch_up()
        told = await figures(client)
        assert told("turnlog_games", status="running") == 1
        for name in ("lobby", "results"):
            assert f'turnlog_projection_lag_events{{projection="{name}"}} 0.0' in told.text


async def test_the_stream_is_measured():
    async with served(metrics_open=True) as (world, http):
        players = await world.players(3)
        game = await world.create(players)
        head = await world.version(game)
        async with world.client(players[0]) as live, world.client() as late:
            await live.subscribe(game)
            await late.subscribe(game, after=head - 3)
            await late.until(head)
            await world.play(game, 4)
            await live.until(head + 4)
            await late.until(head + 4)
            await live.send("nonsense")
            await live.first("refused")
            told = await figures(http)
            assert told("turnlog_stream_sockets") == 2
            assert told("turnlog_stream_games") == 1
            assert told("turnlog_stream_resume_gap_events_sum") == 3
            assert told("turnlog_stream_resume_gap_events_count") == 1
            assert told("turnlog_stream_fanout_duration_seconds_count") == 4
            sent = "turnlog_stream_messages_sent_total"
            assert told(sent, type="event") == 3 + 2 * 4
            assert told(sent, type="snapshot") == 1
            assert told(sent, type="welcome") == 2
            received = "turnlog_stream_messages_received_total"
            assert told(received, type="subscribe") == 2
            assert told(received, type="none") == 1
            assert told("turnlog_problems_total", code="invalid", channel="stream") == 1
            await world.revoke(players[0])
            await live.send("subscribe", game=game)
            assert await live.closed() == 4401
        await world.until(lambda: len(world.services.hub.sockets) == 0)
        told = await figures(http)
        assert told("turnlog_stream_closes_total", code="4401") == 1
        assert told("turnlog_stream_sockets") == 0


async def test_slow_readers_are_counted(monkeypatch):
    async with served(metrics_open=True) as (world, http):
        game = await world.create(await world.players(3))
        async with world.client() as client:
            await client.subscribe(game)
            monkeypatch.setattr(Outbox, "full", property(lambda _: True))
            await world.play(game, 1)
            skipped = await client.first("skipped")
            told = await figures(http)
            assert told("turnlog_stream_skips_total") == 1
            assert told("turnlog_stream_skipped_events_total") == skipped["to"] - skipped["from"] + 1


async def test_what_is_beyond_a_rate_is_counted():
    async with served(metrics_open=True, rate_reads_address_per_min=1) as (_, client):
        for _ in range(3):
            await client.get("/v1/games")
        told = await figures(client)
        assert told("turnlog_rate_limited_total", budget="reads", by="address") == 2
        assert told("turnlog_problems_total", code="rate_limited", channel="http") == 2
        assert told("turnlog_http_requests_total", method="GET", route="none", status="429") == 2


async def test_bots_and_searches_are_measured():
    async with served(metrics_open=True) as (world, http):
        _, token = await signed_up(http)
        game = new_game(("bot:search:2", "bot:random", "me"))
        game = (await http.post("/v1/games", json=game, headers=bearing(token))).json()["game"]
        async with world.client() as client:
            await client.subscribe(game, after=0)
            while (await client.first("event")).get("actor") != "bot:search:2":
                pass
        told = await figures(http)
        assert told("turnlog_searches_total", result="found") >= 1
        assert told("turnlog_search_duration_seconds_count") == told("turnlog_searches_total", result="found")


def absent(told):
    """Gauges of which nothing is told."""
    return {family.name for family in told.families if family.type == GAUGE and not family.samples}


async def unanswered(*_):
    """A database that never answers."""
    await asyncio.Event().wait()


async def refused(*_):
    raise StoreFailed("PostgreSQL does not answer")


@pytest.mark.parametrize("away", [unanswered, refused])
async def test_figures_are_told_while_the_database_is_away_and_those_of_it_are_absent(monkeypatch, logged, away):
    """The whole answer failed, so that the alerts on `turnlog_ready` could not see why nobody was served."""
    of_the_database = {"turnlog_signed_head_events", "turnlog_games", "turnlog_projection_lag_events"}
    async with served(metrics_open=True, metrics_database_s=0.01) as (world, client):
        services = world.services
        assert absent(await figures(client)) == set()
        with monkeypatch.context() as patched:
            patched.setattr(services.signer.heads, "latest", away)
            patched.setattr(services.lobby, "counts", away)
            patched.setattr(services.runner, "status", away)
            patched.setattr(services.store, "healthy", lambda: False)
            told = await figures(client)
            assert absent(told) == of_the_database
            assert 'turnlog_ready{check="log"} 0.0' in told.text
            assert 'turnlog_ready{check="background"} 1.0' in told.text
        told = await figures(client)
        assert absent(told) == set()
        assert 'turnlog_ready{check="log"} 1.0' in told.text
    assert {line["figure"] for line in logged if line["event"] == "figure_unknown"} == of_the_database


async def test_one_figure_that_cannot_be_read_leaves_the_others(monkeypatch):
    async with served(metrics_open=True) as (world, client):
        monkeypatch.setattr(world.services.lobby, "counts", refused)
        told = await figures(client)
    assert "turnlog_signed_head_events 0.0" in told.text
    assert 'turnlog_projection_lag_events{projection="lobby"}' in told.text
    assert "turnlog_games{" not in told.text


async def test_without_redis_nothing_is_cut_off():
    """The alert that Redis answers and brings no moves went off for ever where there is none."""
    async with served(metrics_open=True) as (_, client):
        told = await figures(client)
        assert (told("turnlog_redis_up"), told("turnlog_feed_connected")) == (1, 1)


async def test_the_process_and_the_build_are_told():
    async with served(metrics_open=True) as (_, client):
        told = await figures(client)
        assert told("process_resident_memory_bytes") > 0
        assert re.search(r'turnlog_build_info\{python="3[^"]*",version="[^"]+"\} 1.0', told.text)


async def test_every_figure_is_declared_and_told_once():
    async with served(metrics_open=True) as (_, client):
        families = {family.name: family for family in (await figures(client)).families}
    for metric in METRICS:
        family = families[metric.name.removesuffix("_total") if metric.kind == COUNTER else metric.name]
        assert (family.type, family.documentation) == (metric.kind, metric.tells)
        assert metric.kind in (COUNTER, GAUGE, HISTOGRAM)
        assert metric.name.startswith("turnlog_")
        assert metric.name.endswith(UNITS) or metric.name == "turnlog_games"


async def test_figures_hold_no_secret_and_no_id_and_do_not_grow_with_clients():
    async with served(metrics_open=True) as (world, client):
        secrets = []
        for n in range(5):
            player, token = await signed_up(client)
            game = (await client.post("/v1/games", json=new_game(), headers=bearing(token))).json()["game"]
            secrets += [player, token, game]
            await client.get(f"/v1/games/{game}/view?seat=0", headers=bearing(token))
            await client.get(f"/v1/nothing/{n}")
            await client.request(("PROPFIND", "MKCOL", "LOCK", "MOVE", "COPY")[n], f"/{n}")
            async with world.client() as socket:
                await socket.send(f"type{n}")
                await socket.first("refused")
        text = (await client.get("/metrics")).text
    for secret in secrets:
        assert secret not in text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text)
    told = Figures(text)
    values = {}
    for family in told.families:
        for sample in family.samples:
            for name, value in sample.labels.items():
                values.setdefault((family.name, name), set()).add(value)
    assert max(map(len, values.values())) <= LABEL_VALUES_MAX
    assert values["turnlog_http_requests", "method"] <= {"GET", "POST", "other"}
    assert values["turnlog_stream_messages_received", "type"] == {"hello", "none"}


async def test_the_log_of_requests_has_the_names_of_the_figures(logged):
    async with served() as (_, client):
        await client.get("/v1/games/none")
    (line,) = (line for line in logged if line["event"] == "request")
    assert (line["method"], line["route"], line["status"]) == ("GET", "/v1/games/{game}", 404)
    assert line["code"] == "not_found"
    assert 0 < line["duration_seconds"] < 60
    assert line["path"] == "/v1/games/none"


def test_every_place_that_counts_names_a_figure_that_there_is():
    declared = {metric.name for metric in METRICS}
    used = set()
    root = Path(__file__).parents[3]
    for path in (*(root / "server").rglob("*.py"), root / "events" / "shared_feed.py"):
        if path.name != "metrics.py":
            used |= set(re.findall(r'"(turnlog_[a-z_]+)"', path.read_text()))
    assert used == declared
