"""The options of a game (specification, 1.2); each picks a reading of the rulebook."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game; `first_player` may name a seat, `max_copies` 0 and `turn_limit` 0 are no limit."""

    first_player: Literal["rps", "random", 0, 1] = "rps"
    simultaneous: Literal["draw", "higher_score", "roll_off"] = "draw"
    winner_points: Literal["entrants", "present"] = "entrants"
    entry_order: Literal["sealed", "active_first"] = "sealed"
    play_to: Literal["any_place", "own_place"] = "any_place"
    static_after_free: bool = False
    deprivation: Literal["immediate", "end_of_turn"] = "immediate"
    max_copies: Annotated[int, Meta(ge=0, le=60)] = 0
    sort_folder: bool = True
    reactions: Literal["always_ask", "smart"] = "always_ask"
    turn_limit: Annotated[int, Meta(ge=0, le=1000)] = 200
