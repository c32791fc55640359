"""Which slots of a tie are asked about: those that the pack says matter, first, last or all (section 4.11, step 3)."""

import json
from pathlib import Path

import pytest

from games.dice import Dice, Script
from games.host_tournament.options import Options
from games.host_tournament.ruleset import RULES
from games.kernel import Setting, decide, decisions, legal, start_at, tag_of

ROOT = Path(__file__).parents[3]
PACK = json.loads((ROOT / "tests/packs/host_tournament/test_pack.json").read_text("utf-8"))
PEOPLE = {f"fresher{n}": {"card": "fresher", "owner": 0, "at": "man_a_vault"} for n in (1, 2, 3)}
TABLE = {
    "man_a_vault1": {"card": "man_a_vault", "owner": 0},
    **PEOPLE,
    "callan1": {"card": "callan", "owner": 1, "at": "man_a_vault"},
}
FRESHERS_FIRST, FRESHERS_LAST = (6, 6, 6, 1), (1, 1, 1, 6)


@pytest.mark.parametrize(
    ("places", "dice", "asked"),
    [
        ("first", FRESHERS_FIRST, ["fresher1"]),
        ("first", FRESHERS_LAST, []),
        ("last", FRESHERS_FIRST, []),
        ("last", FRESHERS_LAST, ["fresher1", "fresher2"]),
        ("all", FRESHERS_FIRST, ["fresher1", "fresher2"]),
        ("all", FRESHERS_LAST, ["fresher1", "fresher2"]),
    ],
)
def test_only_the_slots_that_matter_are_asked_about(house, places, dice, asked):
    pack = PACK | {"pack": f"places-{places}", "places_matter": places}
    setting = Setting(RULES.shelf.add(json.dumps(pack).encode()), 2, Options())
    seats = [{"hand": ["host_tournament"]}, {"hand": []}]
    loaded = RULES.position.load({"turn": 3, "in_play": TABLE, "seats": seats}, setting, "new")
    state, rolled = RULES.initial(setting), Dice(bytes(32), script=Script(dice))
    start_at(RULES, state, loaded, rolled)
    named, ended = [], False
    while not ended:
        seat = next(decision.seat for decision in decisions(state) if decision.owes)
        offered = legal(RULES, state, seat)
        kinds = {tag_of(type(one)) for one in offered}
        chosen = max(offered, key=lambda one: len(one.cards)) if "choose_entrants" in kinds else offered[0]
        if "arrange_ties" in kinds:
            named.append(chosen.card)
        told = decide(RULES, state, seat, chosen, rolled)
        ended = any(tag_of(type(effect)) == "order_made" for effect in told.effects)
    assert named == asked
