"""Who waits until a worker has followed its game up to a version."""

import asyncio


class Waiters:
    """Those who wait, each for a version of its own."""

    def __init__(self) -> None:
        self._wanted: dict[asyncio.Future[None], int] = {}

    async def wait(self, version: int, most_s: float | None) -> None:
        """Wait until this version is reached, but at most so many seconds (None: as long as it takes).

        Raises:
            TimeoutError: It was not.
        """
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted[reached] = version
        try:
            async with asyncio.timeout(most_s):
                await reached
        finally:
            del self._wanted[reached]

    def reach(self, version: float) -> None:
        """Go on, all who wait for this version or one before it."""
        for reached, wanted in self._wanted.items():
            if not reached.done() and wanted <= version:
                reached.set_result(None)
