"""The clock of a new game: what its maker asks for, if that can be."""

from projections.time_control import Clock, ClockError, OnTimeout, Policy, check_clock
from server.bot_names import bots_told, is_bot
from server.problems import Problem
from server.settings import Settings


def checked_policy(
    clock: Clock | None, on_timeout: OnTimeout | Policy | None, seats: int, settings: Settings
) -> OnTimeout | None:
    """What is done about seats out of time (None: there is no clock); a policy may be told by its name alone.

    Raises:
        Problem: `invalid`, for a clock or a policy that cannot be.
    """
    told = OnTimeout(policy=on_timeout) if isinstance(on_timeout, str) else on_timeout
    if clock is None:
        if told is not None:
            raise Problem("invalid", "on_timeout: without a `clock` no time runs out.")
        return None
    try:
        check_clock(clock, seats)
    except ClockError as error:
        raise Problem("invalid", f"{error}.") from error
    if told is not None and told.policy == "bot" and not is_bot(told.bot, settings):
        raise Problem("invalid", f"on_timeout.bot: there is {bots_told(settings)}.")
    return told or OnTimeout()
