"""The check that goes with every backup and every restore: positions are dense, and each game's chain is whole."""

from collections.abc import Sequence
from typing import Any

from events.digest import ZERO, ChainBroken, salt_key, verify
from events.event import Undecodable
from events.store import decode_row
from server.backup.archive import BackupError


class Chains:
    """Follows the log in global order, given the seeds first. It keeps some 200 bytes a game."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}
        self._heads: dict[str, tuple[int, bytes, int]] = {}
        #: The position of the last event followed.
        self.position = 0

    @property
    def games(self) -> dict[str, tuple[int, bytes, int]]:
        """Version, digest and position of the last event of each game."""
        return self._heads

    def take_secrets(self, rows: Sequence[Sequence[Any]]) -> None:
        """Note the seeds of games."""
        self._keys |= {game: salt_key(secret) for game, secret in rows}

    def take_events(self, rows: Sequence[Sequence[Any]]) -> None:
        """Follow the next events of the log.

        Raises:
            BackupError: one is missing or is not the one that was written; the sentence names it.
        """
        for row in rows:
            self._take(row)

    def _take(self, row: Sequence[Any]) -> None:
        position, game, version, _, data, digest = row
        if position != self.position + 1:
            raise BackupError(f"the log has no event at position {self.position + 1}, but one at {position}")
        known, previous, _ = self._heads.get(game, (0, ZERO, 0))
        named = f"the event at position {position} (game {game}, version {version})"
        if version != known + 1:
            raise BackupError(f"{named} follows on version {known}")
        if game not in self._keys:
            raise BackupError(f"game {game} has no seed")
        try:
            event = decode_row((position, game, version, data, digest))
            verify((event,), self._keys[game], previous, version)
        except Undecodable as error:
            raise BackupError(str(error)) from error
        except ChainBroken as error:
            raise BackupError(f"{named} was changed: its content does not give its digest") from error
        self._heads[game] = (version, digest, position)
        self.position = position
