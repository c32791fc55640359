"""The limiter, held to a token bucket reckoned in fractions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.limits.gcra import Rate
from tests.unit.limits.kit import Limited, bucket

RATES = st.builds(Rate, st.integers(1, 2000), st.integers(1, 3600))
#: Gaps between takes, many of them near to what gives one back.
GAPS = st.integers(0, 5_000_000)
KEYS = st.sampled_from("abc")


class TokenBucket:
    """Full with `count` tokens; one more each interval, in exact fractions; a take needs a whole one."""

    def __init__(self, rate):
        self.rate = rate
        self.tokens = Fraction(rate.count)
        self.at = 0

    def refill(self, now):
        self.tokens = min(Fraction(self.rate.count), self.tokens + Fraction(now - self.at, self.rate.interval_us))
        self.at = now

    def take(self, now):
        self.refill(now)
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def wait_us(self):
        """Until there is a whole token."""
        return max(Fraction(0), (1 - self.tokens) * self.rate.interval_us)

    def full_us(self):
        return (self.rate.count - self.tokens) * self.rate.interval_us


@given(RATES, st.lists(st.tuples(KEYS, GAPS), max_size=60))
def test_it_decides_as_a_token_bucket_does_and_tells_the_same(rate, takes):
    limited, reference = Limited(), {key: TokenBucket(rate) for key in "abc"}
    for key, gap in takes:
        limited.clock.us += gap
        (standing,), granted = limited.take(bucket(rate, key))
        expected = reference[key]
        assert granted == expected.take(limited.clock.us)
        assert standing.left == expected.tokens.numerator // expected.tokens.denominator
        assert standing.full_us == expected.full_us()
        assert standing.wait_us == (0 if granted else expected.wait_us())


@given(st.integers(1, 50), st.integers(1, 600), st.lists(st.integers(0, 2_000_000), min_size=1, max_size=80))
def test_no_window_has_more_than_twice_the_quota(count, window_s, gaps):
    rate, limited, granted = Rate(count, window_s), Limited(), []
    for gap in gaps:
        limited.clock.us += gap
        if limited.grants(bucket(rate)):
            granted.append(limited.clock.us)
    for first in granted:
        within = [at for at in granted if first <= at < first + window_s * 1_000_000]
        assert len(within) <= 2 * count


@given(RATES, st.integers(0, 20))
def test_who_waits_as_long_as_told_is_served_and_not_before(rate, more):
    limited = Limited()
    for _ in range(rate.count):
        assert limited.grants(bucket(rate))
    for _ in range(more):
        assert not limited.grants(bucket(rate))  # asking in vain costs nothing
    (standing,), granted = limited.take(bucket(rate))
    assert not granted
    limited.clock.us += standing.wait_us - 1
    assert not limited.grants(bucket(rate))
    limited.clock.us += 1
    assert limited.grants(bucket(rate))


@given(st.lists(st.tuples(st.integers(1, 5), KEYS), min_size=1, max_size=60))
def test_of_several_buckets_all_are_taken_from_or_none(takes):
    limited = Limited()
    single, shared = Rate(5, 60), Rate(8, 60)
    own, common = {}, 8
    for _, key in takes:
        granted = limited.grants(bucket(single, key, "own"), bucket(shared, "all", "shared"))
        assert granted == (own.get(key, 5) > 0 and common > 0)
        if granted:
            own[key], common = own.get(key, 5) - 1, common - 1


def test_policies_and_keys_do_not_share():
    limited, rate = Limited(), Rate(1, 60)
    assert limited.grants(bucket(rate, "a", "reads"))
    assert limited.grants(bucket(rate, "b", "reads"))
    assert limited.grants(bucket(rate, "a", "writes"))
    assert not limited.grants(bucket(rate, "a", "reads"))


def test_full_buckets_are_forgotten():
    limited, rate = Limited(), Rate(10, 60)
    for n in range(500):
        limited.take(bucket(rate, f"key {n}"))
    assert len(limited.limiter) == 500
    limited.clock.us += 60_000_000
    limited.take(bucket(rate, "another"))
    assert len(limited.limiter) == 1


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 100_000)), max_size=300))
def test_memory_is_bounded_whoever_comes(takes):
    limited = Limited(keys_max=20)
    for key, gap in takes:
        limited.clock.us += gap
        limited.take(bucket(Rate(5, 600), f"key {key}", "p"), bucket(Rate(7, 600), f"key {key}", "q"))
        assert len(limited.limiter) <= 40


def test_beyond_the_bound_the_longest_unused_is_forgotten_first():
    limited, rate = Limited(keys_max=2), Rate(1, 3600)
    for key in "abc":
        assert limited.grants(bucket(rate, key))
    assert not limited.grants(bucket(rate, "b"))
    assert not limited.grants(bucket(rate, "c"))
    assert limited.grants(bucket(rate, "a"))


@pytest.mark.parametrize("back_us", [1, 60_000_000, 10**15])
def test_a_clock_set_back_locks_nobody_out_for_longer_than_a_window(back_us):
    limited, rate = Limited(), Rate(3, 60)
    limited.clock.us = 2 * 10**15
    for _ in range(3):
        limited.take(bucket(rate))
    limited.clock.us -= back_us
    limited.take(bucket(rate))
    limited.clock.us += 60_000_000
    assert limited.grants(bucket(rate))
