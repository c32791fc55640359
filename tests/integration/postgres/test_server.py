"""The whole server on PostgreSQL: alone, as two nodes, with text that PostgreSQL cannot hold, and while it is away."""

import asyncio
import re
from contextlib import asynccontextmanager
from urllib.parse import quote, urlsplit

import pytest

from server.app import create_app
from server.cli.database import db_migrate
from server.services import Services
from server.settings import Settings
from tests.integration.http.kit import OPERATIONS, Api, client_of, fresh_key
from tests.services import Databases, PostgresServer, execute

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@asynccontextmanager
async def node(database, **settings):
    """An Api on a node of its own."""
    services = Services.open(Settings(database=database, **settings))
    app = create_app(services)
    async with app.lifespan(), client_of(app) as client:
        yield Api(client)


async def test_nodes_that_start_at_the_same_time_on_an_empty_database_all_start(postgres_database):
    nodes = [Services.open(Settings(database=postgres_database)) for _ in range(4)]
    try:
        await asyncio.gather(*(node.prepare() for node in nodes))
        assert all([await node.runner.status() for node in nodes])
    finally:
        for node in nodes:
            await node.store.close()


async def test_no_table_that_a_node_makes_hides_one_of_the_log_or_the_shell(postgres_database):
    one, other = (Services.open(Settings(database=postgres_database)) for _ in range(2))
    await one.prepare()
    for table in ("events", "head", "tokens", "tree_keys"):
        await one.database.change(f"create table {table}(position integer, epoch integer)")
    await one.database.change("insert into models.head values (77, 77)")
    await other.prepare()
    assert (await other.store.head(), other.database.epoch) == (0, 1)
    assert await other.database.read("select hash from tokens") == []
    for node in (one, other):
        await node.store.close()


async def test_a_token_that_is_revoked_while_it_is_looked_up_is_not_believed_afterwards(postgres_database):
    services = Services.open(Settings(database=postgres_database))
    await services.prepare()
    records, read = services.records, services.database.read
    ada, secret = await records.sign_up("Ada", ("play",))
    token = (await records.tokens(ada.id, "", 1))[0].id

    async def read_and_revoke(*asked):
        rows = await read(*asked)
        services.database.read = read
        await records.revoke(ada.id, token)
        return rows

    services.database.read = read_and_revoke
    await records.caller(secret)
    assert await records.caller(secret) is None
    await services.store.close()


@pytest.fixture
def database_in_a_language(postgres_dsn):
    """A database whose locale knows small letters beyond A to Z."""
    name = f"{urlsplit(postgres_dsn).path[1:]}_spoken"

    dsn = postgres_dsn.replace(urlsplit(postgres_dsn).path, f"/{name}")
    asyncio.run(execute(postgres_dsn, f"create database {name} template template0 encoding 'UTF8' locale 'C.UTF-8'"))
    asyncio.run(db_migrate(database=dsn))
    yield dsn
    asyncio.run(execute(postgres_dsn, f"drop database {name} with (force)"))


async def named(api, text):
    return [one["game"] for one in (await api.get(f"/v1/games?text={quote(text)}"))["games"]]


async def test_names_are_found_by_their_letters_whatever_the_locale(database_in_a_language):
    async with node(database_in_a_language) as api:
        _, ada = await api.player()
        game = await api.game(ada, name="Élan VITAL")
        async with asyncio.timeout(10):
            while await named(api, "vital") != [game]:  # noqa: ASYNC110 - the list follows by itself
                await asyncio.sleep(0.05)
        assert [await named(api, text) for text in ("Élan", "ÉLAN v", "É", "é")] == [[game], [game], [game], []]


async def test_a_game_that_is_played_on_two_nodes_is_one_game_and_outlives_them(postgres_database):
    async with node(postgres_database) as one, node(postgres_database) as two:
        _, ada = await one.player()
        game = await one.game(ada)
        await one.act(game, ada, 0)
        key = fresh_key()
        body = {"seat": 1, "action": (await two.legal(game, ada, 1))[0]}
        headers = {"If-Match": "*", "Idempotency-Key": key}
        told = await two.post(f"/v1/games/{game}/actions", ada, body, headers=headers)
        again = await one.post(f"/v1/games/{game}/actions", ada, body, headers=headers)
        assert again == told
        await one.act(game, ada, 2)
        versions = [(await api.get(f"/v1/games/{game}"))["version"] for api in (one, two)]
        assert versions[0] == versions[1]
    async with node(postgres_database) as three:
        assert (await three.get(f"/v1/games/{game}"))["version"] == versions[0]
        listed = await three.get("/v1/games", ada)
        assert [one["game"] for one in listed["games"]] == [game]


async def test_names_with_a_nul_are_refused_and_no_fault_of_ours(postgres_database):
    async with node(postgres_database) as api:
        _, ada = await api.player()
        for declared in OPERATIONS:
            path = declared.path.replace(":str", "").replace(":int", "")
            address = re.sub(r"\{\w+\}", "a%00b", path)
            queries = declared.query.__struct_fields__ if declared.query is not None else ()
            for query in ("", *(f"?{name}=%00" for name in queries)):
                if "%00" not in address + query:
                    continue
                content = b"{}" if declared.body is not None else None
                headers = {"Authorization": f"Bearer {ada}", "If-Match": "*"}
                response = await api.client.request(declared.method, address + query, content=content, headers=headers)
                assert response.status_code < 500, (address + query, response.text)


@pytest.fixture
def private():
    with PostgresServer() as server, Databases(server.dsn).one() as dsn:
        asyncio.run(db_migrate(database=dsn))
        yield server, dsn


async def test_while_postgresql_is_away_requests_are_put_off_and_nothing_is_lost(private):
    server, database = private
    async with node(database, database_patience_s=0.3) as api:
        _, ada = await api.player()
        game = await api.game(ada)
        await api.act(game, ada, 0)
        before = await api.get(f"/v1/games/{game}", ada)
        body = {"seat": 1, "action": (await api.legal(game, ada, 1))[0]}
        server.kill()
        headers = {"If-Match": "*", "Idempotency-Key": fresh_key()}
        for _ in range(2):
            response = await api.send(
                "POST", f"/v1/games/{game}/actions", token=ada, body=body, headers=headers, status=503
            )
            assert int(response.headers["retry-after"]) >= 1
        assert (await api.client.get("/health/ready")).status_code == 503
        server.start()
        async with asyncio.timeout(20):
            while (await api.client.get("/health/ready")).status_code != 200:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)
        told = await api.post(f"/v1/games/{game}/actions", ada, body, headers=headers)
        assert told["version"] == before["version"] + 1
