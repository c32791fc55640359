"""Finding case files, telling their ruleset, and which rule no case shows."""

import pytest

from server.cases import CaseFileError, Suite, coverage, find_files, suites, without_case
from server.catalogue import Catalogue, Entry, RuleRow, UnknownRulesetError
from tests.tiny import RULES

CASE = "- {case: one, rules: [TINY-1, TINY-1], given: {seats: 2}, then: {state: {round: 0}}}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "b.yaml").write_text(CASE)
    (tmp_path / "tiny" / "a.json").write_text('[{"case": "two", "rules": ["X"], "given": {}, "then": {}}]')
    (tmp_path / "tiny" / "notes.md").write_text("no cases")
    (tmp_path / "elsewhere.yaml").write_text(CASE)
    return tmp_path


def test_files_of_folders_come_in_the_order_of_their_names_and_once(folder):
    found = find_files([folder / "tiny", folder / "tiny" / "b.yaml"])
    assert [file.name for file in found] == ["a.json", "b.yaml"]


def test_a_ruleset_is_told_from_the_folder_else_from_the_rules(tiny, folder):
    catalogue = Catalogue([tiny])
    (suite,) = suites(catalogue, find_files([folder]))
    assert [located.file.name for located in suite.cases] == ["elsewhere.yaml", "a.json", "b.yaml"]


def test_a_ruleset_that_nothing_tells_has_to_be_named(tiny, folder):
    (folder / "elsewhere.yaml").write_text(CASE.replace("TINY", "OTHER"))
    with pytest.raises(CaseFileError, match="no ruleset has the rule OTHER-1"):
        suites(Catalogue([tiny]), [folder / "elsewhere.yaml"])
    (suite,) = suites(Catalogue([tiny]), [folder / "elsewhere.yaml"], "tiny")
    assert len(suite.cases) == 1
    with pytest.raises(UnknownRulesetError, match="there is no ruleset 'other'; there is tiny"):
        suites(Catalogue([tiny]), [folder / "elsewhere.yaml"], "other")


def test_coverage_lists_every_rule_in_order_with_the_cases_that_show_it(folder):
    index = (RuleRow("TINY-1", "One.", "case"), RuleRow("TINY-2", "Two.", "case"), RuleRow("TINY-3", "Hint.", "advice"))
    entry = Entry(RULES, {}, index)
    rows = coverage(entry, Suite.read(entry, [folder / "tiny" / "b.yaml"]).cases)
    assert [(row.id, row.kind, row.text, row.cases) for row in rows] == [
        ("TINY-1", "case", "One.", ("b.yaml: one",)),
        ("TINY-2", "case", "Two.", ()),
        ("TINY-3", "advice", "Hint.", ()),
    ]
    assert [row.id for row in without_case(rows)] == ["TINY-2"]
