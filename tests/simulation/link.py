"""The way from one process to the database: it takes time, fails before or after the work is done, and is cut off."""

from events.store import StoreFailed, StoreFull
from tests.simulation.chance import stream

#: So long a node tries to reach a database that is away, as `database_patience_s` has it.
PATIENCE_S = 10.0

#: What is written late comes at most so long after its caller was told that nobody knows.
LATE_S = 3.0


def run_now(coroutine):
    """Run a coroutine that waits for nothing but its turn to its end, in one go."""
    try:
        while True:
            if coroutine.send(None) is not None:
                raise RuntimeError("the database itself waits for something")
    except StopIteration as end:
        return end.value


class Link:
    """One process's way to the database that all share. `world`: has the loop, the faults of now, what was reached."""

    def __init__(self, world, process, name):
        self._world = world
        self._process = process
        self._chance = stream(world.options.seed, "link", name)

    @property
    def _faults(self):
        return self._world.faults

    def _pause(self):
        return self._chance.expovariate(1 / self._faults.store_latency_s)

    async def ask(self, question):
        """The answer to a question: as things were when it was asked, or as they are when the answer comes."""
        if await self._in_vain(self._faults.store_read_failed):
            raise StoreFailed("the simulated database does not answer")
        answer = self._world.loop.create_future()
        if self._chance.random() < 0.5:
            self._later(self._pause(), _settle, answer, *_outcome(question))
        else:
            self._later(self._pause(), lambda: _settle(answer, *_outcome(question)))
        return await answer

    async def change(self, work):
        """Do `work` (which returns at once) in the database, perhaps; the answer, perhaps.

        Raises StoreFull (nothing was done), StoreFailed (nobody knows), and what `work` raises.
        """
        if await self._in_vain(self._faults.store_full):
            raise StoreFull("the simulated database is too busy")
        answer, there, back = self._world.loop.create_future(), self._pause(), self._pause()
        if self._chance.random() < self._faults.store_unknown:
            self._leave_open(work, answer, there, back)
        else:
            self._later(there, self._carry_out, work, answer, back)
        return await answer

    def _leave_open(self, work, answer, there, back):
        """The caller hears that nobody knows: nothing was done, or it was, or it will be."""
        lost = StoreFailed("the simulated connection broke")
        self._later(there + back, _settle, answer, None, lost)
        fate = self._chance.random()
        if fate < 0.4:
            self._later(there, self._alone, work, "an unknown outcome: it was written")
        elif fate < 0.7:
            late = there + back + self._chance.uniform(0, LATE_S)
            self._later(late, self._alone, work, "an unknown outcome: it was tried late, after the caller was told")
        else:
            self._world.sometimes("an unknown outcome: it was never tried")

    def _alone(self, work, name):
        self._world.sometimes(name)
        _outcome(work)

    def _carry_out(self, work, answer, back):
        if not self._process.alive:  # it died with this on its way, which may arrive all the same
            self._world.sometimes("a node died with a write on its way")
            if self._chance.random() < 0.5:
                return
        result, error = _outcome(work)
        if error is None and self._chance.random() < self._faults.crash_at_commit:
            self._world.sometimes("a node died at the commit")
            self._process.die()
        self._later(back, _settle, answer, result, error)

    async def _in_vain(self, share):
        """Whether it fails before anything was done; it may take patience to find out."""
        waited = 0.0
        while self._world.database_away:
            if waited >= PATIENCE_S:
                self._world.sometimes("the database was away for longer than a node's patience")
                return True
            await self._sleep(0.25)
            waited += 0.25
        if share and self._chance.random() < share:
            await self._sleep(self._pause())
            return True
        return False

    async def _sleep(self, seconds):
        turn = self._world.loop.create_future()
        self._later(seconds, _settle, turn, None, None)
        await turn

    def _later(self, seconds, call, *args):
        self._world.loop.call_later(seconds, call, *args, context=self._world.context)


def _outcome(work):
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - it is told to who asked
        return None, error


def _settle(answer, result, error):
    if answer.done():  # its caller was cancelled
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)
