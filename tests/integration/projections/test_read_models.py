"""Lobby and results: folds of the log with checkpoints, rebuilt at any time, stopped by nothing."""

import json

import pytest

from events.sqlite import SqliteStore
from events.sqlite_file import MEMORY, SqliteFile
from projections.lobby import Lobby, Search
from projections.results import Results
from projections.runner import Runner
from server.creating import NewGame, create
from server.playing import resign
from server.seating import leave
from tests.integration.commands.shell import Shell

PLAYERS = ["ann", "bob", "cat"]


class Reading:
    """A shell on SQLite with its read models."""

    def __init__(self, batch=3):
        self.database = SqliteFile(MEMORY)
        self.shell = Shell(SqliteStore(self.database))
        self.lobby, self.results = Lobby(self.database), Results(self.database)
        models = (self.lobby, self.results)
        self.runner = Runner(self.shell.store, self.database, self.shell.feed, models, batch=batch)

    async def games(self, **wanted):
        await self.runner.catch_up()
        found, _ = await self.lobby.search(Search(**wanted), limit=100)
        return found

    async def ended(self, **wanted):
        await self.runner.catch_up()
        found, _ = await self.results.search(Search(**wanted), limit=100)
        return found

    async def finish(self, game, players):
        for player in players[:-1]:
            await resign(self.shell.games, self.shell.ask(player), game, None)


@pytest.fixture
async def reading():
    made = Reading()
    yield made
    await made.database.close()


async def test_a_game_shows_in_the_lobby_from_its_creation_to_its_end(reading):
    shell = reading.shell
    answer = await create(
        shell.games, shell.ask("ann"), NewGame(ruleset="tpoc", seats=["me", "open", "open"], name="Den")
    )
    game = json.loads(answer)["game"]
    (row,) = await reading.games()
    assert (row["game"], row["status"], row["open_seats"], row["name"]) == (game, "open", 2, "Den")
    await leave(
        shell.games,
        shell.ask("ann"),
        game,
        0,
    )
    (row,) = await reading.games()
    assert (row["open_seats"], [seat["player"] for seat in row["seats"]]) == (3, [None] * 3)


async def test_search_by_each_condition(reading):
    shell = reading.shell
    started = await shell.create(PLAYERS, name="The Long Table")
    await create(shell.games, shell.ask("dan"), NewGame(ruleset="tpoc", seats=["me", "open", "open"]))
    assert [g["game"] for g in await reading.games(status="running")] == [started]
    assert [g["game"] for g in await reading.games(player="bob")] == [started]
    assert [g["game"] for g in await reading.games(text="long")] == [started]
    assert len(await reading.games(open_seats=True)) == 1
    assert len(await reading.games(ruleset="tpoc")) == 2
    assert await reading.games(ruleset="chess") == []


async def test_private_games_are_listed_for_their_own_alone(reading):
    game = await reading.shell.create(["ann", "ann", "ann"], visibility="private")
    assert await reading.games() == []
    assert await reading.games(viewer="bob") == []
    assert [g["game"] for g in await reading.games(viewer="ann")] == [game]


async def test_pages_are_stable_while_games_are_added(reading):
    made = [await reading.shell.create(PLAYERS) for _ in range(5)]
    await reading.runner.catch_up()
    first, cursor = await reading.lobby.search(Search(), limit=2)
    await reading.shell.create(PLAYERS)
    await reading.runner.catch_up()
    second, cursor = await reading.lobby.search(Search(), limit=2, cursor=cursor)
    third, cursor = await reading.lobby.search(Search(), limit=2, cursor=cursor)
    assert [g["game"] for g in first + second + third] == made[::-1]
    assert cursor is None


async def test_results_count_games_that_ended_and_no_sandbox(reading):
    game = await reading.shell.create(PLAYERS)
    sandbox = await reading.shell.create(PLAYERS, seed="chosen")
    assert await reading.ended() == []
    for each in (game, sandbox):
        await reading.finish(each, PLAYERS)
    (row,) = await reading.ended()
    async with reading.shell.games.game(game) as live:
        assert row["digest"] == live.meta.digest.hex()
    assert (row["game"], row["players"], row["winners"], row["reason"]) == (game, PLAYERS, [2], "last_seat")
    assert [r["game"] for r in await reading.ended(player="bob")] == [game]
    assert await reading.ended(player="dan") == []


async def test_results_of_private_games_are_for_their_players_alone(reading):
    game = await reading.shell.create(["ann", "ann", "ann"], visibility="private")
    for seat in (0, 1):
        await resign(reading.shell.games, reading.shell.ask("ann"), game, seat)
    assert await reading.ended(viewer="bob") == []
    assert [r["game"] for r in await reading.ended(viewer="ann")] == [game]


async def test_a_rebuild_gives_the_same_rows_and_leaves_the_generation_before_until_the_next_one(reading):
    games = [await reading.shell.create(PLAYERS) for _ in range(3)]
    await reading.finish(games[0], PLAYERS)
    before = await reading.games(), await reading.ended()
    for name in ("lobby", "results"):
        await reading.runner.rebuild(name)
    assert (await reading.games(), await reading.ended()) == before
    assert [(s.generation, s.position == s.head) for s in await reading.runner.status()] == [(2, True), (2, True)]
    for name in ("lobby", "results"):
        await reading.runner.rebuild(name)
    assert (await reading.games(), await reading.ended()) == before
    sql = "select name from sqlite_master where name like 'lobby!__' escape '!' and type = 'table' order by name"
    assert reading.database.read_now(sql) == [("lobby_2",), ("lobby_3",)]


async def test_a_restart_goes_on_from_the_checkpoint_and_takes_nothing_twice(reading):
    await reading.shell.create(PLAYERS)
    before = await reading.games()
    models = (reading.lobby, reading.results)
    again = Runner(reading.shell.store, reading.database, reading.shell.feed, models, batch=2)
    await again.catch_up()
    assert await reading.games() == before


async def test_an_event_that_a_model_cannot_take_is_put_aside_and_passed_over(reading, monkeypatch):
    first = await reading.shell.create(PLAYERS)
    second = await reading.shell.create(PLAYERS)
    take = Lobby.take

    async def faulty(self, transaction, generation, events):
        if any(event.header.game == first and event.header.kind == "created" for event in events):
            raise ValueError("cannot")
        await take(self, transaction, generation, events)

    monkeypatch.setattr(Lobby, "take", faulty)
    assert [g["game"] for g in await reading.games()] == [second]
    (aside,) = await reading.shell.store.quarantined()
    assert (aside.consumer, aside.position) == ("lobby", 1)


async def test_an_unknown_kind_of_event_stops_neither_models_nor_start(reading):
    game = await reading.shell.create(PLAYERS)
    after = await reading.shell.create(PLAYERS)
    run = reading.database._connection.execute
    run("drop trigger events_are_not_updated")
    strange = """cast(replace(cast(data as text), '"kind":"started"', '"kind":"strange"') as blob)"""
    run(f"update events set data = {strange} where game = ?", (game,))
    rows = {g["game"]: g["status"] for g in await reading.games()}
    assert rows[after] == "running"
    assert [q.consumer for q in await reading.shell.store.quarantined()] != []
