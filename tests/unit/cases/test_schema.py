"""The JSON Schema of case files: as strict as what reads them, and as committed."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from server.cases import case_schema, find_files, load_cases, position_schema
from server.cases.yaml12 import Yaml12
from server.catalogue import Catalogue
from tests.unit.cases.test_load import WHOLE, WRONG
from tests.unit.cases.test_run import BURIED, SAME

ROOT = Path(__file__).parents[3]
CATALOGUE = Catalogue.load()

#: What only reading can find: files that are no YAML, twice used keys, values that JSON does not have.
UNREADABLE = ("found duplicate key", "while parsing", "cannot be a key", "nested deeper", "is no ")


def read(text: str) -> object:
    loader = Yaml12(text)
    return loader.construct_document(loader.get_single_node())


def errors(text: str) -> list[str]:
    data = read(text)
    return [error.json_path for error in Draft202012Validator(case_schema()).iter_errors(data)]


def test_the_schema_is_a_valid_one_and_as_committed():
    Draft202012Validator.check_schema(case_schema())
    assert json.loads((ROOT / "api_schema" / "case.schema.json").read_bytes()) == case_schema()


@pytest.mark.parametrize("text", [WHOLE, BURIED, SAME.replace("READER", "1").replace("CHANGE", "{seats: 3}")])
def test_what_can_be_read_is_valid(text):
    assert errors(text) == []


@pytest.mark.parametrize("text", [text for text, _, reason in WRONG if text and not reason.startswith(UNREADABLE)])
def test_what_cannot_be_read_is_not_valid(text):
    assert errors(text) != []


def test_matchers_stand_alone_in_what_is_expected_and_are_known_ones():
    case = "- {case: x, rules: [R], given: {}, then: {state: {a: [{b: %s}]}}}"
    assert errors(case % "{$has: [1]}") == []
    assert errors(case % "{$has: [1], c: 1}") != []
    assert errors(case % "{$hass: [1]}") != []
    assert errors(case % "{$len: -1}") != []


def test_the_readme_of_the_cases_names_every_key():
    readme = (ROOT / "tests" / "rulebook" / "README.md").read_text("utf-8")
    definitions = case_schema()["$defs"]
    for name in ("Case", "Given", "ActLine", "UntilLine", "RunLine", "AskLine", "WholeThen", "Legal", "SameFor"):
        for key in definitions[name]["properties"]:
            assert f"`{key}`" in readme, f"{name}.{key}"


@pytest.mark.slow
def test_reading_and_schema_agree_on_every_case_of_the_repository(case_file):
    data = read(case_file.read_text("utf-8"))
    Draft202012Validator(case_schema()).validate(data)
    assert len(load_cases(case_file)) == len(data)


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_the_schema_of_positions_is_a_valid_one_and_as_committed(ruleset):
    schema = position_schema(CATALOGUE[ruleset])
    Draft202012Validator.check_schema(schema)
    assert json.loads((ROOT / "api_schema" / "positions" / f"{ruleset}.json").read_bytes()) == schema


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_the_schema_of_positions_fits_every_position_of_the_cases_and_knows_its_fields(ruleset):
    validator = Draft202012Validator(position_schema(CATALOGUE[ruleset]))
    files = find_files([ROOT / "tests" / "rulebook" / ruleset])
    states = [located.case.given.state for file in files for located in load_cases(file)]
    for state in filter(None, states):
        validator.validate(state)
    assert not validator.is_valid({"no_such_field": 1})
