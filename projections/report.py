"""What comes of verifying a game."""

from msgspec import Struct

from games.kernel import Outcome


class Report(Struct, frozen=True):
    """What was verified: `version` events, of which `decided` were decided anew, with `draws` random draws."""

    game: str
    ruleset: str
    rules: str
    status: str
    version: int
    head: str
    decided: int
    draws: int
    rewinds: int
    outcome: Outcome | None
