"""The signer: heads of a log that moves, by one node beside another, and their files."""

import asyncio
import stat

import pytest

from events.heads import Head
from events.merkle import check_consistency
from events.signed import SignedHead
from events.tree import TILE, TreeBroken
from server.head_check import check_log
from server.head_files import HeadFiles, HeadFilesError
from server.key_files import read_key
from tests.integration.operation.signing_kit import ORIGIN, STRANGER, Node, root, until


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
            with pytest.raises(HeadFilesError, match="cannot be read"):
                await node.signer.sign()
            assert (await node.signer.heads.latest()).size == 4
            (place.folder / "other").unlink()
            await node.signer.sign()
            assert [file.name for file in (place.folder / "other" / "heads").iterdir()] == ["000000000000000004.head"]

    async def test_heads_that_were_signed_while_the_directory_was_away_are_published_when_it_is_back(self, place):
        directory = place.folder / "heads"
        async with place.node(heads_directory=str(directory)) as node:
            await node.moves(1)
            await node.signer.sign()
            directory.rename(place.folder / "away")
            directory.mkdir()  # where something was mounted is a directory, too
            for _ in range(3):
                await node.moves(1)
                with pytest.raises(HeadFilesError, match=r"the head of size 1, .* is what belongs there mounted\?$"):
                    await node.signer.sign()
            assert list(directory.iterdir()) == []
            directory.rmdir()
            (place.folder / "away").rename(directory)
            await node.signer.sign()
            assert HeadFiles(directory).names() == [f"{size:018d}.head" for size in (1, 2, 3, 4)]

    async def test_heads_of_a_node_that_died_before_it_published_them_are_published_by_the_next(self, place):
        directory = place.folder / "heads"
        async with place.node() as died:  # it never came to publish
            for _ in range(5):
                await died.moves(1)
                await died.signer.sign()
        async with place.node(heads_directory=str(directory), heads_published_max=2) as node:
            published = []
            for _ in range(4):
                await node.signer.sign()
                published.append([int(name[:18]) for name in HeadFiles(directory).names()])
            assert published == [[1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]
        async with place.node(heads_directory=str(directory)) as node:
            await node.moves(1)
            await node.signer.sign()
            assert len(HeadFiles(directory).names()) == 6

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

    def test_a_directory_that_cannot_be_looked_into_delays_heads_and_ends_nothing(self, tmp_path):
        unknown = tmp_path / ("heads" * 100)  # the system refuses to look for such a name, as for a mount that is stale
        for after in (0, 4):
            with pytest.raises(HeadFilesError, match="cannot be written"):
                HeadFiles(unknown).publish(8, "a", after)

    def test_a_directory_that_cannot_be_read_is_told(self, tmp_path):
        (tmp_path / "heads").write_text("")
        with pytest.raises(HeadFilesError, match="cannot be read"):
            HeadFiles(tmp_path / "heads").newest()
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "000000000000000004.head").write_bytes(b"\xff")
        with pytest.raises(HeadFilesError, match="cannot be read"):
            HeadFiles(tmp_path / "other").newest()
