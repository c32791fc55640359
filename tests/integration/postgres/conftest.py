"""What the tests on PostgreSQL share: an opened store on a database of its own."""

import pytest

from tests.integration.store_kit import PostgresKit


@pytest.fixture
async def kit(postgres_log):
    made = PostgresKit(postgres_log)
    await made.open()
    yield made
    await made.store.close()


@pytest.fixture
def store(kit):
    return kit.store
