"""Effects of throws and fights (specification, 4.7 and 9.1)."""

from typing import ClassVar, Literal

from games.kernel import EVERYONE, Effect, Public, Secret
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.pieces import pay_bricks
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.underway import Combat

Purpose = Literal["loot", "arson", "camera", "attack", "attack_police", "defense", "clear_gas"]
Side = Literal["flat", "thin", "end"]


class BricksThrown(Effect, frozen=True):
    """A character threw bricks (ALG-THROW): how each lies, the natural hits, the total with modifiers."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    pc: Public[str]
    purpose: Public[Purpose]
    dice: Public[tuple[Side, ...]]
    natural: Public[int]
    total: Public[int]

    def fold(self, state: State) -> None:
        """They are gone (POZ-BRK-3)."""
        pay_bricks(state, self.pc, len(self.dice))
        turn = state.turn
        if self.purpose == "loot" and turn is not None and turn.pc == self.pc:
            turn.log["best_loot"] = max(turn.log.get("best_loot", 0), self.natural)


class CombatBegun(Effect, frozen=True):
    """A character attacks another one (ALG-PVP); `bonus` by a burning dumpster."""

    attacker: Public[str]
    defender: Public[str]
    bonus: Public[int] = 0

    def fold(self, state: State) -> None:
        """Both have to declare their bricks."""
        state.combat = Combat(attacker=self.attacker, defender=self.defender, bonus=self.bonus)


class BricksDeclared(Effect, frozen=True):
    """How many bricks a character will throw in a fight, its own secret until both have declared (POZ-PVP-2)."""

    seat: Public[int]
    pc: Public[str]
    b: Secret[int]

    def fold(self, state: State) -> None:
        """Kept until both are in."""
        assert state.combat is not None
        state.combat.declared[self.pc] = self.b


class CombatDecided(Effect, frozen=True):
    """The attacker's hits less the defender's: above 0 the attacker chooses what comes of it (POZ-PVP-3, -10)."""

    attacker: Public[str]
    defender: Public[str]
    won_by: Public[int]

    def fold(self, state: State) -> None:
        """The fight stays until its outcome is chosen."""
        assert state.combat is not None
        state.combat.declared = {}
        state.combat.won_by = self.won_by


class OutcomeChosen(Effect, frozen=True):
    """What the winner of a fight does (POZ-PVP-10 to -16); None: nothing, it was not won."""

    attacker: Public[str]
    defender: Public[str]
    outcome: Public[str | None] = None
    card: Public[str | None] = None
    space: Public[str | Cell | None] = None

    def fold(self, state: State) -> None:
        """The fight is over: what comes of it follows."""
        state.combat = None


#: Every effect of this module.
CombatEffect = BricksThrown | CombatBegun | BricksDeclared | CombatDecided | OutcomeChosen
