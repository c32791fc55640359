"""Commands that another node overtakes: they are judged and decided again on what it has written."""

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from server.meter import Meter
from server.problems import Problem
from server.settings import Settings

T = TypeVar("T")
P = ParamSpec("P")


class Overtaken(Problem):
    """Another node has moved the game on between judging and writing; nothing was written."""

    def __init__(self, version: int) -> None:
        super().__init__("version_conflict", "The game has moved on. Fetch it and decide anew.", version=version)


class Deciding(Protocol):
    """What commands are given first: the games, as far as this file knows them."""

    settings: Settings
    meter: Meter


G = TypeVar("G", bound=Deciding)


def decided_again(command: Callable[Concatenate[G, P], Awaitable[T]]) -> Callable[..., Coroutine[Any, Any, T]]:
    """A command that is judged and decided anew, on the newest state, when another node was faster.

    After `decided_again_max` times the caller hears of it.
    """

    @wraps(command)
    async def run(games: G, *args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(games.settings.decided_again_max):
            try:
                return await command(games, *args, **kwargs)
            except Overtaken:
                games.meter.count("turnlog_commands_overtaken_total")
        return await command(games, *args, **kwargs)

    return run
