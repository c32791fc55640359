"""Tickets: what a browser opens its WebSocket with."""

from datetime import timedelta

from server import shapes_beside
from server.http import Answer, Call, answer
from server.operations import SIGNED_UP, Operation, operation
from server.ports import timestamp


@operation(
    Operation(
        method="POST",
        path="/v1/tickets",
        needs=SIGNED_UP,
        tag="tokens",
        answer=shapes_beside.NewTicket,
        status=201,
        key=True,
        problems=("already_done",),
    )
)
async def make_ticket(request: Call) -> Answer:
    """Make a ticket with which one WebSocket can say `hello` as this token would, once and soon."""
    caller, services = await request.caller(), request.services
    await services.records.keep(await request.once_beside())
    ticket = await services.nodes.tickets.give(caller.token or "")
    until = services.clock.now() + timedelta(seconds=services.settings.ticket_s)
    return answer({"ticket": ticket, "expires_at": timestamp(until)}, 201)


HANDLERS = [make_ticket]
