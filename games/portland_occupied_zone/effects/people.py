"""Effects on characters: injuries, mind, crapulence, knock-out, arrest, death, modifiers (4.7, 9.1)."""

from typing import ClassVar, Literal

from games.kernel import EVERYONE, Effect, Public
from games.portland_occupied_zone.pieces import note, put_pc
from games.portland_occupied_zone.state import Space, State, Tail, Timed
from games.portland_occupied_zone.vocabulary import Duration

#: What hurts: a cop, the Medic, a character, or anything else (ALG-DOWN).
Cause = Literal["cop", "medic", "pc", "other"]


class Hurt(Effect, frozen=True):
    """A character took injuries (ALG-HURT)."""

    pc: Public[str]
    n: Public[int]
    cause: Public[Cause]

    def fold(self, state: State) -> None:
        """Up to its slots; what is beyond is lost (POZ-R7)."""
        who = state.pcs[self.pc]
        who.injuries = min(who.injuries + self.n, state.board.characters[self.pc].injuries)


class Burned(Effect, frozen=True):
    """A burning building has hurt a character: not again this round (POZ-ARS-10)."""

    pc: Public[str]
    building: Public[str]

    def fold(self, state: State) -> None:
        """Noted."""
        state.pcs[self.pc].burned_by.append(self.building)


class Healed(Effect, frozen=True):
    """Injuries were removed."""

    pc: Public[str]
    n: Public[int]

    def fold(self, state: State) -> None:
        """Fewer injuries."""
        state.pcs[self.pc].injuries -= self.n


class StabilityChanged(Effect, frozen=True):
    """A character's state of mind moved by `n` states; those of a `drug` are taken back as it wears off (POZ-R99)."""

    pc: Public[str]
    n: Public[int]
    drug: Public[str | None] = None

    def fold(self, state: State) -> None:
        """The marker moves; the drug remembers."""
        who = state.pcs[self.pc]
        who.stability += self.n
        if self.drug is None:
            return
        for index in range(len(who.drug_tail) - 1, -1, -1):
            tail = who.drug_tail[index]
            if tail.card == self.drug:
                who.drug_tail[index] = Tail(tail.card, tail.stability + self.n, tail.kept)
                return
        who.drug_tail.append(Tail(self.drug, self.n))


class CrapulenceChanged(Effect, frozen=True):
    """A character's crapulence moved by `n`."""

    pc: Public[str]
    n: Public[int]
    why: Public[str]

    def fold(self, state: State) -> None:
        """The marker moves."""
        who = state.pcs[self.pc]
        who.crap += self.n
        who.crap_best = max(who.crap_best, who.crap)


class KnockedOut(Effect, frozen=True):
    """A character is unconscious, depressed, and loses its next turn (POZ-KO-1 to -3); `by` another one, or None."""

    pc: Public[str]
    cause: Public[Cause]
    by: Public[str | None] = None

    def fold(self, state: State) -> None:
        """On its side."""
        who = state.pcs[self.pc]
        who.status, who.skip, who.stability = "ko", 1, 0
        if self.by is not None:
            note(state, self.by, "kos")


class Arrested(Effect, frozen=True):
    """A character is in jail, healthy, and loses crapulence and its weapon (POZ-ARR-1 to -5)."""

    pc: Public[str]
    jail: Public[Literal["courthouse", "commune"]]
    space: Public[Space]
    crap: Public[int]
    weapon: Public[str | None] = None

    def fold(self, state: State) -> None:
        """Off the street."""
        who = state.pcs[self.pc]
        who.status, who.skip, who.jail, who.injuries = "jailed", 1, self.jail, 0
        who.crap -= self.crap
        if self.weapon is not None and who.slots.weapon is not None:
            state.decks.garbage.append(who.slots.weapon)
            who.slots.weapon = None
        put_pc(state, self.pc, self.space)


class Killed(Effect, frozen=True):
    """A character is dead (POZ-KIL-1)."""

    pc: Public[str]
    cause: Public[Cause]

    def fold(self, state: State) -> None:
        """Its bricks go back; its body stays."""
        who = state.pcs[self.pc]
        who.status, who.skip = "dead", 0
        state.supplies.bricks += who.bricks
        who.bricks = 0


class ModifierGiven(Effect, frozen=True):
    """A modifier or flag for a time; `pc` None: for nobody in particular."""

    key: Public[str]
    n: Public[int]
    until: Public[Duration]
    pc: Public[str | None] = None

    def fold(self, state: State) -> None:
        """In force."""
        state.timed.append(Timed(key=self.key, until=self.until, n=self.n, pc=self.pc))


class DieRolled(Effect, frozen=True):
    """A four-sided die: what for, and what it shows."""

    tells: ClassVar[tuple[str, ...]] = EVERYONE

    purpose: Public[str]
    value: Public[int]

    def fold(self, state: State) -> None:
        """Nothing moves: what came of it follows."""


#: Every effect of this module.
PeopleEffect = (
    Hurt
    | Burned
    | Healed
    | StabilityChanged
    | CrapulenceChanged
    | KnockedOut
    | Arrested
    | Killed
    | ModifierGiven
    | DieRolled
)
