"""Silent: who says nothing, or half of something, is ended in time; who only listens stays."""

import asyncio

from tests.integration.hardening.input_kit import HANDSHAKE, PING, PONG, TEXT, frame, parts_of
from tests.sockets.kit import crowd, got_all

HELLO = b'{"type":"hello"}'


async def gone(site):
    await site.until(lambda now: now["turnlog_stream_sockets"] == 0)


async def test_without_hello_the_socket_is_closed(site):
    async with site.socket(hello=False) as client:
        assert await client.closed() == 4408
        assert client.got[-1]["code"] == 4408


async def test_half_a_hello_is_none(site):
    async def say(half):
        async with site.raw() as raw:
            await raw.handshake()
            await raw.send(half)
            return await raw.closed()

    halves = (frame(TEXT, HELLO)[:9], frame(TEXT, HELLO[:9], fin=False), frame(TEXT, HELLO, size=100))
    assert await asyncio.gather(*map(say, halves)) == [4408] * 3


async def test_pings_are_no_hello(site):
    async with site.raw() as raw:
        await raw.handshake()
        closing = asyncio.create_task(raw.closed())
        while not closing.done():
            await raw.send(frame(PING, b"x"))
            await asyncio.sleep(0.1)
        assert closing.result() == 4408


async def test_half_a_handshake_and_none_at_all_are_ended(site):
    async def send(half):
        async with site.raw() as raw:
            await raw.send(half)
            return parts_of(await raw.rest())[0]

    assert await asyncio.gather(*map(send, (b"", HANDSHAKE[:60], (HANDSHAKE % b"")[:-2]))) == [408] * 3


async def test_who_answers_no_ping_is_closed_after_two_heartbeats(site):
    async with site.raw() as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, HELLO))
        assert await raw.closed() == 1011
    await gone(site)


async def test_who_only_answers_pings_stays_and_gets_everything(site):
    table = await site.deal()
    async with site.raw() as raw:
        await raw.handshake()
        await raw.send(frame(TEXT, b'{"type":"subscribe","game":"%b","updates":"effects"}' % table.game.encode()))
        pings = 0
        while pings < 3:
            kind, payload = await raw.frame()
            if kind == PING:
                pings += 1
                await raw.send(frame(PONG, payload))
        head = await table.act()
        while (await raw.message()).get("version") != head:
            pass


async def test_two_hundred_silent_sockets_are_all_ended_and_one_that_plays_meanwhile_is_not_disturbed(site):
    table = await site.deal()
    async with table.follower() as bystander, crowd(lambda: site.socket(hello=False), 200) as silent:
        codes = asyncio.gather(*(client.closed() for client in silent))
        head = await table.act(3)
        await got_all(bystander, table.game, head)
        assert set(await codes) == {4408}
