"""Every case file of every ruleset, and that every rule which a case has to show is shown by one.

How a case is written: README.md beside this file.
"""

import re
from pathlib import Path

import pytest

from server.cases import Located, Suite, coverage, find_files, render, run_case, suites, without_case
from server.catalogue import Catalogue

ROOT = Path(__file__).parent
PACKS = ROOT.parent / "packs"
CATALOGUE = Catalogue.load()
for pack in sorted(PACKS.glob("*/*.json")):  # for rules that no card of a house pack shows
    CATALOGUE[pack.parent.name].rules.shelf.add(pack.read_bytes())
SUITES = {name: Suite.read(entry, find_files([ROOT / name])) for name, entry in CATALOGUE.items()}
CASES = [(suite, located) for suite in SUITES.values() for located in suite.cases]


def _name(located: Located) -> str:
    return f"{located.file.parent.name}/{located.file.name}:{located.line}"


@pytest.mark.parametrize(("suite", "located"), CASES, ids=[_name(located) for _, located in CASES])
def test_the_case_is_as_it_says(suite, located):
    report = run_case(suite, located)
    assert report.passes, f"\n{render(report)}"


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_every_rule_that_a_case_has_to_show_is_shown(ruleset):
    rows = coverage(CATALOGUE[ruleset], SUITES[ruleset].cases)
    assert [row.id for row in without_case(rows)] == []


def test_every_folder_of_cases_is_a_ruleset():
    assert {path.name for path in ROOT.iterdir() if path.is_dir() and find_files([path])} <= set(CATALOGUE)


def test_the_examples_of_the_readme_pass(tmp_path):
    blocks = re.findall(
        r"^```yaml\n(- case:.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (tmp_path / "readme.yaml").write_text("".join(blocks), "utf-8")
    (suite,) = suites(CATALOGUE, [tmp_path / "readme.yaml"])
    assert len(suite.cases) == len(blocks) > 2
    for located in suite.cases:
        report = run_case(suite, located)
        assert report.passes, f"\n{render(report)}"
