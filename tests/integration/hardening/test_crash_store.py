"""Every single write of a whole game fails once: before it was written, after it, for want of room, by a conflict.

The client is told what to do, and what it is told is true: nothing is announced that the log lacks, memory and log
agree, and the request again, with its key, gives the one answer.
"""

import random

import msgspec
import pytest

from events.store import Conflict, StoreFailed, StoreFull
from games.kernel import encode
from projections.history import open_game
from tests.integration.hardening.input_kit import quiet_api

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

BEFORE, AFTER, FULL, CONFLICT = "failed before", "failed after", "full", "conflict"
#: Actions of the game whose every write is made to fail.
ACTIONS = 8


class Failing:
    """A store whose n-th write fails in one way: appends, snapshots, and all else that is written."""

    def __init__(self, store, way, number):
        self._store, self._way, self.left = store, way, number
        self.failed = None

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def append(self, append):
        return await self._write("append", append)

    async def save_snapshot(self, snapshot):
        return await self._write("save_snapshot", snapshot)

    async def _write(self, name, argument):
        if self._way == CONFLICT and name != "append":
            return await getattr(self._store, name)(argument)
        self.left -= 1
        write = getattr(self._store, name)
        if self.left != 0 or self.failed:
            return await write(argument)
        self.failed = name
        if self._way == AFTER:
            await write(argument)
        if self._way in (BEFORE, AFTER):
            raise StoreFailed("the disk is gone")
        raise StoreFull("too much waits") if self._way == FULL else Conflict(99)


class Player:
    """Sends each request until it succeeds, with one key; notes what it was told in between."""

    def __init__(self, api, token):
        self._api, self._token, self._keys = api, token, 0
        self.problems = []

    async def command(self, path, body):
        self._keys += 1
        headers = {"Authorization": f"Bearer {self._token}", "If-Match": "*", "Idempotency-Key": f"k{self._keys}"}
        headers["Content-Type"] = "application/json"
        content = msgspec.json.encode(body)
        for _ in range(3):
            response = await self._api.client.post(path, content=content, headers=headers)
            if response.is_success and not self.problems:
                return response.json()
            if response.is_success:
                again = await self._api.client.post(path, content=content, headers=headers)
                assert again.content == response.content
                return response.json()
            self.problems.append((response, response.json()))
        raise AssertionError(self.problems)


async def game_of(api, player, token):
    """A game with actions, talk, undo and an end; always the same requests as long as the answers are the same."""
    chance = random.Random(5)
    game = (await player.command("/v1/games", {"ruleset": "tpoc", "seats": ["me", "me", "open"], "seed": "s"}))["game"]
    path = f"/v1/games/{game}"
    await player.command(f"{path}/seats/2", {})
    for number in range(ACTIONS):
        decisions = (await api.get(f"{path}/actions", token))["decisions"]
        seat, actions = next((d["seat"], d["actions"]) for d in decisions if d.get("actions"))
        await player.command(f"{path}/actions", {"seat": seat, "action": chance.choice(actions)["action"]})
        if number == 4:
            await player.command(f"{path}/messages", {"words": "Hello.", "seat": 0})
        if number == 6:
            asked = await player.command(f"{path}/undo", {"to": 7, "seat": 0})
            assert asked["request"] is None
    for seat in range(2):
        await player.command(f"{path}/resign", {"seat": seat})
    return game


async def run(api, way, number):
    """Play the game with this failure; (what failed, the problems that the client got)."""
    _, token = await api.player()
    services = api.services
    failing = Failing(services.store, way, number)
    services.games.store = failing
    announced = []
    stop = services.feed.listen(announced.append)
    player = Player(api, token)
    game = await game_of(api, player, token)
    stop()
    await check(services, game, announced)
    assert (await api.get(f"/v1/games/{game}"))["status"] == "ended"
    return failing.failed, player.problems


async def check(services, game, announced):
    """Memory and log agree; what was announced is in the log, each version at most once and in order."""
    store = services.store
    events = await store.read(game)
    async with services.games.game(game) as live:
        read = await open_game(store, services.games.rulesets(), game)
        assert encode(live.meta) == encode(read.meta)
        assert encode(live.state) == encode(read.state)
    versions = [moved.version for moved in announced if moved.game == game]
    assert versions == sorted(set(versions))
    assert set(versions) <= {event.header.version for event in events}
    keys = [event.header.key for event in events if event.header.kind in ("acted", "said", "rewound", "resigned")]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("way", [BEFORE, AFTER, FULL, CONFLICT])
async def test_whichever_write_fails_the_client_can_go_on(way):
    number, seen = 0, set()
    async with quiet_api(snapshot_events=5) as api:
        while True:
            number += 1
            failed, problems = await run(api, way, number)
            if failed is None:
                break
            seen.add(failed)
            if way == CONFLICT and number > 1:
                assert problems == []  # decided again on what is there; a game that is being made cannot be overtaken
                continue
            check_problems(way, failed, problems)
    assert seen == {"append"} if way == CONFLICT else {"append", "save_snapshot"}
    assert number > ACTIONS
    print(f"{way}: each of {number - 1} writes")  # noqa: T201 - shown with -s


def check_problems(way, failed, problems):
    """An append that failed is told once; a snapshot, which is a cache, costs the client nothing."""
    if failed == "save_snapshot":
        assert problems == []
        return
    ((response, problem),) = problems
    if way == CONFLICT:
        assert (problem["code"], problem["version"]) == ("version_conflict", 99)
        return
    assert (response.status_code, problem["code"]) == (503, "unavailable")
    assert int(response.headers["retry-after"]) > 0
    if way != FULL:
        assert "same Idempotency-Key" in problem["detail"]
