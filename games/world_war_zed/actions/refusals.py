"""Why an action is refused: the closed set of reasons of this ruleset (specification, 4.12)."""

from typing import Any, Literal, NoReturn

from games.kernel import IllegalError

Reason = Literal[
    "no_pp",
    "bought_already",
    "track_at_its_end",
    "beyond_scenario",
    "forbidden_by_scenario",
    "no_air_strikes",
    "defcon_too_high",
    "no_zeds_there",
    "nuclear_limit_reached",
    "no_biochem",
    "no_such_region",
    "no_such_area",
    "nothing_built_at_defcon_5",
    "only_in_the_box",
    "none_left",
    "no_city_there",
    "no_farm_there",
    "riot_there",
    "nuclear_marker_there",
    "fort_there_already",
    "no_such_unit",
    "never_moves",
    "riots",
    "not_into_a_zone",
    "not_next_to_it",
    "does_not_attack",
    "no_zeds_beside_it",
    "at_its_limit",
    "developed_already",
    "no_earlier_success",
    "wrong_class",
    "riots_already",
    "no_riot_there",
    "no_food",
    "not_a_candidate",
]


def refuse(rule: str, reason: Reason, **details: Any) -> NoReturn:
    """Raise `IllegalError` with the ID of the rule, e.g. WWZ-6.5-02, and one of the reasons."""
    raise IllegalError(rule, reason, **details)
