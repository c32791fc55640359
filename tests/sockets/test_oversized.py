"""Oversized: bounded in memory and time, closed with a documented code, and nobody else waits for it."""

import asyncio
import json

import pytest

from tests.integration.hardening.input_kit import PING, TEXT, frame
from tests.sockets.kit import crowd, got_all

CONT = 0x0
MOST = 16 * 1024
HELLO = frame(TEXT, b'{"type":"hello"}')


@pytest.fixture
async def table(site):
    return await site.deal()


async def closes(site, code, *sent):
    async with site.raw() as raw:
        await raw.handshake()
        await raw.send(HELLO)
        for one in sent:
            if not await raw.send(one):
                break
        assert await raw.closed() == code


async def test_the_largest_message_is_taken_and_one_byte_more_closes(site):
    text = json.dumps({"type": "ping", "id": "most"})
    async with site.socket() as client:
        await client.socket.send(text.ljust(MOST))
        assert (await client.next())["type"] == "pong"
        await client.socket.send(text.ljust(MOST + 1))
        assert await client.closed() == 4413


async def test_a_message_in_pieces_is_measured_as_a_whole(site):
    piece = frame(CONT, b" " * 4096, fin=False)
    await closes(site, 4413, frame(TEXT, b"{", fin=False) + 3 * piece + frame(CONT, b" " * 4096))
    await closes(site, 1009, frame(TEXT, b"{", fin=False) + 64 * piece)


async def test_a_message_in_pieces_of_a_byte_is_one_message_and_pieces_without_end_close(site):
    text = b'{"type":"ping","id":"crumbs"}'
    pieces = [frame(CONT, bytes([byte]), fin=False) for byte in text[1:]]
    async with site.raw() as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, text[:1], fin=False) + b"".join(pieces) + frame(CONT, b""))
        assert (await raw.message())["id"] == "crumbs"
    await closes(site, 1008, frame(TEXT, b"{", fin=False) + 2000 * frame(CONT, b"", fin=False))


async def test_a_length_that_is_only_announced_closes_at_once(site):
    for size in (2**20, 2**40, 2**63 - 1):
        await closes(site, 1009, frame(TEXT, b"x", size=size))


async def test_a_flood_of_pings_closes_and_a_bystander_gets_every_version(table):
    async with table.follower() as bystander:
        flood = [frame(PING, b"x" * 125) * 100] * 30
        await asyncio.gather(*(closes(table.site, 1008, *flood) for _ in range(5)), table.act(2))
        await got_all(bystander, table.game, await table.version())


async def test_a_hundred_messages_of_a_megabyte_at_once_take_no_memory(table):
    before = await table.site.figure("process_resident_memory_bytes")
    big = frame(TEXT, b" " * 2**20)
    async with table.follower() as bystander:
        await asyncio.gather(*(closes(table.site, 1009, big) for _ in range(100)), table.say(3))
        await got_all(bystander, table.game, await table.version())
    grown = await table.site.figure("process_resident_memory_bytes") - before
    assert grown < 32 * 2**20


async def test_a_view_larger_than_the_send_buffer_arrives_whole_at_many(table):
    """Frames of the server are not bounded by a client's limit."""
    async with crowd(lambda: table.site.socket(table.token), 30) as clients:
        await asyncio.gather(*(client.subscribe(table.game, seat="spectator", updates="view") for client in clients))
        head = await table.act(3)
        got = await asyncio.gather(*(client.until(head) for client in clients))
        assert all(events[-1] == got[0][-1] for events in got)
