"""Half-open: the other side is gone without a word, or for a while, or does not let go."""

import asyncio
import json
import socket
import struct

import pytest

from tests.integration.hardening.input_kit import CLOSE, TEXT, frame
from tests.integration.stream.kit import Client
from tests.sockets.kit import got_all, versions
from tests.sockets.proxy import line_to


@pytest.fixture
async def table(site):
    return await site.deal()


async def gone(table):
    await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0)


def by(port, table):
    return Client(f"ws://127.0.0.1:{port}/v1/stream", table.token, ping_interval=None)


def reset(writer):
    """End the connection as a machine does that knows nothing of it: RST."""
    kernel = writer.get_extra_info("socket")
    kernel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def test_a_peer_that_vanished_is_noticed_and_the_client_resumes_on_a_new_line(table):
    async with line_to(table.site.port) as (line, port):
        async with by(port, table) as client:
            await client.subscribe(table.game, after=0, seat="spectator")
            await got_all(client, table.game, await table.act())
            line.cut()
            had = versions(client, table.game)[-1]
            await table.say(3)
            await gone(table)
        async with table.follower(after=had) as again:
            head = await table.say()
            assert await got_all(again, table.game, head) == list(range(had + 1, head + 1))


async def test_a_line_that_is_dead_for_less_than_a_heartbeat_loses_and_repeats_nothing(table):
    async with line_to(table.site.port) as (line, port), by(port, table) as client:
        await client.subscribe(table.game, after=0, seat="spectator")
        for _ in range(3):
            line.cut()
            head = await table.act()
            await asyncio.sleep(0.1)
            line.mend()
            assert await got_all(client, table.game, head) == list(range(1, head + 1))


async def test_an_act_whose_answer_the_line_swallowed_is_answered_again_and_played_once(table):
    async with line_to(table.site.port) as (line, port), by(port, table) as client:
        seat, action = await table.owed()
        told = {"id": "swallowed", "game": table.game, "seat": seat, "action": action, "if_version": "*"}
        before = await table.version()
        await client.send("act", **told)
        while await table.version() == before:  # noqa: ASYNC110 - the answer is what must not come
            await asyncio.sleep(0.01)
        line.cut()
        head = await table.version()
        async with table.site.socket(table.token) as other:
            answer = await other.ask("act", **told)
            assert (answer["type"], answer["version"]) == ("accepted", before + 1)
        assert await table.version() == head
    await gone(table)


async def test_a_reset_connection_is_forgotten_at_once_also_in_the_middle_of_a_message(table):
    asked = frame(TEXT, b'{"type":"subscribe","game":"%b","after":0}' % table.game.encode())
    for sent in (asked, asked + frame(TEXT, b"{", fin=False), asked + asked[:10]):
        async with table.site.raw() as raw:
            await raw.handshake()
            await raw.send(sent)
            assert (await raw.message())["type"] == "subscribed"
            reset(raw.writer)
        await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0, seconds=5)


async def test_a_connection_that_is_reset_while_much_waits_for_it_is_forgotten_with_all_of_it(table):
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    end.connect(("127.0.0.1", table.site.port))
    end.setblocking(False)
    async with table.site.raw() as raw:
        raw.writer.transport.abort()
        raw.reader, raw.writer = await asyncio.open_connection(sock=end, limit=1024)
        await raw.handshake()
        await raw.send(frame(TEXT, b'{"type":"subscribe","game":"%b","updates":"view"}' % table.game.encode()))
        raw.writer.transport.pause_reading()
        while await table.site.figure("turnlog_stream_queue_bytes") == 0:
            await table.chatter(10)
        reset(raw.writer)
        found = await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0, seconds=5)
        assert found["turnlog_stream_queue_bytes"] == 0


async def test_a_client_that_says_close_and_does_not_hang_up_is_hung_up_on(table):
    async with table.site.raw() as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, b'{"type":"hello"}') + frame(CLOSE, struct.pack("!H", 1000)))
        while (got := await raw.frame()) is not None:
            assert got[0] in (TEXT, CLOSE)
        await gone(table)


async def test_a_client_that_only_stops_sending_is_ended_and_its_last_act_stands(table):
    seat, action = await table.owed()
    before = await table.version()
    told = b'{"type":"act","id":"last","game":"%b","seat":%d,"if_version":"*","action":%b}'
    async with table.site.raw() as raw:
        await raw.handshake(f"Authorization: Bearer {table.token}\r\n".encode())
        await raw.send(frame(TEXT, told % (table.game.encode(), seat, json.dumps(action).encode())))
        assert (await raw.message())["type"] == "accepted"
        raw.writer.write_eof()
        await raw.rest()
    await gone(table)
    assert await table.version() > before
