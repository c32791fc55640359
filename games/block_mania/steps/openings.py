"""What each phase begins with: its steps, or nothing when there is nothing to do in it."""

from collections.abc import Callable

from games.block_mania.state import State
from games.block_mania.steps import combat, command, endphase
from games.kernel import Step

OPENINGS: dict[str, Callable[[State], tuple[Step, ...]]] = {
    "justice": command.opening_justice,
    "roll": command.opening_roll,
    "command": command.opening_command,
    "defensive": combat.opening_defensive,
    "combat_bombs": combat.opening_combat_bombs,
    "combat_justice": combat.opening_combat_justice,
    "shoot": combat.opening_shoot,
    "assault": combat.opening_assault,
    "loot": combat.opening_loot,
    "arson": combat.opening_arson,
    "scrawl": combat.opening_scrawl,
    "firefight": combat.opening_firefight,
    "end_virus": endphase.opening_end_virus,
    "end_fire": endphase.opening_end_fire,
    "end_catastrophe": endphase.opening_end_catastrophe,
    "end_cards": command.opening_end_cards,
}
