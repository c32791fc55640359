"""The published vectors of docs/clocks.md, and that they show every rule that can be shown without a game."""

import re
from pathlib import Path

import pytest

from tests.unit.clocks.kit import VECTORS, full, take, told

DOCUMENT = (Path(__file__).parents[3] / "docs/clocks.md").read_text()
#: Rules of what is done about a seat, which the vectors' clocks do not know.
OF_GAMES = {"CLK-15"}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_clocks_do_as_the_vectors_say(vector):
    clocks = full(vector)
    for event in vector["events"]:
        if "version" in event:
            take(clocks, event)
        for seat, expected in event.get("expect", {}).items():
            found = told(clocks, int(seat), event["at_ms"])
            assert {name: found[name] for name in expected} == expected, (event, seat)


def test_every_rule_of_the_document_that_needs_no_game_has_a_vector():
    stated = set(re.findall(r"\*\*(CLK-\d+) ", DOCUMENT))
    assert len(stated) == 15
    assert stated - {rule for vector in VECTORS for rule in vector["rules"]} == OF_GAMES
