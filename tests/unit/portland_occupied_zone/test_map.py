"""The map as data to draw: its layers name parts and fields that the view has, and larger spaces are its areas."""

from typing import Any

import msgspec
import pytest

from games.kernel import SPECTATOR
from games.portland_occupied_zone.view import view
from games.portland_occupied_zone.view_map import LAYERS
from server.show_map import map_lines


@pytest.fixture
def seen(match: Any) -> dict[str, Any]:
    """What a spectator sees of a battle with some of everything."""
    here = match(
        options={"characters": [["steve", "jeff"]]},
        battle=True,
        step="1.4",
        pcs={"steve": {"space": "pizza"}, "jeff": {"space": [5, 16]}},
        structures=[{"type": "commune", "cells": CORNER}, {"type": "tent", "cells": [[5, 17]]}],
        buildings={"rags": {"arson": 2}},
        checkpoints={"k1": {"site": "n_st37", "arson": 1}},
        tokens={"befoul": [[0, 3]], "gas": [[1, 3]]},
        cops={"r1": {"space": [7, 7]}},
    )
    seen: dict[str, Any] = msgspec.to_builtins(view(here.state, SPECTATOR))
    return seen


CORNER = [[x, y] for y in (12, 13, 14) for x in (6, 7, 8)]


def part_of(seen: dict[str, Any], path: str) -> Any:
    for name in path.split("."):
        seen = seen[name]
    return seen


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: f"{layer.name} of {layer.part}")
def test_each_layer_names_a_part_and_fields_of_the_view(seen: dict[str, Any], layer: Any) -> None:
    part = part_of(seen, layer.part)
    assert part
    things = [part] if layer.part in ("jackson", "medic") else list(part.values() if isinstance(part, dict) else part)
    states = part_of(seen, layer.state) if layer.state else {}
    fields = {*(things[0] if isinstance(things[0], dict) else ()), *next(iter(states.values()), ())}
    wanted = {layer.when, layer.type, layer.seat, layer.looks, layer.count, *layer.tells} - {None}
    at = {layer.at.split(".")[0]} - {"id", ""}
    assert wanted <= fields
    assert any(at <= {*(thing if isinstance(thing, dict) else ())} for thing in things)


def test_every_sign_of_the_rows_has_a_kind(seen: dict[str, Any]) -> None:
    assert set("".join(seen["map"]["rows"])) <= set(seen["map"]["kinds"])


def test_everything_is_drawn_where_it_lies(seen: dict[str, Any]) -> None:
    rows = {line[:3].strip(): line[4:] for line in map_lines(seen, {})}

    def square(x: int, y: int) -> str:
        return rows[str(y)][4 * x : 4 * x + 4].strip()

    assert (square(7, 7), square(5, 16), square(5, 17)) == ("r1", "jef", "s2")
    assert (square(0, 3), square(1, 3), square(8, 1)) == ("be", "ga", "d1")
    assert "steve" in rows["18"]
    assert "rags" in rows["2"]
    assert "fi 2" in rows["3"]
    assert "[s1 commun]" in rows["12"]


def test_tiles_that_are_not_in_play_are_no_squares(match: Any) -> None:
    tiles = [[0, 1], [1, 1], [2, 1], [1, 0], [1, 2]]
    state = match(options={"characters": [["kim"]], "tiles": tiles}, step="1.4").state
    seen = msgspec.to_builtins(view(state, SPECTATOR))
    assert seen["map"]["rows"][0] == " " * 7 + "......." + " " * 7
    assert set(seen["map"]["buildings"]) == {"rags", "hexen", "courthouse", "herpetic", "dispensary"}
