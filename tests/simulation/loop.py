"""An asyncio event loop on virtual time: nothing waits, all order is drawn from a seed, and processes can die.

When nothing is ready the clock jumps to the next timer. What is ready belongs to processes, which in earnest run beside
each other: whose turn it is next is drawn; within a process the order is asyncio's, or, if asked for, drawn among its
tasks. A process that has died runs no further line of code: its callbacks are passed over, and not even its `finally`
blocks are run.
"""

import asyncio
import heapq
from asyncio.base_events import BaseEventLoop
from collections import deque
from contextlib import suppress
from contextvars import Context, ContextVar

#: Whose code runs; None: the world's, that is the network, the database, the clients.
OWNER: ContextVar["Process | None"] = ContextVar("owner", default=None)

#: More callbacks than any run needs: some code goes round in circles without letting time pass.
CALLBACKS_AT_ONE_TIME_MAX = 200_000


class Deadlock(Exception):
    """Nothing is ready and no timer is set, but the run has not ended."""


class Livelock(Exception):
    """Callbacks follow on callbacks, and time stands still."""


class Process:
    """Something that may die. `fuse`: it dies after so many more callbacks."""

    def __init__(self, name):
        self.name = name
        self.alive = True
        self.fuse = None
        self.on_death = []
        self.context = Context()
        self.context.run(OWNER.set, self)

    def die(self):
        """End at once, wherever its tasks are."""
        if self.alive:
            self.alive = False
            for tell in self.on_death:
                tell()


class SimTask(asyncio.Task):
    """A task whose hash is its number: sets of tasks have the same order in every run."""

    def __init__(self, coro, *, loop, **more):
        self.number = loop.tasks_made = loop.tasks_made + 1
        super().__init__(coro, loop=loop, **more)

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        return self is other


class _NoSelector:
    """Stands where asyncio would wait for sockets."""

    def close(self):
        """Nothing was open."""


class SimLoop(BaseEventLoop):
    """The loop. `order`: a random.Random; `shuffle`: whether tasks of one process are shuffled too."""

    def __init__(self, order, *, shuffle=False):
        super().__init__()
        self._selector = _NoSelector()
        self._clock_resolution = 1e-9
        self._now = 0.0
        self._timers = []
        self._timers_made = 0
        self._order = order
        self._shuffle = shuffle
        self._standing = 0
        self.callbacks = 0
        self.tasks_made = 0
        self.tasks = []
        self.set_task_factory(self._new_task)

    def time(self):
        """Virtual seconds since the run began."""
        return self._now

    def call_soon(self, callback, *args, context=None):
        """As asyncio has it, without its questions about threads and debugging."""
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(self, when, callback, *args, context=None):
        """A timer. Of two for the same moment the first one comes first."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._timers_made += 1
        heapq.heappush(self._timers, (when, self._timers_made, timer))
        return timer

    def call_later(self, delay, callback, *args, context=None):
        """A timer after so long."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def run_in_executor(self, executor, func, *args):
        """Refuse: a thread would run in its own time."""
        raise RuntimeError("there are no threads in a simulation")

    def end_tasks(self):
        """Close what has not ended, so that nothing of this run is left to the garbage collector."""
        for task in self.tasks:
            if not task.done():
                task._log_destroy_pending = False
                with suppress(BaseException):
                    task.get_coro().close()
        self.tasks.clear()
        self._ready.clear()
        self._timers.clear()

    def _new_task(self, loop, coro, context=None):
        task = SimTask(coro, loop=loop, context=context)
        self.tasks.append(task)
        return task

    def _process_events(self, event_list):
        """There are none."""

    def _write_to_self(self):
        """Nobody waits in a selector."""

    def _asyncgen_firstiter_hook(self, agen):
        """A generator of a dead process is not closed: its `finally` must not run."""

    def _asyncgen_finalizer_hook(self, agen):
        """As above."""

    def _run_once(self):
        ready, timers = self._ready, self._timers
        while timers and timers[0][2]._cancelled:
            heapq.heappop(timers)
        if not ready:
            if not timers:
                raise Deadlock("nothing is ready and no timer is set")
            self._now = max(self._now, timers[0][0])
            self._standing = 0
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        batch = list(ready)
        ready.clear()
        for handle in self._ordered(batch) if len(batch) > 1 else batch:
            if not handle._cancelled:
                self._turn(handle)
        self._standing += len(batch)
        if self._standing > CALLBACKS_AT_ONE_TIME_MAX:
            raise Livelock(f"{self._standing} callbacks at {self._now:.6f} s")

    def _turn(self, handle):
        owner = handle._context.get(OWNER)
        if owner is not None:
            if not owner.alive:
                return
            if owner.fuse is not None:
                owner.fuse -= 1
                if owner.fuse < 0:
                    owner.die()
                    return
        self.callbacks += 1
        handle._run()

    def _ordered(self, batch):
        """Whose turn it is, is drawn, one callback after the other."""
        queues = {}
        for handle in batch:
            queues.setdefault(handle._context.get(OWNER), deque()).append(handle)
        if self._shuffle:
            queues = {owner: self._shuffled(queue) for owner, queue in queues.items()}
        owners, ordered = list(queues), []
        while len(owners) > 1:
            owner = owners[int(self._order.random() * len(owners))]
            ordered.append(queues[owner].popleft())
            if not queues[owner]:
                owners.remove(owner)
        ordered.extend(queues[owners[0]])
        return ordered

    def _shuffled(self, queue):
        """Only steps of tasks change places: what else is called keeps its order, which asyncio promises."""
        steps = [
            n for n, handle in enumerate(queue) if isinstance(getattr(handle._callback, "__self__", None), SimTask)
        ]
        moved = [queue[n] for n in steps]
        self._order.shuffle(moved)
        for n, handle in zip(steps, moved, strict=True):
            queue[n] = handle
        return queue
