"""World War Zed: USA. See README.md for where each rule is."""

from games.world_war_zed.ruleset import RULES

__all__ = ["RULES"]
