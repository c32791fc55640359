"""The command line `turnlog`.

Exit codes: 0 what was asked is done or is so, 1 it is not so or cannot be, 2 the command was not understood,
130 it was interrupted.
What is asked for goes to standard output, everything else to standard error, errors in one sentence.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from pathlib import Path

from cyclopts import App, CycloptsError

from server.cli import case, content, database, games, heads, log, operate, serve, simulate, transfer
from server.cli.common import EXPECTED, UsageError, sentence_of

#: Where other packages add commands: each entry point is an App (docs/adr/0001: api_schema is above the server).
COMMANDS = "turnlog.commands"

#: What `-` stands for.
STANDARD_INPUT = "/dev/stdin"

FAILED, MISUSED, INTERRUPTED = 1, 2, 130

app = App(
    name="turnlog",
    help="An event-sourced server for turn-based board and card games.",
    help_epilogue="`turnlog COMMAND --help` has examples. Settings are variables such as `TURNLOG_DATABASE`.",
    version=lambda: version("turnlog"),
    help_format="markdown",
    result_action="return_value",
)
for module in (serve, games, simulate, log, transfer, case, content, operate, database, heads):
    module.add_to(app)


def main() -> None:
    """Run the command line of this process and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code. Errors have been told on standard error."""
    try:
        if not arguments or arguments[0].startswith("-") or arguments[0] not in app:
            _add_found()
        # The parser takes a single hyphen for an option.
        files = [STANDARD_INPUT if argument == "-" else argument for argument in arguments]
        code = app(files, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except (CycloptsError, UsageError) as error:
        return _told(MISUSED, error)
    except BrokenPipeError:
        # Whoever read our output has enough: nothing more is flushed into the closed pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except EXPECTED as error:
        return _told(FAILED, error)
    except Exception as error:  # noqa: BLE001 - a bug of ours is told like any error, with its place
        last = traceback.extract_tb(error.__traceback__)[-1]
        return _told(
            FAILED, f"our mistake, in {Path(last.filename).name}:{last.lineno}: {type(error).__name__}: {error}"
        )
    return code if isinstance(code, int) else 0


def _add_found() -> None:
    """Add the commands of other packages: only when one of ours is not asked for, since they take time to load."""
    for found in sorted(entry_points(group=COMMANDS), key=lambda found: found.name):
        if found.name not in app:
            app.command(found.load())


def _told(code: int, error: object) -> int:
    print(f"turnlog: {sentence_of(error)}", file=sys.stderr)
    return code
