"""A damaged log is found out and named, and nothing else suffers: no other game, no list, no start."""

import random
import re
from collections import Counter

import pytest
from structlog.testing import capture_logs

from events.digest import salt_key
from events.event import Header, NewEvent, Undecodable, seal
from events.feed import Moved
from events.store import Append, decode_row
from projections.verify import UnsoundError, verify
from server.app import create_app
from server.catalogue import Catalogue
from server.services import Services
from server.settings import Settings
from tests.integration.http.kit import Api, client_of
from tests.integration.stream.kit import running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SEED = 20261130
RULESETS = {name: entry.rules for name, entry in Catalogue.load().items()}
#: Games that are read over HTTP with one flipped bit in each.
READ_OVER_HTTP = 40


@pytest.fixture
async def site(tmp_path, anyio_backend):
    """A server on a file: (services, api); none may log an error but `game_unreadable`."""
    with capture_logs() as logs:
        services = Services.open(Settings(database=str(tmp_path / "turnlog.db"), snapshot_events=10**6))
        app = create_app(services)
        async with app.lifespan(), client_of(app) as client:
            yield services, Api(client)
    faults = {line["event"] for line in logs if line["log_level"] in ("error", "critical")}
    assert faults <= {"game_unreadable"}, logs


async def play(api, token, *, end):
    """A game with undo, talk and, if it is to end, a resignation."""
    game = await api.game(token, seed="corruption")
    await api.set_up(game, token)
    for _ in range(4):
        decisions = (await api.get(f"/v1/games/{game}"))["deciding"]
        await api.act(game, token, decisions[0])
    await api.post(f"/v1/games/{game}/messages", token, {"words": "Hello.", "seat": 0})
    await api.post(f"/v1/games/{game}/undo", token, {"seat": 0, "to": 8}, headers={"If-Match": "*"})
    if end:
        await api.end(game, token)
    return game


async def rows_of(services, game):
    """The rows of a game: position, game, version, data, digest; and its seed and head."""
    sql = "select position, game, version, data, digest from events where game = ? order by version"
    store = services.store
    return services.database.read_now(sql, (game,)), await store.secret(game), await store.game_head(game)


def flipped(value, bit):
    """A stored value with one bit turned over; text may become no text at all."""
    if isinstance(value, int):
        return value ^ 1 << bit % 16
    data = bytearray(value.encode() if isinstance(value, str) else value)
    data[bit // 8 % len(data)] ^= 1 << bit % 8
    return data.decode("latin-1") if isinstance(value, str) else bytes(data)


def flip(rows, seed, head, chance):
    """A copy with one bit flipped in proportion to where the bits are; (what, rows, seed, head)."""
    rows, number = list(rows), chance.randrange(len(rows))
    what = chance.choices(("data", "digest", "game", "version", "seed", "head"), (80, 10, 3, 3, 2, 2))[0]
    bit = chance.randrange(1 << 20)
    if what == "seed":
        return what, rows, flipped(seed, bit), head
    if what == "head":
        return what, rows, seed, (flipped(head[0], bit), head[1]) if bit % 2 else (head[0], flipped(head[1], bit))
    row = list(rows[number])
    column = {"game": 1, "version": 2, "data": 3, "digest": 4}[what]
    row[column] = flipped(row[column], bit)
    rows[number] = tuple(row)
    return what, rows, seed, head


def found(game, rows, seed, head):
    """How a damaged game is found out by reading and verifying it, and the sentence that names it; None: it is not."""
    try:
        # As the store reads it: the rows of this game, by version.
        events = [decode_row(row) for row in sorted((r for r in rows if r[1] == game), key=lambda row: row[2])]
        report = verify(RULESETS["tpoc"], events, seed)
    except Undecodable as error:
        return "unreadable", str(error)
    except UnsoundError as error:
        return "unsound", str(error)
    if (report.version, bytes.fromhex(report.head)) == head:
        return None
    return "not its head", f"version {head[0]}"


@pytest.mark.parametrize("end", [True, False], ids=["ended", "running"])
async def test_every_flipped_bit_is_found_and_named(site, request, end):
    services, api = site
    _, token = await api.player()
    game = await play(api, token, end=end)
    rows, seed, head = await rows_of(services, game)
    assert found(game, rows, seed, head) is None
    chance, ways = random.Random(SEED), Counter()
    for number in range(request.config.getoption("--flips") // 2):
        what, *damaged = flip(rows, seed, head, chance)
        way, sentence = found(game, *damaged) or (None, "")
        assert way is not None, (number, what)
        assert re.search(r"version \d", sentence), sentence
        ways[what, way] += 1
    assert {what for what, _ in ways} == {"data", "digest", "game", "version", "seed", "head"}
    print(dict(ways))  # noqa: T201 - shown with -s


def damage(services, position, data):
    """Change a stored event, as a failing disk does: behind the back of the triggers."""

    def write(connection):
        found = connection.execute("select sql from sqlite_schema where name = 'events_are_not_updated'")
        (trigger,) = found.fetchone()
        connection.execute("drop trigger events_are_not_updated")
        connection.execute("update events set data = ? where position = ?", (data, position))
        connection.execute(trigger)

    return services.database.write_now(write)


READS = ("", "/view?seat=0", "/view?at=7", "/actions?seat=0", "/events?proof=true", "/replay", "/proof")


async def test_a_game_with_a_flipped_bit_is_unavailable_and_the_others_are_not(site):
    services, api = site
    _, token = await api.player()
    sound, broken = await play(api, token, end=False), await play(api, token, end=False)
    rows, _, _ = await rows_of(services, broken)
    chance, statuses = random.Random(SEED), Counter()
    headers = {"Authorization": f"Bearer {token}", "If-Match": "*"}
    for _ in range(READ_OVER_HTTP):
        position, _, version, data, _ = chance.choice(rows)
        await damage(services, position, flipped(data, chance.randrange(1 << 20)))
        for cold in (True, False):
            if cold:
                services.games.forget(broken)
            for path in READS:
                response = await api.client.get(f"/v1/games/{broken}{path}", headers=headers)
                statuses[response.status_code] += 1
                assert response.status_code in (200, 503), (version, path, response.text)
                if response.status_code == 503:
                    problem = response.json()
                    assert problem["code"] == "unavailable"
                    assert "damaged" in problem["detail"]
        await damage(services, position, data)
    assert statuses[503] > READ_OVER_HTTP
    services.games.forget(broken)
    for game in (sound, broken):
        await api.act(game, token, (await api.get(f"/v1/games/{game}"))["deciding"][0])


async def test_a_missing_version_is_noticed_when_the_game_is_opened(site, monkeypatch):
    services, api = site
    _, token = await api.player()
    game = await play(api, token, end=False)
    read = services.store.read

    async def reading(name, after=0, until=None):
        return [event for event in await read(name, after, until) if event.header.version != 8]

    monkeypatch.setattr(services.store, "read", reading)
    services.games.forget(game)
    for path in ("", "/view?at=9"):
        await api.refused("unavailable", "GET", f"/v1/games/{game}{path}")
    monkeypatch.undo()
    await api.get(f"/v1/games/{game}")


async def append(services, game, kind, effects=()):
    """Append an event that a newer program would write, well sealed."""
    store = services.store
    version, digest = await store.game_head(game)
    header = Header(game, version + 1, kind, "2030-01-01T00:00:00.000000Z", "server", rules="tpoc/9")
    new = NewEvent(header, details=b'{"kind":"%b"}' % kind.encode(), effects=effects)
    event = seal(new, digest, salt_key(await store.secret(game)))
    appended = await store.append(Append(game, version, (event,)))
    services.games.forget(game)
    services.feed.announce(Moved(game, version + 1, appended.position))


@pytest.mark.parametrize(
    ("kind", "effects"),
    [
        ("from_the_future", ()),
        ("acted", (b'{"effect":"from_the_future"}',)),
        ("acted", (b'{"effect":"card_drawn","x":[]}',)),
    ],
    ids=["kind", "effect", "content"],
)
async def test_an_event_from_the_future_stops_no_start_no_projector_and_no_other_game(site, kind, effects):
    services, api = site
    _, token = await api.player()
    newer, sound = await play(api, token, end=False), await play(api, token, end=False)
    await append(services, newer, kind, effects)
    await api.refused("unavailable", "GET", f"/v1/games/{newer}")
    await api.refused("unavailable", "POST", f"/v1/games/{newer}/resign", token, {"seat": 0})
    await api.act(sound, token, (await api.get(f"/v1/games/{sound}"))["deciding"][0])
    later = await api.game(token)
    await services.runner.catch_up()
    listed = {one["game"] for one in (await api.get("/v1/games"))["games"]}
    assert listed == {newer, sound, later}
    assert {one["game"] for one in (await api.get("/v1/me/decisions", token))["decisions"]} <= {sound, later}
    await services.stop()
    again = Services.open(services.settings)
    async with create_app(again).lifespan(), client_of(create_app(again)) as client:
        other = Api(client)
        assert {one["game"] for one in (await other.get("/v1/games"))["games"]} == {newer, sound, later}
        await other.refused("unavailable", "GET", f"/v1/games/{newer}")
        await other.get(f"/v1/games/{sound}")
        await again.runner.rebuild("lobby")
        await again.runner.rebuild("results")
        head = await again.store.head()
        assert {one.position for one in await again.runner.status()} == {head}


async def test_a_damaged_event_stops_no_start_and_no_projector(site):
    services, api = site
    _, token = await api.player()
    broken, sound = await play(api, token, end=False), await play(api, token, end=True)
    rows, _, _ = await rows_of(services, broken)
    await services.runner.catch_up()
    await damage(services, rows[0][0], b"\x00")
    await damage(services, rows[5][0], rows[5][3].replace(b'"kind":', b'"kint":'))
    for name in ("lobby", "results"):
        await services.runner.rebuild(name)
    assert [one.position for one in await services.store.quarantined() if one.consumer == "read_all"]
    assert [one["game"] for one in (await api.get("/v1/games"))["games"]] == [sound]
    await services.stop()
    again = Services.open(services.settings)
    async with create_app(again).lifespan():
        assert again.checks()["background"]


async def test_a_damaged_game_says_so_on_the_stream_and_others_go_on():
    async with running() as world:
        players = await world.players(3)
        broken, sound = await world.create(players), await world.create(players)
        rows, _, _ = await rows_of(world.services, broken)
        await damage(world.services, rows[4][0], rows[4][3][:-1])
        world.games.forget(broken)
        async with world.client(players[0]) as client:
            refused = await client.subscribe(broken)
            assert (refused["type"], refused["problem"]["code"]) == ("refused", "unavailable")
            act = {"game": broken, "seat": 0, "action": {"action": "resign"}, "if_version": "*"}
            assert (await client.ask("act", **act))["problem"]["code"] == "unavailable"
            await client.subscribe(sound)
            await world.play(sound, 1)
            assert (await client.first("event"))["game"] == sound
