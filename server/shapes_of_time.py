"""The shapes of clocks in answers. docs/clocks.md says what each figure is."""

from server.shape import Shape


class Halt(Shape):
    """A pause or a vacation: since when, and until when at the latest."""

    since: str
    until: str


class SeatClock(Shape):
    """The clock of a seat at `now`: what is left for its turn (or its next one), and when that will be nothing.

    deadline: null while its clock does not run. policy_at: when something is done about it then.
    """

    seat: int
    owes: bool
    left_ms: int
    bank_ms: int | None
    periods: int
    used_ms: int
    deadline: str | None
    policy_at: str | None
    expirations: int
    vacant: bool
    vacation: Halt | None
    vacation_left_ms: int


class Clocks(Shape):
    """All clocks of a game by the server's time `now`; null for seats of the server's own players."""

    now: str
    running: bool
    paused: Halt | None
    pause_left_ms: int
    on_timeout: str
    seats: list[SeatClock | None]
