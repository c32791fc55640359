"""Why an action is refused: the closed set of reasons of this ruleset (specification, 4.13)."""

from typing import Any, Literal, NoReturn

from games.kernel import IllegalError

Reason = Literal[
    "platform_not_from_hand",
    "tiles_not_from_start_tiles",
    "special_tile_named",
    "card_not_in_hand",
    "drop_missing",
    "drop_of_same_colour",
    "drop_not_in_platform",
    "drop_not_needed",
    "no_second_card",
    "target_is_oneself",
    "target_lacks_colour",
    "nearer_seat_in_the_way",
    "accusations_ended_by_secret",
    "secret_already_played",
    "hand_full",
    "leader_named",
    "tile_not_on_board",
    "tile_not_in_pot",
    "pot_full",
    "pot_empty",
    "bag_empty",
    "no_card_of_dominant_colour",
    "tile_not_drawn",
    "colour_lost",
    "winner_not_tied",
]


def refuse(rule: str, reason: Reason, **details: Any) -> NoReturn:
    """Raise `IllegalError` with the ID of the rule, e.g. TPOC-4.1.1, and one of the reasons."""
    raise IllegalError(rule, reason, **details)
