"""What all tests share.

Tests run in random order; `pytest --randomly-seed=N`, with the seed that pytest-randomly prints, repeats it. Under
`make test` they run in several processes, so a test may rely on no other having run.
"""

import asyncio
from collections.abc import Iterator

import hypothesis
import pytest

from events.migrations import migrate
from tests import services

# A deadline would be a timed assertion: it fails on a busy machine and proves nothing.
hypothesis.settings.register_profile("turnlog", deadline=None, print_blob=True)
hypothesis.settings.load_profile("turnlog")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the loop that the server runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[services.Databases]:
    """A PostgreSQL server of this test process, to make databases on."""
    with services.postgres() as dsn:
        yield services.Databases(dsn)


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The URL of a Redis server of this test process."""
    with services.redis() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres: services.Databases) -> Iterator[str]:
    """The DSN of a database with the tables of the log, to be copied."""
    with postgres.one() as dsn:
        asyncio.run(migrate(dsn, {}))
        yield dsn


@pytest.fixture
def postgres_log(postgres: services.Databases, postgres_template: str) -> Iterator[str]:
    """The DSN of a database with an empty log."""
    with postgres.one(postgres_template) as dsn:
        yield dsn


@pytest.fixture(scope="session")
def postgres_server_template(postgres: services.Databases) -> Iterator[str]:
    """The DSN of a database with all tables of the server, to be copied."""
    from server.cli.database import db_migrate  # noqa: PLC0415 - most tests need no server

    with postgres.one() as dsn:
        asyncio.run(db_migrate(database=dsn))
        yield dsn


@pytest.fixture
def postgres_database(postgres: services.Databases, postgres_server_template: str) -> Iterator[str]:
    """What `Settings.database` is for an empty server on PostgreSQL, alone or with others."""
    with postgres.one(postgres_server_template) as dsn:
        yield dsn


@pytest.fixture
def postgres_dsn(postgres: services.Databases) -> Iterator[str]:
    """The DSN of an empty database."""
    with postgres.one() as dsn:
        yield dsn


def pytest_addoption(parser: pytest.Parser) -> None:
    """How much is tried: more, or other games, than in the ordinary run."""
    parser.addoption("--positions", type=int, default=1000, help="positions that each property is tested on, a ruleset")
    parser.addoption("--cross", action="store_true", help="games under all settings in turn, not under pairs of them")
    parser.addoption("--crashes", type=int, default=25, help="how often a server under load is killed")
    parser.addoption("--flips", type=int, default=10_000, help="bits of a stored game that are flipped, one at a time")
    parser.addoption("--requests", type=int, default=3000, help="requests made up from the OpenAPI document")
    parser.addoption("--seeds", type=int, default=200, help="seeds of the simulation")
    parser.addoption("--first-seed", type=int, default=0, help="seed of the first game of each property and ruleset")
