"""A ruleset: the rules of one rulebook as the kernel and the shell see them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import UnionType
from typing import Any, Generic, Protocol, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from games.content import Shelf
from games.dice import Dice
from games.kernel.messages import EVERYONE, OTHERS, Action, Effect, Message, State, Step
from games.kernel.table import Table
from games.kernel.visibility import declared

S = TypeVar("S", bound=State)


class Setting(Struct, frozen=True):
    """What a game is made from: the pack's SHA-256, the number of seats, the options, what each seat brings."""

    pack: str
    seats: int
    options: Any
    setups: tuple[Any, ...] = ()


class Position(Protocol[S]):
    """How people write a state: `load` and `dump`, a scenario's beginning, named procedures and questions."""

    procedures: Mapping[str, Callable[..., None]]
    questions: Mapping[str, Callable[..., Any]]

    def load(self, position: Mapping[str, Any], setting: Setting, base: str) -> S:
        """The state that a position describes, completed as the specification says.

        Raises:
            PositionError: it is impossible, with a sentence that names the field.
        """

    def begin(self, table: Table[S]) -> None:
        """Push what comes first in a loaded position that has no agenda of its own."""

    def dump(self, state: S) -> dict[str, Any]:
        """The whole state as a position, in canonical order."""

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of positions."""


class PositionError(ValueError):
    """A position that cannot be: one sentence that names the field."""


def members(union: Any) -> tuple[type[Any], ...]:
    """The classes of a union of message types (generic ones by their plain class)."""
    parts = get_args(union) if isinstance(union, UnionType) or get_origin(union) is not None else (union,)
    return tuple(get_origin(part) or part for part in parts)


class Ruleset(Struct, Generic[S], frozen=True, kw_only=True, dict=True):
    """Everything the kernel and the shell need of a rulebook; made once, at import, which checks every declaration.

    `effects`, `actions`, `steps` are unions of the message classes. `menu_rule(state)` is the ID that refuses what is
    not on the menu, `resign_rule` the one that refuses resigning twice or too late. `bound` is the most decisions a
    game can take. `last_seat` ends the game when a resignation leaves one seat (or none: None), if the rulebook does
    not let it go on. `components` counts every piece wherever it is (conservation). `orders`
    are the purposes of its shuffles, which a scenario may script. `check_setting` raises PositionError for options that
    do not go together. `evaluate(state, seat)` guesses 0 to 1 how well a seat stands.
    `words(pack)` has the names that a pack (by its SHA-256) gives to its ids: texts of a game with it say them.
    """

    id: str
    title: str
    version: int
    seats: range
    state: type[S]
    view_type: type[Struct]
    options: type[Struct]
    setup: type[Struct] | None = None
    effects: Any
    actions: Any
    steps: Any
    shelf: Shelf[Any]
    bound: int
    menu_rule: Callable[[S], str]
    resign_rule: str
    orders: frozenset[str] = frozenset()
    initial: Callable[[Setting], S]
    set_up: Callable[[Table[S], Setting], None]
    view: Callable[[S, int], Struct]
    resample: Callable[[S, int, Dice], S]
    components: Callable[[S], Mapping[str, int]]
    position: Position[S]
    last_seat: Callable[[Table[S], int | None], None]
    check_setting: Callable[[Setting], None] = lambda _: None
    evaluate: Callable[[S, int], float] | None = None
    words: Callable[[str], Mapping[str, str]] = lambda _: {}

    def __post_init__(self) -> None:
        """Refuse message classes with undeclared fields, twice used tags, or menus that name no action."""
        for union in (self.effects, self.actions, self.steps):
            _check_union(members(union))
        for effect in self.effect_types.values():
            named = {"seat"} if effect.tells == OTHERS else set(effect.tells) - set(EVERYONE)
            unknown = named - {name for name, _ in declared(effect)}
            if unknown:
                raise TypeError(f"{effect.__name__}.tells names no field: {sorted(unknown)}")
        for step in members(self.steps):
            unknown = set(step.menu) - set(self.action_types)
            if unknown:
                raise TypeError(f"{step.__name__}.menu names no action: {sorted(unknown)}")

    @cached_property
    def action_types(self) -> dict[str, type[Action]]:
        """Action classes by tag."""
        return {tag_of(cls): cls for cls in members(self.actions)}

    @cached_property
    def effect_types(self) -> dict[str, type[Effect]]:
        """Effect classes by tag."""
        return {tag_of(cls): cls for cls in members(self.effects)}

    @cached_property
    def step_types(self) -> dict[str, type[Step]]:
        """Step classes by tag."""
        return {tag_of(cls): cls for cls in members(self.steps)}

    @cached_property
    def action_decoder(self) -> msgspec.json.Decoder[Action]:
        """Decodes one action; unknown fields are refused by `convert_action` alone."""
        return msgspec.json.Decoder(self.actions)

    @cached_property
    def effect_decoder(self) -> msgspec.json.Decoder[Effect]:
        """Decodes one effect."""
        return msgspec.json.Decoder(self.effects)

    @cached_property
    def state_decoder(self) -> msgspec.json.Decoder[S]:
        """Decodes a whole state."""
        return msgspec.json.Decoder(self.state)

    @property
    def rules(self) -> str:
        """The name under which events record the rules that decided them, `tpoc/1`."""
        return f"{self.id}/{self.version}"

    def copy(self, state: S) -> S:
        """An independent copy of a state (through its JSON, so that it is also a check of round-tripping)."""
        return self.state_decoder.decode(encode(state))


def _check_union(classes: Sequence[type[Message]]) -> None:
    seen: dict[str, type[Message]] = {}
    for cls in classes:
        declared(cls)
        other = seen.setdefault(tag_of(cls), cls)
        if other is not cls:
            raise TypeError(f"{other.__name__} and {cls.__name__} have the same tag {tag_of(cls)}")


def tag_of(cls: type[Message]) -> str:
    """The JSON tag of a message class."""
    return str(cls.__struct_config__.tag)


_encoder = msgspec.json.Encoder()


def encode(thing: Any) -> bytes:
    """JSON bytes; equal things of the same type give equal bytes."""
    return _encoder.encode(thing)


def fold(state: State, effects: Sequence[Effect]) -> None:
    """Fold effects into the state, in order."""
    for effect in effects:
        effect.fold(state)
