"""Scenarios: games that start from a position or with scripted chance, marked `sandbox`."""

from games.dice import Dice, ScriptMismatchError
from games.kernel import PositionError, start, start_at
from projections import kinds
from server.catalogue import Entry, InvalidSettingError, setting
from server.problems import Problem


def check_scenario(entry: Entry, created: kinds.Created, scenario: kinds.Scenario) -> None:
    """Play the scenario's start once, on nothing, so that what is impossible is refused now and not at the start.

    Raises:
        Problem: `invalid`, with the field in the sentence.
    """
    if scenario.seats is not None and scenario.seats != created.seats:
        raise Problem(
            "invalid", f"scenario.seats: the scenario is for {scenario.seats} seats, the game has {created.seats}."
        )
    unknown = sorted(set(scenario.orders) - entry.rules.orders)
    if unknown:
        known = ", ".join(sorted(entry.rules.orders)) or "none"
        raise Problem(
            "invalid", f"scenario.orders: {created.ruleset} shuffles nothing for {unknown[0]!r}; there is {known}."
        )
    dice = Dice(bytes(32), script=scenario.script)
    try:
        made = setting(entry, created.seats, created.options, created.pack, scenario.setups)
        if not scenario.places:
            start(entry.rules, entry.rules.initial(made), made, dice)
        else:
            position = entry.rules.position.load(scenario.state or {}, made, scenario.base)
            start_at(entry.rules, entry.rules.initial(made), position, dice)
    except (InvalidSettingError, PositionError, ScriptMismatchError) as error:
        raise Problem("invalid", f"scenario: {error}.") from error
