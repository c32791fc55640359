"""A map in letters: areas, pieces and marks where a view's layers say that they lie."""

from server.show_map import is_drawable, map_lines

TEXTS = {"value.road": "street", "value.shop": "The Shop", "short.fire": "fire", "short.ann": "Ann"}
MAP = {
    "rows": ("....", ".SS.", ".SS.", ".  ."),
    "kinds": {".": {"name": "road", "cls": "road"}},
    "shops": {"shop": {"cells": [[1, 1], [2, 1], [1, 2], [2, 2]], "door": [[1, 1], [0, 1]]}},
    "layers": (
        {"name": "shop", "part": "map.shops", "shape": "area", "at": "cells", "state": "shops", "when": "open"},
        {"name": "tent", "part": "tents", "shape": "area", "at": "cells", "type": "kind"},
        {"name": "door", "part": "map.shops", "shape": "mark", "at": "door.1"},
        {"name": "fire", "part": "shops", "shape": "mark", "count": "fires"},
        {"name": "filth", "part": "filth", "shape": "mark", "at": ""},
        {"name": "person", "part": "people", "shape": "piece", "at": "where"},
        {"name": "officer", "part": "officer", "shape": "piece", "at": "where", "when": "on_duty"},
    ),
}


def view(**parts):
    return {
        "map": MAP,
        "shops": {"shop": {"open": True, "fires": 0}},
        "tents": {},
        "filth": [],
        "people": {},
        "officer": {"on_duty": False, "where": [3, 3]},
    } | parts


def drawn(**parts):
    return map_lines(view(**parts), TEXTS)[2:]


def test_areas_are_drawn_as_one_and_the_ground_by_its_signs():
    assert map_lines(view(), TEXTS) == [
        "    . street",
        "    0   1   2   3",
        "  0 .   .   .   .",
        "  1 do  [The S] .",
        "  2 .   [     ] .",
        "  3 .           .",
    ]


def test_a_closed_area_is_open_ground():
    assert drawn(shops={"shop": {"open": False, "fires": 0}})[1] == "  1 do  S   S   ."


def test_what_lies_in_an_area_is_named_in_it_pieces_first():
    told = drawn(shops={"shop": {"open": True, "fires": 2}}, people={"ann": {"where": "shop"}})
    assert told[1:3] == ["  1 do  [The S] .", "  2 .   [Ann+ ] ."]


def test_pieces_come_before_marks_and_several_are_told():
    assert drawn(filth=[[0, 0]])[0] == "  0 fi  .   .   ."
    assert drawn(filth=[[0, 0]], people={"ann": {"where": [0, 0]}})[0] == "  0 Ann .   .   ."
    both = {"ann": {"where": [0, 0]}, "ben": {"where": [0, 0]}}
    assert drawn(people=both)[0] == "  0 An+ .   .   ."


def test_one_thing_and_small_areas_are_drawn_by_their_ids():
    assert drawn(officer={"on_duty": True, "where": [3, 3]})[3] == "  3 .           off"
    assert drawn(tents={"t1": {"kind": "tent", "cells": [[3, 0]]}})[0] == "  0 .   .   .   t1"


def test_squares_with_names_and_levels_are_drawn_from_the_ground_up():
    squares = [{"id": "a", "x": 0, "y": 0, "kind": "gate"}, {"id": "b", "x": 0, "y": 1, "kind": "roof"}]
    layers = [{"name": "guard", "part": "guards", "shape": "piece", "at": "at", "type": "kind"}]
    seen = {
        "map": {"squares": squares, "levels": 2, "layers": layers},
        "guards": [{"id": "g1", "at": "b", "kind": "guard"}],
    }
    assert map_lines(seen, {}) == ["    0", "  1 g1", "  0 gat"]


def test_without_layers_or_squares_there_is_nothing_to_draw():
    assert not is_drawable({})
    assert not is_drawable({"map": {"regions": []}})
    assert not is_drawable({"map": {"squares": [], "layers": MAP["layers"]}})
    assert is_drawable(view())
