"""What the tests on PostgreSQL share: an opened store on a database of its own."""

import pytest

from tests.integration.store_kit import PostgresKit


@pytest.fixture
async def kit(postgres_log):
    async with PostgresKit.opened(postgres_log) as made:
        yield made


@pytest.fixture
def store(kit):
    return kit.store
