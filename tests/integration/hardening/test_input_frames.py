"""What comes over a socket that is no message of ours: closed with a documented code, bounded, unnoticed by others."""

import asyncio
import json
import re
import socket
import struct
from pathlib import Path

import pytest

import server
from tests.integration.hardening.input_kit import BINARY, CLOSE, PING, PONG, TEXT, Raw, frame, port_of
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow

STREAM_PAGE = Path(server.__file__).parent.parent / "docs" / "stream.md"
DOCUMENTED = {
    int(code)
    for row in re.findall(r"^\| ([\d, ]+) \| (?:terminal|reconnect) \|", STREAM_PAGE.read_text(), re.MULTILINE)
    for code in row.split(", ")
}
CONT = 0x0
HELLO = b'{"type":"hello"}'

#: Frames that break the protocol, and the code that the socket is closed with.
BROKEN = {
    "an unmasked frame": (frame(TEXT, HELLO, masked=False), 1002),
    "a reserved bit": (frame(TEXT, HELLO, rsv=4), 1002),
    "a reserved opcode": (frame(0x3, HELLO), 1002),
    "a reserved control opcode": (frame(0xB, b""), 1002),
    "a fragmented ping": (frame(PING, b"x", fin=False), 1002),
    "a ping of 126 bytes": (frame(PING, b"x" * 126), 1002),
    "a piece without a beginning": (frame(CONT, HELLO), 1002),
    "a beginning within a message": (frame(TEXT, b"{", fin=False) + frame(TEXT, HELLO), 1002),
    "a close of one byte": (frame(CLOSE, b"x"), 1002),
    "a close with a code that is none": (frame(CLOSE, struct.pack("!H", 999)), 1002),
    "a close with 1005": (frame(CLOSE, struct.pack("!H", 1005)), 1002),
    "a close with words that are no UTF-8": (frame(CLOSE, struct.pack("!H", 1000) + b"\xff"), 1007),
    "text that is no UTF-8": (frame(TEXT, b'"\xff\xfe"'), 1007),
    "a surrogate": (frame(TEXT, b'{"type":"\xed\xa0\x80"}'), 1007),
    "overlong UTF-8": (frame(TEXT, b'{"type":"\xc0\x80"}'), 1007),
    "a frame of 2^63 bytes": (frame(TEXT, b"x", size=2**63), 1009),
    "a frame of 2^40 bytes": (frame(TEXT, b"x", size=2**40), 1009),
    "a frame of a megabyte": (frame(TEXT, b"x" * 2**20), 1009),
    "pieces of a megabyte": (
        frame(TEXT, b"x" * 50_000, fin=False) + frame(CONT, b"x" * 50_000, fin=False),
        1009,
    ),
    "a message over the limit": (frame(TEXT, b" " * 16_385), 4413),
    "a message over the limit in pieces": (
        frame(TEXT, b" " * 9000, fin=False) + frame(CONT, b" " * 9000),
        4413,
    ),
}

#: Messages that are refused and leave the socket open.
REFUSED = {
    "bytes": frame(BINARY, HELLO),
    "no bytes": frame(BINARY),
    "nothing": frame(TEXT),
    "brackets": frame(TEXT, b"[" * 16_000),
    "objects": frame(TEXT, b'{"type":' * 1500),
    "brackets in an action": frame(TEXT, b'{"type":"act","id":"a","game":"g","action":%b}' % (b"[" * 100 + b"]" * 100)),
    "NUL": frame(TEXT, b"\x00"),
    "a lone surrogate": frame(TEXT, b'{"type":"ping","id":"\\ud800"}'),
    "a number beyond 64 bits": frame(TEXT, b'{"type":"subscribe","game":"g","after":1%b}' % (b"0" * 400)),
    "a number beyond floats": frame(TEXT, b'{"type":"subscribe","game":"g","after":1e400}'),
    "NaN": frame(TEXT, b'{"type":"subscribe","game":"g","after":NaN}'),
    "a version below 0": frame(TEXT, b'{"type":"act","id":"a","game":"g","action":{},"if_version":-1}'),
    "a seat that is true": frame(TEXT, b'{"type":"subscribe","game":"g","seat":true}'),
    "another type": frame(TEXT, b'{"type":1}'),
    "an unknown field": frame(TEXT, b'{"type":"ping","x":1}'),
    "an id with NUL": frame(TEXT, b'{"type":"ping","id":"a\\u0000"}'),
    "an action that is a list": frame(TEXT, b'{"type":"act","id":"a","game":"g","action":[]}'),
    "an action with NUL": frame(TEXT, b'{"type":"act","id":"a","game":"g","action":{"action":"\\u0000"}}'),
    "a game with NUL": frame(TEXT, b'{"type":"subscribe","game":"\\u0000"}'),
    "a game of 65": frame(TEXT, b'{"type":"subscribe","game":"%b"}' % (b"g" * 65)),
}


async def alive(world):
    async with world.client() as other:
        assert (await other.ask("ping"))["type"] == "pong"


async def gone(world, count=0):
    await world.until(lambda: len(world.services.hub.sockets._sockets) == count)


def protocol_of(world):
    """The protocol of the only socket there is."""
    (session,) = world.services.hub.sockets._sockets
    return session._wire._protocol


async def test_broken_frames_close_with_documented_codes():
    async with running() as world:
        for name, (sent, code) in BROKEN.items():
            async with Raw(port_of(world)) as raw:
                await raw.handshake()
                await raw.send(sent)
                assert await raw.closed() == code, name
                assert code in DOCUMENTED
            await gone(world)
        await alive(world)


async def test_what_is_no_message_is_refused_and_the_next_one_taken():
    async with running(socket_garbage_max=1000) as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        for name, sent in REFUSED.items():
            await raw.send(sent)
            told = await raw.message()
            assert told["type"] == "refused", name
            assert told["problem"]["status"] < 500, name
        pieces = [frame(TEXT, b'{"type":', fin=False), frame(PING, b"in between"), frame(CONT, b'"ping"}')]
        await raw.send(b"".join(pieces))
        assert await raw.frame() == (PONG, b"in between")
        assert (await raw.message())["type"] == "pong"


async def test_of_two_fields_with_one_name_the_last_counts():
    async with running() as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, b'{"type":"ping","id":"first","id":"last"}'))
        assert (await raw.message())["id"] == "last"


async def test_a_client_that_asks_for_pongs_and_reads_none_takes_no_memory():
    """By itself uvicorn writes a pong for each ping, whether the client reads or not."""
    async with running(socket_frames_max=10**9) as world:
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.connect(("127.0.0.1", port_of(world)))
        async with Raw(port_of(world)) as raw:
            raw.writer.transport.abort()
            raw.reader, raw.writer = await asyncio.open_connection(sock=end, limit=1024)
            await raw.handshake()
            await world.until(lambda: len(world.services.hub.sockets._sockets) == 1)
            protocol = protocol_of(world)
            pings = frame(PING, b"x" * 125) * 500
            while protocol.writable.is_set():
                await raw.send(pings)
            most = 0
            for _ in range(60):  # 4 MB of pongs
                await raw.send(pings)
                most = max(most, protocol.transport.get_write_buffer_size())
            assert most < 256 * 1024
            await alive(world)
            await raw.send(frame(PING, b"the last one"))
            while (await raw.frame())[1] != b"the last one":
                pass


@pytest.mark.parametrize(
    "idle",
    [frame(PING), frame(PONG), frame(CONT, b"", fin=False)],
    ids=["pings", "pongs that nobody asked for", "empty pieces"],
)
async def test_frames_without_end_that_are_no_message_close(idle):
    async with running(socket_frames_max=100) as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, b"{", fin=False) + idle * 99)
        await alive(world)
        await raw.send(idle * 2)
        assert await raw.closed() == 1008
        assert 1008 in DOCUMENTED


async def test_a_client_that_says_something_now_and_then_may_ping_for_ever():
    async with running(socket_frames_max=100, heartbeat_s=0.05) as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        beats = 0
        await raw.send(frame(TEXT, HELLO))
        while beats < 5:
            await raw.send(frame(PING, b"mine") * 90)
            while (got := await raw.frame())[0] != PING:
                assert got[0] in (PONG, TEXT)
            beats += 1
            await raw.send(frame(PONG, got[1]))


async def test_a_half_open_socket_is_closed_after_two_heartbeats():
    """One whose other side is gone without a word: nothing comes, not even a pong."""
    async with running(heartbeat_s=0.1) as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, HELLO))
        assert await raw.closed() == 1011
        await gone(world)
        await alive(world)


async def test_a_socket_half_closed_by_its_client_ends():
    async with running() as world, Raw(port_of(world)) as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, HELLO))
        assert (await raw.message())["type"] == "welcome"
        raw.writer.write_eof()
        await raw.rest()
        await gone(world)


async def test_a_socket_that_breaks_in_the_middle_of_a_frame_is_forgotten():
    async with running() as world:
        for cut in (1, 3, 7, 12):
            async with Raw(port_of(world)) as raw:
                await raw.handshake()
                await raw.send(frame(TEXT, HELLO)[:cut])
                raw.writer.transport.abort()
            await gone(world)


async def test_random_bytes_after_the_handshake_hurt_nobody():
    async with running() as world:
        codes = set()
        for seed in range(200):
            async with Raw(port_of(world)) as raw:
                await raw.handshake()
                await raw.send(world.random.randbytes(1 + seed % 64))
                raw.writer.write_eof()
                while (got := await raw.frame()) is not None:
                    if got[0] == CLOSE:
                        codes.add(struct.unpack("!H", got[1][:2])[0])
        assert codes <= DOCUMENTED
        await gone(world)
        await alive(world)


async def test_messages_of_a_fuzzer_are_answered_or_closed_never_failed():
    base = [
        {"type": "hello", "token": None},
        {"type": "subscribe", "game": "g", "id": "s", "seat": 0, "after": 0, "updates": "view"},
        {"type": "unsubscribe", "game": "g"},
        {"type": "act", "id": "a", "game": "g", "seat": 0, "action": {"action": "resign"}, "if_version": 1},
        {"type": "ping", "id": "p"},
    ]
    odd = [None, True, -1, 0, 2**53, 2**63, 2**64, 1.5, "", "x", "\x00", "é" * 70, [], [1], {}, {"action": []}, "*"]
    async with running(socket_garbage_max=10**6) as world, Raw(port_of(world)) as raw:
        player = await world.player("ann")
        game = await world.create([player, "bot:random", "bot:random"])
        await raw.handshake(f"Authorization: Bearer {world.tokens[player]}\r\n".encode())
        for _ in range(800):
            message = dict(world.random.choice(base))
            if "game" in message:
                message["game"] = game
            for _ in range(world.random.randint(1, 2)):
                message[world.random.choice([*message, "x"])] = world.random.choice(odd)
            await raw.send(frame(TEXT, json.dumps(message).encode()) + frame(TEXT, b'{"type":"ping","id":"mark"}'))
            while (told := await raw.message()).get("id") != "mark":
                assert told.get("problem", {}).get("status", 400) < 500, (message, told)
