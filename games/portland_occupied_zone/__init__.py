"""Portland Occupied Zone: a street commune is built, then held, by one to eight characters. See README.md."""

from games.portland_occupied_zone.ruleset import RULES

__all__ = ["RULES"]
