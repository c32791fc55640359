"""The way of requests: a network that loses, repeats and is slow, to nodes that may die before they have answered."""

import asyncio

from msgspec import Struct

from tests.simulation.chance import SimClock
from tests.simulation.clients import PATIENCE_S
from tests.simulation.front import Request, serve
from tests.simulation.judge import Violation
from tests.simulation.loop import Process
from tests.simulation.node import Unreachable


class Attempt(Struct, kw_only=True):
    """A request on its way through one node. known, repeated: it had been carried out, or acknowledged, before."""

    player: str
    request: Request
    seat: int
    process: Process
    clock: SimClock
    known: bool
    repeated: bool
    judged: bool
    done: bool = False


class Network:
    """Between the clients of a run and its nodes."""

    def __init__(self, world):
        self._world = world
        self._chance = world.chance

    async def call(self, player, request, attempts, seat, *, judged=True):
        """Send a request to some node. Raises Unreachable."""
        world, chance = self._world, self._chance
        node = world.any_node(chance)
        if node is None:
            raise Unreachable
        await asyncio.sleep(self._latency())
        if not node.ready or chance.random() < world.faults.net_lost:
            raise Unreachable
        served = self._serve(node, player, request, attempts, seat, judged=judged)
        if request.key is not None and chance.random() < world.faults.net_repeated:
            other = world.any_node(chance)
            if other is not None:
                world.sometimes("a request arrived twice")
                self._serve(other, player, request, attempts, seat, judged=judged)
        try:
            async with asyncio.timeout(PATIENCE_S):
                reply = await asyncio.shield(served)
        except TimeoutError:
            raise Unreachable from None
        await asyncio.sleep(self._latency())
        if chance.random() < world.faults.net_lost:
            world.sometimes("an answer was lost")
            raise Unreachable
        return reply

    def _serve(self, node, player, request, attempts, seat, *, judged):
        """Have a node serve a request; a future of its reply, which fails if the process dies before."""
        world = self._world
        once, reply = (player.id, request.key), world.loop.create_future()
        attempt = Attempt(
            player=player.id,
            request=request,
            seat=seat,
            process=node.process,
            clock=node.clock,
            known=once in world.truth.commands(),
            repeated=world.judge.is_acknowledged(once),
            judged=judged,
        )
        attempts.append(attempt)
        node.process.on_death.append(lambda: world.later(0.01, _break, reply))
        task = node.spawn(serve(node.services, request))
        task.add_done_callback(lambda ended: self._served(ended, reply, attempt, attempts))
        return reply

    def _served(self, task, reply, attempt, attempts):
        world, request = self._world, attempt.request
        if task.cancelled():
            _break(reply)
            return
        if task.exception() is not None:
            world.fail(f"{request.do} failed in the server: {task.exception()!r}", task.exception())
            return
        attempt.done = True
        answer = task.result()
        world.note("answered", request.key, request.do, attempt.process.name, answer.code or "done")
        if attempt.judged:
            try:
                world.judge.answered(
                    attempt.player, request, answer, attempt.seat, repeated=attempt.repeated, clock=attempt.clock
                )
            except Violation as violation:
                world.fail(f"{attempt.process.name}: {violation}", violation)
                return
            if not answer.code and attempt.known and request.key is not None:
                self._resent(attempts)
        if not reply.done():
            reply.set_result(answer)

    def _resent(self, attempts):
        self._world.sometimes("a resent command got the first answer again")
        if any(not one.done and not one.process.alive for one in attempts):
            self._world.sometimes("a resent command had met a crash between commit and answer")

    def _latency(self):
        return self._chance.expovariate(1 / self._world.faults.net_latency_s)


def _break(reply):
    if not reply.done():
        reply.set_exception(Unreachable())
        reply.exception()  # nobody may be waiting any more
