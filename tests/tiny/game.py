"""Given, when, then for the tiny ruleset: a game at a position, acts, and what came of the last one."""

from typing import Any

from games.dice import Dice, Script
from games.kernel import (
    Action,
    Decided,
    IllegalError,
    Setting,
    Step,
    decide,
    decisions,
    encode,
    expire,
    legal,
    pending,
    redact,
    start,
    start_at,
    tag_of,
)
from tests.tiny import PACK, RULES
from tests.tiny.state import Options, Tiny


class Game:
    """A game of the tiny ruleset; without a position from its ordinary set-up on."""

    def __init__(
        self,
        position: dict[str, Any] | None = None,
        *,
        seats: int = 3,
        dice: tuple[Any, ...] = (),
        orders: dict[str, Any] | None = None,
        options: Options | None = None,
    ) -> None:
        self.setting = Setting(PACK, seats, options or Options())
        self.dice = Dice(b"tiny" * 8, script=Script(dice, orders or {}))
        self.state: Tiny = RULES.initial(self.setting)
        if position is None:
            self.last: Decided = start(RULES, self.state, self.setting, self.dice)
        else:
            loaded = RULES.position.load(position, self.setting, "new")
            self.last = start_at(RULES, self.state, loaded, self.dice)

    def act(self, seat: int, *actions: Action) -> "Game":
        """Decide actions of a seat, one after another."""
        for action in actions:
            self.last = decide(RULES, self.state, seat, action, self.dice)
        return self

    def expire(self, seat: int) -> "Game":
        """The seat is out of time."""
        self.last = expire(RULES, self.state, seat, self.dice)
        return self

    def refused(self, seat: int, action: Action) -> tuple[str, str]:
        """The rule and the reason with which the action is refused; nothing has changed."""
        before = (encode(self.state), self.dice.draws)
        try:
            decide(RULES, self.state, seat, action, self.dice)
        except IllegalError as refusal:
            assert (encode(self.state), self.dice.draws) == before
            return refusal.rule, refusal.reason
        raise AssertionError(f"{action} was accepted")

    @property
    def tags(self) -> list[str]:
        """The tags of the last act's effects, without the closing `agenda_set`."""
        tags = [tag_of(type(effect)) for effect in self.last.effects]
        return tags[:-1] if tags[-1:] == ["agenda_set"] else tags

    def effects(self, tag: str) -> list[Any]:
        """The last act's effects with this tag."""
        return [effect for effect in self.last.effects if tag_of(type(effect)) == tag]

    def seen(self, reader: int) -> list[dict[str, Any]]:
        """The last act's effects as a reader gets them."""
        return [redact(effect, reader) for effect in self.last.effects]

    def view(self, reader: int) -> Any:
        return RULES.view(self.state, reader)

    def legal(self, seat: int) -> list[Action]:
        return legal(RULES, self.state, seat)

    @property
    def step(self) -> Step | None:
        """What is pending."""
        return pending(self.state)

    @property
    def owing(self) -> list[int]:
        """The seats that owe an answer."""
        return [decision.seat for decision in decisions(self.state) if decision.owes]


def turn(seat: int = 0, **fields: Any) -> dict[str, Any]:
    """A position in the middle of a seat's turn, the last one of its round: two actions, nobody has cards or units."""
    agenda = [{"step": "end_round"}, {"step": "turn", "seats": [seat]}]
    middle = {"agenda": agenda, "round": 1, "active": seat, "actions_left": 2, "revealed": True, "police": "yard"}
    return middle | {"homes": ["roof", "roof", "roof"], **fields}


def units(**floors: list[int]) -> dict[str, Any]:
    """The `floors` of a position: the owners of the units on each place."""
    return {place: {"units": owners} for place, owners in floors.items()}
