"""What a case file says, as types: the strict form of given, when and then.

Unknown keys are refused everywhere. What belongs to a ruleset (positions, effects, actions, questions) stays plain JSON
here and is checked against the ruleset by `vocabulary`.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Json = dict[str, Any]
Text = Annotated[str, Meta(min_length=1, max_length=300)]
Seat = Annotated[int, Meta(ge=0)]
Message = Annotated[Json, Meta(min_length=1, description="A type and those of its fields that are compared.")]
Readers = Annotated[tuple[Seat | Literal["spectator"], ...], Meta(min_length=1)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Any part of a case: an unknown key in it is an error."""


class Given(Part, frozen=True):
    """What the game is made from; also what a game's `scenario` takes."""

    base: Annotated[str, Meta(description="A start of the content pack, or new: the ordinary set-up.")] | None = None
    seats: Annotated[int, Meta(ge=1)] | None = None
    options: Json = {}
    pack: Annotated[str, Meta(description="Name or SHA-256 of a content pack; without it the house pack.")] | None = (
        None
    )
    setups: Annotated[Json, Meta(description="What each seat brings, by seat.")] = {}
    state: Annotated[Json, Meta(description="A position, laid over the base.")] | None = None
    dice: Annotated[
        tuple[Any, ...], Meta(description="Rolls and picks in order; {purpose: value} checks the purpose.")
    ] = ()
    orders: Annotated[
        dict[str, tuple[tuple[Any, ...], ...]],
        Meta(description="Shuffles by purpose: an order (the whole or its front) for each time."),
    ] = {}
    answers: Literal["default"] | None = None
    after: Annotated[str, Meta(description="The id of the case that this one goes on from.")] | None = None


class Refusal(Part, frozen=True):
    """A refusal in full: the rule (or any of these) and the reason."""

    rule: Text | Annotated[tuple[Text, ...], Meta(min_length=1)]
    reason: Text | None = None


class Legal(Part, frozen=True):
    """What is said of the legal actions of one seat; in each action only the fields named are compared."""

    seat: Seat
    includes: tuple[Message, ...] = ()
    excludes: tuple[Message, ...] = ()
    exactly: tuple[Message, ...] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None


class Then(Part, frozen=True):
    """What is expected after a line, or (with no line) of the start."""

    effects: tuple[Message, ...] | None = None
    effects_exactly: tuple[Message, ...] | None = None
    no_effects: tuple[Text, ...] = ()
    state: Json | tuple[Json, ...] | None = None
    decisions: tuple[Json, ...] | None = None
    legal: Legal | tuple[Legal, ...] = ()
    views: dict[str, Json] = {}
    effects_for: dict[str, tuple[Message, ...]] = {}
    outcome: Json | None = None
    ask: Message | tuple[Message, ...] = ()


class LineThen(Then, frozen=True):
    """What is expected after an action; `illegal` says more of a refusal than the line's own key can."""

    illegal: Refusal | None = None


class Line(Part, frozen=True, tag_field="line"):
    """A line of `when`. Its kind is told from its keys when the file is read; nobody writes the tag."""


class ActLine(Line, frozen=True, tag="act"):
    """A seat acts; with `illegal` the rules refuse it and nothing changes."""

    seat: Seat
    action: Message
    illegal: Text | Annotated[tuple[Text, ...], Meta(min_length=1)] | None = None
    then: LineThen | None = None


class UntilLine(Line, frozen=True, tag="until"):
    """The kernel's default answers until the position matches."""

    until: Message
    then: Then | None = None


class RunLine(Line, frozen=True, tag="run"):
    """A procedure of the specification, by name; its arguments are the other keys of the line."""

    run: Text
    args: Json = {}
    then: Then | None = None


class AskLine(Line, frozen=True, tag="ask"):
    """Questions, asked between two lines."""

    ask: Message | tuple[Message, ...]


AnyLine = ActLine | UntilLine | RunLine | AskLine


class SameFor(Part, frozen=True):
    """With this change to `given` (and these lines, if any) the readers get the same bytes throughout."""

    readers: Readers
    given: Given = Given()
    when: tuple[AnyLine, ...] | None = None


class WholeThen(Then, frozen=True):
    """What is expected at the end of the case."""

    same_for: SameFor | tuple[SameFor, ...] = ()


class Case(Part, frozen=True, kw_only=True):
    """One case and the rule IDs that it shows."""

    case: Text
    id: Text | None = None
    rules: Annotated[tuple[Text, ...], Meta(min_length=1)]
    given: Given
    when: tuple[AnyLine, ...] = ()
    then: WholeThen | None = None


def listed(value: Any) -> tuple[Any, ...]:
    """What may be written as one thing or as a list of them, as the latter; nothing is none of them."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)
