"""Playing cards and passing in windows (specification, 2.9, 4.12)."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from games.block_mania.cards import (
    Target,
    fits,
    justice_side,
    justice_targets,
    mania_side,
    mania_targets,
    playable,
)
from games.block_mania.effects import CardPlayed, JusticePlayed
from games.block_mania.playing import Play
from games.block_mania.refusals import refuse
from games.block_mania.state import State
from games.block_mania.steps.window import Pass, Window
from games.kernel import Action, Public, Table


class _OnTarget(Action, frozen=True):
    """What both kinds of playing share: the card and what it is played on."""

    card: Public[str]
    blocker: Public[str | None] = None
    square: Public[str | None] = None
    block: Public[int | None] = None

    @property
    def target(self) -> Target:
        """What is named."""
        return Target(self.blocker, self.square, self.block)

    def notes(self, state: State, seat: int) -> dict[str, Any]:
        """The type of the blocker, if one is named."""
        return {"type": state.blockers[self.blocker].type} if self.blocker in state.blockers else {}

    def _check_hand(self, state: State, seat: int, rule: str) -> None:
        if self.card not in state.seats[seat].hand:
            refuse(rule, "not_in_hand", card=self.card)


def _window(state: State) -> Window | None:
    """The window that is asked, or none: it is the Command Phase."""
    step = state.agenda[-1]
    return step if isinstance(step, Window) else None


class PlayMania(_OnTarget, frozen=True):
    """Play a Mania card, in its window."""

    rule: ClassVar[str] = "BM-MAN-1"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every card that fits, with every target."""
        found = {} if state.endgame else dict.fromkeys(playable(state, seat, _window(state)))
        return (cls(card, target.blocker, target.square, target.block) for card, target in found)

    def check(self, state: State, seat: int) -> None:
        """In hand, in its window, on one of its targets."""
        self._check_hand(state, seat, "BM-MAN-1")
        if state.endgame:
            refuse("BM-MAN-1", "endgame")
        side = mania_side(state, self.card)
        if not fits(state, side, _window(state)):
            refuse("BM-MAN-1", "not_in_this_window", card=self.card)
        targets = mania_targets(state, seat, side)
        if not targets:
            refuse("BM-MAN-1", "no_target", card=self.card)
        if self.target not in targets:
            refuse("BM-MAN-1", "not_a_target", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is played and resolved at once."""
        window = _window(table.state)
        if window is None:
            table.stay()
        table.emit(CardPlayed(seat, self.card, self.blocker, self.square, self.block))
        mover = None if window is None else window.blocker
        Play(table, seat, self.target, mover).do(mania_side(table.state, self.card).ops)


class PlayJustice(_OnTarget, frozen=True):
    """Play the Justice card of the turn (BM-1A-1, -2)."""

    rule: ClassVar[str] = "BM-1A-1"
    exact: ClassVar[bool] = True

    @classmethod
    def options(cls, state: State, seat: int) -> Iterator[Self]:
        """Every card of the hand with every target."""
        for card in state.seats[seat].hand:
            for target in justice_targets(state, justice_side(state, card)):
                yield cls(card, target.blocker, target.square, target.block)

    def check(self, state: State, seat: int) -> None:
        """In hand, on one of its targets."""
        self._check_hand(state, seat, "BM-1A-1")
        side = justice_side(state, self.card)
        if self.target not in justice_targets(state, side):
            refuse(TARGET_RULES.get(side.id, "BM-1A-2"), "not_a_target", card=self.card)

    def apply(self, table: Table[State], seat: int) -> None:
        """It is played and resolved at once."""
        table.emit(JusticePlayed(seat, self.card, self.blocker, self.square, self.block))
        Play(table, seat, self.target).do(justice_side(table.state, self.card).ops)


#: The rules that say what each Justice card strikes.
TARGET_RULES = {
    "riot_foam": "BM-1A-4",
    "stumm_gas": "BM-1A-5",
    "judges": "BM-1A-6",
    "judge_dredd": "BM-1A-7",
    "fire_department": "BM-1A-8",
    "electro_cordon": "BM-1A-9",
    "kleggs_go_home": "BM-1A-10",
    "h_wagon": "BM-1A-11",
    "pat_wagon": "BM-1A-12",
    "sonic_cannon": "BM-1A-13",
}


__all__ = ["Pass", "PlayJustice", "PlayMania"]
