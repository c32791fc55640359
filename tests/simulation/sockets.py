"""WebSockets, simulated: in order and whole as long as they last, but slow, cut off, or half-open."""

from collections import deque
from types import SimpleNamespace

from litestar.exceptions import WebSocketDisconnect

from server.frames import EXTENSION
from server.limits.address import ADDRESS

#: A half-open connection is noticed by pings after so long, as uvicorn's settings have it.
PINGED_OUT_S = 40.0

#: What is sent one after the other arrives one after the other.
TICK_S = 1e-6


class Gone(Exception):
    """The connection has ended. code: the server's close code, or 1006."""

    def __init__(self, code=1006, reason=""):
        super().__init__(f"{code} {reason}")
        self.code = code


class Connection:
    """A connection of a client to a process. `chance`: its own; `rate`: bytes a second that the client reads."""

    def __init__(self, world, process, chance, *, rate, buffer_bytes):
        self._world = world
        self._process = process
        self._chance = chance
        self._rate = rate
        self._buffer = buffer_bytes
        self._flying = 0
        self._last_arrival = 0.0
        self._last_request = 0.0
        self._vanished = False
        self._gone = None
        self._came = deque()
        self._client_waits = None
        self._writers = []
        self.server = ServerSide(self)
        process.on_death.append(self._server_died)

    # the client's side

    async def recv(self):
        """The next message. Raises Gone."""
        while not self._came:
            if self._gone is not None:
                raise self._gone
            self._client_waits = self._world.loop.create_future()
            await self._client_waits
        return self._came.popleft()

    def send(self, message):
        """Send a text; whether it arrives is not known."""
        now = self._world.loop.time()
        self._last_request = max(self._last_request + TICK_S, now + self._latency())
        self._world.later(self._last_request - now, self._arrive_there, message.decode())

    def drop(self):
        """The network cuts it off: each side learns it in its own time."""
        self._lose(Gone())
        self._world.later(self._latency(), self.server.disconnected)

    def vanish(self):
        """The client is gone without a word: the server learns it late."""
        self._lose(Gone())
        self._vanished = True
        self._world.later(PINGED_OUT_S, self.server.disconnected)

    def stall(self, seconds):
        """The client reads nothing for so long."""
        self._last_arrival = max(self._last_arrival, self._world.loop.time()) + seconds

    # what flies

    @property
    def writable(self):
        """Whether the server may write more."""
        return self._flying < self._buffer

    def transmit(self, payload):
        """From the server to the client."""
        self._flying += len(payload)
        now = self._world.loop.time()
        self._last_arrival = max(self._last_arrival + TICK_S, now + self._latency()) + len(payload) / self._rate
        self._world.later(self._last_arrival - now, self._arrive, payload)

    def finish(self, code, reason):
        """The server's close frame, behind all else."""
        now = self._world.loop.time()
        self._last_arrival = max(self._last_arrival + TICK_S, now + self._latency())
        self._world.later(self._last_arrival - now, self._lose, Gone(code, reason))

    def abort(self):
        """The server cuts it off."""
        self.server.disconnected()
        self._world.later(self._latency(), self._lose, Gone())

    async def room(self):
        """Wait until the server may write more."""
        while not self.writable and self.server.open:
            turn = self._world.loop.create_future()
            self._writers.append(turn)
            await turn

    def wake_writers(self):
        """There is room, or no more use."""
        writers, self._writers = self._writers, []
        for turn in writers:
            if not turn.done():
                turn.set_result(None)

    def _arrive(self, payload):
        if self._vanished:
            return
        self._flying -= len(payload)
        if self._gone is None:
            self._came.append(payload)
            self._wake_client()
        self.wake_writers()

    def _arrive_there(self, text):
        if self._process.alive and self.server.open:
            self.server.came({"type": "websocket.receive", "text": text})

    def _lose(self, gone):
        if self._gone is None:
            self._gone = gone
            self._wake_client()

    def _wake_client(self):
        waits, self._client_waits = self._client_waits, None
        if waits is not None and not waits.done():
            waits.set_result(None)

    def _server_died(self):
        quickly = self._chance.random() < 0.8
        self._world.later(self._latency() if quickly else self._chance.uniform(1, 20), self._lose, Gone())

    def _latency(self):
        return self._chance.expovariate(1 / self._world.faults.net_latency_s)


class ServerSide:
    """What the server has for a WebSocket: Litestar's methods that it uses, and uvicorn's protocol under it."""

    def __init__(self, connection):
        self._connection = connection
        self._inbox = deque()
        self._waits = None
        self.open = True
        protocol = SimpleNamespace(
            write_frame=self._write_frame,
            loop=connection._world.loop,
            transport=SimpleNamespace(abort=connection.abort),
        )
        self.scope = {ADDRESS: "simulated", "extensions": {EXTENSION: {"protocol": protocol}}}

    async def receive(self):
        """The next message of the client, or that it is gone."""
        while not self._inbox:
            if not self.open:
                return {"type": "websocket.disconnect"}
            self._waits = self._connection._world.loop.create_future()
            await self._waits
        return self._inbox.popleft()

    async def send_text(self, payload):
        """Send, waiting while there is no room."""
        await self._connection.room()
        if not self.open:
            raise WebSocketDisconnect(detail="gone")
        self._connection.transmit(payload)

    async def close(self, code, reason):
        """Send a close frame."""
        await self._connection.room()
        if not self.open:
            raise WebSocketDisconnect(detail="gone")
        self.open = False
        self._connection.finish(code, reason)

    def came(self, message):
        """Something from the client."""
        self._inbox.append(message)
        self._wake()

    def disconnected(self):
        """The client is gone, as far as the server knows."""
        self.open = False
        self._wake()
        self._connection.wake_writers()

    def _write_frame(self, frame):
        if not self.open or not self._connection.writable:
            return False
        self._connection.transmit(frame.payload)
        return True

    def _wake(self):
        waits, self._waits = self._waits, None
        if waits is not None and not waits.done():
            waits.set_result(None)
