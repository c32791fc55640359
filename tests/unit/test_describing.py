"""The document of a ruleset follows its packs, and only the newest is kept."""

import json
from pathlib import Path

import msgspec
import pytest

from games.content import Shelf
from server import describing
from server.catalogue import Entry
from server.describing import ruleset_document
from tests.tiny import RULES
from tests.tiny.pack import Pack, check

CONTENT = (Path(__file__).parents[1] / "tiny" / "content" / "tiny.json").read_bytes()


@pytest.fixture
def kept(monkeypatch):
    monkeypatch.setattr(describing, "_documents", {})
    return lambda: describing._documents


def entry():
    shelf = Shelf(Pack, check)
    shelf.add(CONTENT)
    return Entry(msgspec.structs.replace(RULES, shelf=shelf), {}, ())


def packs_in(document):
    return [pack["name"] for pack in json.loads(document)["packs"]]


def test_a_document_is_made_once_for_a_set_of_packs_and_anew_for_another(kept):
    tiny = entry()
    first = ruleset_document(tiny)
    assert ruleset_document(tiny) is first
    tiny.rules.shelf.add(CONTENT.replace(b'"tiny"', b'"alpine"', 1))
    assert packs_in(first) == ["tiny"]
    assert packs_in(ruleset_document(tiny)) == ["tiny", "alpine"]


def test_however_many_packs_are_added_one_document_of_a_ruleset_is_kept(kept):
    tiny = entry()
    for n in range(5):
        tiny.rules.shelf.add(CONTENT.replace(b'"tiny"', f'"tiny {n}"'.encode(), 1))
        ruleset_document(tiny)
    assert len(kept()) == 1


def test_two_entries_of_one_ruleset_are_told_apart(kept):
    one, other = entry(), entry()
    other.rules.shelf.add(CONTENT + b"\n")
    assert len(packs_in(ruleset_document(one))) == 1
    assert len(packs_in(ruleset_document(other))) == 2
    other = Entry(one.rules, {"en": {"shoot": "{seat} shoots"}}, ())
    assert json.loads(ruleset_document(other))["texts"] == other.texts
