"""Events in the making: drafts are sealed one after the other onto a live game, then the whole batch is appended."""

from typing import Any

from msgspec import Struct

from events.digest import ZERO, salt_key
from events.event import Event, Header, NewEvent, seal
from games.dice import Dice
from games.kernel import Action, Decided, Ruleset, encode
from projections.details import Details
from projections.game import LiveGame, Moment, begin


class Draft(Struct, frozen=True, kw_only=True):
    """An event before it is sealed. `dice`: in their state after the decision."""

    details: Details
    actor: str
    seat: int | None = None
    key: str | None = None
    action: Action | None = None
    decided: Decided | None = None
    dice: Dice | None = None
    caused_by: int | None = None
    words: bytes | None = None


class Making:
    """The events of one command: sealed and folded into `live` as they are added, and not yet durable.

    If the append fails, `live` knows events that do not exist, and must be dropped.
    """

    def __init__(self, rules: Ruleset[Any], game: str, seed: bytes, at: str, live: LiveGame | None = None) -> None:
        self.rules = rules
        self.game = game
        self.seed = seed
        self.at = at
        self.events: list[Event] = []
        self.words: list[tuple[int, bytes]] = []
        self.expected = live.meta.version if live is not None else 0
        self.follows = live.meta.digest if live is not None else None
        self._live = live
        self._salt_key = salt_key(seed)

    @property
    def live(self) -> LiveGame:
        """The game, once its first event is there."""
        if self._live is None:
            raise RuntimeError("the first draft of a new game is `created`")
        return self._live

    @property
    def version(self) -> int:
        """The version of the newest event."""
        return self._live.meta.version if self._live is not None else 0

    def add(self, draft: Draft) -> Event:
        """Seal a draft onto the chain and fold it."""
        effects = draft.decided.effects if draft.decided is not None else ()
        new = NewEvent(
            header=self._header(draft),
            details=encode(draft.details),
            action=encode(draft.action) if draft.action is not None else None,
            effects=tuple(encode(effect) for effect in effects),
        )
        event = seal(new, self._live.meta.digest if self._live is not None else ZERO, self._salt_key)
        if self._live is None:
            self._live = LiveGame(self.rules, begin(event), Moment())
        else:
            self._live.apply(event, effects if draft.decided is not None else None)
        self.events.append(event)
        if draft.words is not None:
            self.words.append((event.header.version, draft.words))
        return event

    def _header(self, draft: Draft) -> Header:
        meta = self._live.meta if self._live is not None else None
        dice = draft.dice
        return Header(
            game=self.game,
            version=self.version + 1,
            kind=str(type(draft.details).__struct_config__.tag),
            at=self.at,
            actor=draft.actor,
            seat=draft.seat,
            key=draft.key,
            rules=self.rules.rules if meta is None else meta.rules,
            draws=dice.draws if dice is not None else meta.draws if meta is not None else 0,
            scripted=dict(dice.used) if dice is not None else meta.scripted if meta is not None else {},
            caused_by=draft.caused_by,
            causes=draft.decided.causes if draft.decided is not None else (),
        )
