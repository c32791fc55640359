"""Logs that are refused at the start, as they are not those whose heads were signed."""

import shutil

import pytest

from events.heads import Head
from events.notes import Note, NoteError
from events.tree import TILE, TreeBroken
from server.head_check import check_log
from server.head_files import HeadFiles, HeadFilesError
from tests.integration.operation.signing_kit import ORIGIN, STRANGER, Place, root


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
