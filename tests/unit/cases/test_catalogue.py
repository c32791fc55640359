"""The catalogue, and the strict decoding of settings and actions that everybody shares."""

import json
from pathlib import Path

import msgspec
import pytest

from games.content import Shelf
from games.kernel import Setting
from server.catalogue import (
    Catalogue,
    CatalogueError,
    Entry,
    InvalidActionError,
    InvalidSettingError,
    RuleRow,
    UnknownRulesetError,
    decode_action,
    read_entry,
    setting,
)
from tests.tiny import PACK, RULES
from tests.tiny.actions import CastVote
from tests.tiny.pack import Pack, check
from tests.tiny.state import Options

CONTENT = (Path(__file__).parents[2] / "tiny" / "content" / "tiny.json").read_bytes()


@pytest.fixture
def folder(tmp_path):
    """A ruleset's folder with two packs, a language and an index."""
    for name in ("content", "text"):
        (tmp_path / name).mkdir()
    renamed = json.loads(CONTENT) | {"pack": "alpine"}
    (tmp_path / "content" / "alpine.json").write_text(json.dumps(renamed))
    (tmp_path / "content" / "tiny-house.json").write_bytes(CONTENT)
    (tmp_path / "text" / "en.json").write_text('{"shoot": "{seat} shoots"}')
    (tmp_path / "rules.json").write_text('{"ruleset": "tiny", "rules": [{"id": "T", "text": "x", "kind": "case"}]}')
    return tmp_path


@pytest.fixture
def rules():
    """The tiny ruleset with an empty shelf."""
    return msgspec.structs.replace(RULES, shelf=Shelf(Pack, check))


def test_an_entry_has_its_packs_the_house_pack_first_and_its_texts_and_index(folder, rules):
    entry = read_entry(rules, folder)
    assert list(rules.shelf.names) == ["tiny", "alpine"]
    assert rules.shelf.find(None) == PACK
    assert entry.texts == {"en": {"shoot": "{seat} shoots"}}
    assert entry.index == (RuleRow("T", "x", "case"),)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("content/alpine.json", "{}", "alpine.json: .*required field"),
        ("content/alpine.json", "[", "alpine.json: "),
        ("text/en.json", '{"a": 1}', "en.json: Expected `str`"),
        ("rules.json", '{"ruleset": "other", "rules": []}', "ruleset is 'other', not 'tiny'"),
        (
            "rules.json",
            '{"ruleset": "tiny", "rules": [{"id": "T", "text": "x", "kind": "idea"}]}',
            "Invalid enum value",
        ),
        ("rules.json", '{"ruleset": "tiny", "rules": [], "more": 1}', "unknown field `more`"),
    ],
)
def test_a_broken_file_is_named(folder, rules, name, text, reason):
    (folder / name).write_text(text)
    with pytest.raises(CatalogueError, match=reason):
        read_entry(rules, folder)


def test_a_rule_listed_twice_is_refused(folder, rules):
    row = {"id": "T", "text": "x", "kind": "case"}
    (folder / "rules.json").write_text(json.dumps({"ruleset": "tiny", "rules": [row, row]}))
    with pytest.raises(CatalogueError, match="T is listed twice"):
        read_entry(rules, folder)


def test_a_missing_index_is_refused(folder, rules):
    (folder / "rules.json").unlink()
    with pytest.raises(CatalogueError, match=r"rules\.json"):
        read_entry(rules, folder)


def test_the_catalogue_has_every_ruleset_with_a_pack_and_an_index_in_the_order_of_names():
    catalogue = Catalogue.load()
    assert "tpoc" in catalogue
    assert list(catalogue) == sorted(catalogue)
    for name, entry in catalogue.items():
        assert entry.rules.id == name
        assert entry.rules.shelf.find(None) is not None
        assert entry.index
        assert "en" in entry.texts


def test_an_unknown_ruleset_is_a_key_error_that_reads_as_a_sentence(tiny):
    catalogue = Catalogue([tiny])
    with pytest.raises(UnknownRulesetError) as caught:
        catalogue["chess"]
    assert str(caught.value) == "there is no ruleset 'chess'; there is tiny"
    assert isinstance(caught.value, KeyError)
    assert catalogue.get("chess") is None


def test_a_setting_has_the_pack_by_name_or_digest_or_the_house_pack(tiny):
    wanted = Setting(PACK, 2, Options(rounds=3), ())
    for pack in (None, "tiny", PACK):
        assert setting(tiny, 2, {"rounds": 3}, pack) == wanted


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seats": 5}, "seats: tiny is for 1 to 4 seats, not 5"),
        ({"seats": 0}, "seats: tiny is for 1 to 4 seats, not 0"),
        ({"seats": True}, "seats: .* not True"),
        ({"seats": "2"}, "seats: .* not '2'"),
        ({"options": {"rounds": 9}}, r"options\.rounds: expected `int` <= 3"),
        ({"options": {"rounds": "2"}}, r"options\.rounds: expected `int`, got `str`"),
        ({"options": {"speed": 1}}, "speed"),
        ({"options": []}, "options: expected `object`, got `array`"),
        ({"pack": "other"}, "pack: tiny has no content pack 'other'; it has tiny"),
        ({"setups": {"0": {}}}, "setups: in tiny the seats bring nothing"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_its_field(tiny, change, reason):
    with pytest.raises(InvalidSettingError, match=reason):
        setting(tiny, **({"seats": 2, "options": {}} | change))


class Deck(msgspec.Struct, frozen=True):
    cards: tuple[str, ...] = ()


@pytest.fixture
def bringing():
    """The tiny ruleset as if every seat could bring a deck."""
    return Entry(msgspec.structs.replace(RULES, setup=Deck), {}, ())


def test_what_seats_bring_is_by_seat(bringing):
    assert setting(bringing, 3, {}, None, {"1": {"cards": ["no"]}}).setups == (None, Deck(("no",)), None)


@pytest.mark.parametrize(
    ("setups", "reason"),
    [
        ({"3": {}}, "setups: '3' is no seat from 0 to 2"),
        ({"1": {"cards": [1]}}, r"setups\.1\.cards\[0\]: expected `str`"),
        ({"1": {"card": []}}, r"setups\.1\.card: there is no such field"),
    ],
)
def test_what_seats_cannot_bring_is_refused(bringing, setups, reason):
    with pytest.raises(InvalidSettingError, match=reason):
        setting(bringing, 3, {}, None, setups)


@pytest.mark.parametrize("raw", [b'{"action": "cast_vote", "choice": 1}', {"action": "cast_vote", "choice": 1}])
def test_an_action_is_decoded_from_bytes_or_builtins(tiny, raw):
    assert decode_action(tiny, raw) == CastVote(1)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{", "action: not JSON"),
        (b"\xff", "action: not JSON"),
        (b"[]", "action: an object with a field `action` is expected"),
        (b"{}", "the field `action` that names its type is missing"),
        ({"action": 3}, "the field `action` that names its type is missing, or is not a string"),
        ({"action": "castle"}, "action: tiny has no action 'castle'"),
        ({"action": "CastVote", "choice": 1}, "action: tiny has no action 'CastVote'"),
        ({"action": "cast_vote"}, "cast_vote: object missing required field `choice`"),
        ({"action": "cast_vote", "choice": "1"}, r"cast_vote\.choice: expected `int`, got `str`"),
        ({"action": "cast_vote", "choice": True}, r"cast_vote\.choice: expected `int`, got `bool`"),
        ({"action": "cast_vote", "choice": 1.5}, r"cast_vote\.choice: expected `int`, got `float`"),
        ({"action": "cast_vote", "choice": 1, "seat": 0}, r"cast_vote\.seat: there is no such field"),
        ({"action": "cast_vote", "choice": [[[[[[[[1]]]]]]]]}, "cast_vote: nested deeper than 8"),
        (b'{"action": "cast_vote", "choice": ' + b"[" * 100_000, "action: (nested too deep|not JSON)"),
    ],
)
def test_what_is_no_action_is_refused_with_its_field(tiny, raw, reason):
    with pytest.raises(InvalidActionError, match=reason):
        decode_action(tiny, raw)
