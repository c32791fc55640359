"""TPOC: The Politics of Cannibals. See README.md for where each rule is."""

from games.tpoc.ruleset import RULES

__all__ = ["RULES"]
