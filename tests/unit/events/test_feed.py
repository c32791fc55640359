"""The feed of one process: who listens hears, and nobody's fault is another's."""

import pytest

from events.feed import LocalFeed, Moved

MOVED = Moved("game-1", 3, 12)


class Failing(Exception):
    pass


@pytest.fixture
def errors():
    return []


@pytest.fixture
def feed(errors):
    return LocalFeed(errors.append)


def test_all_listeners_hear_in_the_order_in_which_they_came(feed):
    heard = []
    for name in "abc":
        feed.listen(lambda moved, name=name: heard.append((name, moved)))
    feed.announce(MOVED)
    assert heard == [("a", MOVED), ("b", MOVED), ("c", MOVED)]


def test_who_stopped_hears_no_more_and_may_stop_twice(feed):
    heard = []
    stop = feed.listen(heard.append)
    feed.listen(heard.append)
    stop()
    stop()
    feed.announce(MOVED)
    assert heard == [MOVED]


def test_a_function_that_listens_twice_is_stopped_once_at_a_time(feed):
    heard = []
    stops = [feed.listen(heard.append), feed.listen(heard.append)]
    stops[0]()
    feed.announce(MOVED)
    assert heard == [MOVED]


def test_what_a_listener_raises_reaches_neither_announcer_nor_the_others_and_it_goes_on(feed, errors):
    heard, wrong = [], Failing("no")

    def fail(moved):
        heard.append("failing")
        raise wrong

    feed.listen(fail)
    feed.listen(heard.append)
    feed.announce(MOVED)
    feed.announce(MOVED)
    assert heard == ["failing", MOVED, "failing", MOVED]
    assert errors == [wrong, wrong]


def test_listeners_may_stop_others_and_come_while_one_is_announced(feed, errors):
    heard, stops = [], []

    def change(moved):
        stops[0]()
        feed.listen(lambda _: heard.append("new"))

    feed.listen(change)
    stops.append(feed.listen(lambda _: heard.append("stopped")))
    feed.announce(MOVED)
    assert heard == []
    feed.announce(MOVED)
    assert heard == ["new"]
    assert errors == []
