"""What comes over a connection before it is a request of ours: refused, ended, bounded; nobody else notices.

docs/limits.md lists all of it.
"""

import asyncio
import json
import socket

import pytest

from server.operations import JSON
from tests.integration.hardening.input_kit import HANDSHAKE, Raw, parts_of, port_of
from tests.integration.stream.kit import running

pytestmark = pytest.mark.slow

GET = b"GET %b HTTP/1.1\r\nHost: a\r\n%bConnection: close\r\n\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: a\r\n%bConnection: close\r\n\r\n%b"

#: No HTTP/1.1 request, or one that two servers could read in two ways.
UNREADABLE = {
    "nothing of HTTP": b"\x00\x01\x02\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 200,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a version to come": b"GET / HTTP/3.7\r\nHost: a\r\n\r\n",
    "an unknown method": b"FOO / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a proxy's method": b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    "no path": b"GET  HTTP/1.1\r\nHost: a\r\n\r\n",
    "a path without slash": b"GET health HTTP/1.1\r\nHost: a\r\n\r\n",
    "bytes in the path": GET % (b"/v1/games/\xff\xfe", b""),
    "UTF-8 in the path": GET % ("/v1/games/ü".encode(), b""),
    "NUL in the path": GET % (b"/v1/games/\x00", b""),
    "bytes in the query": GET % (b"/v1/games?text=\xff", b""),
    "NUL in a header": GET % (b"/health/live", b"X: a\x00b\r\n"),
    "a space in the name of a header": GET % (b"/health/live", b"X y: a\r\n"),
    "a folded header": GET % (b"/health/live", b"X: a\r\n b\r\n"),
    "lines that end with LF": b"GET /health/live HTTP/1.1\nHost: a\n\n",
    "two lengths": POST % (b"Content-Length: 2\r\nContent-Length: 3\r\n", b"{}"),
    "a length and chunks": POST % (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"2\r\n{}\r\n0\r\n\r\n"),
    "a negative length": POST % (b"Content-Length: -2\r\n", b"{}"),
    "a length beyond 64 bits": POST % (b"Content-Length: 99999999999999999999999\r\n", b"{}"),
    "a chunk without size": POST % (b"Transfer-Encoding: chunked\r\n", b"zz\r\n{}\r\n0\r\n\r\n"),
    "an unknown transfer coding": POST % (b"Transfer-Encoding: xchunked\r\n", b"2\r\n{}\r\n0\r\n\r\n"),
}

#: Requests that are read, and what becomes of them.
READ = {
    "HTTP/1.0": (b"GET /health/live HTTP/1.0\r\n\r\n", 200),
    "an absolute address": (GET % (b"http://elsewhere/health/live", b""), 200),
    "a fragment": (GET % (b"/health/live#x", b""), 200),
    "dots that lead out": (GET % (b"/v1/../../etc/passwd", b""), 404),
    "encoded dots": (GET % (b"/v1/%2e%2e/%2e%2e/etc/passwd", b""), 404),
    "encoded dots in the page": (GET % (b"/web/%2e%2e/%2e%2e/pyproject.toml", b""), 404),
    "an encoded slash": (GET % (b"/v1/games%2Fx", b""), 404),
    "an encoded line end": (GET % (b"/v1/games/%0d%0aSet-Cookie:x=1", b""), 404),
    "an encoded NUL": (GET % (b"/v1/games/%00", b""), 404),
    "overlong UTF-8": (GET % (b"/v1/games/%c0%80", b""), 404),
    "an encoded surrogate": (GET % (b"/v1/games/%ed%a0%80?x=%ed%b0%80", b""), 400),
    "bytes that are no UTF-8": (GET % (b"/v1/games/%ff%fe", b""), 404),
    "half an encoding": (GET % (b"/v1/games/%zz%", b""), 404),
    "a surrogate in the query": (GET % (b"/v1/games?text=%ed%a0%80&player=%00", b""), 200),
    "parameters without names": (GET % (b"/v1/games?text=a;b=c&&&=", b""), 400),
    "TRACE": (b"TRACE /v1/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    "PATCH": (b"PATCH /v1/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
    "OPTIONS *": (b"OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
    "a range": (GET % (b"/v1/games", b"Range: bytes=0-1,5-9999999999999999999\r\n"), 200),
    "an Accept of nonsense": (GET % (b"/v1/games", b"Accept: ;;;,,q=\xff/\r\n"), 406),
    "a quality that is none": (GET % (b"/v1/games", b"Accept: application/json;q=nan\r\n"), 406),
    "languages without end": (GET % (b"/v1/rulesets", b"Accept-Language: %b\r\n" % (b"x;q=inf," * 1500)), 200),
    "an encoding that is none": (GET % (b"/v1/rulesets", b"Accept-Encoding: gzip;q=nan, \xff\r\n"), 200),
    "a token of bytes": (GET % (b"/v1/me", b"Authorization: Bearer \xff\xfe\r\n"), 401),
    "two tokens": (GET % (b"/v1/me", b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"), 401),
    "a token of 10,000": (GET % (b"/v1/me", b"Authorization: Bearer %b\r\n" % (b"a" * 10_000)), 401),
    "a key of bytes": (POST % (b"Idempotency-Key: \xff\r\nContent-Length: 2\r\n", b"{}"), 400),
    "a form": (POST % (b"Content-Type: multipart/form-data\r\nContent-Length: 2\r\n", b"{}"), 415),
    "a compressed body": (POST % (b"Content-Encoding: gzip\r\nContent-Length: 3\r\n", b"\x1f\x8b\x08"), 400),
    "a body announced as too large": (POST % (b"Content-Length: 9999999999\r\n", b"{}"), 413),
    "a body to be allowed first": (POST % (b"Expect: 100-continue\r\nContent-Length: 200000\r\n", b""), 413),
    "a request id of two lines": (GET % (b"/health/live", b"X-Request-ID: a b\xff\r\n"), 200),
    "an ETag of nonsense": (GET % (b"/v1/rulesets", b'If-None-Match: \xff,,,"\r\n'), 200),
    "a socket where there is none": (HANDSHAKE.replace(b"/v1/stream", b"/v1/games") % b"", 403),
    "a socket without a key": (HANDSHAKE.replace(b"Sec-WebSocket-Key", b"X") % b"", 400),
    "a socket of another version": (HANDSHAKE.replace(b"Version: 13", b"Version: 7") % b"", 400),
    "a socket by POST": (HANDSHAKE.replace(b"GET", b"POST") % b"", 405),
    "a socket from an origin that is none": (HANDSHAKE % b"Origin: http://[\r\n", 403),
}

TOO_LARGE = {
    "a path": GET % (b"/" + b"a" * 70_000, b""),
    "a header": GET % (b"/health/live", b"X: %b\r\n" % (b"a" * 70_000)),
    "many headers": GET % (b"/health/live", b"X: a\r\n" * 20_000),
    "a header of a handshake": HANDSHAKE % (b"X: %b\r\n" % (b"a" * 10_000)),
    "many headers of a handshake": HANDSHAKE % (b"X: a\r\n" * 300),
}


async def told(world, request):
    async with Raw(port_of(world)) as raw:
        await raw.send(request)
        return parts_of(await raw.rest())


async def alive(world):
    """The server answers others."""
    status, _, body = await told(world, GET % (b"/health/ready", b""))
    assert (status, json.loads(body)["status"]) == (200, "ready")


async def test_what_is_no_request_is_refused_and_the_connection_ended():
    async with running() as world:
        for name, request in UNREADABLE.items():
            status, headers, body = await told(world, request)
            assert (status, headers["content-type"]) == (400, "application/problem+json"), name
            assert json.loads(body)["code"] == "invalid", name
        await alive(world)


async def test_odd_requests_get_ordinary_answers():
    async with running(cors_origins=("https://board.example",)) as world:
        for name, (request, expected) in READ.items():
            status, headers, body = await told(world, request)
            assert status == expected, (name, status, body)
            if status >= 400 and b"/v1/stream" not in request and b"Upgrade: websocket" not in request:
                assert headers["content-type"] == "application/problem+json", name
                assert json.loads(body)["status"] == status, name
            assert "set-cookie" not in headers, name
        await alive(world)


async def test_a_large_head_is_refused_and_the_connection_ended():
    async with running() as world:
        for name, request in TOO_LARGE.items():
            assert (await told(world, request))[0] == 431, name
        await alive(world)


async def test_a_header_without_end_is_cut_off_at_the_limit():
    async with running() as world, Raw(port_of(world)) as raw:
        await raw.send(b"GET /health/live HTTP/1.1\r\nX: ")
        sent = 0
        while await raw.send(b"a" * 4096):
            sent += 4096
            await asyncio.sleep(0)
        assert sent < 64 * 1024 * 1024  # what the kernels of both sides buffer, and no more
        await alive(world)


async def test_pipelined_requests_are_not_taken_for_one_large_head():
    async with running() as world, Raw(port_of(world)) as raw:
        one = (
            b"POST /v1/players HTTP/1.1\r\nHost: a\r\nContent-Type: %b\r\nContent-Length: 9000\r\n\r\n" % JSON.encode()
        )
        requests = (one + b"{" + b" " * 8998 + b"}") * 8
        await raw.send(requests + GET % (b"/health/live", b""))
        answers = (await raw.rest()).split(b"HTTP/1.1 ")[1:]
        assert [answer[:3] for answer in answers] == [b"201"] * 8 + [b"200"]


async def test_a_connection_too_many_is_refused_and_one_that_ends_makes_room():
    async with running(connections_max=2) as world:
        async with Raw(port_of(world)), Raw(port_of(world)) as there:
            status, _, body = await told(world, b"")
            assert (status, json.loads(body)["code"]) == (503, "unavailable")
            await there.send(GET % (b"/health/live", b""))
            assert parts_of(await there.rest())[0] == 200
        async with asyncio.timeout(5):
            while (await told(world, GET % (b"/health/live", b"")))[0] != 200:  # noqa: ASYNC110 - it is the server that ends them
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("sent", [b"", b"GET /health/live HT", b"GET /health/live HTTP/1.1\r\nHost: a\r\nX:"])
async def test_a_head_that_does_not_come_to_an_end_is_refused(sent):
    async with running(head_s=0.05) as world:
        status, _, body = await told(world, sent)
        assert (status, json.loads(body)["code"]) == (408, "request_timeout")
        await alive(world)


async def test_a_head_that_comes_drop_by_drop_has_no_more_time_than_another():
    async with running(head_s=0.2) as world, Raw(port_of(world)) as raw:
        answer = asyncio.create_task(raw.rest())
        await raw.send(b"GET /health/live HTTP/1.1\r\nX: ")
        while not answer.done():
            await raw.send(b"a")
            await asyncio.sleep(0.01)
        assert parts_of(answer.result())[0] == 408


async def test_line_ends_between_requests_keep_no_connection_open():
    async with running(head_s=0.2) as world, Raw(port_of(world)) as raw:
        await raw.send(b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = asyncio.create_task(raw.rest())
        while not answer.done():
            await raw.send(b"\r\n")
            await asyncio.sleep(0.01)
        assert answer.result().count(b"HTTP/1.1 200") == 1


@pytest.mark.parametrize("path", ["/v1/players", "/v1/games"])
async def test_a_body_that_stands_still_ends_the_connection(path):
    async with running(transfer_stall_s=0.05) as world, Raw(port_of(world)) as raw:
        await raw.send(b"POST %b HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n{" % path.encode())
        await raw.rest()
        await alive(world)


async def test_a_body_that_goes_on_slowly_is_taken():
    async with running(transfer_stall_s=1.0) as world, Raw(port_of(world)) as raw:
        await raw.send(b"POST /v1/players HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 20\r\n\r\n")
        for byte in b'{"name": "Ada"}     ':
            await raw.send(bytes([byte]))
            await asyncio.sleep(0.01)
        assert parts_of(await raw.rest())[0] == 201


async def test_a_client_that_does_not_take_its_answers_is_cut_off():
    async with running(transfer_stall_s=0.2) as world:
        end = socket.socket()
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.connect(("127.0.0.1", port_of(world)))
        asked = b"GET /schema/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
        end.setblocking(False)
        end.send(asked * 100)
        connections = world.server.server_state.connections
        await world.until(lambda: connections)
        (connection,) = connections
        await world.until(lambda: connection.flow.write_paused)
        await alive(world)
        await world.until(lambda: connection not in connections)
        end.close()
