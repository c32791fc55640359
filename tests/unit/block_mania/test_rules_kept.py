"""CONTRIBUTING, "Changing a rule": whoever looks for a rule by its ID finds where it is kept."""

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "games/block_mania"
ONE = re.compile(r"BM-[0-9A-Z]+(?:-\d+)?")
SEVERAL = re.compile(r"BM-([0-9A-Z]+)-(\d+)((?:(?:, | and | to )-\d+)+)")
MORE = re.compile(r"(, | and | to )-(\d+)")


def named(text):
    """The IDs in a text: also those of `BM-FIRE-2 to -4`."""
    found = set(ONE.findall(text))
    for section, first, rest in SEVERAL.findall(text):
        last = int(first)
        for how, number in MORE.findall(rest):
            start = last if "to" in how else int(number)
            found |= {f"BM-{section}-{n}" for n in range(start, int(number) + 1)}
            last = int(number)
    return found


def test_ranges_of_ids_name_all_of_them():
    assert named("BM-FIRE-2 to -4, BM-R7; BM-SH-9, -10") == {
        "BM-FIRE-2", "BM-FIRE-3", "BM-FIRE-4", "BM-R7", "BM-SH-9", "BM-SH-10"
    }  # fmt: skip


def test_every_rule_is_named_where_it_is_kept_and_no_other_is():
    sources = "\n".join(path.read_text("utf-8") for path in FOLDER.rglob("*.py"))
    rules = {rule["id"] for rule in json.loads((FOLDER / "rules.json").read_text("utf-8"))["rules"]}
    kept = named(sources)
    assert rules - kept == set()
    assert kept - rules == set()
