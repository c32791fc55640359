"""Imported replays: verified once when they come in, then folded from their own log whenever they are looked at."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import structlog
from msgspec import Struct

from games.kernel import Ruleset
from projections.game import LiveGame
from projections.history import open_game
from server.decoding import check_nesting
from server.problems import Problem
from server.records import Records
from server.replays import Replay, ReplayError, ReplayLog, check, parse
from server.settings import Settings

log = structlog.get_logger("turnlog")

#: Replays kept in memory, folded.
OPENED_MAX: Final = 8


class Opened(Struct, frozen=True):
    """A replay, folded to its end, and its log."""

    log: ReplayLog
    live: LiveGame


class Replays:
    """Verifies and opens replays; verifying goes on beside, one at a time, since it takes a whole processor."""

    def __init__(self, settings: Settings, rulesets: Mapping[str, Ruleset[Any]], records: Records) -> None:
        self._settings = settings
        self._rulesets = rulesets
        self._records = records
        self._verifying = asyncio.Semaphore(1)
        self._opened: OrderedDict[str, Opened] = OrderedDict()

    async def verify(self, source: bytes) -> LiveGame:
        """The game of a replay in which everything is sound.

        Raises:
            Problem: `corrupt_replay`, with the line.
        """
        async with self._verifying:
            replay = await asyncio.to_thread(self._check, source)
        return (await _open(replay, self._rulesets)).live

    def _check(self, source: bytes) -> Replay:
        for line in source.split(b"\n"):
            check_nesting(line, self._settings.nesting_max)
        try:
            replay, _ = check(self._rulesets, source)
        except ReplayError as error:
            raise Problem("corrupt_replay", f"{str(error).capitalize()}.", line=error.line) from error
        except Exception as error:
            # A file can be made that is sound in form and nonsense in content: it must not look like a fault of ours.
            log.warning("replay_not_decidable", exc_info=error)
            raise Problem("corrupt_replay", "The events of this replay cannot be decided anew.") from error
        return replay

    async def open(self, replay: str) -> Opened:
        """An imported replay, folded.

        Raises:
            Problem: `not_found`, `unavailable` (its ruleset is not here any more).
        """
        opened = self._opened.get(replay)
        if opened is None:
            kept = await self._records.replay(replay)
            if kept is None:
                raise Problem("not_found", "There is no such replay.")
            opened = await _open(parse(kept.source), self._rulesets)
            self._opened[replay] = opened
            if len(self._opened) > OPENED_MAX:
                self._opened.popitem(last=False)
        self._opened.move_to_end(replay)
        return opened

    async def source(self, replay: str) -> tuple[ReplayLog, LiveGame]:
        """The log and the game of an imported replay, for forks.

        Raises:
            Problem: as `open`.
        """
        opened = await self.open(replay)
        return opened.log, opened.live


async def _open(replay: Replay, rulesets: Mapping[str, Ruleset[Any]]) -> Opened:
    kept = ReplayLog(replay)
    return Opened(kept, await open_game(kept, rulesets, replay.game))
