"""How pieces move about: tokens go to the pool that the pack names."""

import json

from games.block_mania.pack import SHELF
from games.block_mania.pieces import to_pool
from tests.unit.block_mania.kit import HOUSE, state_of


def test_a_token_goes_back_to_the_pool_that_the_pack_says():
    """In this pack the flamer is hardware, in exchange for a kind of which there are as many."""
    pack = json.loads(HOUSE.read_text("utf-8"))
    flamer = next(one for one in pack["equipment"] if one["id"] == "flamer")
    other = next(one for one in pack["equipment"] if (one["pool"], one["count"]) == ("hardware", flamer["count"]))
    flamer["pool"], other["pool"] = "hardware", "armory"
    state = state_of()
    state.pack = SHELF.add(json.dumps(pack).encode())
    to_pool(state, "flamer")
    assert (state.hardware_pool, state.armory_pool) == ({"flamer": 1}, {})
