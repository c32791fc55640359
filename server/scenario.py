"""Scenarios: games that start from a position or with scripted chance, marked `sandbox`."""

from collections.abc import Callable
from typing import Any

import structlog
from structlog.typing import FilteringBoundLogger

from games.dice import Dice, ScriptMismatchError
from games.kernel import SPECTATOR, PositionError, Ruleset, State, decisions, legal, start, start_at
from projections import kinds
from projections.game import LiveGame
from server.catalogue import Entry, InvalidSettingError, setting
from server.damage import DATABASES
from server.problems import Problem

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: A ruleset refuses impossible positions; what it lets pass by mistake must not look like the server's fault.
CANNOT_GO_ON = "The rules cannot go on from the position that this game begins from: it is not one that can be."


def unplayable(live: LiveGame | None, error: BaseException) -> Problem | None:
    """The problem `scenario_mismatch` if the rules broke in a game that somebody began from a position of his own."""
    scenario = live.meta.created.scenario if live is not None else None
    ours = isinstance(error, DATABASES) or not isinstance(error, Exception)
    if scenario is None or not scenario.places or ours:
        return None
    log.warning("scenario_breaks_rules", exc_info=error)
    return Problem("scenario_mismatch", CANNOT_GO_ON)


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
    rules, dice = entry.rules, Dice(bytes(32), script=scenario.script)
    try:
        made = setting(entry, created.seats, created.options, created.pack, scenario.setups)
        state = rules.initial(made)
        if not scenario.places:
            start(rules, state, made, dice)
        else:
            _try(rules, state, lambda: rules.position.load(scenario.state or {}, made, scenario.base), dice)
    except (InvalidSettingError, PositionError, ScriptMismatchError) as error:
        raise Problem("invalid", f"scenario: {error}.") from error


def _try(rules: Ruleset[Any], state: State, load: Callable[[], State], dice: Dice) -> None:
    """Load a position, begin there, look at it with everybody's eyes and list what can be done.

    Raises:
        PositionError, ScriptMismatchError: as the rules say; PositionError too where they break.
    """
    try:
        start_at(rules, state, load(), dice)
        for reader in (SPECTATOR, *range(state.seat_count)):
            rules.view(state, reader)
        for decision in decisions(state):
            legal(rules, state, decision.seat)
    except (PositionError, ScriptMismatchError):
        raise
    except Exception as error:
        log.warning("scenario_breaks_rules", ruleset=rules.id, exc_info=True)
        raise PositionError(CANNOT_GO_ON.removesuffix(".")) from error
