"""What every store of events promises, on every store: in memory, SQLite in memory, SQLite in a file, PostgreSQL."""

import asyncio
import random
from hashlib import sha256

import msgspec
import pytest

from events.digest import verify
from events.event import Header, NewEvent, Undecodable, seal
from events.store import (
    Append,
    Appended,
    Conflict,
    Duplicate,
    KeyReused,
    Quarantined,
    Snapshot,
    StoreFailed,
)
from tests.integration.store_kit import AT, KEY, KITS, SEED, PostgresKit, a_command, an_append, sealed, settled

pytestmark = pytest.mark.anyio


@pytest.fixture(params=KITS.values(), ids=KITS.keys())
def kit_made(request):
    """A kit, not yet opened: databases are made outside of the event loop."""
    if request.param is PostgresKit:
        return PostgresKit(request.getfixturevalue("postgres_log"))
    return request.param(request.getfixturevalue("tmp_path"))


@pytest.fixture
async def kit(kit_made):
    if isinstance(kit_made, PostgresKit):
        await kit_made.open()
    yield kit_made
    await kit_made.store.close()


@pytest.fixture
async def store(kit):
    return kit.store


def numbered(events, first=1):
    """The events as a store gives them back when the first of them stands at this position."""
    return [msgspec.structs.replace(event, position=n) for n, event in enumerate(events, first)]


async def test_an_empty_store_holds_nothing(store):
    assert await store.head() == 0
    assert await store.read_all(0, 10) == []
    assert await store.read("g") == []
    assert await store.game_head("g") is None
    assert await store.secret("g") is None
    assert await store.command("player-1", "key-1") is None
    assert await store.load_snapshot("g") is None
    assert await store.words("g", 1) is None
    assert await store.quarantined() == []
    assert store.healthy()


async def test_what_was_appended_is_read_back_to_the_byte_and_verifies(store):
    log = sealed("g", 5)
    assert await store.append(an_append(log[:2])) == Appended(2, 2, log[1].digest)
    assert await store.append(an_append(log[2:])) == Appended(5, 5, log[4].digest)
    assert await store.read("g") == numbered(log)
    assert verify(await store.read("g"), KEY, head=await store.game_head("g")) == log[4].digest


async def test_a_range_is_read_behind_after_and_up_to_until(store):
    log = numbered(sealed("g", 6))
    await store.append(an_append(sealed("g", 6)))
    assert await store.read("g", after=2) == log[2:]
    assert await store.read("g", until=4) == log[:4]
    assert await store.read("g", after=2, until=4) == log[2:4]
    assert await store.read("g", after=4, until=2) == []
    assert await store.read("g", after=6) == []
    assert await store.read("g", until=99) == log
    assert await store.read("h") == []


async def test_a_kind_is_left_out_of_what_is_read(store):
    log = [sealed("g", 1)[0]]
    for version, kind in enumerate(("said", "acted", "rewound", "acted"), 2):
        log.append(seal(NewEvent(Header("g", version, kind, AT, "player-1")), log[-1].digest, KEY))
    await store.append(an_append(tuple(log)))
    assert [event.header.version for event in await store.read("g", but="acted")] == [2, 4]
    assert [event.header.version for event in await store.read("g", after=2, until=4, but="said")] == [3, 4]
    assert await store.read("g", but="joined") == numbered(tuple(log))


async def test_the_log_of_all_games_is_read_by_position_in_the_order_of_writing(store):
    g, h = sealed("g", 4), sealed("h", 2)
    for events in (g[:2], h, g[2:]):
        await store.append(an_append(events))
    whole = numbered(g[:2] + h + g[2:])
    assert await store.read_all(0, 100) == whole
    assert await store.read_all(1, 3) == whole[1:4]
    assert await store.read_all(4, 100) == whole[4:]
    assert await store.read_all(6, 100) == await store.read_all(99, 1) == await store.read_all(0, 0) == []
    assert await store.head() == 6
    assert await store.game_head("g") == (4, g[3].digest)
    assert await store.game_head("h") == (2, h[1].digest)


async def test_what_follows_on_another_line_than_the_games_is_a_conflict_that_writes_nothing(store):
    log = sealed("g", 4)
    await store.append(an_append(log[:2]))
    for follows in (bytes(32), log[0].digest):
        with pytest.raises(Conflict) as refused:
            await store.append(msgspec.structs.replace(an_append(log[2:]), follows=follows))
        assert refused.value.version == 2
    assert await store.head() == 2
    await store.append(msgspec.structs.replace(an_append(log[2:]), follows=log[1].digest))
    assert verify(await store.read("g"), KEY, head=await store.game_head("g")) == log[3].digest


@pytest.mark.parametrize("there", [0, 1, 3])
async def test_another_version_than_expected_is_a_conflict_that_names_the_version_and_writes_nothing(store, there):
    if there:
        await store.append(an_append(sealed("g", there)))
    for expected in {0, 1, 2, 3, 7} - {there}:
        with pytest.raises(Conflict) as caught:
            await store.append(an_append(sealed("g", expected + 1)[expected:], command=a_command()))
        assert caught.value.version == there
    assert await store.read_all(0, 10) == numbered(sealed("g", there))
    assert await store.command("player-1", "key-1") is None


@pytest.mark.parametrize("there", [0, 1])
async def test_exactly_one_of_20_appends_for_one_version_wins(store, there):
    if there:
        await store.append(an_append(sealed("g", 1)))
    rivals = [(*sealed("g", there), *sealed("g", 2, mark=mark)[there : there + 1])[there:] for mark in range(20)]
    answers = await settled(*(store.append(an_append(events)) for events in rivals))
    winners = [n for n, answer in enumerate(answers) if isinstance(answer, Appended)]
    assert len(winners) == 1
    assert [a.version for a in answers if isinstance(a, Conflict)] == [there + 1] * 19
    assert (await store.read("g"))[there:] == numbered(rivals[winners[0]], there + 1)


async def test_positions_are_dense_and_each_games_versions_in_order_under_concurrency(store):
    """20 players of 10 games append, half of them too late; each acknowledged position holds that very event."""
    chance, acknowledged = random.Random(7), {}
    logs = {f"game-{n}": sealed(f"game-{n}", 30) for n in range(10)}

    async def play(game):
        while (version := (await store.game_head(game) or (0,))[0]) < 30:
            events = logs[game][version : version + chance.randint(1, 3)]
            try:
                appended = await store.append(an_append(events))
            except Conflict:
                continue
            acknowledged[appended.position] = events[-1].digest

    await asyncio.gather(*(play(game) for game in logs for _ in range(2)))
    log = await store.read_all(0, 1000)
    assert [event.position for event in log] == list(range(1, 301))
    assert await store.head() == 300
    assert {p: log[p - 1].digest for p in acknowledged} == acknowledged
    for game in logs:
        verify([event for event in log if event.header.game == game], KEY, head=await store.game_head(game))


async def test_a_cancelled_append_does_not_disturb_the_others(store):
    tasks = [asyncio.ensure_future(store.append(an_append(sealed(f"game-{n}", 1)))) for n in range(5)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    answers = await settled(*tasks)
    assert isinstance(answers[2], asyncio.CancelledError)
    assert all(isinstance(answer, Appended) for answer in answers[:2] + answers[3:])
    log = await store.read_all(0, 10)
    assert {"game-0", "game-1", "game-3", "game-4"} <= {event.header.game for event in log}
    assert [event.position for event in log] == list(range(1, len(log) + 1))


async def test_a_repeated_command_gets_the_first_answer_and_writes_nothing(store):
    await store.append(an_append(sealed("g", 1), command=a_command()))
    with pytest.raises(Duplicate) as caught:
        await store.append(an_append(sealed("g", 2)[1:], command=a_command(response=b"another answer")))
    assert caught.value.command == a_command() == await store.command("player-1", "key-1")
    assert await store.head() == 1


async def test_a_known_command_is_judged_before_the_expected_version(store):
    await store.append(an_append(sealed("g", 1), command=a_command()))
    with pytest.raises(Duplicate):
        await store.append(an_append(sealed("g", 1), command=a_command()))
    with pytest.raises(KeyReused):
        await store.append(an_append(sealed("g", 1), command=a_command(request=b"another request")))


async def test_a_key_reused_for_another_request_is_refused_and_writes_nothing(store):
    await store.append(an_append(sealed("g", 1), command=a_command()))
    with pytest.raises(KeyReused):
        await store.append(an_append(sealed("g", 2)[1:], command=a_command(request=b"another request")))
    assert await store.head() == 1
    assert await store.command("player-1", "key-1") == a_command()


async def test_of_20_repeats_of_a_command_at_once_one_is_carried_out(store):
    append = an_append(sealed("g", 1), command=a_command())
    answers = await settled(*(store.append(append) for _ in range(20)))
    assert sum(isinstance(answer, Appended) for answer in answers) == 1
    assert [answer.command for answer in answers if isinstance(answer, Duplicate)] == [a_command()] * 19


async def test_keys_of_different_scopes_are_different(store):
    await store.append(an_append(sealed("g", 1), command=a_command()))
    other = msgspec.structs.replace(a_command(request=b"other"), scope="player-2")
    await store.append(an_append(sealed("g", 2)[1:], command=other))
    assert await store.command("player-2", "key-1") == other
    assert await store.command("player-1", "key-1") == a_command()


async def test_commands_before_a_time_are_forgotten_and_can_be_carried_out_again(store):
    log = sealed("g", 3)
    for day, event in enumerate(log, 1):
        await store.append(an_append((event,), command=a_command(f"key-{day}", at=f"2026-11-0{day}T00:00:00.000000Z")))
    assert await store.prune_commands("2026-11-02T00:00:00.000000Z") == 1
    assert await store.prune_commands("2026-11-02T00:00:00.000000Z") == 0
    assert await store.command("player-1", "key-1") is None
    assert await store.command("player-1", "key-2") is not None
    await store.append(an_append(sealed("g", 4)[3:], command=a_command("key-1")))


async def test_the_secret_is_written_with_the_first_event(store):
    await store.append(an_append(sealed("g", 1), secret=SEED))
    await store.append(an_append(sealed("h", 1)))
    assert (await store.secret("g"), await store.secret("h")) == (SEED, None)


async def test_a_refused_append_writes_no_secret_words_or_command(store):
    await store.append(an_append(sealed("g", 1)))
    with pytest.raises(Conflict):
        await store.append(an_append(sealed("g", 1), secret=SEED, erasable=((1, b"words"),), command=a_command()))
    assert await store.secret("g") is None
    assert await store.words("g", 1) is None
    assert await store.command("player-1", "key-1") is None


LOG = sealed("g", 3)


@pytest.mark.parametrize(
    "append",
    [
        Append("g", 0, ()),
        Append("g", -1, LOG[:1]),
        Append("h", 0, LOG[:1]),
        Append("g", 0, LOG[1:2]),
        Append("g", 0, (LOG[0], LOG[2])),
        an_append(LOG[1:2], secret=SEED),
        an_append(LOG[:1], erasable=((2, b"words"),)),
        an_append(LOG[1:2], erasable=((1, b"words"),)),
        an_append(LOG[:1], erasable=((1, b"words"), (1, b"again"))),
    ],
)
async def test_an_append_that_contradicts_itself_is_refused_and_writes_nothing(store, append):
    if append.expected:
        await store.append(an_append(LOG[:1]))
    before = await store.head()
    with pytest.raises(ValueError, match=r"."):
        await store.append(append)
    assert await store.head() == before


async def test_words_can_be_erased_and_the_log_still_verifies(store):
    await store.append(an_append(LOG, erasable=((2, b"good luck"), (3, b"have fun"))))
    assert (await store.words("g", 2), await store.words("g", 3)) == (b"good luck", b"have fun")
    assert await store.erase_words("g", 2) is True
    assert await store.erase_words("g", 2) is False
    assert (await store.words("g", 2), await store.words("g", 3)) == (None, b"have fun")
    verify(await store.read("g"), KEY, head=await store.game_head("g"))


def a_snapshot(game="g", version=5, state=b'{"turn":3}', made_by="f1"):
    return Snapshot(game, version, made_by, state, sha256(state).digest())


async def test_the_latest_snapshot_of_a_game_is_kept(store):
    await store.save_snapshot(a_snapshot())
    await store.save_snapshot(a_snapshot("h", 9))
    await store.save_snapshot(a_snapshot(version=4, state=b"older"))
    assert await store.load_snapshot("g") == a_snapshot()
    await store.save_snapshot(a_snapshot(version=5, state=b"other", made_by="f2"))
    assert await store.load_snapshot("g") == a_snapshot(version=5, state=b"other", made_by="f2")
    await store.save_snapshot(a_snapshot(version=8))
    assert (await store.load_snapshot("g"), await store.load_snapshot("h")) == (
        a_snapshot(version=8),
        a_snapshot("h", 9),
    )


async def test_snapshots_can_be_dropped_and_no_event_goes_with_them(store):
    await store.append(an_append(LOG))
    await store.save_snapshot(a_snapshot("g"))
    await store.save_snapshot(a_snapshot("h"))
    await store.save_snapshot(a_snapshot("i"))
    assert await store.drop_snapshots("i") == 1
    assert await store.load_snapshot("g") is not None
    assert await store.drop_snapshots() == 2
    assert await store.drop_snapshots() == 0
    assert await store.load_snapshot("g") is None
    assert await store.read("g") == numbered(LOG)


async def test_a_damaged_snapshot_is_not_returned_and_dropped(kit):
    await kit.store.save_snapshot(a_snapshot("g"))
    await kit.store.save_snapshot(a_snapshot("h"))
    await kit.damage_snapshot("g", b'{"turn":4}')
    assert await kit.store.load_snapshot("g") is None
    assert await kit.store.drop_snapshots() == 1
    await kit.store.save_snapshot(a_snapshot("g", version=1))
    assert await kit.store.load_snapshot("g") == a_snapshot("g", version=1)


DAMAGE = {
    "not JSON": b"\x00\x01",
    "another game's": sealed("h", 2)[1].data,
    "another version's": LOG[2].data,
}


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_row_that_cannot_be_decoded_stops_its_game_alone_and_is_put_into_quarantine(kit, data):
    store, other = kit.store, sealed("other", 2)
    await store.append(an_append(other[:1]))
    await store.append(an_append(LOG))
    await store.append(an_append(other[1:]))
    await kit.damage_event(3, data)
    with pytest.raises(Undecodable, match=r"position 3 \(game g, version 2\)") as caught:
        await store.read("g")
    assert (caught.value.game, caught.value.version, caught.value.position) == ("g", 2, 3)
    assert [event.position for event in await store.read("other")] == [1, 5]
    for _ in range(2):
        assert [event.position for event in await store.read_all(0, 10)] == [1, 2, 4, 5]
        assert [event.position for event in await store.read_all(1, 2)] == [2, 4]
        assert await store.quarantined() == [Quarantined("read_all", 3, str(caught.value))]


async def test_the_first_note_of_a_quarantine_stays_and_consumers_are_told_apart(store):
    await store.quarantine("results", 4, "first")
    await store.quarantine("results", 4, "second")
    await store.quarantine("lobby", 9, "other")
    await store.quarantine("results", 2, "third")
    assert await store.quarantined() == [
        Quarantined("lobby", 9, "other"),
        Quarantined("results", 2, "third"),
        Quarantined("results", 4, "first"),
    ]


async def test_a_closed_store_takes_no_more_and_may_be_closed_twice(store):
    await store.append(an_append(LOG[:1]))
    await store.close()
    await store.close()
    assert not store.healthy()
    with pytest.raises(StoreFailed):
        await store.append(an_append(LOG[1:]))
