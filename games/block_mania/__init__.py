"""Block Mania. See README.md for where each rule is."""

from games.block_mania.ruleset import RULES

__all__ = ["RULES"]
