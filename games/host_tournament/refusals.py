"""Why an action is refused: the closed set of reasons of this ruleset, each with the ID of a rule."""

from typing import Any, Literal, NoReturn

from games.kernel import IllegalError

Reason = Literal[
    "no_such_card",
    "not_in_hand",
    "not_in_deck",
    "wrong_type",
    "no_such_place",
    "no_such_personnel",
    "no_such_town",
    "no_target_wanted",
    "zone_missing",
    "not_yours",
    "no_such_rule",
    "not_in_order",
    "out_of_range",
    "too_few_actions",
    "not_its_town",
    "not_your_place",
    "same_place",
    "nobody_to_move",
    "nobody_left",
    "cannot_be_played_now",
    "special_used_already",
    "not_on_the_downloader",
    "not_where_the_downloader_is",
    "never_enters",
    "not_this_window",
    "not_active",
    "nobody_present",
    "in_play_already",
    "persona_in_play",
    "swapped_already",
    "not_a_persona",
    "no_persona_there",
    "no_location_in_play",
    "empty_hand",
    "off",
    "too_many_entrants",
    "condition_does_not_hold",
    "used_this_turn",
    "barred",
    "not_on_offer",
    "must_choose",
]
#: The rule that forbids something, and why.
Fault = tuple[str, Reason]


def refuse(fault: Fault | None, **details: Any) -> None:
    """Raise `IllegalError` if there is a fault."""
    if fault is not None:
        raise IllegalError(*fault, **details)


def refused(rule: str, reason: Reason, **details: Any) -> NoReturn:
    """Raise `IllegalError` with the ID of the rule, e.g. HT-3.3, and one of the reasons."""
    raise IllegalError(rule, reason, **details)
