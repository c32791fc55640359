"""The map as data to draw: its layers name parts and fields that the view has, and the rules' spaces are its areas."""

from typing import Any

import msgspec

from games.portland_occupied_zone.view import view
from games.portland_occupied_zone.view_map import LAYERS
from server.show_map import map_lines

POSITION: dict[str, Any] = {
    "seats": [["steve", "jeff"]],
    "phase": "teach_in",
    "step": "1.4",
    "pcs": {"steve": {"space": "pizza"}, "jeff": {"space": [5, 16]}},
    "structures": {"s1": {"type": "pulpit", "cells": [[6, 16]]}, "s2": {"type": "tent", "cells": [[5, 17]]}},
    "buildings": {"rags": {"arson": 2}},
    "tokens": {"befoul": [[0, 3]], "gas": [[1, 3]]},
    "cops": {"r1": {"space": [7, 7]}},
}


def seen(match: Any, **position: Any) -> dict[str, Any]:
    state = match(POSITION | position).state
    return msgspec.to_builtins(view(state, 0))
