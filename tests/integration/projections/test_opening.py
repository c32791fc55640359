"""Opening a game from its log: what was taken back is passed over, what is played must be whole."""

import asyncio
from itertools import pairwise

import pytest

from projections.game import LiveGame, Moment, begin
from projections.history import GapError, image, moment_at, open_game
from tests.integration.replay_kit import eventful_game
from tests.tiny import RULES

RULESETS = {RULES.id: RULES}


class Log:
    """The events of one game; `unlisted`: versions that are not known to be what they are."""

    def __init__(self, events, unlisted=()):
        self.events = events
        self.unlisted = unlisted

    async def read(self, game, after=0, until=None, but=None):
        last = self.events[-1].header.version if until is None else until
        return [
            event
            for event in self.events
            if after < event.header.version <= last
            and (but is None or event.header.kind != but)
            and not (but is not None and event.header.version in self.unlisted)
        ]

    async def load_snapshot(self, game):
        return None


@pytest.fixture(scope="module")
def events():
    """The log of a game with rewinds, one of them taken back."""
    return asyncio.run(eventful_game())


def opened(log):
    return asyncio.run(open_game(log, RULESETS, log.events[0].header.game))


def lines(events):
    """The versions that are played and those that were taken back."""
    live = opened(Log(events))
    played = {version for after, until in live.meta.path(live.meta.version) for version in range(after + 1, until + 1)}
    return played, {event.header.version for event in events} - played


async def followed(events):
    """The images of the game after each of its events, folded one after the other as a server does."""
    log, images = Log(events), []
    live = LiveGame(RULES, begin(events[0]), Moment())
    for event in events[1:]:
        live.apply(event)
        if event.header.kind == "rewound":
            live.put_back(await moment_at(log, live, event.header.version))
        images.append(image(live))
    return images


def test_at_every_version_it_is_what_following_the_game_came_to(events):
    assert sum(event.header.kind == "rewound" for event in events) > 1
    for count, there in enumerate(asyncio.run(followed(events)), 2):
        assert image(opened(Log(events[:count]))) == there, count


def test_no_action_that_was_taken_back_is_read(events):
    _, back = lines(events)
    gone = {e.header.version for e in events if e.header.version in back and e.header.kind == "acted"}
    assert gone
    rest = [event for event in events if event.header.version not in gone]
    assert image(opened(Log(rest))) == image(opened(Log(events)))


def test_a_version_missing_in_the_line_that_is_played_is_noticed(events):
    played, _ = lines(events)
    for version, after in pairwise(sorted(played)):
        if after == version + 1:
            with pytest.raises(GapError, match=f"version {version} "):
                opened(Log([event for event in events if event.header.version != version]))


def test_a_rewind_that_is_not_listed_is_noticed(events):
    last = max(event.header.version for event in events if event.header.kind == "rewound")
    with pytest.raises(GapError, match=f"version {last} "):
        opened(Log(events, unlisted={last}))


class MovingLog(Log):
    """A log of which only the first `known` events are there when it is asked the first time."""

    def __init__(self, events, known):
        super().__init__(events[:known])
        self.all = events

    async def read(self, game, after=0, until=None, but=None):
        found = await super().read(game, after, until, but)
        self.events = self.all
        return found


def test_a_rewind_that_another_node_writes_while_the_game_is_opened_is_no_damage(events):
    whole = image(opened(Log(events)))
    for event in events:
        if event.header.kind == "rewound":
            assert image(opened(MovingLog(events, event.header.version - 1))) == whole
