"""The limiter in Redis, held to the one in the process: on the same times they decide and tell the same."""

import asyncio
import signal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.redis_link import RedisLink, RedisOptions
from server.limits.gcra import LocalLimiter, Rate
from server.limits.redis_limiter import RedisLimiter
from server.meter import SILENT
from tests.integration.redis.kit import new_prefix
from tests.unit.limits.kit import Counted, SetClock, bucket

RATES = st.builds(Rate, st.integers(1, 2000), st.integers(1, 3600))
GAPS = st.integers(0, 5_000_000) | st.integers(0, 10**9)
#: Which of three policies are asked for at once, for whom, after how long.
TAKES = st.lists(
    st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True), st.sampled_from("ab"), GAPS),
    max_size=25,
)


class Broken:
    """No limiter to fall back on: what is tested is Redis."""

    async def take(self, buckets):
        raise AssertionError("Redis was not asked")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RATES, min_size=3, max_size=3), TAKES)
def test_it_decides_and_tells_as_the_local_limiter_does(redis, rates, takes):
    async def compare():
        link = RedisLink(RedisOptions(url=redis, prefix=new_prefix(), timeout_s=5.0), lambda _: None)
        clock = SetClock()
        local, shared = LocalLimiter(clock, 1000), RedisLimiter(link, Broken(), SILENT, clock)
        for which, key, gap in takes:
            clock.us += gap
            asked = [bucket(rates[n], key, f"policy-{n}") for n in which]
            assert await shared.take(asked) == await local.take(asked)
        await link.close()

    asyncio.run(compare())


async def test_a_clock_set_back_leaves_no_bucket_emptier_than_empty(link):
    clock = SetClock()
    clock.us = 10**12
    local, shared = LocalLimiter(clock, 1000), RedisLimiter(link, Broken(), SILENT, clock)
    asked = [bucket(Rate(2, 60))]
    for us in (10**12, 10**12, 10**12, 5, 6, 30_000_006, 30_000_007, 60_000_006):
        clock.us = us
        assert await shared.take(asked) == await local.take(asked)


async def test_many_at_once_over_two_nodes_get_what_there_is_and_no_more(link):
    other = RedisLink(link.options, lambda _: None)
    nodes = [RedisLimiter(one, Broken(), SILENT) for one in (link, other)]
    asked = [bucket(Rate(20, 3600)), bucket(Rate(1000, 3600), policy="wide")]
    answers = await asyncio.gather(*(nodes[n % 2].take(asked) for n in range(100)))
    granted = [standings for standings in answers if not any(one.wait_us for one in standings)]
    assert len(granted) == 20
    # All or none: the wide bucket has given no more than the narrow one.
    (wide,) = await nodes[0].take([bucket(Rate(1000, 3600), policy="wide")])
    assert wide.left == 1000 - 20 - 1
    await other.close()


async def test_its_keys_go_by_themselves(link):
    limiter = RedisLimiter(link, Broken(), SILENT)
    await limiter.take([bucket(Rate(6, 60))])
    left_ms = await link.call("PTTL", link.name("rate", "p", "k"))
    assert 10_000 < left_ms <= 20_001


async def test_while_redis_is_away_each_node_counts_by_itself(server, frail):
    meter, clock = Counted(), SetClock()
    limiter = RedisLimiter(frail, LocalLimiter(clock, 1000), meter)
    asked = [bucket(Rate(3, 60))]
    assert not (await limiter.take(asked))[0].wait_us
    server.kill()
    assert [bool((await limiter.take(asked))[0].wait_us) for _ in range(4)] == [False, False, False, True]
    assert meter.counted == [("turnlog_redis_done_without_total", "limits")] * 4
    server.start()
    await asyncio.sleep(0.06)
    assert (await limiter.take(asked))[0].left == 2  # Redis counts again, from what it knows: nothing
    assert frail.changes.ups == [False, True]


@pytest.mark.parametrize("how", ["hold", "kill"])
async def test_no_request_waits_longer_than_it_may(server, how):
    wait_s = 1.0  # much longer than two hundred calls take on a busy machine
    link = RedisLink(RedisOptions(url=server.url, timeout_s=wait_s, retry_s=0.05), lambda _: None)
    limiter = RedisLimiter(link, LocalLimiter(SetClock(), 1000), SILENT)
    asked = [bucket(Rate(10_000, 60))]
    await limiter.take(asked)
    if how == "hold":
        server.process.send_signal(signal.SIGSTOP)
    else:
        server.kill()
    loop = asyncio.get_running_loop()

    async def waited():
        began = loop.time()
        await limiter.take(asked)
        return loop.time() - began

    assert max(await asyncio.gather(*(waited() for _ in range(200)))) < wait_s + 0.5
    # Now it is known to be away, and nobody waits but one who tries for all, now and then.
    for _ in range(4):
        assert sorted(await asyncio.gather(*(waited() for _ in range(200))))[-2] < wait_s / 2
    if how == "hold":
        server.process.send_signal(signal.SIGCONT)
    await link.close()
