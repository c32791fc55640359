"""Rooms import one way only (docs/adr/0001), without circles, and `games` is pure; each check can fail."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("server", "projections", "games", "events", "api_schema")

LAYERS = "The rooms"
SCHEMA = "api_schema is made from"
PURITY = "games is pure"
LOG = "events is a log"
DRIVERS = "events alone talks to"

# What rules are written with. The contract lists what is forbidden and may have a gap; this one has none.
PURE = frozenset(
    {
        *(
            "__future__",
            "abc",
            "array",
            "base64",
            "binascii",
            "bisect",
            "collections",
            "copy",
            "dataclasses",
            "decimal",
        ),
        *("enum", "fractions", "functools", "graphlib", "hashlib", "heapq", "hmac", "itertools", "json", "keyword"),
        *("math", "numbers", "operator", "re", "string", "struct", "textwrap", "types", "typing", "unicodedata"),
    }
)
GAMES_MAY_IMPORT = PURE | {"games", "msgspec"}
EVENTS_MAY_IMPORT = frozenset(sys.stdlib_module_names) | {"events", "msgspec", "asyncpg", "cryptography", "redis"}

# Built-in functions that reach the world, run text as code, or differ between processes (`hash` of a string, `id`).
IMPURE_BUILTINS = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "hash", "id", "input", "open", "print"}
)


def imported_modules(tree: ast.AST) -> set[str]:
    """Return the top-level names of what is imported anywhere in a module; a relative import is the room's own."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def impurities(source: str) -> list[str]:
    """Return what a module of `games` uses and may not, in order: modules first, then built-in functions."""
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return [*sorted(imported_modules(tree) - GAMES_MAY_IMPORT), *sorted(names & IMPURE_BUILTINS)]


def modules_of(room: str) -> list[Path]:
    found = sorted((ROOT / room).rglob("*.py"))
    assert found, f"no modules in {room}: the check would prove nothing"
    return found


def lint_imports(directory: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of `directory/pyproject.toml` on the packages that lie in `directory`."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache"]
    environment = os.environ | {"PYTHONPATH": str(directory), "COLUMNS": "250", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def broken_contracts(directory: Path) -> set[str]:
    result = lint_imports(directory)
    broken = set(re.findall(r"^(.+) BROKEN\b", result.stdout, re.MULTILINE))
    assert "Contracts:" in result.stdout, result.stdout + result.stderr
    assert (result.returncode == 0) == (not broken), result.stdout
    return broken


def circles(*packages: str) -> set[tuple[str, str]]:
    """Return imports (from, to) without which there would be no circles. An import for types only closes none."""
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    parents = [module for module in graph.modules if graph.find_children(module)]
    return {found for parent in parents for found in graph.nominate_cycle_breakers(parent)}


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """Make a project with our contracts whose rooms are small, lawful packages."""
    lawful = {
        "server": "import projections\nimport games\nimport events\nimport litestar\n",
        "projections": "import games\nimport events\n",
        "games": "import msgspec\n",
        "events": "import msgspec\nimport sqlite3\n",
        "api_schema": "import server\nimport games\n",
    }
    for room, source in lawful.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(source)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return tmp_path


def test_our_rooms_keep_the_contracts() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert len(re.findall(r" KEPT\b", result.stdout)) == len(contract_names())


def contract_names() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return [contract["name"] for contract in settings["contracts"]]


def test_lawful_rooms_break_no_contract(small_project: Path) -> None:
    assert broken_contracts(small_project) == set()


@pytest.mark.parametrize(
    ("module", "imports", "contract"),
    [
        ("games/board.py", "events", LAYERS),
        ("events/event.py", "games", LAYERS),
        ("games/board.py", "projections", LAYERS),
        ("events/event.py", "server", LAYERS),
        ("projections/lobby.py", "server", LAYERS),
        ("server/app.py", "api_schema", LAYERS),
        ("api_schema/export.py", "events", SCHEMA),
        ("api_schema/export.py", "projections", SCHEMA),
        ("games/board.py", "random", PURITY),
        ("games/board.py", "os.path", PURITY),
        ("games/board.py", "litestar", PURITY),
        ("events/event.py", "structlog", LOG),
        ("server/app.py", "asyncpg", DRIVERS),
        ("projections/lobby.py", "redis", DRIVERS),
    ],
)
def test_a_forbidden_import_breaks_its_contract(small_project: Path, module: str, imports: str, contract: str) -> None:
    # Inside a function: an import that comes late is an import all the same.
    (small_project / module).write_text(f"def work():\n    import {imports}\n")
    assert [name for name in broken_contracts(small_project) if name.startswith(contract)]


def test_no_room_has_a_circle_of_imports() -> None:
    assert circles(*ROOMS) == set()


@pytest.mark.parametrize(
    ("line", "noticed"),
    [
        ("def late():\n    import circular.rook", True),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import circular.rook", False),
    ],
)
def test_a_circle_is_noticed_unless_it_is_for_types_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, noticed: bool
) -> None:
    package = tmp_path / "circular"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rook.py").write_text("import circular.queen\n")
    (package / "queen.py").write_text(f"{line}\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert bool(circles("circular")) is noticed


def test_each_contract_has_a_counter_example() -> None:
    for name in contract_names():
        assert name.startswith((LAYERS, SCHEMA, PURITY, LOG, DRIVERS)), f"no counter-example breaks {name!r}"


def test_games_use_nothing_impure() -> None:
    found = {str(path.relative_to(ROOT)): impurities(path.read_text()) for path in modules_of("games")}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import math, os.path", ["os"]),
        ("from datetime import datetime", ["datetime"]),
        ("def late():\n    from litestar import get", ["litestar"]),
        ("if TYPE_CHECKING:\n    from server.app import App", ["server"]),
        ("text = open('map.json').read()", ["open"]),
        ("list(map(print, cards))", ["print"]),
        ("order = sorted(names, key=hash)", ["hash"]),
        ("import msgspec\nfrom . import board\nfrom games.dice import Dice\nvalue = piece.id", []),
    ],
)
def test_impure_code_is_noticed(source: str, expected: list[str]) -> None:
    assert impurities(source) == expected


def test_events_need_only_the_standard_library_msgspec_signatures_and_two_drivers() -> None:
    found = {
        str(path.relative_to(ROOT)): imported_modules(ast.parse(path.read_text())) - EVENTS_MAY_IMPORT
        for path in modules_of("events")
    }
    assert {path: names for path, names in found.items() if names} == {}
