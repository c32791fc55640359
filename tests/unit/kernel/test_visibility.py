"""Deny by default: a class may be used only if every field says who may see it, by names that exist."""

from typing import Annotated, ClassVar

import pytest
from msgspec import structs

from games.kernel import OTHERS, Action, Effect, Hidden, Nested, Public, Secret, Step, Visibility, secret_to
from games.kernel.visibility import UndeclaredFieldError, declared
from tests.tiny import RULES
from tests.tiny import effects as e


class Sound(Effect, frozen=True):
    thief: Public[int]
    open: Public[bool]
    loot: Annotated[str, secret_to("thief", unless="open")]
    order: Hidden[tuple[str, ...]]


class Undeclared(Effect, frozen=True):
    seat: Public[int]
    card: str


class Twice(Effect, frozen=True):
    seat: Annotated[int, secret_to("seat"), Visibility("public")]


class Misspelt(Effect, frozen=True):
    thief: Public[int]
    loot: Annotated[str, secret_to("theif")]


class NoSeat(Effect, frozen=True):
    card: Secret[str]


class SecretFlag(Effect, frozen=True):
    seat: Public[int]
    open: Hidden[bool]
    card: Annotated[str, secret_to("seat", unless="open")]


class BadAudience(Effect, frozen=True):
    audience: ClassVar[Visibility] = secret_to("owner")

    seat: Public[int]


class OwnSecret(Action, frozen=True):
    card: Secret[str]


class Deaf(Effect, frozen=True):
    tells: ClassVar[tuple[str, ...]] = ("finder",)

    seat: Public[int]


class Nobodys(Effect, frozen=True):
    tells: ClassVar[tuple[str, ...]] = OTHERS

    finder: Public[int]


class Idle(Step, frozen=True):
    menu: ClassVar[tuple[str, ...]] = ("dance",)


class Holder(Effect, frozen=True):
    class_seat: Public[int]
    parts: Nested[tuple[Sound, ...]]


def test_declarations_are_found_in_order() -> None:
    assert [name for name, _ in declared(Sound)] == ["thief", "open", "loot", "order"]
    assert [shown.kind for _, shown in declared(Sound)] == ["public", "public", "secret", "hidden"]
    assert declared(Holder)[1][1].kind == "nested"


@pytest.mark.parametrize("cls", [Undeclared, Twice, Misspelt, NoSeat, SecretFlag, BadAudience])
def test_a_class_that_leaves_a_reader_open_is_refused_when_the_ruleset_is_made(cls: type[Effect]) -> None:
    with pytest.raises(UndeclaredFieldError, match=cls.__name__):
        structs.replace(RULES, effects=RULES.effects | cls)


def test_the_secret_of_an_action_is_its_acting_seats() -> None:
    assert declared(OwnSecret)[0][1].seats == ("seat",)


def test_an_undeclared_action_or_step_is_refused_too() -> None:
    class Ask(Action, frozen=True):
        card: str

    class Wait(Step, frozen=True, kw_only=True):
        left: int

    with pytest.raises(UndeclaredFieldError):
        structs.replace(RULES, actions=RULES.actions | Ask)
    with pytest.raises(UndeclaredFieldError):
        structs.replace(RULES, steps=RULES.steps | Wait)


def test_tells_names_fields_and_menus_name_actions() -> None:
    with pytest.raises(TypeError, match="finder"):
        structs.replace(RULES, effects=RULES.effects | Deaf)
    with pytest.raises(TypeError, match="seat"):
        structs.replace(RULES, effects=RULES.effects | Nobodys)
    with pytest.raises(TypeError, match="dance"):
        structs.replace(RULES, steps=RULES.steps | Idle)


def test_a_tag_belongs_to_one_class() -> None:
    other = type("CardTaken", (e.CardTaken,), {}, frozen=True)
    with pytest.raises(TypeError, match="card_taken"):
        structs.replace(RULES, effects=RULES.effects | other)
