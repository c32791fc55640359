"""What a search process does: it gets a resampled state as bytes, and gives an action as bytes."""

import importlib
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

from msgspec import Struct

from games.dice import Dice
from games.kernel import Ruleset, State, encode
from server.ports import Random
from server.search.searcher import choose_by_search

#: Gives the ruleset of an id; a module's function, as processes find it by name.
Load = Callable[[str], Ruleset[Any]]


class SearchFailed(Exception):
    """A search gave no answer; one sentence says why."""


class Task(Struct, frozen=True):
    """All that crosses to a search process. `state` is the JSON of a resampled state, never of the real one.

    pack: the source of the content pack. seed: all chance of the search comes of it.
    """

    ruleset: str
    pack: bytes
    state: bytes
    seat: int
    iterations: int
    seed: bytes


class Wanted(Struct, frozen=True):
    """Whose answer is wanted (`seat`), and how many iterations it is worth; `pack` is the SHA-256 of the game's."""

    pack: str
    seat: int
    iterations: int


def task_of(rules: Ruleset[Any], state: State, wanted: Wanted, random: Random) -> Task:
    """The task to find an answer in `state`: what the seat cannot see is dealt anew before anything leaves."""
    dealt = rules.resample(state, wanted.seat, Dice(random.bytes(32)))
    source = rules.shelf.source(wanted.pack)
    return Task(rules.id, source, encode(dealt), wanted.seat, wanted.iterations, random.bytes(32))


def load_ruleset(ruleset: str) -> Ruleset[Any]:
    """The ruleset of this id among those that the server plays."""
    rules: Ruleset[Any] = importlib.import_module(f"games.{ruleset}").RULES
    return rules


def prepare() -> None:
    """Begin a process: Ctrl-C is the server's to handle, and nobody outlives the server, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def search(load: Load, task: Task) -> bytes:
    """The JSON of the action found.

    Raises:
        SearchFailed: whatever went wrong, in a form that can cross back.
    """
    try:
        rules = load(task.ruleset)
        rules.shelf.add(task.pack)
        state = rules.state_decoder.decode(task.state)
        return encode(choose_by_search(rules, state, task.seat, task.iterations, task.seed))
    except Exception as error:
        raise SearchFailed(f"{type(error).__name__}: {error}") from error
