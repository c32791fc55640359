"""Section 2.2: which content packs are valid."""

from pathlib import Path

import msgspec
import pytest

from games.content import ContentError, Shelf
from games.tpoc.pack import Pack, check

HOUSE = Path(__file__).parents[3] / "games/tpoc/content/tpoc-house-1.json"


def test_the_house_pack_has_thirty_kinds_three_of_each_and_111_tiles():
    pack = msgspec.json.decode(HOUSE.read_bytes(), type=Pack)
    check(pack)
    assert {kind.count for kind in pack.villagers} == {3}
    assert len(pack.villagers) == 30
    assert sum(pack.tiles.values()) == 111


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda pack: pack.update(chefs=2), r"chefs: .*TPOC-1\.8"),
        (lambda pack: pack["cards"].update(red=14), r"cards\.red: .*TPOC-R1"),
        (lambda pack: pack["leaders"].update(red=4), r"leaders\.red: .*TPOC-1\.6"),
        (lambda pack: pack["villagers"][0].update(count=2), r"villagers: .*TPOC-1\.2"),
        (lambda pack: pack["villagers"][0].update(secondary="red"), r"villagers\[0\]: .*TPOC-1\.2"),
        (lambda pack: pack["villagers"][0].update(secondary="pink"), r"villagers\[0\]: .*TPOC-1\.2"),
        (lambda pack: pack["villagers"].append(pack["villagers"][0]), r"villagers\[30\]: .*TPOC-R2"),
        (lambda pack: pack["colours"].pop(), r"colours: .*TPOC-1\.6"),
        (lambda pack: pack["players"].pop("3"), r"players: .*TPOC-3\.1\.1"),
        (lambda pack: pack["layout"].update(swamp=[0, 0]), r"layout: .*TPOC-1\.1"),
        (lambda pack: pack["limits"].update(secret=2), r"limits"),
        (lambda pack: pack.update(picture="x"), r"picture"),
    ],
)
def test_a_pack_that_breaks_a_rule_is_refused_by_field_and_rule(change, sentence):
    pack = msgspec.json.decode(HOUSE.read_bytes())
    change(pack)
    with pytest.raises(ContentError, match=sentence):
        Shelf(Pack, check).add(msgspec.json.encode(pack))
