"""Host Tournament. See README.md for where each rule is."""

from games.host_tournament.ruleset import RULES

__all__ = ["RULES"]
