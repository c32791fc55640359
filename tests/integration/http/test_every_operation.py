"""Every operation of the API answers with success, in the shape that it declares."""

from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from games import tpoc
from server.operations import NDJSON
from server.replays import MEDIA_TYPE
from tests.integration.http.kit import OPERATIONS


async def test_every_operation_answers_in_the_shape_it_declares(api, admin, services):
    player, ada = await api.player()
    _, bob = await api.player("Bob")
    await everything_beside_games(api, player, ada, admin)
    await seats_and_invites(api, ada, bob)
    await playing(api, ada, admin)
    await rewinding(api, ada, bob)
    await agreeing(api, ada, bob)
    game = await api.game(ada, ["me", "open", "bot:random"])
    await api.post(f"/v1/games/{game}/seats/1", bob)
    asked = await api.post(f"/v1/games/{game}/proposals", ada, {"what": "abandon"})
    await services.runner.catch_up()
    owed = (await api.get("/v1/me/decisions", bob))["proposals"]
    assert [(one["game"], one["proposal"]) for one in owed] == [(game, asked["proposal"])]
    clock = services.games.clock

    async def wait(seconds):
        services.games.clock = Later(clock, seconds)

    await claiming(api, ada, bob, wait)
    await after_the_end(api, player, ada)

    async def signed():
        return (await services.signer.sign()).size

    await signed_log(api, ada, signed)
    missing = [(one.method, one.path) for one in OPERATIONS if (one.method, one.path) not in api.used]
    assert missing == []


async def everything_beside_games(api, player, ada, admin):
    await api.get(f"/v1/players/{player}")
    assert (await api.get("/v1/me", ada))["player"] == player
    token = await api.post("/v1/tokens", ada, {"scopes": ["watch"], "label": "screen"})
    assert [one["label"] for one in (await api.get("/v1/tokens", ada))["tokens"]] == ["sign-up", "screen"]
    await api.send("DELETE", f"/v1/tokens/{token['id']}", token=ada)
    assert (await api.post("/v1/tickets", ada))["ticket"].startswith("tt_")
    assert [one["ruleset"] for one in (await api.get("/v1/rulesets"))["rulesets"]] == [
        "block_mania",
        "host_tournament",
        "portland_occupied_zone",
        "tpoc",
        "world_war_zed",
    ]
    ruleset = await api.get("/v1/rulesets/tpoc")
    house = (Path(tpoc.__file__).parent / "content" / "tpoc-house-1.json").read_bytes()
    digest = sha256(house).hexdigest()
    assert ruleset["packs"][0]["digest"] == digest
    pack = await api.send("GET", f"/v1/rulesets/tpoc/content/{digest}")
    assert pack.content == house
    assert pack.headers["etag"] == f'"{digest}"'
    other = house.replace(b"tpoc-house-1", b"tpoc-house-x")
    name = sha256(other).hexdigest()
    await api.send("PUT", f"/v1/rulesets/tpoc/content/{name}", token=admin, content=other)
    assert (await api.send("GET", f"/v1/rulesets/tpoc/content/{name}")).content == other
    for path in ("/health/live", "/health/ready", "/schema", "/schema/openapi.json", "/problems/not_found"):
        await api.send("GET", path)
    await api.send("GET", "/metrics", token=admin)


async def seats_and_invites(api, ada, bob):
    game = await api.game(ada, ["me", "open", "open"], visibility="private")
    invite = await api.post(f"/v1/games/{game}/invites", ada)
    seen = await api.get(f"/v1/games/{game}", bob, headers={"Turnlog-Invite": invite["code"]})
    assert seen["status"] == "open"
    await api.post(f"/v1/games/{game}/seats/1", bob, {"entropy": "c0ffee", "invite": invite["code"]})
    await api.send("DELETE", f"/v1/games/{game}/seats/1", token=bob)
    await api.post(f"/v1/games/{game}/seats/2", ada, {"bot": "random"})
    started = await api.post(f"/v1/games/{game}/start", ada, {"fill": "bot:random"})
    assert started["status"] == "running"
    assert started["seats"][1] == {"seat": 1, "player": "bot:random", "bot": True}


async def playing(api, ada, admin):
    game = await api.game(ada, seed="playing")
    assert (await api.get(f"/v1/games/{game}/view?seat=0", ada))["reader"] == 0
    action = (await api.legal(game, ada))[0]
    assert await api.post(f"/v1/games/{game}/check", ada, {"seat": 0, "action": action}) == {"legal": True}
    assert len((await api.get("/v1/me/decisions", ada))["decisions"]) >= 0
    await api.act(game, ada)
    repair = {"reason": "The player asked for it.", "seat": 1, "action": (await api.legal(game, ada, 1))[0]}
    await api.post(f"/v1/games/{game}/repairs", admin, repair, headers={"If-Match": "*"})
    said = await api.post(f"/v1/games/{game}/messages", ada, {"words": "Hello, table.", "seat": 0})
    message = f"/v1/games/{game}/messages/{said['version']}"
    assert (await api.get(message))["words"] == "Hello, table."
    await api.send("DELETE", message, token=ada)
    await api.refused("not_found", "GET", message)
    events = await api.get(f"/v1/games/{game}/events?proof=true", ada)
    assert [event["version"] for event in events["events"]] == list(range(1, events["version"] + 1))
    lines = await api.send("GET", f"/v1/games/{game}/events", token=ada, headers={"Accept": NDJSON})
    assert len(lines.text.splitlines()) == events["version"]


async def rewinding(api, ada, bob):
    game = await api.game(ada, ["me", "open", "bot:random"], undo="fair")
    await api.post(f"/v1/games/{game}/seats/1", bob)
    newest = {"If-Match": "*"}
    await api.act(game, ada)
    await api.act(game, bob, 1)
    asked = await api.post(f"/v1/games/{game}/undo", ada, {"to": 5}, headers=newest)
    await api.send("DELETE", f"/v1/games/{game}/undo/{asked['request']['id']}", token=ada)
    asked = await api.post(f"/v1/games/{game}/undo", ada, {"to": 5}, headers=newest)
    done = await api.post(f"/v1/games/{game}/undo/{asked['request']['id']}/answer", bob, {"accept": True})
    assert done["request"] is None
    alone = await api.game(ada, seed="alone")
    await api.act(alone, ada)
    before = await api.get(f"/v1/games/{alone}/view?seat=0", ada)
    await api.post(f"/v1/games/{alone}/undo", ada, {"seat": 0}, headers=newest)
    after = await api.post(f"/v1/games/{alone}/redo", ada, {"seat": 0}, headers=newest)
    assert after["view"] == before["view"]


async def agreeing(api, ada, bob):
    clock = {"bank_s": 600, "pause_s": 60, "vacation_s": 60, "seats": {"1": {"move_s": 86400}}}
    given = {"clock": clock, "on_timeout": "remind", "policies": {"abandon": "most"}}
    game = await api.game(ada, ["me", "open", "bot:random"], **given)
    await api.post(f"/v1/games/{game}/seats/1", bob)
    seen = await api.get(f"/v1/games/{game}")
    assert (seen["clock"]["bank_s"], seen["on_timeout"], seen["clocks"]["seats"][2]) == (
        600,
        {"policy": "remind"},
        None,
    )
    for what in ("pause", "resume"):
        asked = await api.post(f"/v1/games/{game}/proposals", ada, {"what": what})
        await api.send("DELETE", f"/v1/games/{game}/proposals/{asked['proposal']['id']}", token=ada)
        asked = await api.post(f"/v1/games/{game}/proposals", ada, {"what": what})
        await api.post(f"/v1/games/{game}/proposals/{asked['proposal']['id']}/answer", bob, {"accept": True})
        if what == "pause":
            assert (await api.get(f"/v1/games/{game}"))["clocks"]["paused"]
            body = {"seat": 0, "action": {"action": "resign"}}
            newest = {"If-Match": "*"}
            await api.refused("game_paused", "POST", f"/v1/games/{game}/actions", ada, body, headers=newest)
    await api.post(f"/v1/games/{game}/vacation", ada, {})
    await api.post(f"/v1/games/{game}/vacation/end", ada, {})
    await api.refused("proposal_refused", "POST", f"/v1/games/{game}/vacation/end", ada, {})
    await api.refused("not_overdue", "POST", f"/v1/games/{game}/claims", bob, {"seat": 0})
    await api.post(f"/v1/games/{game}/seats/1/offer", bob, {})
    eve_id, eve = await api.player("Eve")
    taken = await api.post(f"/v1/games/{game}/seats/1/substitute", eve)
    assert taken["seats"][1]["player"] == eve_id
    assert (await api.get(f"/v1/games/{game}/view?seat=1", eve))["clocks"]["seats"][1]["left_ms"] > 86_000_000
    await api.refused("not_allowed", "GET", f"/v1/games/{game}/view?seat=1", bob)


async def claiming(api, ada, bob, wait):
    """A claim, after `wait(seconds)`."""
    game = await api.game(ada, ["me", "open", "bot:random"], clock={"bank_s": 1}, on_timeout="remind")
    await api.post(f"/v1/games/{game}/seats/1", bob)
    await wait(1.1)
    claimed = await api.post(f"/v1/games/{game}/claims", bob, {"seat": 0})
    assert claimed["clocks"]["seats"][0]["expirations"] == 1


class Later:
    """A clock that is ahead of another one."""

    def __init__(self, clock, seconds):
        self._clock = clock
        self._ahead = timedelta(seconds=seconds)

    def now(self):
        return self._clock.now() + self._ahead


async def after_the_end(api, player, ada):
    game = await api.game(ada)
    await api.set_up(game, ada)
    last = (await api.get(f"/v1/games/{game}"))["version"]
    await api.end(game, ada)
    proof = await api.get(f"/v1/games/{game}/proof")
    assert sha256(bytes.fromhex(proof["seed"])).hexdigest() == proof["seed_commitment"]
    await api.get("/v1/games")
    fork = await api.post(f"/v1/games/{game}/fork", ada, {"at": last, "seats": ["me", "me", "me"]})
    assert (fork["sandbox"], fork["origin"]["version"]) == (True, last)
    await api.get("/v1/results")
    await api.get(f"/v1/players/{player}/results")
    replay = await api.send("GET", f"/v1/games/{game}/replay")
    content = {"Content-Type": MEDIA_TYPE, "Accept-Encoding": "gzip"}
    kept = await api.post("/v1/replays", ada, content=replay.content, headers=content)
    where = f"/v1/replays/{kept['replay']}"
    assert (await api.send("GET", where)).content == replay.content
    assert (await api.get(f"{where}/view?at={last}&seat=all"))["reader"] == "all"
    fork = await api.post(f"{where}/fork", ada, {"at": last, "seats": ["me", "open", "open"]})
    assert (fork["origin"]["replay"], fork["origin"]["game"]) == (kept["replay"], game)
    begun = await api.post(f"/v1/games/{fork['game']}/start", ada, {"fill": "bot:random"})
    assert begun["status"] == "running"
    assert (await api.get(f"{where}/events?after=2&limit=1"))["events"][0]["version"] == 3


async def signed_log(api, ada, signed):
    """`signed` has the server sign a head after the one before, and gives its size."""
    game = await api.game(ada)
    old = await signed()
    await api.act(game, ada)
    new = await signed()
    assert old in [one["size"] for one in (await api.get("/v1/heads"))["heads"]]
    head = await api.get(f"/v1/heads/{new}")
    text = (await api.send("GET", f"/v1/heads/{new}", headers={"Accept": "text/plain"})).text
    assert head["note"] == text
    proof = await api.get(f"/v1/heads/{new}/consistency?from={old}")
    assert (proof["old"], len(proof["hashes"]) > 0) == (old, True)
    assert (await api.get(f"/v1/games/{game}/inclusion", ada))["size"] >= new
