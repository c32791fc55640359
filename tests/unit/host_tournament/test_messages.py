"""Every message has words, and its stored form is the committed one."""

import json
from typing import get_args

import pytest

from games.host_tournament.refusals import Reason
from games.host_tournament.ruleset import RULES
from games.kernel import Step, legal, members, render, schema_lock, tag_of
from games.kernel.say import Saying
from games.kernel.visibility import declared
from server.show import view_lines
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


RINGO = {"source": "ringo_ambassador1", "index": 0, "zone": "deck", "target": "bent_corner", "replace": None}
AUTO = {"kinds": ("motion",), "until": "end_of_turn", "wake": ("dice",)}
NO_CARDS = {"seat": 0, "n": 0, "cards": ()}


@pytest.mark.parametrize(
    ("key", "args", "text"),
    [
        ("window_opened", {"kind": "announce", "subject": "sort_folder"}, "Answers may be given: a play, the folder"),
        ("action_paid", {"n": 1}, "Actions used: 1"),
        (
            "special_download",
            RINGO,
            "Special download of Ringo - ST Ambassador (rule 0), from the deck, to The Bent Corner",
        ),
        ("use_ability", {"source": "ines1", "index": 2, "zone": None}, "Use the ability of Ines (rule 2)"),
        ("set_auto_pass", AUTO, "Pass by yourself in a move, until the end of the turn, but be asked about dice"),
        ("stops_reduced", {"seat": 0}, "Whatever stops cards of Seat 0 runs down by a turn"),
        ("cards_drawn", NO_CARDS, "Seat 0 draws nothing"),
        ("cards_drawn", NO_CARDS | {"n": 2, "cards": ("pint", "kit")}, "Seat 0 draws 2: Pint and Kit"),
        ("choose_none", {}, "Leave it at that"),
        ("card_chosen", {"seat": 0, "card": None, "shown": True}, "Seat 0 leaves it at that"),
        ("pass", {"rest": "action"}, "Pass: until the next action is over"),
        ("auto_pass_set", {"seat": 0, "auto_pass": AUTO}, "Seat 0 has said where to pass by itself"),
    ],
)
def test_texts_say_what_happens(key, args, text):
    assert render(Saying(key, args), texts()) == text


def test_fields_of_a_view_are_not_taken_for_words_of_the_game():
    cards = {"in_play": {"pint1": {"card": "pint", "entry": 3}}, "fresh": (0,)}
    told = ["in play: pint1 (card Pint, number 3)", "seats that may swap a persona: 0"]
    assert view_lines(cards, texts()) == told


def test_what_is_downloaded_is_a_note_on_the_answer(begun):
    table = {"university_of_warwick1": {"card": "university_of_warwick", "owner": 0}}
    table |= {f"fresher{n}": {"card": "fresher", "owner": 0, "at": "university_of_warwick"} for n in range(1, 5)}
    table |= {"ringo_ambassador1": {"card": "ringo_ambassador", "owner": 0, "at": "university_of_warwick"}}
    state, _ = begun(turn=3, in_play=table, seats=[{"deck": ["host_tournament", "pint"]}, {}])
    offered = [a for a in legal(RULES, state, 0) if tag_of(type(a)) in ("use_ability", "special_download")]
    assert [action.notes(state, 0) for action in offered] == [{"card": "host_tournament"}] * len(offered) != []
