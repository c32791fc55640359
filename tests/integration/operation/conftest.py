"""No test may log an error that it does not ask for; a log that is signed."""

import pytest
import structlog
from structlog.testing import capture_logs

from tests.integration.operation.signing_kit import Place


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
def place(tmp_path):
    """Where the log is; `node(**settings)` is a process on it, and `tamper(sql, …)` a hand in its file."""
    return Place(tmp_path)
