"""Replays: what is exported verifies, whatever is changed in it is found by its line, and it can be looked at."""

import asyncio
import random

import jsonschema
import msgspec
import pytest

from events.digest import salt_key
from games.kernel import EVERYTHING, SPECTATOR, encode
from projections.history import moment_at, open_game
from projections.unsound import UnsoundError
from projections.verify import verify
from server.redacted import check_redacted, export_redacted, is_redacted
from server.replays import ReplayError, ReplayLog, RunningError, check, export, header_line, parse
from server.schemas import replay_schema
from tests.integration.replay_kit import (
    RULESETS,
    Table,
    eventful_game,
    forked_game,
    played,
    resealed,
    resigned_game,
    scenario_game,
    seed_of,
)
from tests.tiny import RULES

#: Changed bytes that are tried in a whole file; the ends of every line come on top.
SAMPLES = 400


@pytest.fixture(scope="module")
def events():
    return played(eventful_game())


@pytest.fixture(scope="module")
def source(events):
    return b"".join(export(events))


def refused(changed: bytes) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        check(RULESETS, changed)
    sentence = str(caught.value)
    assert sentence.startswith(f"line {caught.value.line}: ")
    assert "\n" not in sentence
    return caught.value


@pytest.mark.parametrize("game", [eventful_game, resigned_game, scenario_game, forked_game])
def test_a_game_that_was_played_verifies(game):
    events = played(game())
    replay, report = check(RULESETS, b"".join(export(events)))
    assert [(event.data, event.digest) for event in replay.events] == [(event.data, event.digest) for event in events]
    assert (report.version, report.head, report.status) == (len(events), events[-1].digest.hex(), "ended")
    moving = [event for event in events if event.header.kind in ("started", "acted", "resigned")]
    assert report.decided == len(moving)
    assert report.rewinds == sum(event.header.kind == "rewound" for event in events)


def test_one_changed_byte_anywhere_is_found_in_its_line(events, source):
    ended = next(event.header.version for event in events if event.header.kind == "ended")
    ends = [at for at, byte in enumerate(source) if byte == ord("\n")]
    starts = [0, *(at + 1 for at in ends[:-1])]
    places = {*random.Random(7).sample(range(len(source)), SAMPLES), *ends, *starts, *(at - 1 for at in ends)}
    for at in sorted(places):
        bit = 1 << random.Random(at).randrange(8)
        changed = source[:at] + bytes([source[at] ^ bit]) + source[at + 1 :]
        line = source.count(b"\n", 0, at) + 1
        found = refused(changed).line
        seed = {2, ended + 1}  # the commitment and the seed prove each other: either may be the changed one
        if source[at] == ord("\n"):
            assert found in (line, line + 1) or line == len(ends), f"byte {at}"
        else:
            assert found == line or {found, line} <= seed, f"byte {at}"


def test_a_removed_line_is_found(source):
    lines = source.splitlines(keepends=True)
    for number in range(1, len(lines) + 1):
        error = refused(b"".join(lines[: number - 1] + lines[number:]))
        expected = number if number < len(lines) else number - 1
        assert error.line == expected, f"line {number}"


def test_two_swapped_lines_are_found(source):
    lines = source.splitlines(keepends=True)
    for number in range(len(lines) - 1):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert refused(b"".join(swapped)).line in (number + 1, number + 2)


def test_a_tail_cut_off_is_found_wherever_it_is_cut(source):
    ends = [at + 1 for at, byte in enumerate(source) if byte == ord("\n")]
    for at in (*ends[:-1], *(end - 1 for end in ends), *random.Random(8).sample(range(len(source)), 50)):
        assert refused(source[:at]).line <= source.count(b"\n", 0, at) + 1
    assert "cut off" in str(refused(source[: ends[-2]]))
    assert "cut off" in str(refused(source[:-1]))
    assert str(refused(b"")) == "line 1: the file is empty"


def test_a_tail_cut_off_with_a_new_trailer_is_found(events):
    ended = next(event.header.version for event in events if event.header.kind == "ended")
    for count in (ended - 1, 5):
        head = events[count - 1].digest.hex().encode()
        lines = [*export(events)][: count + 1]
        forged = b"".join(lines) + b'{"trailer":{"events":%d,"head":"%b"}}\n' % (count, head)
        assert "seed" in str(refused(forged))


def test_a_second_trailer_and_anything_behind_it_is_found(source):
    lines = source.splitlines(keepends=True)
    for more in (lines[-1], lines[-2], b"\n", b" \n"):
        error = refused(source + more)
        assert error.line == len(lines) + 1 or "trailer" in error.reason
    refused(source + b" ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"digest":', b'{ "digest":'),
        (b'"event":{"header":', b'"event": {"header":'),
        (b"}}\n", b"}} \n"),
        (b"\n", b"\r\n"),
    ],
)
def test_white_space_of_any_line_is_part_of_the_file(source, old, new):
    refused(source.replace(old, new, 1))
    refused(source.replace(old, new))


def test_the_header_is_a_function_of_the_events(events, source):
    header = msgspec.json.decode(source.split(b"\n")[0])
    assert source.startswith(header_line(events))
    for name, value in header.items():
        if name in ("format", "redacted"):
            continue
        other = {"game": "x", "ruleset": "x", "rules": "x", "pack": "x", "created_at": "x"}.get(name)
        forged = header | {name: other if other is not None else {} if isinstance(value, dict) else not value}
        changed = msgspec.json.encode(forged) + source[source.index(b"\n") :]
        assert refused(changed).line == 1, name


def test_every_line_is_as_the_schema_says(source, events):
    validator = jsonschema.Draft202012Validator(replay_schema())
    redacted = b"".join(export_redacted(RULES, events, 1, salt_key(seed_of(events))))
    for line in (source + redacted).splitlines():
        validator.validate(msgspec.json.decode(line))
    assert not validator.is_valid({"trailer": {"events": "many"}})


# A chain made anew by somebody who has the seed: only deciding everything again finds these.


def forged(events, version, change):
    """The log with one event changed, and a sound chain."""
    log = resealed(events, seed_of(events), lambda v, new: change(new) if v == version else new)
    with pytest.raises(UnsoundError) as caught:
        verify(RULES, log)
    return caught.value


def test_a_log_resealed_without_a_change_is_sound(events):
    log = resealed(events, seed_of(events), lambda _, new: new)
    assert [event.digest for event in log] == [event.digest for event in events]


def test_a_forged_effect_is_found(events):
    for event in events:
        for number, effect in enumerate(event.effects):
            told = msgspec.json.decode(effect)
            wrong = next((name for name, value in told.items() if type(value) is int), None)
            if wrong is None:
                continue
            lie = msgspec.json.encode(told | {wrong: told[wrong] + 1})
            effects = (*event.effects[:number], lie, *event.effects[number + 1 :])
            error = forged(events, event.header.version, lambda new, e=effects: msgspec.structs.replace(new, effects=e))
            assert (error.version, error.item) == (event.header.version, f"effect {number + 1} ({told['effect']})")


def acted(events, nth=10):
    return [event for event in events if event.header.kind == "acted"][nth]


def test_a_left_out_effect_is_found(events):
    event = acted(events)
    error = forged(
        events,
        event.header.version,
        lambda new: msgspec.structs.replace(new, effects=tuple(map(bytes, event.effects[:-1]))),
    )
    assert (error.version, error.item) == (event.header.version, "effects")


def test_another_action_is_found(events):
    event = next(e for e in events if e.header.kind == "acted" and b"choose_home" in bytes(e.action))
    other = b'{"action":"end_turn"}'
    error = forged(events, event.header.version, lambda new: msgspec.structs.replace(new, action=other))
    assert (error.version, error.item) == (event.header.version, "action")
    assert "TINY-0" in str(error)


@pytest.mark.parametrize(
    "change",
    [{"draws": 999}, {"seat": 2}, {"caused_by": 1}, {"causes": (7,)}, {"rules": "tiny/2"}, {"scripted": {"dice": 1}}],
)
def test_a_forged_header_is_found(events, change):
    event = acted(events)
    header = msgspec.structs.replace(event.header, **change)
    error = forged(events, event.header.version, lambda new: msgspec.structs.replace(new, header=header))
    assert error.version == event.header.version


def test_a_forged_outcome_is_found(events):
    event = next(event for event in events if event.header.kind == "ended")
    told = msgspec.json.decode(event.details)
    lies = (
        told | {"outcome": told["outcome"] | {"winners": [2]}},
        told | {"sandbox": not told.get("sandbox", False)},
        told | {"assisted": not told.get("assisted", False)},
    )
    for lie in lies:
        details = msgspec.json.encode(lie)
        error = forged(events, event.header.version, lambda new, d=details: msgspec.structs.replace(new, details=d))
        assert (error.version, error.item) == (event.header.version, "details")


def test_a_rewind_to_a_version_that_is_none_is_found(events):
    for event in events:
        if event.header.kind == "rewound":
            told = msgspec.json.decode(event.details)
            for to in (0, 1, event.header.version, 10**9):
                details = msgspec.json.encode(told | {"to": to})
                error = forged(
                    events, event.header.version, lambda new, d=details: msgspec.structs.replace(new, details=d)
                )
                assert (error.version, error.item) == (event.header.version, "details")


def test_a_game_that_was_not_over_cannot_be_ended(events):
    ended = next(event for event in events if event.header.kind == "ended")
    cut = [event for event in events if event.header.version <= 20]
    header = msgspec.structs.replace(ended.header, version=21, draws=cut[-1].header.draws)
    log = [*cut, msgspec.structs.replace(ended, header=header)]
    log = resealed(log, seed_of(events), lambda _, new: new)
    with pytest.raises(UnsoundError, match="version 21, header: a game ends once"):
        verify(RULES, log)


# Running games


async def running_game():
    table = Table("running")
    game = await table.make()
    await table.go_on(game, 6)
    return await table.events(game), await table.games.store.secret(game)


def test_a_running_game_verifies_with_its_seed_alone():
    events, seed = played(running_game())
    assert verify(RULES, events, seed).status == "running"
    with pytest.raises(UnsoundError, match="its seed is needed"):
        verify(RULES, events)
    with pytest.raises(UnsoundError, match="not the one that version 1 commits to"):
        verify(RULES, events, bytes(32))
    with pytest.raises(UnsoundError, match="version 9"):
        verify(RULES, [*events[:8], *events[9:]], seed)


def test_a_running_game_is_not_exported_in_full():
    events, _ = played(running_game())
    with pytest.raises(RunningError):
        list(export(events))


def test_what_is_exported_for_a_reader_holds_no_secret_of_another():
    events, seed = played(running_game())
    shown = {reader: b"".join(export_redacted(RULES, events, reader, salt_key(seed))) for reader in (0, 1, SPECTATOR)}
    hidden = [
        effect for effect in map(bytes, events[4].effects) if b"card_taken" in effect or b"deck_shuffled" in effect
    ]
    assert hidden
    for effect in hidden:
        seat = msgspec.json.decode(effect).get("seat")
        quoted = msgspec.json.encode(effect.decode())
        for reader, source in shown.items():
            assert (quoted in source) == (seat == reader), (effect, reader)
    assert seed.hex().encode() not in b"".join(shown.values())


def test_a_redacted_replay_verifies_and_every_changed_byte_is_found():
    events, seed = played(running_game())
    source = b"".join(export_redacted(RULES, events, 1, salt_key(seed)))
    assert is_redacted(source)
    assert check_redacted(source).head == events[-1].digest.hex()
    lines = source.splitlines(keepends=True)
    for at in random.Random(9).sample(range(len(source)), SAMPLES):
        changed = source[:at] + bytes([source[at] ^ 1]) + source[at + 1 :]
        with pytest.raises(ReplayError):
            check_redacted(changed)
    for number in range(len(lines)):
        with pytest.raises(ReplayError):
            check_redacted(b"".join(lines[:number] + lines[number + 1 :]))


def test_a_redacted_replay_cannot_pass_for_a_full_one(events):
    source = b"".join(export_redacted(RULES, events, EVERYTHING, salt_key(seed_of(events))))
    assert check_redacted(source)
    assert refused(source).line == 1


# Looking into a replay


async def compare_versions() -> int:
    """Every version in the store and in the replay of the same game."""
    table = Table("versions")
    game = await table.make()
    await table.go_on(game, 6)
    await table.undo(game)
    await table.undo(game)
    events = await table.finish(game)
    log, store = ReplayLog(parse(b"".join(export(events)))), table.games.store
    live = await open_game(log, RULESETS, game)
    played_live = await open_game(store, RULESETS, game)
    assert encode(live.state) == encode(played_live.state)
    for version in range(live.meta.started, live.meta.version + 1):
        there, here = await moment_at(log, live, version), await moment_at(store, played_live, version)
        assert encode(there.state) == encode(here.state)
    assert await log.read("another game") == []
    assert len(await log.read(game, 3, 5)) == 2
    return live.meta.version


def test_a_replay_is_a_log_that_can_be_seen_at_any_version():
    assert asyncio.run(compare_versions()) > 20
