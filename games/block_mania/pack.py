"""What makes a content pack valid (specification, 2.1 to 2.10), and the shelf of packs in use."""

from typing import Final, get_args

from games.block_mania.ops import BlockerType, Unit
from games.block_mania.pack_boards import check_boards
from games.block_mania.pack_cards import check_cards
from games.block_mania.pack_faults import expect_known, expect_once
from games.block_mania.pack_parts import Blocker, Exchange, Expansion, Item, Pack
from games.content import ContentError, Shelf, expect

#: Command, Strength, Move as printed, and the rule that says so.
PRINTED: Final = {
    "citi_def": ((1, 1, 6), "BM-BLK-1"),
    "crocks": ((2, 2, 4), "BM-BLK-1"),
    "fatties": ((2, 4, 4), "BM-BLK-2"),
    "futsy": ((3, 1, 6), "BM-BLK-3"),
    "jaeger": ((0, 2, 7), "BM-BLK-7"),
    "juves": ((3, 2, 5), "BM-BLK-8"),
    "klegg": ((2, 3, 6), "BM-BLK-9"),
    "mob": ((4, 4, 4), "BM-BLK-10"),
    "spugs": ((3, 3, 5), "BM-BLK-8"),
    "superhero": ((2, 2, 6), "BM-BLK-11"),
}
#: Range, damage value and whether it is heavy, of each kind of equipment, and the rule that says so.
EQUIPMENT: Final = {
    "bat_suit": ((None, 0, False), "BM-EQ-2"),
    "power_board": ((None, 0, False), "BM-EQ-2"),
    "buzz_saw": ((None, 3, False), "BM-EQ-3"),
    "demo_charge": ((None, 4, False), "BM-EQ-4"),
    "fire_bombs": ((1, 2, False), "BM-EQ-5"),
    "flamer": ((1, 3, False), "BM-EQ-6"),
    "mdl": ((20, 6, True), "BM-EQ-7"),
    "missile_launcher": ((10, 0, True), "BM-EQ-8"),
    "nerve_gas": ((None, 0, False), "BM-EQ-9"),
    "plascrete_virus": ((None, 0, False), "BM-EQ-9"),
    "robodog": ((None, 2, False), "BM-EQ-10"),
    "spray_paint": ((None, 0, False), "BM-EQ-11"),
    "spit_cannon": ((20, 6, True), "BM-EQ-12"),
    "spitgun": ((6, 3, False), "BM-EQ-13"),
    "stump_gun": ((1, 4, False), "BM-EQ-13"),
    "sucker_gun": ((None, 0, False), "BM-EQ-14"),
    "thermo_bomb": ((None, 0, False), "BM-EQ-15"),
    "trip_mine": ((None, 4, False), "BM-EQ-16"),
    "vibro_drill": ((None, 0, True), "BM-EQ-17"),
}
#: How many tokens the text puts into each pool.
POOLS: Final = {"armory": 52, "hardware": 48}
START_BLOCKERS: Final = 4
UNIT_RULES: Final = {"h_wagon": "BM-3B-3", "pat_wagon": "BM-3B-4", "sonic_cannon": "BM-1A-13"}


def check(pack: Pack) -> None:
    """Test a pack against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    check_boards(pack)
    _check_blockers(pack)
    _check_equipment(pack)
    _check_expansions(pack)
    check_cards(pack)
    for name in ("horizontal", "vertical"):
        faces = len(getattr(pack.scatter, name))
        expect(faces == 6, f"scatter.{name}", "there is a direction for each face", "BM-FIRE-2")
    expect_once([unit.id for unit in pack.units], "units", "BM-3B-1")
    for index, unit in enumerate(pack.units):
        fires = (unit.id == "h_wagon", unit.id == "pat_wagon") == (unit.dv is not None, unit.roll_max is not None)
        expect(fires, f"units[{index}]", "an H-Wagon has a dv, a Pat Wagon a roll_max", UNIT_RULES[unit.id])
    expect(len(pack.units) == len(get_args(Unit)), "units", "every Justice unit is listed", "BM-3B-1")


def _check_blockers(pack: Pack) -> None:
    expect_once([blocker.id for blocker in pack.blockers], "blockers", "BM-BLK-1")
    for index, blocker in enumerate(pack.blockers):
        _check_blocker(blocker, f"blockers[{index}]")
    expect(len(pack.blockers) == len(get_args(BlockerType)), "blockers", "every type is listed", "BM-BLK-1")
    own = sum(_counters(blocker) for blocker in pack.blockers if blocker.supply == "seat" and blocker.id != "jaeger")
    expect(own >= START_BLOCKERS, "blockers", f"a seat has {START_BLOCKERS} to begin with", "BM-SET-8")


def _check_blocker(blocker: Blocker, field: str) -> None:
    values, rule = PRINTED[blocker.id]
    printed = values == (blocker.command, blocker.strength, blocker.move)
    expect(printed, field, f"{blocker.id} has Command, Strength, Move {values}", rule)
    common = (blocker.supply == "common") == (blocker.id == "klegg")
    expect(common, f"{field}.supply", "Kleggs, and they alone, are a common supply", "BM-BLK-9")
    expect(_counters(blocker) > 0, f"{field}.markers", "there is a counter", rule)
    bare = "no_equipment" not in blocker.flags or not (blocker.markers.armory or blocker.markers.hardware)
    expect(bare, f"{field}.markers", "who uses no tokens draws none", "BM-BLK-11")
    kleggs = blocker.id != "klegg" or not (blocker.markers.hardware or blocker.markers.none)
    expect(kleggs, f"{field}.markers", "Kleggs come with an Armory token", "BM-BLK-9")


def _counters(blocker: Blocker) -> int:
    return blocker.markers.armory + blocker.markers.hardware + blocker.markers.none


def _check_equipment(pack: Pack) -> None:
    expect_once([item.id for item in pack.equipment], "equipment", "BM-COMP-1")
    expect(len(pack.equipment) == len(EQUIPMENT), "equipment", "every kind is listed, and no other", "BM-COMP-1")
    for index, item in enumerate(pack.equipment):
        _check_item(item, f"equipment[{index}]")
    for pool, size in POOLS.items():
        total = sum(item.count for item in pack.equipment if item.pool == pool)
        expect(total == size, "equipment", f"the {pool} pool has {size} tokens, not {total}", "BM-COMP-1")


def _check_item(item: Item, field: str) -> None:
    expect(item.id in EQUIPMENT, f"{field}.id", f"there is no {item.id}", "BM-COMP-1")
    values, rule = EQUIPMENT[item.id]
    printed = values == (item.range, item.dv, item.heavy)
    expect(printed, field, f"{item.id} has range, damage value, heavy {values}", rule)
    expect((item.range is not None) == bool(item.shots), field, "what is fired has a range and shots", "BM-SH-1")
    modes = [shot.mode for shot in item.shots]
    expect(len(set(modes)) == len(modes), f"{field}.shots", "each mode is listed once", "BM-SH-1")
    expect(not (item.heavy and item.melee), f"{field}.melee", "no heavy weapon counts in Close Assault", "BM-CA-1")
    for number, shot in enumerate(item.shots):
        place = f"{field}.shots[{number}]"
        expect(not shot.homing or "missile" in item.flags, place, "only missiles are homing", "BM-SH-5")
        few = shot.fires == "choose" or shot.fires <= 3
        expect(few, f"{place}.fires", "a shot places 3 fires at most", "BM-SH-9")


def _check_expansions(pack: Pack) -> None:
    missing = set(get_args(Expansion)) - set(pack.expansions)
    expect(not missing, "expansions", f"{', '.join(sorted(missing))} is not listed", "BM-SET-1")
    tokens = {item.id: item.count for item in pack.equipment}
    for name, exchange in pack.expansions.items():
        field = f"expansions.{name}"
        if name == "jaegers":
            same = exchange == Exchange(remove={"citi_def": 1}, add={"jaeger": 1})
            expect(same, field, "a Jaeger takes the place of a Citi-Def", "BM-SET-2")
            continue
        rule = {"robodogs_sucker_guns": "BM-SET-3", "trip_mines_spit_cannons": "BM-SET-4"}.get(name, "BM-SET-5")
        expect_known([*exchange.remove, *exchange.add], tokens, field, rule)
        for token, count in exchange.remove.items():
            expect(tokens[token] >= count, f"{field}.remove.{token}", f"there are only {tokens[token]}", rule)


#: The packs in use, by SHA-256; whoever reads files fills it.
SHELF: Shelf[Pack] = Shelf(Pack, check)

__all__ = ["SHELF", "ContentError", "check"]
