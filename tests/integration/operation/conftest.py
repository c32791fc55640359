"""No test may log an error that it does not ask for."""

import pytest
import structlog
from structlog.testing import capture_logs


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
