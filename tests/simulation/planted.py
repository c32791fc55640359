"""Faults to plant in the server, to see that the checkers find them."""

from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest.mock import patch

from msgspec.structs import replace

from events.feed import Moved
from events.shared_feed import SharedFeed
from events.store import Appended
from games.kernel import EVERYTHING
from projections import views
from projections.runner import Runner
from server import worker
from server.commands import Games
from server.course import Course, Telling
from server.lag import bound_of
from server.ports import timestamp
from server.subscription import Subscription
from server.worker import Worker
from tests.simulation.store import SimStore


@contextmanager
def announced_before_it_is_durable():
    """Sockets hear of an event while it is on its way to the log."""
    commit = Games.commit

    async def hasty(self, making, ask, *, secret=None):
        position = await self.store.head() + len(making.events)
        self.feed.announce(Moved(making.game, making.version, position, tuple(making.events)))
        return await commit(self, making, ask, secret=secret)

    with patch.object(Games, "commit", hasty):
        yield


@contextmanager
def keys_are_not_looked_at():
    """A request that comes twice is carried out twice."""
    commit = Games.commit

    async def forgetful(self, making, ask, *, secret=None):
        return await commit(self, making, replace(ask, once=None), secret=secret)

    async def nothing(self, once):
        return None

    with patch.object(Games, "commit", forgetful), patch.object(Games, "known", nothing):
        yield


@contextmanager
def acknowledged_before_it_is_durable():
    """Every now and then an append is answered that was not made."""
    append, count = SimStore.append, [0]

    async def hasty(self, wanted):
        count[0] += 1
        if count[0] % 40:
            return await append(self, wanted)
        last = wanted.events[-1]
        return Appended(await self.head() + 1, last.header.version, last.digest)

    with patch.object(SimStore, "append", hasty):
        yield


@contextmanager
def a_version_is_skipped():
    """A socket that is followed live does not get every fifth version."""
    deliver = Subscription.deliver

    def forgetful(self, version, frame):
        if version % 5 == 0 and self.cursor + 1 == version:
            self.cursor = version
        else:
            deliver(self, version, frame)

    with patch.object(Subscription, "deliver", forgetful):
        yield


@contextmanager
def a_version_comes_twice():
    """A socket that resumes gets the version that it has once more."""
    begin = Subscription.begin

    def repeating(self, after):
        begin(self, after - 1 if after else after)

    with patch.object(Subscription, "begin", repeating):
        yield


@contextmanager
def one_sees_what_all_see():
    """The views of the stream are those of the end."""
    view = Course.view

    def open_to_all(self, reader):
        del reader
        return view(self, EVERYTHING)

    with patch.object(Course, "view", open_to_all):
        yield


@contextmanager
def the_projector_hides_nothing():
    """Events are told to all as to who may see all; the checkers that use the projector agree."""
    redact = views.redact

    def open_to_all(message, reader, acting=None):
        del reader
        return redact(message, EVERYTHING, acting)

    with patch.object(views, "redact", open_to_all):
        yield


@contextmanager
def a_read_model_forgets():
    """The last event of every third batch is passed over."""
    fold, count = Runner._advance, [0]

    async def forgetful(self, model, generation):
        count[0] += 1
        take = model.take

        async def less(transaction, generation, events):
            await take(transaction, generation, events[:-1])

        with patch.object(model, "take", less if count[0] % 3 == 0 else take):
            return await fold(self, model, generation)

    with patch.object(Runner, "_advance", forgetful):
        yield


@contextmanager
def a_node_hears_of_nothing():
    """What other nodes write is not told to sockets: neither the bus nor the log is listened to."""

    async def nothing(self):
        return None

    def ignored(*_):
        return None

    async def opened(self, version):
        await self.opened()

    with (
        patch.object(SharedFeed, "_look_up", nothing),
        patch.object(SharedFeed, "_heard", ignored),
        patch.object(Worker, "wake", ignored),
        patch.object(Worker, "caught_up", opened),
    ):
        yield


@contextmanager
def spectators_are_told_too_early():
    """What is told to spectators by a delay is of age after half of it."""

    def hasty(clock, delay_s):
        return bound_of(clock, delay_s / 2)

    with patch.object(worker, "bound_of", hasty):
        yield


@contextmanager
def who_lost_a_seat_is_told_on():
    """A subscription goes on, whoever sits on its seat."""

    def careless(self):
        return None

    with patch.object(Subscription, "recheck", careless):
        yield


@contextmanager
def a_clock_is_told_wrong():
    """What is told of time is told of a second ago."""
    clocks = Telling.clocks

    def late(self, now=None):
        earlier = datetime.fromisoformat(now or self._now()) - timedelta(seconds=1)
        return clocks(self, timestamp(earlier))

    with patch.object(Telling, "clocks", late):
        yield


FAULTS = (
    announced_before_it_is_durable,
    keys_are_not_looked_at,
    acknowledged_before_it_is_durable,
    a_version_is_skipped,
    a_version_comes_twice,
    one_sees_what_all_see,
    the_projector_hides_nothing,
    a_read_model_forgets,
    a_node_hears_of_nothing,
    spectators_are_told_too_early,
    who_lost_a_seat_is_told_on,
    a_clock_is_told_wrong,
)
