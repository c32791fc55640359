"""A filled database for each test."""

import pytest

from tests.integration.backup.kit import fill


@pytest.fixture
async def filled(tmp_path):
    path = str(tmp_path / "games.db")
    await fill(path)
    return path
