"""An app on a database in memory for each test; none may log an error that it does not ask for."""

import pytest
import structlog
from structlog.testing import capture_logs

from server.app import create_app
from server.services import Services
from server.settings import Settings
from tests.integration.http.kit import Api, client_of


@pytest.fixture
def expected_errors():
    """Names of errors that a test expects in the log; it adds them."""
    return set()


@pytest.fixture(autouse=True)
def logged(expected_errors):
    """What is logged in the test."""
    with capture_logs(processors=[structlog.contextvars.merge_contextvars]) as logs:
        yield logs
    errors = {line["event"] for line in logs if line["log_level"] in ("error", "critical")}
    assert errors == expected_errors, logs


@pytest.fixture
async def services(anyio_backend, tmp_path):
    return Services.open(Settings(database=":memory:", heads_key=str(tmp_path / "heads.key")))


@pytest.fixture
async def api(services):
    app = create_app(services)
    async with app.lifespan(), client_of(app) as client:
        yield Api(client)


@pytest.fixture
async def admin(api, services):
    """The token of an operator."""
    _, token = await services.records.sign_up("operator", ("watch", "play", "organise", "admin"))
    return token
