"""The keys of the signer: one after another, and what is not signed without one."""

import asyncio

import pytest

from events.heads import Head, Successor
from server.head_check import check_log
from server.key_files import read_key, write_key
from server.settings import Settings
from server.signing import Parts, Signer
from server.simulate import SeededRandom, SteppingClock
from tests.integration.operation.signing_kit import NEXT, ORIGIN, STRANGER, Node, OneHolds, root, until


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
            assert NEXT.public.text in node.signer.off
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

    async def test_a_node_with_an_old_key_does_not_keep_others_from_signing(self, place, logged):
        """It had the lease, had its heads refused for ever, and said nothing."""
        holders = {}
        async with place.node(ready=False) as first:
            old = Node(place.folder, {"head_interval_s": 0.01}, first.database, OneHolds(holders))
            await old.signer.prepare()
            running = [asyncio.create_task(old.signer.run())]
            await old.moves(9)
            await until(lambda: old.signed_at(9))
            key = read_key(place.folder / "a.db.heads-key")
            assert await old.signer.heads.add_key(Successor.endorse(NEXT.public, 10, key), key.public)
            write_key(place.folder / "new", NEXT)
            settings = {"head_interval_s": 0.01, "heads_key": str(place.folder / "new")}
            new = Node(place.folder, settings, first.database, OneHolds(holders))
            await new.signer.prepare()
            running.append(asyncio.create_task(new.signer.run()))
            async with asyncio.timeout(10):
                for size in (10, 11):
                    await old.moves(1)
                    await until(lambda size=size: old.signed_at(size))
            assert not any(task.done() for task in running)
            for task in running:
                task.cancel()
            assert NEXT.public.text in old.signer.off
            assert new.signer.off is None
        (told,) = (line for line in logged if line["event"] == "heads_off")
        assert (told["log_level"], told["why"]) == ("warning", old.signer.off)

    async def test_a_head_that_another_node_was_faster_to_sign_ends_no_signing(self, place, logged):
        async with place.node() as node:
            other = Node(place.folder, {}, node.database)
            await other.signer.prepare()
            await node.moves(5)
            await asyncio.gather(node.signer.sign(), other.signer.sign())
            assert (node.signer.off, other.signer.off) == (None, None)
        assert [line for line in logged if line["event"] == "heads_off"] == []
