"""The tree over a database: roots and proofs as of all leaves, few reads, and any change found."""

import random
import sqlite3

import pytest

from events.merkle import Frontier, check_consistency, check_inclusion
from events.signed import SignedHeads
from events.sqlite_file import SqliteFile
from events.tree import TILE, Tree, TreeBroken

#: Enough for a complete tile of tiles and some more.
EVENTS = TILE * TILE + TILE + 3
#: Tests that change the log do so in a smaller one.
FEW = 5 * TILE + 10

TABLE = "create table events(position integer primary key, game text, version integer, digest blob)"


def digest(position: int) -> bytes:
    return position.to_bytes(32, "big")


def filled(size: int) -> SqliteFile:
    database = SqliteFile(":memory:")
    database.migrate("events", [TABLE])
    add(database, 1, size)
    return database


def add(database: SqliteFile, first: int, last: int) -> None:
    rows = ((position, "g", position, digest(position)) for position in range(first, last + 1))
    connection = database._connection
    connection.execute("begin")
    connection.executemany("insert into events values (?, ?, ?, ?)", rows)
    connection.execute("commit")


def change(database: SqliteFile, sql: str, *parameters: object) -> None:
    assert database._connection.execute(sql, parameters).rowcount > 0


def roots(*sizes: int) -> dict[int, bytes]:
    """What the roots must be, from all leaves."""
    frontier, found = Frontier(), {}
    for size in sorted(sizes):
        frontier.extend(digest(position) for position in range(frontier.size + 1, size + 1))
        found[size] = frontier.root()
    return found


SIZES = sorted({1, 2, TILE - 1, TILE, TILE + 1, 40_000, EVENTS - TILE - 3, EVENTS - TILE, EVENTS - 1, EVENTS})
ROOTS = roots(*SIZES)


@pytest.fixture(scope="module")
async def large(anyio_backend):
    database = filled(EVENTS)
    tree = Tree(database)
    await tree.grow(EVENTS)
    yield tree
    await database.close()


@pytest.fixture
async def small(anyio_backend):
    database = filled(FEW)
    yield database
    await database.close()


@pytest.fixture
def reads(large, monkeypatch):
    """Rows of each read while the test runs."""
    database, seen = large._database, []
    real = database.read

    async def read(sql, parameters=()):
        rows = await real(sql, parameters)
        seen.append(len(rows))
        return rows

    monkeypatch.setattr(database, "read", read)
    return seen


@pytest.mark.parametrize("size", SIZES)
async def test_the_root_of_every_size_is_that_of_all_leaves(large, size):
    assert await large.root(size) == ROOTS[size]


@pytest.mark.parametrize("size", SIZES)
async def test_every_event_is_proved_with_few_reads(large, reads, size):
    drawn = random.Random(size)
    for position in {1, size, (size + 1) // 2, *(drawn.randint(1, size) for _ in range(10))}:
        reads.clear()
        proof = await large.inclusion(position, size)
        check_inclusion(digest(position), position - 1, size, proof, ROOTS[size])
        assert len(proof) <= 17
        # Two tiles a level, three levels; and how far the tree has grown, a level each.
        assert sum(reads) <= 6 * TILE
        assert len(reads) <= 9


async def test_every_tree_is_proved_to_go_on_from_every_older_one(large, reads):
    for old in SIZES:
        for new in SIZES:
            if old <= new:
                reads.clear()
                proof = await large.consistency(old, new)
                check_consistency(old, new, ROOTS[old], ROOTS[new], proof)
                assert sum(reads) <= 9 * TILE


async def test_little_is_kept(large):
    rows = await large._database.read("select level, count(*) from tree_nodes group by level order by level")
    assert rows == [(8, TILE + 1), (16, 1)]


async def test_it_grows_with_the_log_and_is_computed_anew_when_it_is_lost(small):
    tree = Tree(small)
    before = await tree.root(FEW)
    add(small, FEW + 1, FEW + 3 * TILE)
    known = roots(FEW, FEW + 3 * TILE)
    assert await tree.root(FEW + 3 * TILE) == known[FEW + 3 * TILE]
    await tree.forget()
    assert await tree.root(FEW) == before == known[FEW]
    assert await Tree(small).root(FEW + 3 * TILE) == known[FEW + 3 * TILE]


async def test_two_processes_may_let_it_grow(small):
    one, other = Tree(small), Tree(small)
    await one.grow(2 * TILE)
    await other.grow(FEW)
    await one.grow(FEW)
    assert await one.root(FEW) == roots(FEW)[FEW]


@pytest.mark.parametrize("position", [1, TILE, TILE + 1, 3 * TILE, 5 * TILE])
async def test_a_changed_event_is_found_by_hashing_anew(small, position):
    tree = Tree(small)
    await tree.grow(FEW)
    await tree.recheck(0, FEW)
    change(small, "update events set digest = zeroblob(32) where position = ?", position)
    tile = (position - 1) // TILE
    with pytest.raises(TreeBroken, match=f"positions {tile * TILE + 1} to {(tile + 1) * TILE} are not those"):
        await tree.recheck(0, FEW)
    with pytest.raises(TreeBroken):  # a span that cuts the tile is enough
        await tree.recheck(position - 1, position)


async def test_swapped_events_are_found(small):
    tree = Tree(small)
    await tree.grow(FEW)
    change(small, "update events set digest = ? where position = 10", digest(11))
    change(small, "update events set digest = ? where position = 11", digest(10))
    with pytest.raises(TreeBroken):
        await tree.recheck(0, FEW)


async def test_a_changed_event_behind_the_last_tile_changes_the_root(small):
    tree = Tree(small)
    change(small, "update events set digest = zeroblob(32) where position = ?", FEW)
    assert await tree.root(FEW) != roots(FEW)[FEW]


@pytest.mark.parametrize("level", [8, 16])
async def test_a_changed_hash_is_found_on_every_level(level):
    database = filled(EVENTS)
    tree = Tree(database)
    await tree.grow(EVENTS)
    change(database, "update tree_nodes set hash = zeroblob(32) where level = ? and number = 0", level)
    with pytest.raises(TreeBroken):
        await tree.recheck(0, EVENTS)
    await database.close()


async def test_an_event_changed_together_with_its_hash_is_found_above():
    """Who changes one and mends the other would have to mend all above it, and then the signed root is another."""
    database = filled(EVENTS)
    tree = Tree(database)
    before = await tree.root(EVENTS)
    change(database, "update events set digest = zeroblob(32) where position = 5")
    forged = Tree(database)
    (hash_,) = await forged._tiles(8, 0, 1)
    change(database, "update tree_nodes set hash = ? where level = 8 and number = 0", hash_)
    with pytest.raises(TreeBroken):
        await tree.recheck(0, TILE)
    (hash_,) = await forged._tiles(16, 0, 1)
    change(database, "update tree_nodes set hash = ? where level = 16 and number = 0", hash_)
    await tree.recheck(0, EVENTS)
    assert await tree.root(EVENTS) != before
    await database.close()


@pytest.mark.parametrize("position", [1, TILE, FEW - 1, FEW])
async def test_a_missing_event_is_found(small, position):
    change(small, "delete from events where position = ?", position)
    with pytest.raises(TreeBroken, match="has only"):
        await Tree(small).root(FEW)


async def test_no_root_beyond_the_log(small):
    with pytest.raises(TreeBroken, match="has only 10 of the events"):
        await Tree(small).root(FEW - 1 + 100)
    with pytest.raises(ValueError, match="has no leaf"):
        await Tree(small).inclusion(FEW + 1, FEW)
    with pytest.raises(ValueError, match="no proof"):
        await Tree(small).consistency(0, FEW)


async def test_missing_hashes_are_told_with_what_to_do(small):
    tree = Tree(small)
    await tree.grow(FEW)
    change(small, "delete from tree_nodes where number = 1")
    with pytest.raises(TreeBroken, match="turnlog heads rebuild"):
        await tree.root(FEW)


async def test_the_place_of_a_games_last_event(small):
    tree = Tree(small)
    place = await tree.last_of("g", 1000, 700)
    assert place == (700, 700, digest(700))
    assert (await tree.last_of("g", 20, 700)).position == 20
    assert await tree.last_of("h", 20, 700) is None
    assert await tree.last_of("g", 20, 0) is None


def test_heads_and_keys_are_append_only():
    database = SqliteFile(":memory:")
    SignedHeads(database)
    run = database._connection.execute
    run("insert into tree_heads values (1, 'a', 'b')")
    run("insert into tree_keys values (1, 'a', null)")
    for sql in (
        "update tree_heads set note = 'c'",
        "delete from tree_heads",
        "update tree_keys set key = 'c'",
        "delete from tree_keys",
        "insert or replace into tree_heads values (1, 'c', 'b')",
        "insert or replace into tree_keys values (1, 'c', null)",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            run(sql)
