"""Malformed: what is no message of ours is refused or closes, and who sent it resumes; nobody else notices."""

import json
import struct

import pytest

from tests.integration.hardening.input_kit import BINARY, CLOSE, TEXT, frame
from tests.sockets.kit import got_all, problem, versions

TRUNCATED = ('{"type":"ping"', '{"type":"subscribe","game":', '{"ty', "{", '"', '{"type":"ping"}}', '{"type":"ping"}{}')
WRONG_TYPES = (
    {"type": "hello", "token": 1},
    {"type": "subscribe", "game": ["g"]},
    {"type": "subscribe", "game": "g", "after": "1"},
    {"type": "subscribe", "game": "g", "seat": 1.5},
    {"type": "subscribe", "game": "g", "labels": "no"},
    {"type": "unsubscribe", "game": None},
    {"type": "act", "id": 7, "game": "g", "action": {}},
    {"type": "act", "id": "a", "game": "g", "action": "draw", "if_version": "*"},
    {"type": "act", "id": "a", "game": "g", "action": {}, "if_version": True},
    {"type": ["ping"]},
    {"type": None},
)
HUGE = (
    b'{"type":"subscribe","game":"g","after":%b}' % (b"9" * 5000),
    b'{"type":"subscribe","game":"g","seat":9223372036854775808}',
    b'{"type":"act","id":"a","game":"g","seat":0,"if_version":1e999,"action":{}}',
    b'{"type":"act","id":"a","game":"g","seat":0,"if_version":"*","action":{"action":"x","n":%b}}' % (b"9" * 5000),
    b'{"type":"act","id":"a","game":"g","seat":-9223372036854775809,"if_version":"*","action":{}}',
)


@pytest.fixture
async def table(site):
    return await site.deal()


async def refused_and_goes_on(table, sent, code="invalid"):
    """Each is refused; the socket and its subscription go on, and so does another client's."""
    async with table.follower() as client, table.follower() as bystander:
        for one in sent:
            await client.socket.send(one)
            told = await client.first("refused", "pong", "closing")
            assert problem(told) == code, one
        head = await table.act()
        await got_all(client, table.game, head)
        await got_all(bystander, table.game, head)
        assert {told["type"] for told in bystander.got} == {"welcome", "subscribed", "event"}


async def closed_and_resumes(table, sent, code):
    """It closes the socket with this code; a new one resumes where the first one was."""
    async with table.follower() as bystander:
        async with table.site.raw() as raw:
            await raw.handshake(f"Authorization: Bearer {table.token}\r\n".encode())
            await raw.send(frame(TEXT, json.dumps({"type": "subscribe", "game": table.game}).encode()))
            while (told := await raw.message())["type"] != "snapshot":
                pass
            await raw.send(sent)
            assert await raw.closed() == code
        head = await table.act()
        async with table.site.socket(table.token) as client:
            await client.subscribe(table.game, after=told["version"])
            assert await got_all(client, table.game, head) == list(range(told["version"] + 1, head + 1))
        await got_all(bystander, table.game, head)


async def test_truncated_json_is_refused_and_the_subscription_goes_on(table):
    await refused_and_goes_on(table, TRUNCATED)


async def test_fields_of_wrong_types_are_refused_and_the_subscription_goes_on(table):
    for first in range(0, len(WRONG_TYPES), 6):
        await refused_and_goes_on(table, map(json.dumps, WRONG_TYPES[first : first + 6]))


async def test_unknown_types_and_fields_are_refused_with_the_id_of_their_message(table):
    async with table.follower() as client:
        for number, wrong in enumerate(
            ({"type": "dance"}, {"type": ""}, {"type": "ping", "loud": 1}, {"type": "event"})
        ):
            await client.socket.send(json.dumps(wrong | {"id": f"i-{number}"}))
            told = await client.first("refused")
            assert (problem(told), told["id"]) == ("invalid", f"i-{number}")
        await got_all(client, table.game, await table.act())


async def test_binary_frames_are_refused_and_the_subscription_goes_on(table):
    await refused_and_goes_on(table, (b"", b'{"type":"ping"}', bytes(range(256)), b"\x00" * 16_000))


async def test_text_that_is_no_utf_8_closes_and_the_client_resumes_without_a_gap(table):
    await closed_and_resumes(table, frame(TEXT, b'{"type":"ping","id":"\xc3\x28"}'), 1007)


async def test_nul_is_refused_wherever_it_stands(table):
    sent = ("\x00", '{"type":"ping"}\x00', '{"type":"ping","id":"\\u0000"}', '{"type":"pi\\u0000ng"}', "\x00" * 1000)
    await refused_and_goes_on(table, sent)
    async with table.follower() as client:
        assert problem(await client.subscribe("\x00")) in ("invalid", "not_found")


async def test_deep_nesting_is_refused_before_it_is_decoded(table):
    deep = '{"type":"act","id":"a","game":"g","if_version":"*","action":{"a":%s%s}}'
    await refused_and_goes_on(table, ("[" * 16_000, '{"a":' * 3000, deep % ("[" * 7000, "]" * 7000)))


async def test_huge_numbers_are_refused_and_cost_nothing(table):
    async with table.follower() as client:
        for sent in HUGE:
            await client.socket.send(sent.decode())
            assert (await client.first("refused"))["problem"]["status"] < 500, sent[:80]
        await got_all(client, table.game, await table.act())


async def test_a_frame_that_ends_in_its_middle_with_its_connection_is_no_message(table):
    head = await table.version()
    seat, action = await table.owed()
    told = {"type": "act", "id": "cut", "game": table.game, "seat": seat, "action": action, "if_version": "*"}
    whole = frame(TEXT, json.dumps(told).encode())
    for cut in (1, 2, 6, len(whole) // 2, len(whole) - 1):
        async with table.site.raw() as raw:
            await raw.handshake(f"Authorization: Bearer {table.token}\r\n".encode())
            await raw.send(whole[:cut])
    await table.site.until(lambda now: now["turnlog_stream_sockets"] == 0)
    assert await table.version() == head


async def test_frames_against_the_protocol_close_and_the_client_resumes_without_a_gap(table):
    await closed_and_resumes(table, frame(TEXT, b'{"type":"ping"}', masked=False), 1002)
    await closed_and_resumes(table, frame(TEXT, b'{"type":"ping"}', rsv=4), 1002)
    await closed_and_resumes(table, frame(CLOSE, struct.pack("!H", 1005)), 1002)


async def test_ten_messages_that_are_none_close_and_good_ones_between_them_do_not_help(table):
    async with table.follower() as client, table.follower() as bystander:
        for number in range(10):
            await client.socket.send("?" if number % 2 else b"?")
            await client.send("ping")
        assert await client.closed() == 4400
        head = await table.act()
        await got_all(bystander, table.game, head)
        assert versions(client, table.game) == list(range(1, head))


async def test_a_message_in_a_binary_frame_does_nothing(table):
    async with table.site.raw() as raw:
        await raw.handshake(f"Authorization: Bearer {table.token}\r\n".encode())
        seat, action = await table.owed()
        told = {"type": "act", "id": "x", "game": table.game, "seat": seat, "action": action, "if_version": "*"}
        head = await table.version()
        await raw.send(frame(BINARY, json.dumps(told).encode()))
        assert problem(await raw.message()) == "invalid"
        assert await table.version() == head
