"""Every message has words, its stored form is the committed one, and the README's table of effects is true."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from games.block_mania.effects import BlockEffect
from games.block_mania.refusals import Reason
from games.block_mania.ruleset import RULES
from games.kernel import Step, members, schema_lock, tag_of
from games.kernel.messages import EVERYONE, OTHERS
from games.kernel.say import Saying, render
from games.kernel.visibility import declared, wire_names

FOLDER = Path(__file__).parents[3] / "games/block_mania"
KERNEL_REASONS = ("game_over", "already_resigned", "not_your_decision", "not_on_menu")
EFFECTS = {tag_of(effect): effect for effect in members(BlockEffect)}
#: Tags of the specification, 9.1, but for what it names with a bar between.
NAMED = [
    "game_started", "block_chosen", "blocker_placed", "turn_started", "justice_played", "command_rolled",
    "blocker_deployed", "activation_started", "mp_bought", "blocker_moved", "blocker_pinned", "blocker_killed",
    "blocker_removed", "equipment_drawn", "equipment_returned", "equipment_given", "equipment_deployed",
    "token_dropped", "trap_sprung", "card_played", "card_drawn", "card_discarded", "window_opened", "window_passed",
    "attack_rolled", "fire_added", "fire_removed", "fire_spread", "fire_lost", "damage_added", "square_collapsed",
    "pedway_severed", "exploded", "looted", "scrawled", "unit_placed", "unit_fired", "virus_released", "virus_moved",
    "gas_released", "power_set", "catastrophe_rolled", "block_collapsed", "blockers_unflipped", "endgame_started",
    "game_over",
]  # fmt: skip


@pytest.fixture(scope="module")
def texts():
    return json.loads((FOLDER / "text/en.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def table():
    """The rows of the README's table by tag: fields, to whom it reveals something."""
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|", text, re.MULTILINE)
    return {tag: (fields.strip(), reveals.strip()) for tag, fields, reveals in rows}


def test_every_tag_and_reason_has_a_text(texts):
    wanted = {f"reason.{reason}" for reason in (*get_args(Reason), *KERNEL_REASONS)}
    for cls in (cls for kind in (RULES.effects, RULES.actions, RULES.steps) for cls in members(kind)):
        key = f"step.{tag_of(cls)}" if issubclass(cls, Step) else tag_of(cls)
        wanted.add(key)
        if any(shown.kind in ("secret", "hidden") for _, shown in declared(cls)):
            wanted.add(f"{key}.hidden")
    assert wanted - set(texts) == set()


def test_every_board_card_token_and_type_of_the_house_pack_has_a_text(texts):
    pack = json.loads((FOLDER / "content/block_mania-house-1.json").read_text("utf-8"))
    named = {one["id"] for part in ("boards", "equipment", "blockers", "units") for one in pack[part]}
    named |= {f"{card['justice']}/{card['mania']}" for card in pack["cards"]}
    assert {f"value.{name}" for name in named} - set(texts) == set()


def test_the_stored_form_of_messages_is_the_committed_one():
    lock = json.loads(json.dumps(schema_lock(RULES)))
    assert lock == json.loads((FOLDER / "schema_lock.json").read_text("utf-8"))


def test_there_is_every_effect_that_the_specification_names():
    assert set(NAMED) - set(EFFECTS) == set()


def test_the_table_of_effects_has_all_of_them(table):
    assert set(table) >= set(EFFECTS)


@pytest.mark.parametrize("tag", EFFECTS)
def test_the_table_of_effects_is_true(table, tag):
    effect = EFFECTS[tag]
    names = wire_names(effect)
    fields = ", ".join(names[name] + _seen_by(shown) for name, shown in declared(effect))
    assert table[tag] == (fields, _reveals(effect))


def _seen_by(shown):
    if shown.kind == "public":
        return ""
    if shown.kind == "hidden":
        return " (hidden)"
    seats = " and ".join(shown.seats)
    return f" (to {seats}, unless {shown.unless})" if shown.unless else f" (to {seats})"


def _reveals(effect):
    if effect.tells == EVERYONE:
        return "all"
    return "all but seat" if effect.tells == OTHERS else ", ".join(effect.tells) or "–"


CARD = "sonic_cannon/stuck"


@pytest.mark.parametrize(
    ("key", "args", "text"),
    [
        ("play_justice", {"card": CARD, "square": "s"}, "Play Sonic Cannon in s"),
        ("justice_played", {"seat": 1, "card": CARD, "block": 0}, "Seat 1 plays Sonic Cannon for the block of Seat 0"),
        ("play_mania", {"card": CARD, "blocker": "b1"}, "Play Stuck (Justice: Sonic Cannon) on b1"),
        (
            "fire_removed",
            {"square": "s", "n": 0, "cause": "firefight", "dice": [2]},
            "The fire burns on in s (Fire Fighting), die 2",
        ),
        (
            "turn_flag_set",
            {"seat": 0, "flag": "no_fatties", "value": 0},
            "For this turn of Seat 0: no Fatties may be activated",
        ),
        (
            "turn_flag_set",
            {"seat": 0, "flag": "fatty_bonus", "value": 2},
            "For this turn of Seat 0: more movement points for Fatties: 2",
        ),
        (
            "blocker_flagged",
            {"blocker": "b1", "flag": "stuck", "until": 0},
            "b1 is stuck until the next turn of Seat 0",
        ),
        ("blocker_flagged", {"blocker": "b1", "flag": "movement_over", "until": None}, "b1 moves no further"),
        ("blockers_unflipped", {"blockers": []}, "Nobody has to be made ready again"),
        (
            "step.window",
            {"kind": "A-", "event": "attack_declared"},
            "Play a card or pass: to subtract from the dice (an attack)",
        ),
        (
            "activation_started",
            {"seat": 0, "blocker": "b7", "type": "mob", "cost": 1, "mp": 4},
            "Seat 0 activates b7 (Mob) for 1: 4 movement points",
        ),
    ],
)
def test_a_sentence_says_what_happened(texts, key, args, text):
    assert render(Saying(key, args), texts) == text


@pytest.mark.parametrize(
    "how", ["walk", "fly", "swing", "charge", "elevator", "grav_chute", "sky_rail", "mega_way", "pedway"]
)
def test_how_a_blocker_moves_is_said_and_the_way_has_a_name_of_its_own(texts, how):
    assert texts[f"value.how.{how}"] != texts[f"value.{how}"]


def test_every_cause_mode_and_window_has_a_word(texts):
    pack = json.loads((FOLDER / "content/block_mania-house-1.json").read_text("utf-8"))
    words = {shot["mode"] for one in pack["equipment"] for shot in one.get("shots", ())} | {"drill"}
    words |= {"spread", "catastrophe", "fight", "virus", "thermo", "trip_mine", "severed", "R", "H", "A+", "A-"}
    assert {f"value.{word}" for word in words} - set(texts) == set()
