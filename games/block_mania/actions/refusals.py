"""Why an action is refused: the reasons of this ruleset (specification, 4.18). `text/en.json` has a sentence for each."""

from typing import Any, NoReturn

from games.kernel import IllegalError


def refuse(rule: str, reason: str, **details: Any) -> NoReturn:
    """Raise `IllegalError` with the ID of the rule, e.g. BM-WALK-4, and one of the reasons."""
    raise IllegalError(rule, reason, **details)
