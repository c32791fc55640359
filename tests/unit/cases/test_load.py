"""Reading case files: what is refused, and that each refusal names the file and the line."""

import json
import textwrap
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from server.cases import CaseFileError, Suite, load_cases
from server.cases.load import DEPTH_MAX, FILE_BYTES_MAX
from server.cases.model import ActLine, AskLine, RunLine, UntilLine
from server.cases.yaml12 import Yaml12

WHOLE = """\
    - case: every kind of line
      rules: [TINY-1]
      given: {seats: 2}
      when:
        - {seat: 0, action: {action: end_turn}, illegal: [TINY-0, TINY-1]}
        - {until: {round: 2}}
        - {run: damage, place: shop, then: {no_effects: [unit_lost]}}
        - {ask: {above: {place: cellar}, is: flat}}
"""

MINIMAL = "- {case: x, rules: [TINY-1], given: {seats: 2}, then: {state: {round: 1}}}"

WRONG = [
    ("", 1, "empty"),
    ("case: x", 1, "a list of cases"),
    ("- just words", 1, "a case is a map"),
    ("- {case: x, rules: [R], given: {}}", 1, "expects nothing"),
    ("- {case: x, rules: [R], given: {}, when: [{seat: 0, action: {action: y}}]}", 1, "expects nothing"),
    ("- {case: x, rules: [], given: {}, then: {}}", 1, "length >= 1"),
    ("- {case: x, given: {}, then: {}}", 1, "missing required field `rules`"),
    ("- {case: x, rules: [R], then: {}}", 1, "missing required field `given`"),
    ("-\n  case: x\n  rules: [R]\n  given: {}\n  expect: {}\n  then: {}", 2, "unknown field `expect`"),
    ("- case: x\n  rules: [R]\n  given:\n    seats: 2\n    stat: {}\n  then: {}", 3, "unknown field `stat`"),
    ("- case: x\n  rules: [R]\n  given: {}\n  then:\n    state: {}\n    legals: []", 4, "unknown field `legals`"),
    ("- case: x\n  rules: [R]\n  given: {}\n  then:\n    legal:\n      seat: zero", 6, "Expected `int`"),
    ("- case: x\n  rules: [R]\n  given: {}\n  when:\n    - {seat: 0}", 5, "exactly one of the keys"),
    ("- case: x\n  rules: [R]\n  given: {}\n  when:\n    - {until: {}, run: x}", 5, "exactly one of the keys"),
    ("- case: x\n  rules: [R]\n  given: {}\n  when:\n    - {until: {a: 1}, illegal: R}", 5, "unknown field `illegal`"),
    ("- case: x\n  rules: [R]\n  given: {}\n  then:\n    state: {a: {$hass: [1]}}", 5, "a matcher stands alone"),
    ("- case: x\n  rules: [R]\n  given: {}\n  then:\n    state: {a: {$len: 1, b: 2}}", 5, "a matcher stands alone"),
    ("- case: x\n  case: y", 2, "found duplicate key"),
    ("- case: x\n  rules: [R\n  given", 3, "while parsing|did not find expected|expected"),
    ("- case: x\n  rules: [2024-01-01]", 2, "is no JSON value"),
    ("- case: x\n  given: {true: 1}", 2, "cannot be a key"),
    ("- &a [*a]", 1, "nested deeper|recursive"),
    ("- case: x\n  given: {0x1: a, 1: b}", 2, 'found duplicate key "1"'),
    ("- case: x\n  given: {1: a, '1': b}", 2, 'found duplicate key "1"'),
    ("- case: x\n  rules: [2026-02-30]", 2, "is no timestamp"),
    ("- case: x\n  rules: [0x_]", 2, "is no int"),
    (f"- case: x\n  rules: [{'9' * 5000}]", 2, "is no int"),
    ("- case: x\n  rules: [!!bool maybe]", 2, "is no bool"),
]


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        file = tmp_path / "wrong.yaml"
        file.write_text(text)
        return load_cases(file)

    return load_text


@pytest.mark.parametrize(("text", "line", "reason"), WRONG)
def test_a_file_that_does_not_keep_to_the_form_is_refused_with_file_and_line(load, text, line, reason):
    with pytest.raises(CaseFileError, match=reason) as caught:
        load(text)
    assert str(caught.value).split(": ")[0].endswith(f"wrong.yaml:{line}")


def test_every_kind_of_line_is_told_from_its_keys(load):
    (located,) = load(textwrap.dedent(WHOLE))
    act, until, run, ask = located.case.when
    assert isinstance(act, ActLine)
    assert isinstance(until, UntilLine)
    assert isinstance(run, RunLine)
    assert run.args == {"place": "shop"}
    assert isinstance(ask, AskLine)


def test_a_case_knows_its_line_and_words_that_other_yaml_takes_for_values_stay_words(load):
    first, second = load(f"# a file\n\n{MINIMAL}\n- {{case: NO, rules: [off], given: {{}}, then: {{}}}}\n")
    assert (first.line, second.line) == (3, 4)
    assert second.case.case == "NO"
    assert second.case.rules == ("off",)


def test_json_is_read_too(tmp_path):
    file = tmp_path / "case.json"
    file.write_text(
        '[\n\t{"case": "x", "rules": ["R"], "given": {"seats": 2}, "then": {"outcome": {"$absent": true}}}\n]'
    )
    (located,) = load_cases(file)
    assert located.line == 2
    assert located.case.given.seats == 2


def test_numbers_as_keys_are_their_digits(load):
    (located,) = load("- {case: x, rules: [R], given: {}, then: {state: {seats: {0: {hand: []}}}}}")
    assert located.case.then.state == {"seats": {"0": {"hand": []}}}


def test_a_file_that_is_too_large_is_refused(load):
    with pytest.raises(CaseFileError, match="larger than"):
        load("#" * (FILE_BYTES_MAX + 1))


def test_a_file_that_is_too_deep_is_refused(load):
    with pytest.raises(CaseFileError, match="nested deeper"):
        load("- " + "[" * (DEPTH_MAX + 1) + "]" * (DEPTH_MAX + 1))


def test_a_file_deep_enough_to_break_a_recursion_is_refused(load):
    with pytest.raises(CaseFileError, match="nested deeper"):
        load("- " + "[" * 400 + "]" * 400)


def test_aliases_that_would_fill_the_memory_are_refused_without_writing_them_out(load):
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 20)]
    with pytest.raises(CaseFileError, match="aliases written out"):
        load("\n".join(lines))


def test_merged_maps_are_written_out(load):
    first, second = load(
        "- {case: x, rules: [R], given: {state: &start {round: 1, coins: [2]}}, then: {}}\n"
        "- {case: y, rules: [R], given: {state: {<<: *start, coins: [3]}}, then: {}}"
    )
    assert first.case.given.state == {"round": 1, "coins": [2]}
    assert second.case.given.state == {"round": 1, "coins": [3]}


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CaseFileError, match="No such file"):
        load_cases(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([("A", "{}"), ("A", "{}")], "the id A is taken by .*:1"),
        ([("A", "{after: B}")], "there is no case with the id B"),
        ([("A", "{after: B}"), ("B", "{after: A}")], "goes on from this case itself"),
    ],
)
def test_ids_are_unique_and_after_leads_to_a_beginning(tiny, tmp_path, given, reason):
    file = tmp_path / "chain.yaml"
    file.write_text("\n".join(f"- {{case: x, id: {i}, rules: [TINY-1], given: {g}, then: {{}}}}" for i, g in given))
    with pytest.raises(CaseFileError, match=reason):
        Suite.read(tiny, [file])


@pytest.mark.parametrize(
    "text",
    [
        *("no", "off", "y", "true", "True", "null", "~", "", "1", "-3", "+7", "007", "0o17", "0x1F", "1_000", "1:30"),
        *(
            "1.5",
            "1e5",
            ".5",
            "-.inf",
            "1.",
            "<",
            "!!str 5",
            "'5'",
            '"no"',
            "12:30:00",
            "1.2.3",
            "a: b",
            "|\n  x\n  y",
        ),
        "{a: &x {b: 1}, c: {<<: *x, d: 2}}",
        "{<<: [{a: 1}, {a: 2, b: 3}], b: 4}",
    ],
)
def test_values_are_read_as_the_reference_reads_yaml_1_2(text):
    loader = Yaml12(f"- {text}\n")
    read = loader.construct_document(loader.get_single_node())
    assert repr(read) == repr(YAML(typ="safe", pure=True).load(f"- {text}\n"))


def test_files_of_cases_are_read_as_the_reference_reads_them():
    for folder in sorted((Path(__file__).parents[2] / "rulebook").iterdir()):
        file = min(folder.glob("*.yaml"), key=lambda file: file.stat().st_size, default=None)
        if file is not None:
            loader = Yaml12(file.read_text("utf-8"))
            read = loader.construct_document(loader.get_single_node())
            assert read == YAML(typ="safe", pure=True).load(file.read_text("utf-8"))


def test_depth_counts_through_aliases(load):
    lines = [f"- &a0 {'[' * 20}x{']' * 20}"]
    lines += [f"- &a{n} {'[' * 20}*a{n - 1}{']' * 20}" for n in range(1, 200)]
    with pytest.raises(CaseFileError, match="nested deeper"):
        load("\n".join(lines))


def test_json_may_escape_any_character(tmp_path):
    file = tmp_path / "case.json"
    case = r'[{"case": "\ud83d\ude00 \\ud83d\u00e9", "rules": ["R"], "given": {}, "then": {}}]'
    file.write_text(case)
    (located,) = load_cases(file)
    assert located.case.case == json.loads(case)[0]["case"]
