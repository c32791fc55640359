"""Each property fails on a ruleset that breaks it: the tiny one with one thing put wrong."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from games.kernel import EVERYTHING, IllegalError, KernelError, Ruleset
from tests.properties import test_properties as properties
from tests.properties.playouts import playouts
from tests.tiny import RULES
from tests.tiny import effects as e
from tests.tiny import steps as s
from tests.tiny.actions import CastVote, PlayCard, Shoot, TakeCard
from tests.tiny.position import TinyPosition
from tests.tiny.state import Tiny

pytestmark = pytest.mark.slow

Property = Callable[[Ruleset[Any], Callable[..., Any]], None]


def fails(proof: Property, rules: Ruleset[Any]) -> BaseException:
    """How the property fails on 600 positions; without this it would be no proof."""
    games = lambda **how: playouts(rules, 600, 0, **how)  # noqa: E731 (what the fixture gives)
    with pytest.raises((AssertionError, IllegalError, KernelError, KeyError)) as failure:
        proof(rules, games)
    return failure.value


def test_the_failing_seed_is_told() -> None:
    failure = fails(properties.test_every_game_ends_within_the_bound, structs.replace(RULES, bound=3))
    assert any("--first-seed=0" in note for note in failure.__notes__)


def test_an_incomplete_list_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shoot, "options", classmethod(lambda cls, *_: [cls("roof")]))
    fails(properties.test_an_action_outside_the_list_is_refused_and_leaves_no_trace, RULES)


def test_a_repeated_option_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayCard, "options", classmethod(lambda cls, state, seat: map(cls, state.hands[seat])))
    fails(properties.test_every_legal_action_is_accepted, RULES)


def test_a_decision_without_an_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CastVote, "options", classmethod(lambda cls, _, seat: [cls(0)] if seat else []))
    monkeypatch.setattr(s.Vote, "menu", ("cast_vote",))
    with pytest.raises((AssertionError, KernelError, IndexError)):
        properties.test_every_legal_action_is_accepted(RULES, lambda: playouts(RULES, 600, 0))


def test_a_trace_of_a_refused_action_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(self: TakeCard, state: Tiny, seat: int) -> None:
        state.changes.append(seat)
        raise IllegalError("TINY-4.1", "no_action_left")

    monkeypatch.setattr(TakeCard, "check", check)
    fails(properties.test_an_action_outside_the_list_is_refused_and_leaves_no_trace, RULES)


def test_a_change_that_no_effect_tells_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(self: TakeCard, table: Any, seat: int) -> None:
        table.state.actions_left -= 1
        table.emit(e.CardTaken(seat, table.state.deck[-1]))
        table.stay()

    monkeypatch.setattr(TakeCard, "apply", apply)
    fails(properties.test_folding_the_recorded_effects_gives_the_state, RULES)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda view: structs.replace(view, discard=view.hands[0]), id="a hand"),
        pytest.param(lambda view: structs.replace(view, homes=view.stashes), id="buried cards"),
        pytest.param(lambda view: structs.replace(view, police=str(view.homes)), id="sealed homes"),
    ],
)
def test_a_view_that_tells_too_much_is_noticed(change: Callable[[Any], Any]) -> None:
    def leaky(state: Tiny, reader: int) -> Any:
        return change(RULES.view(state, EVERYTHING))

    fails(properties.test_nobody_is_shown_what_it_may_not_know, structs.replace(RULES, view=leaky))


def test_a_question_that_depends_on_a_hand_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Asking only those who can answer tells who cannot: a window has to ask by public facts.
    monkeypatch.setattr(s.Answer, "auto", True)
    monkeypatch.setattr(
        PlayCard, "options", classmethod(lambda cls, state, seat: map(cls, sorted(set(state.hands[seat]))))
    )
    fails(properties.test_nobody_is_shown_what_it_may_not_know, RULES)


def test_an_effect_that_tells_a_draw_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e.CardPaid, "fold", lambda *_: None)

    def apply(self: TakeCard, table: Any, seat: int) -> None:
        table.emit(e.PlaceDamaged(table.state.deck[-1], 1, collapses=False), e.CardTaken(seat, table.state.deck[-1]))
        table.emit(e.TurnEnded(seat))
        table.stay()

    monkeypatch.setattr(TakeCard, "apply", apply)
    monkeypatch.setattr(e.PlaceDamaged, "tells", ())
    monkeypatch.setattr(e.PlaceDamaged, "fold", lambda *_: None)
    fails(properties.test_nobody_is_shown_what_it_may_not_know, RULES)


def test_a_lost_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e, "_discard", lambda state, _: state.announced.clear())
    fails(properties.test_every_component_is_somewhere_exactly_once, RULES)


def test_an_effect_that_depends_on_the_process_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(1_000_000))
    monkeypatch.setattr(
        TakeCard, "apply", lambda _, table, seat: table.emit(e.TurnEnded(seat), e.RoundStarted(next(calls)))
    )
    fails(properties.test_the_same_actions_with_the_same_seed_have_the_same_effects, RULES)


def test_a_dump_that_forgets_something_is_noticed() -> None:
    class Forgetful(TinyPosition):
        def dump(self, state: Tiny) -> dict[str, Any]:
            return {name: value for name, value in super().dump(state).items() if name != "auto"}

    fails(properties.test_a_position_loads_as_the_state_that_was_dumped, structs.replace(RULES, position=Forgetful()))
