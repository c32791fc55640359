"""Section 3.3: pieces where they cannot stand, and parts that do not fit together, are refused with their field."""

import pytest

from games.kernel import PositionError

TP, GR = "tallow_point", "gantry_row"
JUVE = {"type": "juves", "seat": 0, "at": f"{TP}:4,4"}
AIR, PLAZA, PEDWAY, MEGA_WAY, RAIL = (f"{TP}:8,{level}" for level in (4, 0, 5, 2, 8))
ROOM, STATION, BANK = f"{TP}:4,5", f"{TP}:4,8", f"{TP}:6,2"
ACTIVE = JUVE | {"activated_this_turn": True}
ENTER = {"step": "enter", "phase": "defensive"}
SHOT = {"step": "shot", "seat": 0, "blocker": "b1", "mode": "standard", "square": ROOM, "side": "-"}


def lies(square, **marks):
    return {"squares": {square: marks}}


def stands(**blocker):
    return {"blockers": [JUVE | blocker]}


def unit(kind, at, block=None):
    return {"kind": kind, "at": at, "block": block}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (lies(ROOM, fire=4), "fire: only squares of a standing tower"),
        (lies(AIR, fire=1), "fire: only squares"),
        (lies(AIR, damage=1), "damage: not there"),
        (lies(PLAZA, damage=1), "damage: not there"),
        (lies(PEDWAY, damage=2), "damage: not there, or so much"),
        (lies(ROOM, damage=6), "damage: not there, or so much"),
        (lies(ROOM, damage=2, collapsed=True), "damage: not there"),
        (lies(AIR, collapsed=True), "collapsed: only squares"),
        (lies(PLAZA, collapsed=True), "collapsed: only squares"),
        (lies(ROOM, severed=True, collapsed=True), "severed: only a collapsed Pedway"),
        (lies(PEDWAY, severed=True), "severed: only a collapsed Pedway"),
        (lies(ROOM, looted=True), "looted: only Armories"),
        (lies(BANK, looted=True, collapsed=True), "looted: only Armories"),
        (lies(ROOM, cars=1), "cars: cars stand in Stations"),
        (lies(STATION, cars=1, collapsed=True), "cars: cars stand in Stations"),
        (lies(AIR, virus=True) | {"options": {"plascrete_virus": True}}, "virus: the virus lives"),
        (lies(ROOM, virus=True), "blockers: there are more plascrete_virus than exist"),
        (lies(ROOM, fire=1) | {"seats": {"0": {"collapsed": True}}}, "fire: only squares"),
        (lies(ROOM, tokens=[{"token": "spitgun", "by": 0}]), "tokens: face up lie"),
        (lies(ROOM, tokens=[{"token": "spitgun", "by": 0, "face_down": True}]), "tokens: face up lie"),
        (lies(ROOM, tokens=[{"token": "demo_charge", "by": 0, "seen": [2]}]), "tokens: the seats are"),
    ],
)
def test_a_marker_where_it_cannot_lie_is_refused(position, fields, sentence):
    with pytest.raises(PositionError, match=rf"^(squares\..*)?{sentence}"):
        position(**fields)


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        ([unit("h_wagon", ROOM)], r"units\[0\]\.at: Pat Wagons stand on plazas"),
        ([unit("pat_wagon", AIR)], r"units\[0\]\.at: Pat Wagons stand on plazas"),
        ([unit("sonic_cannon", AIR)], r"units\[0\]\.block: a Sonic Cannon covers"),
        ([unit("sonic_cannon", f"{GR}:8,4", 0)], r"units\[0\]\.block: a Sonic Cannon covers"),
        ([unit("h_wagon", AIR, 1)], r"units\[0\]\.block: a Sonic Cannon covers"),
        ([unit("sonic_cannon", AIR, 0), unit("sonic_cannon", PEDWAY, 0)], "a block has one Sonic Cannon"),
        ([unit("h_wagon", AIR) | {"id": "x"}, unit("h_wagon", AIR) | {"id": "x"}], r"units\[0\]\.id: each"),
    ],
)
def test_a_justice_token_where_it_cannot_be_is_refused(position, units, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(units=units)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (stands(type="fatties", at=MEGA_WAY), "at: it would fall"),
        (stands(type="crocks", at=RAIL), "at: it would fall"),
        (stands(at=AIR, equipment=["bat_suit", "vibro_drill"]), "at: it would fall"),
        (stands() | {"seats": {"0": {"collapsed": True}}}, "at: it would fall"),
        (stands(type="citi_def", equipment=["spitgun"] * 4), "equipment: it carries more"),
        (stands(type="futsy", controller=0), "controller: a Futsy has none"),
        (stands(controller=None), "controller: a Futsy has none"),
        (stands(controller=1), "controller: a Futsy has none"),
        (stands(flew_in=True), "flew_in: nobody flies"),
        (stands(mp_left=3), "activated_this_turn: what it has left"),
        (stands(must_leave=True), "activated_this_turn: what it has left"),
        (stands(at=""), "at: only in the set-up"),
        (stands(equipment=["spitgun"], shown=["spitgun"]), "shown: nothing is hidden"),
        (stands(equipment=["trip_mine"]), "more trip_mine than exist"),
    ],
)
def test_a_blocker_that_cannot_be_so_is_refused(position, fields, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(**fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"gone": {"juves": 99}}, "position: there are more pieces than exist: blocker juves"),
        ({"gone": {"zz": 1}}, "gone: there is no zz"),
        ({"seats": {"0": {"blocker_pool": {"juves": 99}}}}, "more pieces than exist"),
        ({"seats": {"0": {"blocker_pool": {"zz": 3}}}}, r"seats\[0\]\.blocker_pool: there is no zz"),
        ({"armory_pool": {"spitgun": 99}}, "more pieces than exist: token spitgun"),
        ({"armory_pool": {"bat_suit": 1}}, "armory_pool: there is no bat_suit"),
        ({"hardware_pool": {"zz": 1}}, "hardware_pool: there is no zz"),
        ({"unit_supply": {"zz": 1}}, "unit_supply: there is no zz"),
        ({"seats": {"0": {"collapses_since_check": 1}}}, r"seats\[0\]\.collapses_since_check: not so many"),
        ({"seats": {"0": {"dead_blockers": 99}}}, r"seats\[0\]\.dead_blockers: a seat has not"),
        ({"reshuffles": 4, "endgame": True}, "reshuffles: there are at most 3"),
    ],
)
def test_more_pieces_than_exist_are_refused(position, fields, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(**fields)


def test_kinds_that_a_supply_does_not_name_are_used_up(position):
    assert position(unit_supply={}).unit_supply == {"h_wagon": 0, "pat_wagon": 0, "sonic_cannon": 0}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"phase": "justice"}, "phase: Justice cards"),
        ({"endgame": True, "mania_deck": ["judges/smoke_bombs"]}, "mania_deck: not in the endgame"),
        ({"justice_deck": ["judges/smoke_bombs"]}, "justice_deck: only in the endgame"),
        ({"justice_used": ["judges/smoke_bombs"]}, "justice_used: only in the endgame"),
        ({"turn_no": 0}, "turn_no: the first turn is 1"),
        ({"phase": "assault", "active": "b1", "blockers": [ACTIVE]}, "active: blockers are active in the Command"),
        ({"active": "b1", "blockers": [JUVE]}, "active: b1 was not activated"),
        ({"active": "b1", "blockers": [ACTIVE | {"seat": 1}]}, "active: b1 was not activated"),
        (
            {"phase": "setup_blockers", "active": "b1", "blockers": [ACTIVE | {"at": ""}]},
            "active: there is no blocker b1 on the map",
        ),
    ],
)
def test_what_does_not_belong_to_a_phase_is_refused(position, fields, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(**fields)


@pytest.mark.parametrize("pieces", [lies(ROOM, fire=1), stands(), {"units": [unit("h_wagon", AIR)]}])
def test_pieces_before_all_boards_lie_are_refused(position, pieces):
    with pytest.raises(PositionError, match="boards: there are no pieces"):
        position(phase="setup_block", **pieces)


@pytest.mark.parametrize(
    ("agenda", "sentence"),
    [
        ([{"step": "activation", "seats": [0], "blocker": "b1"}], r"agenda\[0\]: the game could not go on"),
        ([ENTER, {"step": "activation", "seats": [0], "blocker": "b1"}], r"agenda\[1\]: activation asks for nothing"),
        ([ENTER, SHOT | {"token": "zz"}], r"agenda\[1\]\.token: there is no zz"),
        ([ENTER, SHOT | {"token": "flamer", "mode": "thrown"}], r"agenda\[1\]\.mode: flamer is not fired"),
        ([ENTER, SHOT | {"token": "spitgun", "mode": "shot", "target": "unit"}], r"agenda\[1\]\.unit: it goes with"),
        ([ENTER, SHOT | {"token": "spitgun", "blocker": "b9"}], r"agenda\[1\]\.blocker: there is no"),
        ([ENTER, {"step": "combat_justice", "left": ["u9"]}], r"agenda\[1\]\.left: there is no u9"),
        ([ENTER, {"step": "ride", "blocker": "b1", "path": ["x"]}], r"agenda\[1\]\.path: there is no square"),
        ([ENTER, {"step": "draw_tokens", "blocker": "b1", "pool": "x", "left": 1}], r"agenda\[1\]\.pool: there"),
        (
            [ENTER, {"step": "take_token", "seats": [0], "blocker": "b1", "square": ROOM, "order": 3}],
            r"agenda\[1\]\.order: there is no such token",
        ),
        (
            [ENTER, {"step": "window", "seats": [1], "kind": "H", "event": "enter", "order": [1], "blocker": "b9"}],
            r"agenda\[1\]\.blocker: there is no",
        ),
    ],
)
def test_an_agenda_that_the_game_cannot_follow_is_refused(position, agenda, sentence):
    with pytest.raises(PositionError, match=sentence):
        position(blockers=[JUVE], agenda=agenda)


def test_what_play_can_bring_about_is_possible(position):
    """More fire by an option, fire on what has collapsed, a cut rail, a walker where the power is back."""
    state = position(
        options={"hotter_than_the_sun": True, "mine_bluffing": True},
        blockers=[JUVE | {"at": PEDWAY}, {"type": "klegg", "seat": 0, "controller": 1, "at": ROOM}],
        squares={
            ROOM: {"fire": 5},
            f"{TP}:3,5": {"fire": 1, "collapsed": True},
            RAIL: {"collapsed": True},
            STATION: {"cars": 2},
            f"{TP}:3,4": {"tokens": [{"token": "spitgun", "by": 0, "face_down": True}]},
        },
        units=[unit("pat_wagon", PLAZA), unit("sonic_cannon", AIR, 0)],
    )
    assert len(state.squares) == 5
