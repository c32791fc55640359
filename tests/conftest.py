"""What all tests share.

Tests run in random order; `pytest --randomly-seed=N`, with the seed that pytest-randomly prints, repeats it. Under
`make test` they run in several processes, so a test may rely on no other having run.
"""

import hypothesis
import pytest

# A deadline would be a timed assertion: it fails on a busy machine and proves nothing.
hypothesis.settings.register_profile("turnlog", deadline=None, print_blob=True)
hypothesis.settings.load_profile("turnlog")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, the loop that the server runs on."""
    return "asyncio"
