"""Programs whose read models have other shapes use one database beside each other, on either kind of database."""

import asyncio

import pytest

from events.database import Unfit, change
from events.sqlite_file import MEMORY
from projections.generations import active_generation, switch
from projections.runner import Runner
from server import services as parts
from server.leases import EverybodyHolds
from server.services import Services
from server.settings import Settings
from tests.integration.search_kit import World
from tests.integration.store_kit import an_append, sealed

pytestmark = pytest.mark.anyio


class Tally:
    """A read model that counts the events of each game."""

    name = "tally"
    shape = 1

    def __init__(self, database):
        self.database = database

    async def create(self, transaction, generation):
        await transaction.change(
            f"create table tally_{generation}(game text primary key, events integer not null) strict"
        )

    async def drop(self, transaction, generation):
        await transaction.change(f"drop table if exists tally_{generation}")

    async def take(self, transaction, generation, events):
        tally = f"tally_{generation}"
        sql = f"insert into {tally} values (?, 1) on conflict (game) do update set events = {tally}.events + 1"
        for event in events:
            await transaction.change(sql, (event.header.game,))

    async def read(self):
        generation = await active_generation(self.database, self)
        return dict(await self.database.read(f"select game, events from tally_{generation}"))


class NewTally(Tally):
    """That of the next program: other columns, and a table more."""

    shape = 2

    async def create(self, transaction, generation):
        columns = "game text primary key, newest integer not null, events integer not null"
        await transaction.change(f"create table tally_{generation}({columns}) strict")
        await transaction.change(f"create table tally_kind_{generation}(kind text primary key) strict")

    async def drop(self, transaction, generation):
        await super().drop(transaction, generation)
        await transaction.change(f"drop table if exists tally_kind_{generation}")

    async def take(self, transaction, generation, events):
        tally = f"tally_{generation}"
        sql = f"""insert into {tally} values (?, ?, 1)
                    on conflict (game) do update set newest = excluded.newest, events = {tally}.events + 1"""
        for event in events:
            await transaction.change(sql, (event.header.game, event.header.version))


class Other(Tally):
    """A read model beside it."""

    name = "other"

    async def create(self, transaction, generation):
        await transaction.change(f"create table other_{generation}(game text primary key) strict")

    async def drop(self, transaction, generation):
        await transaction.change(f"drop table if exists other_{generation}")

    async def take(self, transaction, generation, events):
        rows = [(event.header.game,) for event in events]
        await transaction.change_many(f"insert into other_{generation} values (?) on conflict do nothing", rows)


class Program:
    """A program with read models, on a database that others use too."""

    def __init__(self, services, *kinds):
        self.models = [kind(services.database) for kind in kinds]
        self.runner = Runner(services.store, services.database, services.feed, self.models, batch=4)

    async def counted(self):
        await self.runner.catch_up()
        return await self.models[0].read()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request):
    """A database of either kind."""
    return MEMORY if request.param == "sqlite" else request.getfixturevalue("postgres_database")


@pytest.fixture
async def services(where):
    """The parts of a server, of which nothing runs."""
    made = Services.open(Settings(database=where))
    await made.database.open()
    yield made
    await made.store.close()


async def play(services, *games):
    for game in games:
        await services.store.append(an_append(sealed(game, 3)))


async def tables(services):
    """Which tables of the models above there are."""
    catalogue = "pg_tables" if services.database.shared else "(select name as tablename from sqlite_master)"
    rows = await services.database.read(f"select tablename from {catalogue} t where tablename like 'tally%'")
    return {name for (name,) in rows}


async def test_an_old_program_goes_on_folding_and_reading_its_own_while_a_new_one_starts(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    await old.runner.prepare()
    await play(services, "a")
    assert await old.counted() == {"a": 3}
    await new.runner.prepare()
    await play(services, "b", "c")
    assert await old.models[0].read() == {"a": 3}
    assert await old.counted() == await new.counted() == {"a": 3, "b": 3, "c": 3}
    assert await services.store.quarantined() == []
    assert [(one.shape, one.position) for one in await old.runner.status()] == [(1, 9)]
    assert [(one.shape, one.position) for one in await new.runner.status()] == [(2, 9)]


async def test_an_old_program_that_restarts_drops_nothing_of_the_new_one(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    for program in (old, new):
        await program.runner.prepare()
    await play(services, "a")
    await new.counted()
    again = Program(services, Tally)
    await again.runner.prepare()
    assert await new.models[0].read() == {"a": 3}
    assert await again.counted() == {"a": 3}


async def test_programs_that_fold_at_the_same_time_lose_no_row(services):
    programs = [Program(services, kind) for kind in (Tally, NewTally, Tally, NewTally)]
    await asyncio.gather(*(program.runner.prepare() for program in programs))
    games = [f"g{n}" for n in range(8)]

    async def follow(program):
        for _ in range(3):
            await program.runner.catch_up()

    await asyncio.gather(play(services, *games), *map(follow, programs))
    for program in programs:
        assert await program.counted() == dict.fromkeys(games, 3)
    assert await services.store.quarantined() == []


async def test_a_rebuild_leaves_the_generations_of_other_shapes(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    await play(services, "a")
    for program in (old, new, old):
        await program.counted()
        await program.runner.rebuild("tally")
        await program.runner.rebuild("tally")
    assert await old.models[0].read() == await new.models[0].read() == {"a": 3}


async def dropped_while_rebuilt(program, drop):
    """A rebuild whose new generation is dropped by `drop` when it has been made and nothing is folded yet."""
    advance = program.runner._advance

    async def dropped_first(model, generation):
        await drop()
        return await advance(model, generation)

    program.runner._advance = dropped_first
    with pytest.raises(Unfit, match="dropped the new tables of tally"):
        await program.runner.rebuild("tally")
    program.runner._advance = advance


async def test_a_rebuild_that_another_rebuild_has_overtaken_leaves_readers_their_tables(services):
    program, faster = Program(services, Tally), Program(services, Tally)
    await play(services, "a")
    await program.counted()

    async def overtake():  # as when the connection that holds the lock is lost
        new = await faster.runner._add(faster.models[0], active=False)
        while await faster.runner._advance(faster.models[0], new):
            pass
        await services.database.write(lambda transaction: switch(transaction, faster.models[0], new))

    await dropped_while_rebuilt(program, overtake)
    assert await program.models[0].read() == {"a": 3}


async def test_a_rebuild_that_was_tidied_away_activates_no_generation_of_another_program(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    await play(services, "a")
    for program in (new, old):
        await program.counted()

    async def tidy():
        await old.runner.tidy()
        assert await old.runner._add(old.models[0], active=False) == 3  # the number that was the rebuild's

    await dropped_while_rebuilt(new, tidy)
    assert await old.models[0].read() == {"a": 3}
    assert [(one.generation, one.position) for one in await old.runner.status()] == [(2, 3)]
    assert await new.counted() == {"a": 3}


async def test_a_fault_of_sql_is_not_quarantined_but_stops_the_fold_until_it_is_mended(services):
    program = Program(services, Tally, Other)
    await program.runner.prepare()
    await play(services, "a")
    await change(services.database, "alter table tally_1 rename to elsewhere")
    for _ in range(2):
        with pytest.raises(Unfit, match="tally_1"):
            await program.runner.catch_up()
    with pytest.raises(Unfit):
        await program.models[0].read()
    assert [(one.name, one.position) for one in await program.runner.status()] == [("tally", 0), ("other", 3)]
    assert await services.store.quarantined() == []
    await change(services.database, "alter table elsewhere rename to tally_1")
    assert await program.counted() == {"a": 3}


async def test_a_column_that_is_missing_or_beyond_is_no_fault_of_an_event(services):
    program = Program(services, Tally)
    await play(services, "a")
    await program.counted()
    await change(services.database, "alter table tally_1 rename column events to count_of_them")
    await play(services, "b")
    with pytest.raises(Unfit, match="events"):
        await program.runner.catch_up()
    await change(services.database, "alter table tally_1 drop column count_of_them")
    with pytest.raises(Unfit):
        await program.runner.catch_up()
    assert await services.store.quarantined() == []


async def test_tidy_drops_the_tables_of_other_shapes_and_nothing_else(services):
    old, new = Program(services, Tally, Other), Program(services, NewTally, Other)
    await play(services, "a")
    await old.counted()
    await old.runner.rebuild("tally")
    await new.counted()
    await new.runner.rebuild("tally")
    assert [(one.shape, one.generation, one.position) for one in await new.runner.others()] == [(1, 1, 3), (1, 2, 3)]
    assert [(one.name, one.shape, one.generation) for one in await new.runner.tidy()] == [
        ("tally", 1, 1),
        ("tally", 1, 2),
    ]
    assert await tables(services) == {"tally_3", "tally_kind_3", "tally_4", "tally_kind_4"}
    assert await new.models[0].read() == {"a": 3}
    assert [one.position for one in await new.runner.status()] == [3, 3]
    assert await new.runner.tidy() == await new.runner.others() == []


async def test_a_program_whose_tables_are_dropped_too_early_folds_them_anew(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    await play(services, "a")
    await old.counted()
    await new.runner.tidy()
    assert await old.counted() == {"a": 3}


async def test_tables_that_another_program_did_not_know_of_stop_no_start(services):
    old, new = Program(services, Tally), Program(services, NewTally)
    await old.runner.prepare()
    await new.runner.prepare()
    await old.runner.tidy()
    assert await tables(services) == {"tally_1", "tally_kind_2"}
    await play(services, "a")
    assert await new.counted() == {"a": 3}


@pytest.mark.slow
@pytest.mark.parametrize("raised", [Unfit("no such table"), ExceptionGroup("one", [Unfit("no such column")])])
async def test_a_part_that_finds_no_table_begins_anew_and_takes_no_node_out(raised, monkeypatch):
    monkeypatch.setattr(parts, "DATABASE_AWAY_S", 0)
    services = Services.open(Settings(database=MEMORY))
    begun, run = asyncio.Queue(), services.timekeeper.run

    async def unfit_at_first():
        begun.put_nowait("timekeeper")
        if begun.qsize() == 1:
            raise raised
        await run()

    monkeypatch.setattr(services.timekeeper, "run", unfit_at_first)
    await services.start()
    async with asyncio.timeout(10):
        while begun.qsize() < 2 and services.checks()["background"]:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0)
    assert services.checks()["background"]
    await services.stop()


async def test_a_node_that_folds_one_shape_keeps_no_node_from_folding_another(monkeypatch):
    asked = []

    async def hold(self, name):
        asked.append(name)
        return True

    monkeypatch.setattr(EverybodyHolds, "hold", hold)
    for shape in (7, 8):
        monkeypatch.setattr("projections.lobby.Lobby.shape", shape)
        services = Services.open(Settings(database=MEMORY))
        assert await services.runner.turn.mine()
        await services.stop()
    assert asked == [f"read models: lobby {n}, results 2, deadlines 1" for n in (7, 8)]


@pytest.mark.slow
async def test_a_file_is_tidied_when_its_server_starts_and_not_by_a_command(tmp_path):
    path = str(tmp_path / "a.db")
    for shape, starts in ((1, False), (2, False), (2, True)):
        services = Services.open(Settings(database=path))
        services.lobby.shape = shape
        await (services.start() if starts else services.prepare())
        others = [one.shape for one in await services.runner.others()]
        assert others == ([1] if (shape, starts) == (2, False) else [])
        await services.stop()


@pytest.mark.slow
async def test_bots_answer_what_they_owed_though_the_lobby_of_their_file_is_of_a_new_shape(tmp_path):
    stopped = Services.open(Settings(database=str(tmp_path / "a.db")))
    await stopped.prepare()
    game = await World(stopped, []).create("bot:random", "bot:random", "bot:random")
    await stopped.stop()
    services = Services.open(Settings(database=str(tmp_path / "a.db"), projection_batch_events=1))
    services.lobby.shape += 1
    await services.start()
    async with asyncio.timeout(60):
        await World(services, []).end(game)
    await services.stop()
