"""`turnlog simulate`: whole games of random players, as fast as the core goes."""

import os
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from server.cli.common import Json, UsageError, entry_of, load_catalogue, note, parse_options, print_json
from server.problems import Problem
from server.simulate import Plan, Played, simulate, totals


def add_to(app: App) -> None:
    """Add the command."""
    app.command(run, name="simulate")


def run(  # noqa: PLR0913 - a command's options
    ruleset: str,
    /,
    *,
    games: Annotated[int, Parameter(validator=Number(gte=1))] = 100,
    seed: str = "0",
    jobs: Annotated[int, Parameter(validator=Number(gte=1))] = 1,
    seats: int | None = None,
    options: str | None = None,
    replays: Path | None = None,
    json: Json = False,
) -> int:
    """Play whole games of random players through the real core, and tell how they ended.

    All that happens follows from the seed: with --json the output is the same on every run, with any number of jobs.

    Try:

    - `turnlog simulate tpoc --games 1000 --seed 7 --jobs 2`
    - `turnlog simulate tpoc --games 20 --seats 5 --options first_player=2 --json`

    Parameters
    ----------
    ruleset:
        The ruleset, as `turnlog rulesets` lists them.
    games:
        How many games.
    seed:
        Any text; dice, ids, times and choices follow from it.
    jobs:
        How many processes play.
    seats:
        The number of seats; without it each number that the ruleset is for in turn.
    options:
        Options of the ruleset: a JSON object, or name=value,name=value.
    replays:
        A folder, made if need be: a replay file of each game is written there.
    """
    entry_of(load_catalogue(), ruleset)
    plan = Plan(ruleset, games, seed, seats, parse_options(options), keep=replays is not None)
    try:
        played = _with_progress(plan, min(jobs, games))
    except Problem as problem:
        raise UsageError(problem.detail) from problem
    if replays is not None:
        write_replays(replays, plan, played)
    if json:
        rows = [msgspec.to_builtins(msgspec.structs.replace(one, replay=b"")) for one in played]
        head = {"ruleset": ruleset, "seed": seed, "seats": seats, "options": plan.options}
        print_json({**head, "games": rows, "totals": totals(played)})
    else:
        _print(plan, played)
    return 0


def _with_progress(plan: Plan, jobs: int) -> list[Played]:
    console = Console(stderr=True)
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"{plan.ruleset} games", total=plan.games)
        return simulate(load_catalogue, plan, jobs, lambda done: bar.advance(task, done))


def write_replays(folder: Path, plan: Plan, played: list[Played]) -> None:
    """Write a replay file for each game."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in played:
        name = f"{plan.seed}-{one.game:04}-{one.seats}seats.ndjson"
        (folder / name.replace(os.sep, "_")).write_bytes(one.replay)
    note(f"turnlog: {len(played)} replays are in {folder}")


def _print(plan: Plan, played: list[Played]) -> None:
    told = totals(played)
    print(f"{plan.ruleset}, seed {plan.seed}: {told['games']} games ended")
    print(f"  {told['decisions']} decisions ({told['longest']} in the longest game), {told['events']} events")
    print("  ended by " + ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in told["reasons"].items()))
    print("  wins: " + ", ".join(f"seat {seat} {count}" for seat, count in told["wins"].items()))
    print(f"  shared wins: {told['shared']}")
    print(f"  digest {told['digest']}")
    sys.stdout.flush()
