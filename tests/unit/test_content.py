"""Content packs are data: checked when they are put on the shelf, named by the SHA-256 of their bytes."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.content import ContentError, Shelf
from games.dice import Dice
from games.kernel import Setting, start
from tests.tiny import RULES
from tests.tiny.pack import Pack, check
from tests.tiny.state import Options

SOURCE = (Path(__file__).parents[1] / "tiny" / "content" / "tiny.json").read_bytes()


def changed(change: Callable[[dict[str, Any]], Any]) -> bytes:
    pack = json.loads(SOURCE)
    change(pack)
    return json.dumps(pack).encode()


@pytest.fixture
def shelf() -> Shelf[Pack]:
    return Shelf(Pack, check)


def test_a_pack_is_found_by_digest_and_name_with_its_exact_bytes(shelf: Shelf[Pack]) -> None:
    digest = shelf.add(SOURCE)
    assert digest == sha256(SOURCE).hexdigest()
    assert shelf[digest].pack == "tiny"
    assert shelf.source(digest) == SOURCE
    assert (shelf.find("tiny"), shelf.find(digest), shelf.find(None), shelf.find("other")) == (
        digest,
        digest,
        digest,
        None,
    )
    assert list(shelf) == [digest]


def test_another_pack_of_the_same_name_is_found_by_its_digest(shelf: Shelf[Pack]) -> None:
    first = shelf.add(SOURCE)
    second = shelf.add(SOURCE + b"\n")
    assert (first != second, shelf.find("tiny"), shelf.find(second), len(list(shelf))) == (True, first, second, 2)


def test_without_packs_nothing_is_found(shelf: Shelf[Pack]) -> None:
    assert shelf.find(None) is None


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b"{", "Input data was truncated"),
        (b"\xff", "malformed"),
        (changed(lambda pack: pack.pop("hand")), "missing required field `hand`"),
        (changed(lambda pack: pack.update(colour="red")), "unknown field `colour`"),
        (changed(lambda pack: pack["places"][0].update(exits=["shop"])), r"length 6.*\$.places\[0\].exits"),
        (changed(lambda pack: pack["places"].append(pack["places"][0])), "twice: cellar"),
        (changed(lambda pack: pack["places"][0].update(exits=[None] * 6)), "TINY-PACK-2"),
        (changed(lambda pack: pack["places"][0].update(above="moon")), "there is no place moon"),
        (changed(lambda pack: pack["cards"][0].update(use="dance")), "dance is no use"),
        (changed(lambda pack: pack.update(hand=9)), "too few"),
    ],
)
def test_a_pack_that_cannot_be_played_with_is_refused_with_a_sentence(
    shelf: Shelf[Pack], source: bytes, sentence: str
) -> None:
    with pytest.raises(ContentError, match=sentence):
        shelf.add(source)
    assert list(shelf) == []


def test_a_game_is_played_with_the_pack_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_packs", "_sources", "_names"):  # the shelf is everybody's: leave it as it was
        monkeypatch.setattr(RULES.shelf, name, dict(getattr(RULES.shelf, name)))
    other = changed(
        lambda pack: (pack.update(pack="rich", purse=5), pack["places"].pop(4), pack["places"][3].update(above=None))
    )
    other = other.replace(b'"attic"', b'"yard"')
    digest = RULES.shelf.add(other)
    setting = Setting(digest, 2, Options())
    state = RULES.initial(setting)
    start(RULES, state, setting, Dice(b"x"))
    assert state.coins == [5, 5]
    assert "attic" not in state.floors
    assert state.content.pack == "rich"
