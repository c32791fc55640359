"""A proxy in the test, whose line can go dead: nothing passes any more, and neither side is told."""

import asyncio
from contextlib import asynccontextmanager, suppress


class Line:
    """TCP connections to a port, passed on as long as the line is `alive`."""

    def __init__(self, port):
        self._to = port
        self._alive = asyncio.Event()
        self._alive.set()
        self._tasks = set()
        self._writers = []

    def cut(self):
        """Let nothing pass, in either direction. Whoever waits, waits."""
        self._alive.clear()

    def mend(self):
        """Let pass what waited, and what comes."""
        self._alive.set()

    async def join(self, reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers += [writer, back]
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, target))
            self._tasks.add(task)

    async def _pass(self, source, target):
        with suppress(OSError):
            while data := await source.read(1 << 16):
                await self._alive.wait()
                target.write(data)
                await target.drain()
            await self._alive.wait()
            target.close()

    async def end(self):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def line_to(port):
    """(line, its port)."""
    line = Line(port)
    server = await asyncio.start_server(line.join, "127.0.0.1", 0)
    try:
        yield line, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await line.end()
