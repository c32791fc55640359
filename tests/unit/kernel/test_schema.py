"""The schema lock shows every change that would break stored events or tell what it should not."""

from typing import ClassVar

import msgspec
import pytest
from msgspec import Struct, structs

from games.kernel import Effect, Hidden, Public, Visibility, members, schema_lock, secret_to
from tests.tiny import RULES


class Parcel(Struct, frozen=True):
    weight: int


class Sent(Effect, frozen=True):
    parcel: Public[Parcel]


def lock_with(*effects: type[Effect]) -> dict[str, object]:
    union = RULES.effects
    for effect in effects:
        union = union | effect
    return schema_lock(structs.replace(RULES, effects=union))


def test_the_lock_lists_every_message_with_its_fields_and_who_sees_them() -> None:
    lock = schema_lock(RULES)
    assert set(lock) == {"ruleset", "effects", "actions", "steps", "types"}
    assert [len(lock[kind]) for kind in ("effects", "actions", "steps")] == [
        len(members(union)) for union in (RULES.effects, RULES.actions, RULES.steps)
    ]
    assert lock["effects"]["home_chosen"] == {
        "audience": "public",
        "fields": {
            "seat": {"visibility": "public", "schema": {"type": "integer"}},
            "place": {"visibility": "secret to seat", "schema": {"type": "string"}},
            "card": {"visibility": "secret to seat", "schema": {"type": "string"}},
        },
    }
    assert lock["effects"]["auto_pass_set"]["audience"] == "secret to seat"
    assert lock["steps"]["vote"]["fields"]["also"]["visibility"] == "public"
    assert lock["effects"]["agenda_set"]["fields"]["steps"]["visibility"] == "nested"


def test_the_lock_is_json_in_a_stable_order() -> None:
    text = msgspec.json.encode(schema_lock(RULES))
    assert msgspec.json.encode(schema_lock(RULES)) == text
    assert list(schema_lock(RULES)["effects"]) == sorted(schema_lock(RULES)["effects"])


def test_the_types_that_fields_refer_to_and_the_state_are_in_it() -> None:
    assert lock_with(Sent)["types"]["Parcel"]["properties"] == {"weight": {"type": "integer"}}
    assert "Parcel" not in schema_lock(RULES)["types"]
    assert set(schema_lock(RULES)["types"]["Tiny"]["properties"]) >= {"agenda", "hands", "deck"}


def changed(name: str, **namespace: object) -> type[Effect]:
    return type(name, (Effect,), namespace, frozen=True)


BASE = {"__annotations__": {"seat": Public[int], "card": Hidden[str]}}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            changed("Lifted", __annotations__={"seat": Public[int], "karte": Hidden[str]}), id="renamed field"
        ),
        pytest.param(changed("Lifted", __annotations__={"seat": Public[int], "card": Public[str]}), id="now visible"),
        pytest.param(changed("Lifted", __annotations__={"seat": Public[int], "card": Hidden[int]}), id="other type"),
        pytest.param(changed("Raised", **BASE), id="renamed class"),
        pytest.param(
            changed(
                "Lifted",
                __annotations__={**BASE["__annotations__"], "audience": ClassVar[Visibility]},
                audience=secret_to("seat"),
            ),
            id="other audience",
        ),
    ],
)
def test_every_change_changes_the_lock(other: type[Effect]) -> None:
    assert lock_with(changed("Lifted", **BASE)) != lock_with(other)
    assert lock_with(changed("Lifted", **BASE)) == lock_with(changed("Lifted", **BASE))
