"""What each reader must be told of a game: folded from the rows that are durable, with nothing of the live server."""

from bisect import bisect_right

import msgspec

from games.kernel import SPECTATOR, encode
from projections.clock import SECOND, microseconds
from projections.clock_view import clocks_of, proposal_of
from projections.game import LiveGame, Moment, begin
from projections.kinds import Rewound, decode_details
from projections.views import effective, event_of, view_of
from server.answers import request_of


class Oracle:
    """One game, at every version of it."""

    def __init__(self, truth, game, rules_of):
        self.game = game
        self._truth = truth
        self._rules_of = rules_of
        self._rows = truth.rows(game)
        self.events = []
        self.live = None
        self._kept = [b"null"]
        self._opened = [[]]
        self._views = {}
        self._told = {}
        self._known = []
        self._heads = []
        self._seated = []
        self._of_age_us = []

    @property
    def version(self):
        """Up to which version it has been folded."""
        return len(self.events)

    @property
    def head(self):
        """The newest durable version."""
        return len(self._rows)

    def fold(self, until=None):
        """Go on to a version, by default the newest."""
        until = self.head if until is None else until
        while self.version < until:
            self._take(self._truth.event(self._rows[self.version]))

    def view(self, version, reader):
        """The view of a reader at a version, decoded (not to be changed)."""
        self.fold(max(version, self.version))
        shown = effective(reader, ended=0 < self.live.meta.ended <= version)
        key = (version, shown)
        if key not in self._views:
            state = self._state(version)
            view = None if state is None else view_of(self.live.rules, state, shown)
            self._views[key] = msgspec.json.decode(encode(view))
        return self._views[key]

    def event(self, version, reader, *, labels):
        """The event of a version as a reader is told of it."""
        self.fold(max(version, self.version))
        shown = effective(reader, ended=0 < self.live.meta.ended <= version)
        key = (version, shown, labels)
        if key not in self._told:
            told = event_of(self.live.rules, self.events[version - 1], shown, labels=labels)
            self._told[key] = msgspec.json.decode(encode(told))
        return self._told[key]

    def known(self, version, reader):
        """The one-of-a-kind cards that a reader may have heard of by a version; None: all of them."""
        self.fold(max(version, self.version))
        if 0 < self.live.meta.ended <= version:
            return None
        public, own = self._known[version - 1]
        return public | own[reader] if reader >= 0 else public

    def said(self, version):
        """What the newest message says besides, when this version is the newest one."""
        self.fold(max(version, self.version))
        return self._heads[version - 1]

    def clocks(self, now, reader):
        """What the clocks may say when it is this time on a server, decoded.

        Who sees the game late has them late, too: spectators, and behind the end those who look at the side of a seat
        without having one.
        """
        late = {True} if reader == SPECTATOR else {False, self.live.meta.ended > 0}
        times = [microseconds(now) - self.delay_us * is_late for is_late in late]
        return [msgspec.json.decode(encode(clocks_of(self.live.meta, time))) for time in times]

    def lost(self, seat, player):
        """From which version on a player had no right any more to a seat that was his; None: he has it now."""
        self.fold()
        if self.live.meta.ended or player in self._seated[-1][1][seat : seat + 1]:
            return None
        return next((after[0] for before, after in reversed(self._changes()) if before[1][seat] == player), 0)

    def had_lost(self, seat, player):
        """Whether a seat was not this player's any more at some time, though it may be his again."""
        self.fold()
        return any(before[1][seat] == player != after[1][seat] for before, after in self._changes())

    def _changes(self):
        return list(zip(self._seated, self._seated[1:], strict=False))

    @property
    def delay_us(self):
        """How much later spectators see the game."""
        self.fold(max(1, self.version))
        return self.live.meta.created.spectator_delay_s * SECOND

    def of_age(self, version):
        """From which time on spectators may be told of a version."""
        self.fold(max(version, self.version))
        return self._of_age_us[version - 1] + self.delay_us if self._of_age_us[version - 1] else 0

    def aged(self, now_us):
        """Up to which version spectators have to be told at a time."""
        self.fold()
        return bisect_right(self._of_age_us, now_us - self.delay_us)

    def _state(self, version):
        if version == self.version:
            return self.live.moment.state
        kept = self._kept[version]
        return None if kept == b"null" else self.live.rules.state_decoder.decode(kept)

    def _take(self, event):
        if self.live is None:
            meta = begin(event)
            self.live = LiveGame(self._rules_of(meta.created.ruleset), meta, Moment())
        else:
            self.live.apply(event)
        details = decode_details(event.details) if event.header.kind == "rewound" else None
        if isinstance(details, Rewound):
            self.live.put_back(Moment(self._state(details.to), list(self._opened[details.to])))
        self.events.append(event)
        state = self.live.moment.state
        self._opened.append(list(self.live.moment.opened))
        self._kept.append(b"null" if state is None else encode(state))
        if self.live.rules.id == "tiny":
            self._known.append(self._learned(event, state))
        self._note(event)

    def _note(self, event):
        meta = self.live.meta
        told = (meta.status, request_of(self.live), proposal_of(meta.proposal))
        self._heads.append(told if told[1:] == (None, None) else tuple(msgspec.json.decode(encode(told))))
        players = tuple(seat.player for seat in meta.seats)
        if not self._seated or players != self._seated[-1][1]:
            self._seated.append((event.header.version, players))
        last = self._of_age_us[-1] if self._of_age_us else 0
        self._of_age_us.append(max(last, microseconds(event.header.at)) if meta.started else 0)

    def _learned(self, event, state):
        """Who may know of which card now: what is or was in one's hand, was shown to one, or was played."""
        seats = range(self.live.meta.created.seats)
        public, own = self._known[-1] if self._known else (frozenset(), tuple(frozenset() for _ in seats))
        if state is None:
            return public, own
        told = [own[seat].union(state.hands[seat]) for seat in seats]
        for effect in map(msgspec.json.decode, event.effects):
            match effect["effect"]:
                case "card_announced":
                    public |= {effect["card"]}
                case "card_taken":
                    told[effect["seat"]] |= {effect["card"]}
                case "offer_sent":
                    told[effect["to"]] = told[effect["to"]].union(effect["cards"])
        return public, tuple(told)
