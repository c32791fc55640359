"""`turnlog play`: a game at the terminal."""

import sys
from pathlib import Path

from cyclopts import App

from server.cli.common import UsageError, entry_of, load_catalogue, note, parse_options
from server.play import Session, Wanted
from server.ports import SystemClock, SystemRandom
from server.problems import Problem
from server.simulate import SeededRandom, SteppingClock, new_games


def add_to(app: App) -> None:
    """Add the command."""
    app.command(run, name="play")


async def run(  # noqa: PLR0913 - a command's options
    ruleset: str,
    /,
    *,
    seats: int | None = None,
    seat: int = 0,
    seed: str | None = None,
    options: str | None = None,
    replay: Path | None = None,
) -> None:
    """Play a game in the terminal against random bots; `?` there lists what you can type.

    Try:

    - `turnlog play tpoc`
    - `turnlog play tpoc --seats 5 --seat 2 --seed 7 --replay game.ndjson`

    Parameters
    ----------
    ruleset:
        The ruleset, as `turnlog rulesets` lists them.
    seats:
        The number of seats; else the fewest that the ruleset is for.
    seat:
        Yours, from 0.
    seed:
        Any text: the same seed and the same answers give the same game.
    options:
        Options of the ruleset: a JSON object, or name=value,name=value.
    replay:
        A file for the replay, if the game is played to its end.
    """
    catalogue = load_catalogue()
    rules = entry_of(catalogue, ruleset).rules
    count = rules.seats[0] if seats is None else seats
    if not 0 <= seat < count:
        raise UsageError(f"--seat: the game has seats 0 to {count - 1}.")
    if seed is None:
        games = new_games(catalogue, SystemClock(), SystemRandom())
        players = SeededRandom(SystemRandom().bytes(32).hex())
    else:
        stream = f"turnlog play {ruleset} {seed}"
        games = new_games(catalogue, SteppingClock(), SeededRandom(stream))
        players = SeededRandom(f"{stream} players")
    try:
        source = await Session(games, players, read_line, print).play(
            Wanted(ruleset, count, seat, parse_options(options))
        )
    except Problem as problem:
        raise UsageError(problem.detail) from problem
    if source is not None and replay is not None:
        write(replay, source)


def read_line(prompt: str) -> str | None:
    """A line of standard input, None at its end; a line that came through a pipe is shown as if it were typed."""
    try:
        line = input(prompt)
    except EOFError:
        print()
        return None
    if not sys.stdin.isatty():
        print(line)
    return line


def write(file: Path, source: bytes) -> None:
    """Write a replay."""
    file.write_bytes(source)
    note(f"turnlog: the replay is in {file}")
