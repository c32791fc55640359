"""The effect language of cards (specification, 2.10): what a pack may say, as data."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

KindClass = Literal["open_air", "window", "interior"]
Colour = Literal["blue", "green", "yellow"]
BlockerType = Literal["citi_def", "crocks", "fatties", "futsy", "juves", "mob", "spugs", "superhero", "jaeger", "klegg"]
Unit = Literal["h_wagon", "pat_wagon", "sonic_cannon"]
#: When a Mania card may be played (2.9).
Window = Literal["C", "R", "H:any", "H:activation", "H:civic", "H:bank_mall", "H:elevator", "H:vehicle", "A+", "A-"]
Positive = Annotated[int, Meta(ge=1)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a pack; what it does not know is a misspelling."""


class Filter(Part, frozen=True):
    """Which squares, blockers or blocks may be named: all that is set must hold; of several words one is enough.

    `empty`: nothing of what is to be placed is there yet. `adjacent_to`: of the 8 neighbours one is such a square.
    """

    kind: tuple[str, ...] | None = None
    cls: tuple[KindClass, ...] | None = None
    colour: Colour | None = None
    tag: tuple[str, ...] | None = None
    type: tuple[BlockerType, ...] | None = None
    empty: bool | None = None
    collapsed: bool | None = None
    adjacent_to: Literal["block"] | None = None


class _Op(Part, frozen=True, tag_field="op"):
    """One op of a card."""


class Deploy(_Op, frozen=True, tag="deploy"):
    """Deploy `n` blockers for `cost` command points each; a Klegg comes with an Armory token."""

    n: Positive
    source: Literal["pool", "klegg_supply"]
    cost: Annotated[int, Meta(ge=0)] = 0


class TakeControl(_Op, frozen=True, tag="take_control"):
    """Every blocker of the type on the map is controlled by whoever plays the card."""

    type: BlockerType


class PlaceToken(_Op, frozen=True, tag="place_token"):
    """A token of the supply, if one is left, goes to a square that the card's player names."""

    token: Literal["sky_rail_car"] | Unit
    where: Filter


class AddCommand(_Op, frozen=True, tag="add_command"):
    """The phasing seat's command points change by so many dice, or by so many points, never below 0."""

    dice: Positive | None = None
    points: int | None = None


class ModifyAttack(_Op, frozen=True, tag="modify_attack"):
    """Every die of the declared attack changes by `amount`: the own roll or the enemy's."""

    amount: int
    side: Literal["own", "enemy"]


class Attack(_Op, frozen=True, tag="attack"):
    """The blocker that moves is attacked; `square_modifiers`: the square it entered counts as for a shot."""

    dv: int
    target: Literal["mover"]
    square_modifiers: bool


class Remove(_Op, frozen=True, tag="remove"):
    """A blocker is removed (without `roll_max`: at once, else on a d6 of at most that), and perhaps those around it.

    It stands in a square of one of the filters `where`, if there are any. `spread`: others in its square and in the 8
    squares around it, of Interior squares only or of all.
    """

    target: Literal["mover", "named"]
    where: tuple[Filter, ...] = ()
    roll_max: Annotated[int, Meta(ge=1, le=5)] | None = None
    counts_dp: bool = False
    spread: Literal["none", "adjacent8_interior", "adjacent8"] = "none"


class RemoveType(_Op, frozen=True, tag="remove_type"):
    """Every blocker of the type is removed."""

    type: BlockerType


class ClearFire(_Op, frozen=True, tag="clear_fire"):
    """All fire of a named block is removed."""

    block: Literal["named"]


class PlaceFire(_Op, frozen=True, tag="place_fire"):
    """`n` Fire markers go to a named square, one after the other."""

    n: Positive
    where: Filter


class Collapse(_Op, frozen=True, tag="collapse"):
    """A named square collapses."""

    where: Filter


class Cut(_Op, frozen=True, tag="cut"):
    """The Sky-Rail is cut in a named square: a Collapse marker and nothing else (BM-R34)."""

    where: Filter


class SetTurnFlag(_Op, frozen=True, tag="set_turn_flag"):
    """Until the end of the turn: a type costs `value` to activate, has more movement points, or is not activated."""

    flag: Literal["cost_override", "move_bonus", "ban_activation"]
    type: BlockerType
    value: int = 0


class SetBlockerFlag(_Op, frozen=True, tag="set_blocker_flag"):
    """The blocker that moves is stuck, or moves no further in this activation."""

    flag: Literal["stuck", "movement_over"]


Op = (
    Deploy
    | TakeControl
    | PlaceToken
    | AddCommand
    | ModifyAttack
    | Attack
    | Remove
    | RemoveType
    | ClearFire
    | PlaceFire
    | Collapse
    | Cut
    | SetTurnFlag
    | SetBlockerFlag
)
