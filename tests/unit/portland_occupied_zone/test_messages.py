"""Every message has words, its stored form is the committed one, and the README tells who sees what."""

import json
from pathlib import Path
from typing import Any, get_args

from games.kernel import EVERYONE, Effect, Step, members, render, schema_lock, tag_of
from games.kernel.say import Saying
from games.kernel.visibility import declared, wire_names
from games.portland_occupied_zone.actions.refusals import Reason
from games.portland_occupied_zone.effects import PozEffect
from games.portland_occupied_zone.effects.police import Halt
from games.portland_occupied_zone.medic import FOLLOWS, SEEKS
from games.portland_occupied_zone.ruleset import RULES
from games.portland_occupied_zone.steps.pursuing import BARRICADES_FIRST, BY_POPULATION, JACKSON_PURSUES, RIOT_PURSUES

FOLDER = Path(__file__).parents[3] / "games/portland_occupied_zone"
KERNEL_REASONS = ("game_over", "already_resigned", "not_your_decision", "not_on_menu")


def texts() -> dict[str, str]:
    found: dict[str, str] = json.loads((FOLDER / "text/en.json").read_text("utf-8"))
    return found


def test_every_tag_and_reason_has_a_text():
    wanted = {f"reason.{reason}" for reason in (*get_args(Reason), *KERNEL_REASONS)}
    for cls in (cls for kind in (RULES.effects, RULES.actions, RULES.steps) for cls in members(kind)):
        key = f"step.{tag_of(cls)}" if issubclass(cls, Step) else tag_of(cls)
        wanted.add(key)
        if any(shown.kind in ("secret", "hidden") for _, shown in declared(cls)):
            wanted.add(f"{key}.hidden")
    assert wanted - set(texts()) == set()


def test_everything_named_in_the_house_pack_has_a_text():
    pack: dict[str, Any] = json.loads((FOLDER / "content/portland_occupied_zone-house-1.json").read_text("utf-8"))
    lists = [
        pack[name] for name in ("structures", "characters", "personal", "diseases", "homebrew", "plans", "aktions")
    ]
    lists += [pack["aktions"], *pack["loot"].values(), *pack["narratives"].values()]
    named = {thing["id"] for things in lists for thing in things} | set(pack["map"]["buildings"])
    named |= {power["id"] for pc in pack["characters"] for power in pc["powers"]}
    assert {f"value.{name}" for name in named} - set(texts()) == set()


def test_the_log_says_what_a_figure_makes_for_by_which_rule_and_why_it_stopped():
    walk = {"figure": "r1", "path": ((20, 8), (20, 7)), "target": "s3", "rule": "POZ-RAI-1", "end": "spent"}
    assert render(Saying("figure_moved", walk), texts()) == (
        "Riot cop r1 goes (20, 8) and (20, 7), making for s3 "
        "(the structure in sight with the highest population, POZ-RAI-1): no movement left"
    )
    stay = {"figure": "jackson", "path": (), "target": None, "rule": "POZ-JAX-5", "end": "stayed"}
    assert render(Saying("figure_moved", stay), texts()) == (
        "Sgt. Jackson stays (the most crapulent character in sight, POZ-JAX-5): there is nothing to make for"
    )


def test_every_rule_and_end_of_a_walk_has_words():
    rules = {JACKSON_PURSUES, RIOT_PURSUES, BARRICADES_FIRST, BY_POPULATION, FOLLOWS, SEEKS}
    wanted = {f"value.why.{rule}" for rule in rules} | {f"value.halt.{end}" for end in get_args(Halt)}
    assert wanted - set(texts()) == set()


def test_the_stored_form_of_messages_is_the_committed_one():
    lock = json.loads(json.dumps(schema_lock(RULES)))
    assert lock == json.loads((FOLDER / "schema_lock.json").read_text("utf-8"))


def test_the_readme_lists_every_effect_with_who_sees_what():
    readme = (FOLDER / "README.md").read_text("utf-8")
    table = readme[readme.index("## Effects") :].splitlines()
    rows = [line for line in table if line.startswith("| `")]
    assert rows == [told(cls) for cls in members(PozEffect)]


def told(cls: type[Effect]) -> str:
    names = wire_names(cls)
    public, some = [], []
    for name, shown in declared(cls):
        if shown.kind == "public":
            public.append(f"`{names[name]}`")
        elif shown.kind == "hidden":
            some.append(f"`{names[name]}`: nobody before the end")
        else:
            unless = f", all if `{shown.unless}`" if shown.unless else ""
            some.append(f"`{names[name]}`: {', '.join(shown.seats)}{unless}")
    tells = "everybody" if cls.tells == EVERYONE else ", ".join(cls.tells) or "–"
    return f"| `{tag_of(cls)}` | {', '.join(public) or '–'} | {'; '.join(some) or '–'} | {tells} |"
