"""Who waits for a version of a followed game: kept no longer than it waits, and told truly why it waited in vain."""

import asyncio
from types import SimpleNamespace

import pytest

from events.store import StoreFailed
from server import worker as workers
from server.problems import Problem
from server.waiters import Waiters
from server.worker import Worker


class Delayed(Worker):
    """A worker some seconds behind a game at version 3; while `log_away` its log cannot be read."""

    def __init__(self):
        super().__init__("game", SimpleNamespace(), lambda _: None, lambda _: None, delay_s=5)
        self.log_away = True
        self.advanced = asyncio.Event()

    async def _open(self):
        self.live = SimpleNamespace(meta=SimpleNamespace(version=3))

    async def _advance(self):
        self.advanced.set()
        if self.log_away:
            raise StoreFailed("away")


@pytest.fixture
async def delayed(monkeypatch):
    monkeypatch.setattr(workers, "AGED_S", 0.02)
    monkeypatch.setattr(workers, "LOG_AWAY_S", 0.001)
    worker = Delayed()
    running = asyncio.create_task(worker.run())
    yield worker
    running.cancel()
    await asyncio.wait([running])


async def refusal(worker, version):
    with pytest.raises(Problem) as refused:
        await worker.caught_up(version)
    assert refused.value.code == "unavailable"
    return refused.value.detail


async def test_who_waited_in_vain_is_not_kept():
    waiters = Waiters()
    with pytest.raises(TimeoutError):
        await waiters.wait(4, 0.001)
    cancelled = asyncio.create_task(waiters.wait(4, None))
    await asyncio.sleep(0)
    assert len(waiters._wanted) == 1
    cancelled.cancel()
    waiters.reach(4)  # before it knows
    await asyncio.wait([cancelled])
    assert cancelled.cancelled()
    assert not waiters._wanted


async def test_a_version_lets_go_on_who_waits_for_it_or_one_before_it():
    waiters = Waiters()
    waits = [asyncio.create_task(waiters.wait(version, None)) for version in (4, 5, 6)]
    await asyncio.sleep(0)
    waiters.reach(5)
    await asyncio.wait(waits[:2])
    assert [wait.done() for wait in waits] == [True, True, False]
    assert len(waiters._wanted) == 1
    waiters.reach(6)
    await waits[2]


async def test_a_worker_keeps_nobody_who_waited_in_vain(delayed):
    await refusal(delayed, 4)
    assert not delayed._waiters._wanted


async def test_while_the_log_is_away_a_delayed_subscriber_is_told_that_and_not_of_the_clock(delayed):
    assert "database does not answer" in await refusal(delayed, 4)
    delayed.log_away = False
    delayed.advanced.clear()
    await delayed.advanced.wait()
    assert "version 3 by this server's clock" in await refusal(delayed, 4)
