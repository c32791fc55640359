"""What one socket follows: subscribing, unsubscribing, and what is let go of when the socket or a game ends."""

from collections.abc import Sequence
from typing import Protocol

from projections.views import reader_name
from server.access import check_not_delayed, reader_of, reader_with
from server.commands import Games
from server.course import Tuning
from server.hub import Hub
from server.lag import not_of_age
from server.negotiation import best_language
from server.problems import Problem
from server.stream_messages import FromServer, Subscribe, Subscribed, Unsubscribe, Unsubscribed
from server.subscription import Channel, Subscription
from server.worker import Worker


class Client(Channel, Protocol):
    """The side of the client, as its subscriptions need it. `languages`: its Accept-Language."""

    @property
    def languages(self) -> str | None:
        """The languages that it likes."""

    def say(self, message: FromServer) -> None:
        """Send it a message."""


class Subscriptions:
    """All subscriptions of a socket, at most one of a game as the same reader."""

    def __init__(self, games: Games, hub: Hub, client: Client) -> None:
        self._games = games
        self._hub = hub
        self._client = client
        self._made: dict[tuple[str, int], Subscription] = {}

    async def begin(self, wanted: Subscribe) -> None:
        """Follow a game, and say so.

        Raises:
            Problem: `rate_limited`, `not_found`, `not_allowed`, `invalid`, `unavailable`.
        """
        most = self._games.settings.subscriptions_max
        if len(self._made) >= most:
            raise Problem(
                "rate_limited", f"A socket has at most {most} subscriptions. Open another one, or unsubscribe."
            )
        own, version, delay_s = await self._standing(wanted)
        worker = self._hub.watch(wanted.game, delay_s)
        try:
            await worker.caught_up(version)
            reader = self._reader(worker, wanted, own)
        except BaseException:
            self._hub.unwatch(worker)
            raise
        self._drop((wanted.game, reader))
        tuning = self._tuning(worker, wanted, reader)
        made = Subscription(worker, tuning, self._client, self._ended, presence=wanted.presence)
        self._made[made.key] = made
        self._welcome(made, wanted)
        made.begin(wanted.after)

    async def _standing(self, wanted: Subscribe) -> tuple[Sequence[int], int, int]:
        """The client's seats of the game, up to which version it sees it, and how many seconds later than others."""
        async with self._games.seen(wanted.game, self._client.caller, wanted.seat) as seen:
            return seen.own, seen.live.meta.version, seen.delay_s

    def _reader(self, worker: Worker, wanted: Subscribe, own: Sequence[int]) -> int:
        caller, meta = self._client.caller, worker.live.meta
        if worker.delay_s:
            reader = reader_with(own, caller, meta, wanted.seat)
        else:
            reader = reader_of(caller, meta, wanted.seat)
            check_not_delayed(caller, meta, wanted.seat)  # it may have lost its seat meanwhile
        if wanted.after is not None and wanted.after > worker.version:
            if worker.delay_s:
                raise not_of_age(worker.version)
            sentence = f"after: the game is at version {worker.version}."
            raise Problem("invalid", sentence, version=worker.version)
        return reader

    def _tuning(self, worker: Worker, wanted: Subscribe, reader: int) -> Tuning:
        languages = tuple(self._games.catalogue[worker.live.rules.id].texts)
        return Tuning(reader, wanted.updates, best_language(self._client.languages, languages), wanted.labels)

    def _welcome(self, made: Subscription, wanted: Subscribe) -> None:
        version = made.worker.version
        after = version if wanted.after is None else wanted.after
        self._client.say(
            Subscribed(
                id=wanted.id,
                game=wanted.game,
                reader=reader_name(made.tuning.reader),
                updates=wanted.updates,
                after=after,
                version=version,
                clocks=made.worker.telling.clocks(),
            )
        )
        if wanted.after is not None:
            self._games.meter.observe("turnlog_stream_resume_gap_events", version - after)

    def end(self, wanted: Unsubscribe) -> None:
        """Follow a game no more, as one reader or as all, and say so.

        Raises:
            Problem: `not_found`.
        """
        keys = [key for key in self._made if key[0] == wanted.game and wanted.seat in (None, reader_name(key[1]))]
        if not keys:
            raise Problem("not_found", "There is no such subscription on this socket.")
        for key in keys:
            self._drop(key)
            self._client.say(Unsubscribed(id=wanted.id, game=wanted.game, reader=reader_name(key[1])))

    def end_all(self) -> None:
        """Follow nothing any more."""
        for key in tuple(self._made):
            self._drop(key)

    def _drop(self, key: tuple[str, int]) -> None:
        subscription = self._made.pop(key, None)
        if subscription is not None:
            subscription.stop()
            self._hub.unwatch(subscription.worker)

    def _ended(self, subscription: Subscription) -> None:
        """A subscription has been ended by its worker."""
        if self._made.get(subscription.key) is subscription:
            del self._made[subscription.key]
            self._hub.unwatch(subscription.worker)
