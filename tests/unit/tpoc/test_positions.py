"""Section 3.3: what a position leaves out, and which ones cannot be."""

import pytest

from games.kernel import PositionError, Setting, encode
from games.tpoc.codes import total
from games.tpoc.ruleset import RULES, check_setting
from games.tpoc.state import Options


def test_missing_pieces_go_where_the_specification_says(position):
    state = position([{"hand": ["red"]}, {}, {}], deck=["blue"], bag=["chef"], board=["red/grey"])
    assert total(state.cards_out) == 36
    assert (state.deck, total(state.discards)) == (["blue"], 90 - 36 - 2)
    assert (state.bag[:3], len(state.bag)) == (["chef", "red/grey", "red/grey"], 110)


def test_without_a_deck_the_rest_is_the_deck(position):
    state = position([{}, {}, {}], bag=["chef"], bag_exact=True)
    assert (len(state.deck), state.discards) == (54, {})
    assert (state.bag, total(state.tiles_out)) == (["chef"], 110)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"deck": ["purple"]}, "deck"),
        ({"deck": []}, "deck"),
        ({"deck": ["red"] * 16}, "cards"),
        ({"discards": {"red": 15, "grey": 15, "green": 15, "yellow": 11}}, "cards_out"),
        ({"board": {"red/grey": 4}}, "tiles"),
        ({"board": ["leader:red"]}, "board"),
        ({"pot": ["red/grey", "red/grey", "red/grey", "red/blue"]}, "pot"),
        ({"active": 3}, "active"),
        ({"phase": "ended"}, "phase"),
        ({"phase": "sudden_death", "contenders": [1]}, "contenders"),
        ({"phase": "election", "pot": ["red/grey"]}, "pot"),
        ({"phase": "setup"}, "seats[0].hand"),
        ({"turn": 0}, "turn"),
        ({"deal": 3}, "position"),
        ({"agenda": [{"step": "replace_card", "seat": 1, "colour": "red", "why": "accused"}]}, "agenda"),
        ({"agenda": [{"step": "end_turn"}]}, "agenda"),
        ({"current": "red/grey"}, "current"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_the_field(position, fields, field):
    with pytest.raises(PositionError, match=rf"^{field.replace('[', '.').replace(']', '.')}"):
        position([{}, {}, {}], **fields)


@pytest.mark.parametrize(
    ("seat", "field"),
    [
        ({"hand": {"red": 7}}, "hand"),
        ({"platform": {"red": 4, "blue": 4}}, "platform"),
        ({"secret_played": True}, "secret_played"),
        ({"leaders": ["red", "red"]}, "leaders"),
        ({"won": ["chef"]}, "won"),
        ({"start_tiles": ["chef"]}, "start_tiles"),
        ({"hand": ["chef"]}, "hand"),
    ],
)
def test_what_a_seat_cannot_have_is_refused(position, seat, field):
    with pytest.raises(PositionError, match=field):
        position([{}, seat, {}])


def test_an_agenda_may_leave_out_what_lies_beneath(position):
    state = position(
        [{"hand": ["red"]}, {"hand": ["blue"]}, {}],
        deck=[],
        agenda=[{"step": "replace_card", "seat": 1, "colour": "red", "why": "leader"}],
    )
    dumped = RULES.position.dump(state)
    assert [step["step"] for step in dumped["agenda"]] == ["main_action", "replace_card"]
    assert encode(RULES.position.load(dumped, Setting(state.pack, 3, Options()), "new")) == encode(state)


def test_the_first_player_must_be_a_seat(pack):
    check_setting(Setting(pack, 3, Options(first_player=2)))
    with pytest.raises(PositionError, match="first_player"):
        check_setting(Setting(pack, 3, Options(first_player=3)))
