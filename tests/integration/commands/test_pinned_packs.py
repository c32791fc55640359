"""A game keeps the content pack that it was made with, whatever packs are added beside it or become the default."""

import json
from pathlib import Path

import pytest
from msgspec import to_builtins

from games.kernel import default_action, encode
from projections.history import image
from projections.verify import verify
from server.cases import Span, record
from tests.integration.commands.shell import CATALOGUE, Shell

SMALL = (Path(__file__).parents[2] / "unit" / "world_war_zed" / "pack_small.json").read_bytes()
ENTRY = CATALOGUE["world_war_zed"]
SHELF = ENTRY.rules.shelf
HOUSE = SHELF.find("world_war_zed-house-1")


@pytest.fixture(autouse=True)
def shelf(monkeypatch):
    """The house pack alone, as at the start of a server; the shelf is everybody's: leave it as it was."""
    for name in ("_packs", "_sources", "_names"):
        monkeypatch.setattr(SHELF, name, {k: v for k, v in getattr(SHELF, name).items() if HOUSE in (k, v)})


@pytest.fixture
def shell():
    return Shell()


async def played(shell, game, count):
    """So many default answers."""
    for _ in range(count):
        async with shell.games.game(game) as live:
            if live.meta.status == "ended":
                return
            action = to_builtins(default_action(live.rules, live.state, 0))
        await shell.act(game, "ann", action, seat=0)


async def pack_of(shell, game):
    async with shell.games.game(game) as live:
        assert live.state.board.pack == SHELF[live.meta.created.pack]
        return live.meta.created.pack


def made_default(digest):
    """Put a pack first on the shelf, as a release with another house pack would."""
    for name in ("_packs", "_sources"):
        kept = dict(getattr(SHELF, name))
        getattr(SHELF, name).clear()
        getattr(SHELF, name).update({digest: kept.pop(digest), **kept})
    assert SHELF.find(None) == digest


async def make(shell, **given):
    return await shell.create(["ann"], ruleset="world_war_zed", **given)


async def whole(shell, game):
    async with shell.games.game(game) as live:
        return image(live)


async def test_a_running_game_goes_on_with_its_pack_when_another_is_added_and_becomes_the_default(shell):
    alone, beside = Shell(), shell
    for one in (alone, beside):
        assert (await make(one)) is not None
    game, twin = [(await one.store.read_all(0, 1))[0].header.game for one in (beside, alone)]
    await played(alone, twin, 200)
    await played(beside, game, 5)
    small = SHELF.add(SMALL)
    await played(beside, game, 5)
    made_default(small)
    await played(beside, game, 200)
    assert await pack_of(beside, game) == HOUSE
    assert await whole(beside, game) == await whole(alone, twin)


async def test_after_a_restart_with_another_default_the_game_is_read_and_goes_on_as_before(shell):
    game = await make(shell)
    await played(shell, game, 6)
    before = await shell.state(game)
    made_default(SHELF.add(SMALL))
    again = Shell(shell.store)
    assert await again.state(game) == before
    await played(again, game, 6)
    assert await pack_of(again, game) == HOUSE
    async with again.games.game(game) as live:
        assert set(live.state.regions) == {region.id for region in SHELF[HOUSE].map.regions}


async def test_new_games_get_the_new_default_and_each_pack_is_played_beside_the_other(shell):
    old = await make(shell)
    small = SHELF.add(SMALL)
    named = await make(shell, pack=json.loads(SMALL)["pack"])
    made_default(small)
    new, pinned = await make(shell), await make(shell, pack=HOUSE)
    for game in (old, named, new, pinned):
        await played(shell, game, 200)
    assert [await pack_of(shell, game) for game in (old, named, new, pinned)] == [HOUSE, small, small, HOUSE]
    for game in (old, named, new, pinned):
        report = verify(ENTRY.rules, await shell.events(game), await shell.store.secret(game))
        assert report.status == "ended"


async def test_a_pack_with_the_name_of_the_pinned_one_changes_nothing(shell):
    game = await make(shell)
    await played(shell, game, 4)
    before = await shell.state(game)
    digest = SHELF.add(json.dumps({**json.loads(SMALL), "pack": "world_war_zed-house-1"}).encode())
    assert digest != HOUSE
    again = Shell(shell.store)
    assert (await again.state(game), await pack_of(again, game)) == (before, HOUSE)
    assert await pack_of(shell, await make(shell, pack=digest)) == digest


async def test_a_case_from_a_game_names_its_pack_by_digest_once_it_is_not_the_default(shell):
    game = await make(shell)
    await played(shell, game, 6)
    seed = await shell.store.secret(game)
    async with shell.games.game(game) as live:
        first = await record(ENTRY, shell.store, live, seed, Span(4, 1))
        made_default(SHELF.add(SMALL))
        second = await record(ENTRY, shell.store, live, seed, Span(4, 1))
    assert (first.case["given"]["pack"], second.case["given"]["pack"]) == ("world_war_zed-house-1", HOUSE)
    assert encode({**first.case, "given": 0}) == encode({**second.case, "given": 0})
