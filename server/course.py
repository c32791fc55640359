"""A game on its way through its versions: the views before and after each event, and the messages that tell of it.

What a reader sees at version n depends on n alone, however late it is sent: before `ended` a seat sees what is its
own, from `ended` on everything. So patches that a client keeps stay exact: that of `ended` opens all that was hidden.
Every message is made once for all who get the same.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from events.event import Event
from games.kernel import Ruleset, encode
from games.kernel.say import Texts
from projections.clock import SECOND, microseconds
from projections.clock_view import clocks_of, proposal_of
from projections.game import LiveGame
from projections.patch import diff
from projections.views import effective, event_of, reader_name, view_of
from server.answers import Audience, pending_decisions, request_of, speak
from server.frames import Frame
from server.stream_messages import PATCH, VIEW


class Tuning(Struct, frozen=True):
    """What tells the messages of two subscriptions apart: whose eyes, which updates, which language, words or not."""

    reader: int
    updates: str
    language: str
    labels: bool = True


class Course:
    """The state of a game at one version, and the views of it and of the version before, each made once a reader."""

    def __init__(self, rules: Ruleset[Any], state: Any, *, ended: bool) -> None:
        self._rules = rules
        self._state = state
        self._ended = ended
        self._views: dict[int, bytes] = {}
        self._before: dict[int, bytes] = {}

    def view(self, reader: int) -> Raw:
        """The view of the state now, in JSON; `null` before the start."""
        told = self._views.get(reader)
        if told is None:
            shown = effective(reader, ended=self._ended)
            view = None if self._state is None else view_of(self._rules, self._state, shown)
            told = self._views[reader] = encode(view)
        return Raw(told)

    def patch(self, reader: int) -> list[dict[str, Any]]:
        """The JSON Patch from the view before the newest event to the view now; `hold` has asked for the former."""
        before, now = self._before[reader], bytes(self.view(reader))
        return [] if before == now else diff(msgspec.json.decode(before), msgspec.json.decode(now))

    def hold(self, readers: Iterable[int]) -> None:
        """Before an event is folded: keep the views of these readers."""
        self._before = {reader: bytes(self.view(reader)) for reader in readers}

    def turn(self, state: Any, *, ended: bool) -> None:
        """After an event was folded: this is the state now."""
        self._state = state
        self._ended = ended
        self._views = {}


class Telling:
    """Makes the messages of one game, which is at its newest version in `live`, so many seconds behind the time."""

    def __init__(
        self,
        live: LiveGame,
        texts: Mapping[str, Texts],
        actions_max: int,
        now: Callable[[], str],
        delay_s: int = 0,
    ) -> None:
        self._live = live
        self._now = now
        self._delay_us = delay_s * SECOND
        self._texts = texts
        self._actions_max = actions_max
        self._heads: dict[tuple[int, str], dict[str, Any]] = {}

    def turn(self) -> None:
        """The live game has a new version."""
        self._heads = {}

    def event(self, course: Course, event: Event, tuning: Tuning) -> Frame:
        """An event. `course` is at its version; patches need the view before it held."""
        version = event.header.version
        shown = effective(tuning.reader, ended=0 < self._live.meta.ended <= version)
        told: dict[str, Any] = {"type": "event", "reader": reader_name(tuning.reader)}
        happened = event_of(self._live.rules, event, shown, labels=tuning.labels)
        told |= speak(happened, self._texts.get(tuning.language, {})) if tuning.labels else happened
        if tuning.updates == VIEW:
            told["view"] = course.view(tuning.reader)
        elif tuning.updates == PATCH:
            told["patch"] = course.patch(tuning.reader)
        newest = version == self._live.meta.version
        if newest:
            told |= self._head(tuning)
        return Frame(encode(told | self._time(clocks=newest)), (event.header.game, version))

    def newest(self, kind: str, course: Course, tuning: Tuning, **members: int) -> bytes:
        """A message with the newest view but for the time: `snapshot`, or `skipped` with `from` and `to`."""
        meta = self._live.meta
        told: dict[str, Any] = {"type": kind, "game": meta.game, "reader": reader_name(tuning.reader)} | members
        told |= {"version": meta.version, "digest": meta.digest.hex(), "view": course.view(tuning.reader)}
        return encode(told | self._head(tuning))

    def timed(self, message: bytes) -> Frame:
        """A message that may have been made before, with the time and the clocks as they are now."""
        return Frame(message[:-1] + b"," + encode(self._time(clocks=True))[1:])

    def clocks(self, now: str | None = None) -> dict[str, Any] | None:
        """What the clocks say when it is this time on the server; None: the game has none."""
        return clocks_of(self._live.meta, microseconds(now or self._now()) - self._delay_us)

    def _time(self, *, clocks: bool) -> dict[str, Any]:
        """The server's time, by which a client finds out how far its own is off, and what the clocks say by it."""
        now = self._now()
        return {"now": now} | ({"clocks": self.clocks(now)} if clocks else {})

    def _head(self, tuning: Tuning) -> dict[str, Any]:
        """What a message about the newest version says besides: it would be stale in any other."""
        key = (tuning.reader, tuning.language)
        if key not in self._heads:
            own = (tuning.reader,) if tuning.reader >= 0 else ()
            audience = Audience(tuning.reader, own, self._texts.get(tuning.language, {}), self._actions_max)
            self._heads[key] = {
                "status": self._live.meta.status,
                "decisions": Raw(encode(pending_decisions(self._live, audience))),
                "request": request_of(self._live),
                "proposal": proposal_of(self._live.meta.proposal),
                "outcome": msgspec.to_builtins(self._live.meta.outcome),
            }
        return self._heads[key]
