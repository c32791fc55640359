"""The tiny ruleset as an entry of a catalogue, and cases from a text."""

import textwrap
from pathlib import Path

import pytest

from server.cases import Suite, find_files, run_case
from server.catalogue import Entry, RuleRow
from tests.tiny import RULES


@pytest.fixture(scope="session")
def tiny() -> Entry:
    names = ("TINY-0", "TINY-1", "TINY-1.1", "TINY-1.2", "TINY-2", "TINY-2.1", "TINY-4", "TINY-4.2", "TINY-5")
    return Entry(RULES, {}, tuple(RuleRow(name, f"The rule {name}.", "case") for name in names))


@pytest.fixture
def read(tiny, tmp_path):
    """A suite of the tiny ruleset from the text of a file."""

    def read_text(text: str) -> Suite:
        file = tmp_path / "tiny.yaml"
        file.write_text(textwrap.dedent(text))
        return Suite.read(tiny, [file])

    return read_text


@pytest.fixture
def failures(read):
    """What the last case of a text fails with, as pairs of place and reason."""

    def run_last(text: str) -> list[tuple[str, str]]:
        suite = read(text)
        return [(failure.where, failure.text) for failure in run_case(suite, suite.cases[-1]).failures]

    return run_last


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `case_file` runs on every case file of the repository."""
    if "case_file" in metafunc.fixturenames:
        files = find_files([Path(__file__).parents[2] / "rulebook"])
        metafunc.parametrize("case_file", files, ids=[file.stem for file in files])
