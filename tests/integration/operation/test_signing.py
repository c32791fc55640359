"""The signer: heads of a log that moves, by one key after another and one node beside another, and logs it refuses."""

import asyncio
import shutil
import sqlite3
import stat
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from events.database import CannotOpen
from events.heads import Head, Successor
from events.merkle import Frontier, check_consistency
from events.notes import Note, NoteError, PrivateKey
from events.signed import SignedHead
from events.sqlite import ADD_EVENT, SqliteStore
from events.sqlite_file import SqliteFile
from events.tree import TILE, TreeBroken
from server.head_check import check_log
from server.head_files import HeadFiles, HeadFilesError
from server.key_files import read_key, write_key
from server.metrics import Metrics
from server.settings import Settings
from server.signing import Parts, Signer
from server.simulate import SeededRandom, SteppingClock

ORIGIN = "example.org/games"
STRANGER, NEXT = PrivateKey(ORIGIN, bytes([9]) * 32), PrivateKey(ORIGIN, bytes([8]) * 32)


class Node:
    """One process on a log; `moves` lets it grow by events that are nothing but their digests."""

    def __init__(self, folder: Path, settings: dict[str, object], database: SqliteFile | None = None) -> None:
        path = str(folder / "a.db")
        self.settings = Settings(database=path, heads_origin=ORIGIN, **settings)
        self.database = database or SqliteFile(path)
        self.store = SqliteStore(self.database)
        self.metrics = Metrics()
        random = SeededRandom(str(folder))
        self.signer = Signer(self.settings, Parts(self.store, self.database, SteppingClock(), random, self.metrics))

    async def moves(self, count: int) -> None:
        first = await self.signer.size() + 1

        def work(connection):
            rows = (("g", n, "acted", b"{}", n.to_bytes(32, "big")) for n in range(first, first + count))
            connection.executemany(ADD_EVENT, rows)

        await self.database.write_now(work)

    async def signed_at(self, size: int) -> bool:
        return await self.signer.heads.get(size) is not None

    async def faulty(self) -> bool:
        return self.metrics.value("turnlog_head_faults_total") > 0

    async def head(self) -> Head:
        """The latest head, opened by the keys of the log."""
        latest = await self.signer.heads.latest()
        head = (await self.signer.heads.keyring()).open(Note.parse(latest.note))
        assert head.size == latest.size
        return head


async def until(holds) -> None:
    while not await holds():  # noqa: ASYNC110 - what is waited for is in a database
        await asyncio.sleep(0.005)


@pytest.fixture
def place(tmp_path):
    """Where the log is; `node(**settings)` is a process on it, and `tamper(sql, …)` a hand in its file."""
    return Place(tmp_path)


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @asynccontextmanager
    async def node(self, *, ready: bool = True, **settings):
        node = Node(self.folder, settings)
        try:
            if ready:
                await node.signer.prepare()
            yield node
        finally:
            await node.store.close()

    def tamper(self, *statements: str) -> None:
        connection = sqlite3.connect(self.folder / "a.db")
        triggers = connection.execute("select name, sql from sqlite_schema where type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()
        connection.close()

    async def refuses(self, **settings) -> str:
        """The sentence with which a server does not start."""
        async with self.node(ready=False, **settings) as node:
            with pytest.raises(CannotOpen) as refused:
                await node.signer.prepare()
        sentence = str(refused.value)
        assert sentence.startswith("the log is not the one whose heads were signed: ")
        assert sentence.endswith(".")
        assert "\n" not in sentence
        return sentence

    async def signed(self, events: int, **settings) -> None:
        """A log with so many events, signed in three steps."""
        async with self.node(**settings) as node:
            for count in (events // 3, events // 3, events - events // 3 * 2):
                await node.moves(count)
                await node.signer.sign()


def root(size: int) -> bytes:
    frontier = Frontier()
    frontier.extend(n.to_bytes(32, "big") for n in range(1, size + 1))
    return frontier.root()


class TestSigning:
    async def test_a_new_server_makes_its_key_and_signs_what_moves(self, place):
        async with place.node() as node:
            file = place.folder / "a.db.heads-key"
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            key = read_key(file)
            assert [one.key for one in (await node.signer.heads.keyring()).keys] == [key.public]
            assert await node.signer.sign() is None  # of an empty log there is no head
            await node.moves(3)
            first = await node.signer.sign()
            assert await node.head() == Head(ORIGIN, 3, root(3))
            assert await node.signer.sign() == first
            await node.moves(TILE)
            await node.signer.sign()
            assert await node.head() == Head(ORIGIN, 3 + TILE, root(3 + TILE))
            proof = await node.signer.tree.consistency(3, 3 + TILE)
            check_consistency(3, 3 + TILE, root(3), root(3 + TILE), proof)

    async def test_it_goes_on_after_a_restart(self, place):
        await place.signed(700)
        async with place.node() as node:
            await node.moves(1)
            await node.signer.sign()
            assert [head.size for head in await node.signer.heads.before(None, 10)] == [701, 700, 466, 233]

    async def test_of_two_nodes_one_keeps_its_head(self, place):
        async with place.node() as node:
            other = Node(place.folder, {}, node.database)
            await other.signer.prepare()
            await node.moves(10)
            one, two = await asyncio.gather(node.signer.sign(), other.signer.sign())
            assert one == two or one.note == two.note
            await node.moves(5)
            await asyncio.gather(*(signer.sign() for signer in (node.signer, other.signer) * 5))
            assert [head.size for head in await node.signer.heads.before(None, 10)] == [15, 10]

    async def test_a_head_that_does_not_follow_the_latest_is_not_kept(self, place):
        async with place.node() as node:
            await node.moves(10)
            await node.signer.sign()
            key = read_key(place.folder / "a.db.heads-key")
            late = SignedHead(7, key.sign(Head(ORIGIN, 7, root(7)).text).source, "")
            assert not await node.signer.heads.add(late, 6, key.public)
            assert not await node.signer.heads.add(late, 0, key.public)
            by_another = SignedHead(11, "", "")
            assert not await node.signer.heads.add(by_another, 10, STRANGER.public)

    async def test_it_signs_by_itself_when_the_log_moves(self, place):
        async with place.node(head_interval_s=0.01) as node:
            running = asyncio.create_task(node.signer.run())
            for size in (5, 10):
                await node.moves(5)
                await until(lambda size=size: node.signed_at(size))
            running.cancel()
            assert [head.size for head in await node.signer.heads.before(None, 10)] == [10, 5]

    async def test_a_log_changed_while_it_runs_is_told_and_not_signed(self, place, expected_errors):
        async with place.node(head_interval_s=0.01) as node:
            await node.moves(TILE + 5)
            await node.signer.sign()
            run = node.database._connection.execute
            run("drop trigger events_are_not_updated")
            run("update events set digest = zeroblob(32) where position = 7")
            running = asyncio.create_task(node.signer.run())
            await until(node.faulty)
            run("update events set digest = zeroblob(32) where position = ?", (TILE + 2,))
            await node.moves(1)
            for _ in range(10):
                with pytest.raises(TreeBroken):
                    await node.signer.sign()
                await asyncio.sleep(0.01)
            assert not running.done()
            running.cancel()
            assert (await node.signer.heads.latest()).size == TILE + 5
            expected_errors.add("log_differs")


class TestKeys:
    async def test_without_a_file_for_a_known_key_nothing_is_signed_and_the_server_goes_on(self, place, logged):
        await place.signed(9)
        (place.folder / "a.db.heads-key").unlink()
        async with place.node() as node:
            assert "there is no key file" in node.signer.off
            await node.moves(1)
            assert (await node.signer.sign()).size == 9
            assert await node.head() == Head(ORIGIN, 9, root(9))
        assert [line["why"] for line in logged if line["event"] == "heads_off"] == [node.signer.off]
        assert not (place.folder / "a.db.heads-key").exists()

    @pytest.mark.parametrize(
        ("settings", "reason"),
        [({"head_interval_s": 0}, "HEAD_INTERVAL_S is 0"), ({"heads_origin": "my games"}, "no spaces")],
    )
    async def test_settings_that_sign_nothing_say_so(self, place, settings, reason):
        async with place.node(ready=False) as node:
            node.signer = Signer(
                Settings(database=str(place.folder / "a.db"), **settings),
                Parts(node.store, node.database, SteppingClock(), SeededRandom("s")),
            )
            await node.signer.prepare()
            assert reason in node.signer.off
        assert not (place.folder / "a.db.heads-key").exists()

    @pytest.mark.parametrize("text", ["", "no key", STRANGER.public.text, STRANGER.text[:-2]])
    async def test_a_file_without_a_key_is_told_without_what_is_in_it(self, place, text):
        (place.folder / "k").write_text(text)
        async with place.node(heads_key=str(place.folder / "k")) as node:
            assert "has no private key" in node.signer.off
            assert STRANGER.text[40:60] not in node.signer.off

    async def test_another_key_signs_nothing(self, place):
        await place.signed(9)
        write_key(place.folder / "k", STRANGER)
        async with place.node(heads_key=str(place.folder / "k")) as node:
            assert STRANGER.public.text in node.signer.off
            assert "turnlog heads rotate" in node.signer.off

    async def test_a_database_in_memory_has_no_key_of_its_own(self, place):
        async with place.node(ready=False) as node:
            signer = Signer(
                Settings(database=":memory:"), Parts(node.store, node.database, SteppingClock(), SeededRandom("s"))
            )
            await signer.prepare()
            assert "TURNLOG_HEADS_KEY names no key file" in signer.off

    async def test_nodes_that_share_a_database_must_be_given_their_key(self, place):
        async with place.node(ready=False, heads_key=str(place.folder / "k")) as node:
            node.database.shared = True
            try:
                await node.signer.prepare()
            finally:
                node.database.shared = False
            assert "make one with `turnlog heads new-key`" in node.signer.off
            assert not (place.folder / "k").exists()

    async def test_keys_follow_one_another(self, place):
        await place.signed(9)
        old = read_key(place.folder / "a.db.heads-key")
        write_key(place.folder / "new", NEXT)
        async with place.node() as node:
            assert await node.signer.heads.add_key(Successor.endorse(NEXT.public, 10, old), old.public)
            await node.moves(1)
            # The node still has the old key: it signs no more.
            assert (await node.signer.sign()).size == 9
        async with place.node(heads_key=str(place.folder / "new")) as node:
            assert node.signer.off is None
            assert (await node.signer.sign()).size == 10
            ring = await node.signer.heads.keyring()
            assert ring.of(9) == old.public
            assert ring.of(10) == NEXT.public
            checked = await check_log(node.signer.tree, node.signer.heads, None, 10)
            assert (checked.size, checked.heads) == (10, 4)
            again = Successor.endorse(STRANGER.public, 11, NEXT)
            assert not await node.signer.heads.add_key(again, old.public)  # not the newest
            late = Successor.endorse(STRANGER.public, 10, NEXT)
            assert not await node.signer.heads.add_key(late, NEXT.public)  # its first size is signed already


class TestLogsThatAreRefused:
    """Every way in which a log is not the one that was signed, at the start."""

    EVENTS = TILE + 50
    LAST = f"position = {EVENTS}"

    async def test_one_as_it_was_is_not(self, place):
        await place.signed(self.EVENTS)
        async with place.node() as node:
            assert node.signer.off is None
            checked = await check_log(node.signer.tree, node.signer.heads, None, self.EVENTS)
            assert (checked.size, checked.heads) == (self.EVENTS, 3)

    async def test_one_that_has_grown_since_is_not(self, place):
        await place.signed(self.EVENTS)
        async with place.node() as node:
            await node.moves(30)
        async with place.node() as node:
            assert (await node.signer.sign()).size == self.EVENTS + 30

    @pytest.mark.parametrize("keep", [0, 1, TILE, EVENTS - 1])
    async def test_a_log_that_was_cut(self, place, keep):
        await place.signed(self.EVENTS)
        place.tamper(f"delete from events where position > {keep}")
        sentence = await place.refuses()
        assert f"it ends at event {keep}, but the database has a head of {self.EVENTS} events" in sentence
        assert "cut off, or an older backup was put in its place" in sentence

    @pytest.mark.parametrize("position", [1, TILE, TILE + 1, EVENTS])
    async def test_a_changed_event(self, place, position):
        await place.signed(self.EVENTS)
        place.tamper(f"update events set digest = zeroblob(32) where position = {position}")
        assert "event" in await place.refuses()

    @pytest.mark.parametrize("position", [1, 100, TILE + 10])
    async def test_two_swapped_events(self, place, position):
        await place.signed(self.EVENTS)
        where = "(select digest from events where position = {})"
        one, two = (where.format(n) for n in (position, position + 1))
        place.tamper(
            f"create table kept as select {one} as a, {two} as b",
            f"update events set digest = (select b from kept) where position = {position}",
            f"update events set digest = (select a from kept) where position = {position + 1}",
        )
        await place.refuses()

    @pytest.mark.parametrize("position", [1, 100, TILE + 10])
    async def test_a_removed_event(self, place, position):
        await place.signed(self.EVENTS)
        place.tamper(f"delete from events where position = {position}")
        assert "the log has only" in await place.refuses()

    async def test_a_removed_event_with_all_later_ones_moved_up(self, place):
        await place.signed(self.EVENTS)
        place.tamper(
            "delete from events where position = 5",
            "update events set position = -position where position > 5",
            "update events set position = -position - 1 where position < 0",
        )
        assert f"ends at event {self.EVENTS - 1}" in await place.refuses()

    async def test_an_old_event_changed_beyond_what_the_start_looks_at_is_found_by_the_check(self, place):
        await place.signed(3 * TILE + 5)
        place.tamper("update events set digest = zeroblob(32) where position = 3")
        assert "positions 1 to 256" in await place.refuses()
        async with place.node(heads_check_events_max=TILE) as node:
            with pytest.raises(TreeBroken, match="events were changed"):
                await check_log(node.signer.tree, node.signer.heads, None, 3 * TILE + 5)
            with pytest.raises(TreeBroken):  # and by the signer, in its turn
                await node.signer.recheck()

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            (
                "update tree_heads set note = replace(note, char(10) || '9' || char(10), char(10) || '8' || char(10))",
                "",
            ),
            (
                f"update tree_heads set note = '{STRANGER.sign(Head(ORIGIN, 9, root(9)).text).source}'",
                "the key in force",
            ),
            ("update tree_heads set note = 'x' || note", "it is a head of"),
            ("update tree_heads set note = ''", "a note is"),
            (f"update tree_keys set key = '{STRANGER.public.text}'", "cannot be believed"),
            ("update tree_keys set key = ''", "a public key is written"),
            ("update tree_keys set first = 10", "no key is in force"),
            ("delete from tree_keys", "no key is in force"),
        ],
    )
    async def test_a_changed_head_or_key(self, place, statement, reason):
        await place.signed(9)
        place.tamper(statement)
        assert reason in await place.refuses()

    async def test_every_byte_of_the_latest_head(self, place):
        await place.signed(9)
        async with place.node() as node:
            latest, ring = await node.signer.heads.latest(), await node.signer.heads.keyring()
            source = latest.note.encode()
            for at in range(len(source)):
                changed = source[:at] + bytes([source[at] ^ 1]) + source[at + 1 :]
                try:
                    note = Note.parse(changed.decode())
                    with pytest.raises(NoteError):
                        ring.open(note)
                except (NoteError, UnicodeDecodeError):
                    continue

    async def test_an_older_backup_is_found_by_the_heads_published_elsewhere(self, place):
        published = {"heads_directory": str(place.folder / "heads")}
        await place.signed(9, **published)
        shutil.copy(place.folder / "a.db", place.folder / "backup.db")
        async with place.node(**published) as node:
            await node.moves(20)
            await node.signer.sign()
        for suffix in ("", "-wal", "-shm"):
            (place.folder / f"a.db{suffix}").unlink(missing_ok=True)
        shutil.copy(place.folder / "backup.db", place.folder / "a.db")
        sentence = await place.refuses(**published)
        assert f"ends at event 9, but there is in {place.folder}/heads/000000000000000029.head a head of 29" in sentence
        # The backup grows past the published size with other events: it is another log all the same.
        async with place.node() as node:
            await node.moves(10)
            run = node.database._connection.execute
            run("insert into events(game, version, kind, data, digest) values ('h', 1, 'acted', x'00', zeroblob(32))")
            await node.moves(20)
            await node.signer.sign()
        assert "with another root: events were changed or replaced" in await place.refuses(**published)

    async def test_the_log_of_another_server(self, place, tmp_path_factory):
        published = {"heads_directory": str(place.folder / "heads")}
        other = Place(tmp_path_factory.mktemp("other"))
        await other.signed(30, **published)
        await place.signed(40)
        assert "cannot be believed" in await place.refuses(**published)

    @pytest.mark.parametrize("content", ["", "x", STRANGER.sign(Head(ORIGIN, 9, root(9)).text).source])
    async def test_a_published_head_that_was_changed(self, place, content):
        published = {"heads_directory": str(place.folder / "heads")}
        await place.signed(9, **published)
        newest = max((place.folder / "heads").iterdir())
        newest.write_text(content)
        await place.refuses(**published)
        async with place.node() as node:
            with pytest.raises((NoteError, HeadFilesError)):
                await check_log(node.signer.tree, node.signer.heads, HeadFiles(place.folder / "heads"), 9)


class TestPublishing:
    async def test_each_head_is_one_file(self, place):
        await place.signed(9, heads_directory=str(place.folder / "heads"))
        async with place.node() as node:
            kept = {f"{head.size:018d}.head": head.note for head in await node.signer.heads.before(None, 10)}
            assert {file.name: file.read_text() for file in (place.folder / "heads").iterdir()} == kept
            checked = await check_log(node.signer.tree, node.signer.heads, HeadFiles(place.folder / "heads"), 9)
            assert (checked.heads, checked.published) == (3, 3)

    async def test_what_could_not_be_published_is_published_later(self, place):
        (place.folder / "heads").write_text("in the way")
        async with place.node(heads_directory=str(place.folder / "other" / "heads")) as node:
            (place.folder / "other").write_text("in the way")
            await node.moves(4)
            with pytest.raises(HeadFilesError, match="cannot be written"):
                await node.signer.sign()
            assert (await node.signer.heads.latest()).size == 4
            (place.folder / "other").unlink()
            await node.signer.sign()
            assert [file.name for file in (place.folder / "other" / "heads").iterdir()] == ["000000000000000004.head"]

    def test_a_file_is_never_replaced_by_another_head(self, tmp_path):
        files = HeadFiles(tmp_path / "heads")
        assert files.newest() is None
        files.publish(4, "a")
        files.publish(4, "a")
        with pytest.raises(HeadFilesError, match="another head of size 4"):
            files.publish(4, "b")
        files.publish(12, "c")
        (tmp_path / "heads" / "notes.txt").write_text("")
        assert files.newest().note == "c"
        assert files.names() == ["000000000000000004.head", "000000000000000012.head"]

    def test_a_directory_that_cannot_be_read_is_told(self, tmp_path):
        (tmp_path / "heads").write_text("")
        with pytest.raises(HeadFilesError, match="cannot be read"):
            HeadFiles(tmp_path / "heads").newest()
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "000000000000000004.head").write_bytes(b"\xff")
        with pytest.raises(HeadFilesError, match="cannot be read"):
            HeadFiles(tmp_path / "other").newest()
