"""Decisions that nothing follows from but their answer (specification, 4.1): whom they ask, and what may be answered.

Steps that do something by themselves are in `steps/`; these stand apart so that rules may push them.
"""

from typing import ClassVar

from games.kernel import Public, Step
from games.portland_occupied_zone.state import Space


class ChooseCharacter(Step, frozen=True):
    """A seat chooses one of its characters (POZ-SET-4.1)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_character",)
    root: ClassVar[bool] = True
    auto: ClassVar[bool] = True


class PlacePulpit(Step, frozen=True):
    """The Speaker places the Struggle Pulpit (POZ-SET-5.2)."""

    menu: ClassVar[tuple[str, ...]] = ("place_pulpit",)
    root: ClassVar[bool] = True
    auto: ClassVar[bool] = True


class PlaceStructure(Step, frozen=True):
    """The Leader places a structure of a type; `exchange`: it will be paid with others."""

    menu: ClassVar[tuple[str, ...]] = ("place_structure",)
    auto: ClassVar[bool] = True

    type: Public[str]
    exchange: Public[bool] = False


class PlaceCommune(Step, frozen=True):
    """The Dictator places the Portland Commune (POZ-DIC-5)."""

    menu: ClassVar[tuple[str, ...]] = ("place_commune",)
    auto: ClassVar[bool] = True


class DiseaseSlot(Step, frozen=True):
    """A character that contracted a disease says where it goes."""

    menu: ClassVar[tuple[str, ...]] = ("choose_slot",)
    auto: ClassVar[bool] = True

    pc: Public[str]
    card: Public[str]


class TakePillow(Step, frozen=True):
    """A character that walks onto the Pulpit may take the Talking Pillow (POZ-GOV-4)."""

    menu: ClassVar[tuple[str, ...]] = ("take_pillow",)

    pc: Public[str]


class ChoosePoliceTarget(Step, frozen=True):
    """Equally crapulent characters: the Leader says whom a police figure goes for (POZ-BAT-11, POZ-R18)."""

    menu: ClassVar[tuple[str, ...]] = ("choose_police_target",)
    auto: ClassVar[bool] = True

    figure: Public[str]
    pcs: Public[tuple[str, ...]]


class Pick(Step, frozen=True):
    """One choice of a card or power (2.7): `kind` as in `pick`, the things there are."""

    menu: ClassVar[tuple[str, ...]] = ("pick",)
    auto: ClassVar[bool] = True

    kind: Public[str]
    things: Public[tuple[Space, ...]]


class PickHandCard(Step, frozen=True):
    """A choice among the hand cards of a character, which only their owner knows."""

    menu: ClassVar[tuple[str, ...]] = ("pick",)

    pc: Public[str]
    filter: Public[str | None] = None
