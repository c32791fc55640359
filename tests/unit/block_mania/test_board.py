"""2.3.1: how boards are joined, and what is next to what."""

import pytest

from games.block_mania.routes import routes, stops
from tests.unit.block_mania.kit import FOUR, THREE, TWO, sq


@pytest.mark.parametrize(("here", "columns"), [(TWO, 17), (THREE, 27), (FOUR, 36)])
def test_two_boards_end_at_their_outer_halves_and_more_go_round(here, columns):
    assert len(here.squares) == columns * 11
    assert {square.x for square in here.squares.values()} == set(range(int(not here.wraps), here.width))


def test_a_join_square_is_named_by_the_western_board_and_is_on_both():
    join = TWO.squares[sq("TP:9,3")]
    assert (join.x, join.boards, join.block) == (9, (0, 1), None)
    assert sq("GR:0,3") not in TWO.squares
    assert TWO.step(sq("TP:8,3"), 1, 0) == join.id
    assert TWO.step(join.id, 1, 0) == sq("GR:1,3")


def test_the_map_wraps_from_the_last_board_to_the_first():
    join = THREE.squares[sq("QH:9,3")]
    assert (join.x, join.boards) == (0, (2, 0))
    assert THREE.step(sq("QH:8,3"), 1, 0) == join.id
    assert THREE.step(sq("TP:1,3"), -1, 0) == join.id
    assert TWO.step(sq("TP:1,3"), -1, 0) is None


def test_neighbours_come_level_by_level_from_west_to_east():
    assert TWO.cardinal[sq("TP:8,3")] == tuple(map(sq, ("TP:8,2", "TP:7,3", "TP:9,3", "TP:8,4")))
    around = ("TP:4,2", "TP:5,2", "TP:6,2", "TP:4,3", "TP:6,3", "TP:4,4", "TP:5,4", "TP:6,4")
    assert TWO.eight[sq("TP:5,3")] == tuple(map(sq, around))
    assert TWO.above[sq("TP:1,5")] == (sq("TP:1,6"), sq("TP:2,6"))
    assert TWO.above[sq("TP:5,10")] == ()


def test_every_block_has_its_squares_and_numbers():
    for here in (TWO, FOUR):
        for block, tower in enumerate(here.tower):
            assert len(tower) == 66
            assert len(here.numbered[block]) == 36
    assert TWO.numbered[0][36] == sq("TP:6,5")
    assert TWO.numbered[1][45] == sq("GR:3,4")


def test_shafts_run_from_the_bottom_up():
    (letter, shaft), *more = TWO.shafts[sq("TP:5,4")].items()
    assert (letter, shaft[0], shaft[-1], len(shaft), more) == ("E", sq("TP:5,0"), sq("TP:5,10"), 11, [])
    chute = TWO.shafts[sq("TP:3,9")]["G"]
    assert (chute[0], chute[-1]) == (sq("TP:3,0"), sq("TP:3,9"))
    assert sq("TP:3,10") not in TWO.shafts


def test_a_pedway_has_three_squares_between_two_termini_and_one_off_the_map():
    (pedway,) = TWO.pedways[sq("TP:9,5")]
    assert pedway.squares == tuple(map(sq, ("TP:8,5", "TP:9,5", "GR:1,5")))
    assert pedway.termini == (sq("TP:7,5"), sq("GR:2,5"))
    (outer,) = TWO.pedways[sq("TP:2,5")]
    assert (outer.squares, outer.termini) == ((sq("TP:1,5"),), (sq("TP:2,5"),))
    assert sq("TP:7,4") not in TWO.pedways


def test_the_pedway_round_the_map_joins_the_last_board_to_the_first():
    (pedway,) = THREE.pedways[sq("QH:9,5")]
    assert pedway.squares == tuple(map(sq, ("QH:8,5", "QH:9,5", "TP:1,5")))


@pytest.mark.parametrize(
    ("start", "to"), [("TP:7,4", "GR:2,1"), ("TP:7,3", "GR:2,0"), ("TP:7,10", "GR:2,7"), ("TP:7,1", None)]
)
def test_the_opposite_face_three_levels_down(start, to):  # T15
    assert TWO.opposite(sq(start), 3) == (to and sq(to))


def test_the_outer_faces_look_at_nothing_unless_the_map_wraps():
    assert TWO.opposite(sq("TP:2,5")) is None
    assert THREE.opposite(sq("TP:2,5")) == sq("QH:7,5")
    assert TWO.opposite(sq("TP:5,5")) is None


def test_a_route_has_the_parts_between_two_stations_and_no_other_squares():
    (route,) = routes(TWO, "sky_rail", sq("TP:4,8"), sq("GR:6,8"))
    parts = ("TP:4,8", "TP:7,8", "TP:8,8", "TP:9,8", "GR:1,8", "GR:2,8", "GR:6,8")
    assert route.squares == tuple(map(sq, parts))
    assert route.boards == {0, 1}


def test_a_route_past_a_block_looks_at_its_station_and_both_its_tubeways():
    east, west = routes(THREE, "sky_rail", sq("TP:4,8"), sq("QH:5,8"))
    assert {sq("GR:2,8"), sq("GR:6,8"), sq("GR:7,8")} <= set(east.squares)
    assert sq("QH:7,8") not in east.squares
    assert (east.boards, west.boards) == ({0, 1, 2}, {0, 2})
    assert set(map(sq, ("TP:2,8", "TP:1,8", "QH:9,8", "QH:8,8", "QH:7,8"))) < set(west.squares)


def test_every_other_vehicle_park_is_a_stop():
    assert stops(FOUR, "mega_way", sq("TP:4,2")) == tuple(map(sq, ("GR:3,2", "QH:6,2", "SR:5,2")))
