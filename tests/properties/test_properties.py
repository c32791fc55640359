"""What is proved for every ruleset, over random games. `--positions N` sets how much, `--first-seed N` which games."""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice
from games.kernel import (
    SPECTATOR,
    Action,
    Answered,
    Effect,
    IllegalError,
    Ruleset,
    decide,
    decisions,
    encode,
    fold,
    learns,
    legal,
    redact,
    start,
    tag_of,
)
from tests.properties.mutants import mutants, words_of
from tests.properties.playouts import RULESETS, Playout, is_legal, key_of, playouts, told

pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]

Games = Callable[..., Iterator[Playout]]

LIST_MAX = 2000  # a decision with more answers ought to be split
DECIDED_MAX = 24  # legal actions decided a position; of longer lists this many by chance
FOREIGN_MAX = 24  # actions of other times and seats tried a position


@pytest.fixture(params=RULESETS.values(), ids=RULESETS.keys())
def rules(request: pytest.FixtureRequest) -> Ruleset[Any]:
    return request.param


@pytest.fixture
def games(rules: Ruleset[Any], pytestconfig: pytest.Config) -> Games:
    """The games of this run, and where a failure was."""
    positions, first_seed = pytestconfig.getoption("positions"), pytestconfig.getoption("first_seed")
    cross = pytestconfig.getoption("cross")
    return lambda **how: playouts(rules, positions, first_seed, cross=cross, **how)


def test_every_legal_action_is_accepted(rules: Ruleset[Any], games: Games) -> None:
    """Property 1, first half: a list is short and without repeats, nobody owes what cannot be answered."""
    for game in games():
        chance = Random(game.seed)
        for version in game.looked:
            with told(game, version):
                state = game.state(version)
                for decision in decisions(state):
                    actions = legal(rules, state, decision.seat)
                    assert len(actions) <= LIST_MAX
                    assert len(set(map(encode, actions))) == len(actions), "an action is listed twice"
                    assert actions or not decision.owes, f"seat {decision.seat} owes {decision.step} without an answer"
                    for action in chance.sample(actions, min(len(actions), DECIDED_MAX)):
                        decide(rules, game.state(version), decision.seat, action, game.dice(version))


def test_an_action_outside_the_list_is_refused_and_leaves_no_trace(rules: Ruleset[Any], games: Games) -> None:
    """Property 1, second half: changed actions, and actions of other seats and times."""
    refused = 0
    for game in games():
        chance, seen = Random(game.seed), deque(maxlen=200)
        for version in game.looked:
            act = game.acts[version]
            with told(game, version):
                state, dice = game.state(version), game.dice(version)
                owing = [decision.seat for decision in decisions(state)]
                for seat in {chance.choice(owing or [0]): 0, chance.randrange(state.seat_count): 0}:
                    actions = legal(rules, state, seat)
                    seen.extend(chance.sample(actions, min(len(actions), 8)))
                    tried = chance.sample(actions, min(len(actions), 4))
                    words = words_of([*actions, *seen])
                    strange = [mutant for action in tried for mutant in mutants(action, words, chance)]
                    strange += chance.sample(list(seen), min(len(seen), FOREIGN_MAX))
                    listed = set(map(encode, actions))
                    for action in strange:
                        if action.out_of_turn or encode(action) in listed:
                            continue
                        refusal = refusal_of(rules, state, seat, action, dice)
                        assert refusal is not None, f"seat {seat} may not do {action}, but it was accepted"
                        assert refusal.rule, f"{action} was refused without a rule"
                        assert refusal.reason, f"{action} was refused without a reason"
                        refused += 1
                assert encode(state) == act.state, "a refused action left a trace"
                assert dice.draws == act.draws, "a refused action rolled dice"
    assert refused, "nothing was refused: the test proves nothing"


def refusal_of(rules: Ruleset[Any], state: Any, seat: int, action: Action, dice: Dice) -> IllegalError | None:
    try:
        decide(rules, state, seat, action, dice)
    except IllegalError as refusal:
        return refusal
    return None


def decoded(rules: Ruleset[Any], effects: tuple[bytes, ...]) -> list[Effect]:
    return [rules.effect_decoder.decode(effect) for effect in effects]


def test_folding_the_recorded_effects_gives_the_state(rules: Ruleset[Any], games: Games) -> None:
    """Property 2: after every event, byte for byte; from a snapshot at any version as well."""
    for game in games():
        state = rules.initial(game.setting)
        snapshot = Random(game.seed).randrange(len(game.acts))
        for version, act in enumerate(game.acts):
            with told(game, version):
                fold(state, decoded(rules, act.effects))
                assert encode(state) == act.state
                assert encode(rules.state_decoder.decode(act.state)) == act.state, "the state changes by being stored"
        with told(game, snapshot):
            state = game.state(snapshot)
            for act in game.acts[snapshot + 1 :]:
                fold(state, decoded(rules, act.effects))
            assert encode(state) == game.acts[-1].state


def test_every_game_ends_within_the_bound(rules: Ruleset[Any], games: Games) -> None:
    """Property 3: also when everybody gives default answers; afterwards nobody owes anything."""
    for game in games():
        with told(game, len(game.acts) - 1):
            assert game.decided <= rules.bound
            state = game.state(-1)
            assert state.outcome is not None
            assert state.agenda == []
            assert len(state.outcome.scores) == len(state.outcome.places) == state.seat_count


def shown(rules: Ruleset[Any], state: Any, reader: int) -> bytes:
    """All that a reader is shown of a position: the view, what is pending, its legal actions and their notes."""
    actions = legal(rules, state, reader)
    notes = [action.notes(state, reader) for action in actions]
    pending = [(decision.seat, decision.owes, redact(decision.step, reader)) for decision in decisions(state)]
    return encode((rules.view(state, reader), pending, actions, notes))


def test_nobody_is_shown_what_it_may_not_know(rules: Ruleset[Any], games: Games) -> None:
    """Property 4: on a state that a reader cannot tell from the real one it is shown the same, now and next.

    The next action is decided on both with the same dice. Its effects may differ for the reader from the first one on
    that is declared to tell it something, not before.
    """
    for game in games():
        for version in game.looked:
            act, state = game.acts[version], game.state(version)
            following = game.acts[version + 1] if version + 1 < len(game.acts) else None
            with told(game, version):
                for reader in readers_of(state, following, version):
                    other = rules.resample(state, reader, Dice(key_of(rules, version)))
                    assert shown(rules, other, reader) == shown(rules, state, reader), f"reader {reader}"
                    if following is not None:
                        compare_next(game, version, following, other, reader)
                assert encode(state) == act.state, "looking at the state changed it"


def readers_of(state: Any, following: Any, version: int) -> tuple[int, ...]:
    """The seat that acts next, and one of all readers after another: over a game everybody looks at everything."""
    everybody = (SPECTATOR, *range(state.seat_count))
    turn = everybody[version % len(everybody)]
    return (turn,) if following is None or following.seat == turn else (turn, following.seat)


def compare_next(game: Playout, version: int, act: Any, other: Any, reader: int) -> None:
    rules = game.rules
    if not is_legal(rules, other, act.seat, act.action):
        assert act.seat != reader
        return
    dice = game.dice(version)
    here = decoded(rules, act.effects)
    there = decide(rules, other, act.seat, act.action, dice).effects
    answers_differ = False
    for one, two in zip_longest(here, there):
        if any(effect is not None and learns(effect, reader) for effect in (one, two)):
            return
        assert one is not None
        assert two is not None
        same = redact(one, reader) == redact(two, reader)
        if isinstance(one, Answered) and isinstance(two, Answered) and (one.seat, one.why) == (two.seat, two.why):
            answers_differ |= not same  # then the effects that follow from the answer must tell it
        else:
            assert same, f"reader {reader}: {one} or {two}"
    assert not answers_differ, f"reader {reader} is told the answer of another seat, and no effect declares it"
    assert dice.draws == act.draws, "the number of draws, which all may see, tells what is hidden"


def test_every_component_is_somewhere_exactly_once(rules: Ruleset[Any], games: Games) -> None:
    """Property 5: the counts of the start hold at every version, and on resampled states."""
    for game in games():
        counts = dict(rules.components(game.state(0)))
        assert counts
        for version in game.looked:
            with told(game, version):
                state = game.state(version)
                assert dict(rules.components(state)) == counts
                if version % 8 == 0:
                    other = rules.resample(state, SPECTATOR, Dice(key_of(rules, version)))
                    assert dict(rules.components(other)) == counts


def test_the_same_actions_with_the_same_seed_have_the_same_effects(rules: Ruleset[Any], games: Games) -> None:
    """Property 6: rewinds among them, which give back the state but never the draws."""
    rewinds = 0
    for game in games(rewinds=True):
        state, dice = rules.initial(game.setting), Dice(game.key)
        for version, act in enumerate(game.acts):
            with told(game, version):
                if version == 0:
                    effects, causes = _told(start(rules, state, game.setting, dice))
                elif act.action is None:
                    state, effects, causes = game.state(act.to), (), ()
                    rewinds += 1
                else:
                    effects, causes = _told(decide(rules, state, act.seat, act.action, dice))
                assert (effects, causes) == (act.effects, act.causes)
                assert (encode(state), dice.draws) == (act.state, act.draws)
    assert rewinds


def _told(decided: Any) -> tuple[tuple[bytes, ...], tuple[int, ...]]:
    return tuple(map(encode, decided.effects)), decided.causes


def test_a_position_loads_as_the_state_that_was_dumped(rules: Ruleset[Any], games: Games) -> None:
    """Property 6: in the middle of anything, through JSON, in one canonical form."""
    for game in games():
        for version in game.looked:
            act = game.acts[version]
            with told(game, version):
                dumped = encode(rules.position.dump(game.state(version)))
                loaded = rules.position.load(msgspec.json.decode(dumped), game.setting, "new")
                assert encode(loaded) == act.state
                assert encode(rules.position.dump(loaded)) == dumped


def test_causes_point_back_in_the_same_event(rules: Ruleset[Any], games: Games) -> None:
    """Every effect has one cause: the action (-1), an earlier event (-2), or an effect before it."""
    for game in games():
        for version, act in enumerate(game.acts):
            with told(game, version):
                assert len(act.causes) == len(act.effects)
                assert all(-2 <= cause < index for index, cause in enumerate(act.causes))
                tags = [msgspec.json.decode(effect)["effect"] for effect in act.effects]
                assert "agenda_set" not in tags[:-1], "the agenda is set once, at the end"
                assert set(tags) <= {tag_of(kind) for kind in rules.effect_types.values()}


def test_nothing_depends_on_the_order_of_sets() -> None:
    """The same games come out whatever seed Python's hashes have."""
    code = "from tests.properties.playouts import *; print(digest(list(RULESETS.values()), range(6)))"
    root = Path(__file__).parents[2]
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(runs[0]) == 65
    assert runs[0] == runs[1]
