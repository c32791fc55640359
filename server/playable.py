"""Whether anything can be done in a game now."""

from projections.game import LiveGame
from server.problems import Problem


def check_running(live: LiveGame) -> None:
    """Refuse what is for running games alone.

    Raises:
        Problem: `not_started`, `game_over`.
    """
    if live.meta.status == "open":
        raise Problem("not_started", "The game has not started: seats are still free.")
    if live.meta.status == "ended":
        raise Problem("game_over", "The game is over.")


def check_playable(live: LiveGame) -> None:
    """Refuse what cannot be done now: before the start, after the end, in a pause, while a request to rewind is open.

    Raises:
        Problem: `not_started`, `game_over`, `game_paused`, `undo_open`.
    """
    check_running(live)
    meta = live.meta
    if meta.paused:
        raise Problem("game_paused", "The game is paused: nothing moves until it is agreed to go on.")
    if meta.request is not None:
        raise Problem(
            "undo_open", "A request to rewind is open: it must be answered or withdrawn first.", request=meta.request.id
        )
