"""Redaction works from the declarations alone: secret, unless, hidden, nested, audience."""

from typing import Annotated, ClassVar

import msgspec
import pytest

from games.kernel import (
    EVERYTHING,
    OTHERS,
    SPECTATOR,
    AgendaSet,
    Answered,
    Effect,
    Nested,
    PositionSet,
    Public,
    Secret,
    Step,
    Visibility,
    learns,
    redact,
    secret_to,
    whole,
)
from tests.tiny import effects as e
from tests.tiny.actions import ChooseHome, EndTurn, SetAutoPass


class CardStolen(Effect, frozen=True):
    thief: Public[int]
    victims: Public[tuple[int, ...]]
    open: Public[bool]
    card: Annotated[str, secret_to("thief", "victims", unless="open")]


class CardSeized(CardStolen, frozen=True):
    tells: ClassVar[tuple[str, ...]] = ("thief", "victims")


class CardKept(Effect, frozen=True):
    tells: ClassVar[tuple[str, ...]] = OTHERS

    seat: Public[int]
    card: Public[str]


class Choose(Step, frozen=True, kw_only=True):
    seat: Public[int]
    tiles: Secret[tuple[str, ...]]


class Rumour(Effect, frozen=True):
    audience: ClassVar[Visibility] = secret_to("seat")

    seat: Public[int]


class Perhaps(Effect, frozen=True):
    part: Nested[Rumour | None]


STOLEN = CardStolen(0, (1, 2), open=False, card="fox")


@pytest.mark.parametrize(
    ("reader", "sees"), [(0, True), (1, True), (2, True), (3, False), (SPECTATOR, False), (EVERYTHING, True)]
)
def test_a_secret_is_seen_by_the_seats_that_the_named_fields_hold(reader: int, sees: bool) -> None:
    expected = {"effect": "card_stolen", "thief": 0, "victims": (1, 2), "open": False}
    assert redact(STOLEN, reader) == (expected | {"card": "fox"} if sees else expected)
    assert whole(STOLEN, reader) is sees


def test_unless_shows_it_to_all() -> None:
    opened = msgspec.structs.replace(STOLEN, open=True)
    assert redact(opened, SPECTATOR)["card"] == "fox"
    assert whole(opened, SPECTATOR)


def test_hidden_is_for_nobody_before_the_end() -> None:
    shuffled = e.DeckShuffled(("no", "scope"))
    assert [redact(shuffled, reader) for reader in (0, 1, SPECTATOR)] == [{"effect": "deck_shuffled"}] * 3
    assert redact(shuffled, EVERYTHING) == {"effect": "deck_shuffled", "cards": ("no", "scope")}


def test_an_actions_secret_is_seen_by_who_acts() -> None:
    action = ChooseHome("roof", "no")
    assert redact(action, 1, acting=1) == {"action": "choose_home", "place": "roof", "card": "no"}
    assert redact(action, 2, acting=1) == redact(action, SPECTATOR, acting=1) == {"action": "choose_home"}


def test_whom_the_audience_excludes_gets_nothing_not_even_the_type() -> None:
    assert redact(e.AutoPassSet(1, on=True), 0) == {"effect": "hidden"}
    assert redact(e.AutoPassSet(1, on=True), 1) == {"effect": "auto_pass_set", "seat": 1, "on": True}
    assert redact(SetAutoPass(on=True), 0, acting=1) == {"action": "hidden"}
    assert redact(SetAutoPass(on=True), 1, acting=1) == {"action": "set_auto_pass", "on": True}
    assert not whole(e.AutoPassSet(1, on=True), SPECTATOR)


def test_nested_messages_decide_for_themselves() -> None:
    steps = AgendaSet(1, (Choose(seat=1, tiles=("red",)), Choose(seat=2, tiles=("blue",))))
    assert [step.get("tiles") for step in redact(steps, 1)["steps"]] == [("red",), None]
    assert [step.get("tiles") for step in redact(steps, SPECTATOR)["steps"]] == [None, None]
    assert not whole(steps, 1)
    assert whole(AgendaSet(0, ()), SPECTATOR)


def test_a_nested_action_is_secret_to_the_seat_it_is_for() -> None:
    answered = Answered(2, ChooseHome("roof", "no"), "resigned")
    assert redact(answered, 2)["action"] == {"action": "choose_home", "place": "roof", "card": "no"}
    assert redact(answered, 1)["action"] == {"action": "choose_home"}
    assert (whole(answered, 2), whole(answered, 1)) == (True, False)
    assert whole(Answered(2, EndTurn(), "forced"), SPECTATOR)


def test_a_nested_message_may_be_missing_or_out_of_sight() -> None:
    assert redact(Perhaps(None), 0) == {"effect": "perhaps", "part": None}
    assert redact(Perhaps(Rumour(1)), 0) == {"effect": "perhaps", "part": {"effect": "hidden"}}
    assert (whole(Perhaps(None), 0), whole(Perhaps(Rumour(1)), 0)) == (True, False)


def test_a_recorded_position_is_shown_as_json_and_only_at_the_end() -> None:
    recorded = PositionSet(msgspec.Raw(b'{"deck":["no"]}'))
    assert redact(recorded, 0) == {"effect": "position_set"}
    assert redact(recorded, EVERYTHING)["state"] == {"deck": ["no"]}


def test_who_learns_something_is_declared() -> None:
    assert [learns(e.CardTaken(1, "no"), reader) for reader in (0, 1, SPECTATOR)] == [False, True, False]
    assert all(learns(e.HomeRevealed(1, "roof"), reader) for reader in (0, 1, SPECTATOR))
    assert [learns(CardKept(1, "no"), reader) for reader in (0, 1, SPECTATOR)] == [True, False, True]
    seized = CardSeized(0, (1, 2), open=False, card="fox")
    assert [learns(seized, reader) for reader in range(4)] == [True, True, True, False]
    assert any(learns(effect, 1) for effect in (e.TurnEnded(0), e.CardTaken(1, "no")))
    assert not any(learns(effect, seat) for effect in (e.TurnEnded(0), e.Passed(0, rest=True)) for seat in range(4))
