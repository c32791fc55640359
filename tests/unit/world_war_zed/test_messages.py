"""Every message has words, and its stored form is the committed one."""

import json
from pathlib import Path
from typing import get_args

from games.kernel import Step, members, schema_lock, tag_of
from games.kernel.visibility import declared
from games.world_war_zed.actions.refusals import Reason
from games.world_war_zed.ruleset import RULES

FOLDER = Path(__file__).parents[3] / "games/world_war_zed"
KERNEL_REASONS = ("game_over", "already_resigned", "not_your_decision", "not_on_menu")


def test_every_tag_and_reason_has_a_text():
    texts = json.loads((FOLDER / "text/en.json").read_text("utf-8"))
    wanted = {f"reason.{reason}" for reason in (*get_args(Reason), *KERNEL_REASONS)}
    for cls in (cls for kind in (RULES.effects, RULES.actions, RULES.steps) for cls in members(kind)):
        key = f"step.{tag_of(cls)}" if issubclass(cls, Step) else tag_of(cls)
        wanted.add(key)
        if any(shown.kind in ("secret", "hidden") for _, shown in declared(cls)):
            wanted.add(f"{key}.hidden")
    assert wanted - set(texts) == set()


def test_every_place_event_and_scenario_of_the_house_pack_has_a_text():
    texts = json.loads((FOLDER / "text/en.json").read_text("utf-8"))
    pack = json.loads((FOLDER / "content/world_war_zed-house-1.json").read_text("utf-8"))
    named = [*pack["map"]["regions"], *pack["map"]["zones"], *pack["map"]["off_map"], *pack["events"]]
    assert {f"value.{thing['id']}" for thing in named} - set(texts) == set()
    assert {f"value.{scenario['id']}" for scenario in pack["scenarios"]} - set(texts) == set()


def test_the_stored_form_of_messages_is_the_committed_one():
    lock = json.loads(json.dumps(schema_lock(RULES)))
    assert lock == json.loads((FOLDER / "schema_lock.json").read_text("utf-8"))
