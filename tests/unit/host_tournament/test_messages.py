"""Every message has words, and its stored form is the committed one."""

import json
from typing import get_args

from games.host_tournament.refusals import Reason
from games.host_tournament.ruleset import RULES
from games.kernel import Step, members, schema_lock, tag_of
from games.kernel.visibility import declared
from tests.unit.host_tournament.conftest import FOLDER, HOUSE

KERNEL_REASONS = ("game_over", "already_resigned", "not_your_decision", "not_on_menu")


def texts():
    return json.loads((FOLDER / "text/en.json").read_text("utf-8"))


def test_every_tag_and_reason_has_a_text():
    wanted = {f"reason.{reason}" for reason in (*get_args(Reason), *KERNEL_REASONS)}
    for cls in (cls for kind in (RULES.effects, RULES.actions, RULES.steps) for cls in members(kind)):
        key = f"step.{tag_of(cls)}" if issubclass(cls, Step) else tag_of(cls)
        wanted.add(key)
        if any(shown.kind in ("secret", "hidden") for _, shown in declared(cls)):
            wanted.add(f"{key}.hidden")
    assert wanted - set(texts()) == set()


def test_every_thing_of_the_house_pack_has_a_name():
    pack = json.loads(HOUSE.read_text("utf-8"))
    named = [thing for kind in pack.values() if isinstance(kind, list) for thing in kind if "name" in thing]
    assert {f"value.{thing['id']}": thing["name"] for thing in named}.items() <= texts().items()


def test_the_stored_form_of_messages_is_the_committed_one():
    lock = json.loads(json.dumps(schema_lock(RULES)))
    assert lock == json.loads((FOLDER / "schema_lock.json").read_text("utf-8"))
