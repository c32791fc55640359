"""Tickets, over two nodes: good once, for a second here, on either of them."""

import asyncio
from collections import Counter

from tests.sockets.kit import problem


async def use(site, ticket):
    """4401 or None: whether the ticket let a socket in."""
    async with site.socket(hello=False) as client:
        await client.send("hello", ticket=ticket)
        return (await client.first("welcome", "closing")).get("code")


async def test_a_ticket_of_one_node_lets_in_on_the_other_once(nodes):
    a, b = nodes
    _, token = await a.player()
    ticket = await a.ticket(token)
    assert [await use(b, ticket), await use(b, ticket), await use(a, ticket)] == [None, 4401, 4401]


async def test_of_twenty_sockets_on_two_nodes_that_say_it_at_once_one_is_let_in(nodes):
    _, token = await nodes[0].player()
    for _ in range(3):
        ticket = await nodes[0].ticket(token)
        codes = await asyncio.gather(*(use(nodes[number % 2], ticket) for number in range(20)))
        assert Counter(codes) == {None: 1, 4401: 19}


async def test_a_ticket_that_is_too_old_is_none(nodes):
    a, b = nodes
    _, token = await a.player()
    tickets = [await a.ticket(token) for _ in range(2)]
    await asyncio.sleep(1.1)
    assert [await use(a, tickets[0]), await use(b, tickets[1])] == [4401, 4401]


async def test_a_ticket_stands_for_its_token_with_all_its_bounds(nodes):
    a, b = nodes
    table = await a.deal()
    narrow = await a.narrowed(table.token, scopes=["watch"])
    seat, action = await table.owed()
    ticket = await a.ticket(narrow)
    async with b.socket(hello=False) as client:
        assert (await client.ask("hello", ticket=ticket))["type"] == "welcome"
        told = await client.ask("act", game=table.game, seat=seat, action=action, if_version="*")
        assert problem(told) == "not_allowed"
