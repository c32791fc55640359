"""The outbox of a socket: in order, bounded in bytes, and the end for who takes nothing."""

import asyncio

import pytest

from server.frames import Frame
from server.outbox import Bounds, Outbox


class Wire:
    """A socket that takes messages only while it is open."""

    def __init__(self):
        self.sent = []
        self.free = asyncio.Event()
        self.broken = False
        self.at_once = False

    def write(self, frame):
        if self.at_once:
            self.sent.append(frame.payload)
        return self.at_once

    async def send(self, frame):
        await self.free.wait()
        if self.broken:
            raise OSError("gone")
        self.sent.append(frame.payload)


class Box:
    """An outbox at work on such a socket."""

    def __init__(self, *, soft=10, most=20, stall_s=60.0):
        self.wire = Wire()
        self.slow, self.gone = [], []
        bounds = Bounds(soft, most, stall_s)
        self.outbox = Outbox(self.wire, bounds, self.slow.append, lambda: self.gone.append(True))
        self.task = asyncio.create_task(self.outbox.run())

    def put(self, *payloads):
        for payload in payloads:
            self.outbox.put(Frame(payload, ("game", int(payload[:1]))))

    async def settle(self):
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.fixture
async def box():
    made = Box()
    yield made
    made.task.cancel()


async def test_messages_leave_in_the_order_in_which_they_came(box):
    box.put(b"1", b"2")
    box.wire.free.set()
    box.put(b"3")
    await box.settle()
    assert box.wire.sent == [b"1", b"2", b"3"]


async def test_what_can_be_written_at_once_is_but_never_before_what_waits(box):
    box.put(b"1")
    box.wire.at_once = True
    box.put(b"2")
    assert box.wire.sent == []
    box.wire.free.set()
    await box.settle()
    box.put(b"3")
    assert box.wire.sent == [b"1", b"2", b"3"]


async def test_it_is_full_above_the_soft_bound_and_waiting_for_room_ends_below_it(box):
    box.put(b"1" * 10)
    assert not box.outbox.full
    box.put(b"2")
    assert box.outbox.full
    room, drained = asyncio.create_task(box.outbox.room()), asyncio.create_task(box.outbox.drained())
    await box.settle()
    assert not room.done()
    box.wire.free.set()
    await room
    await drained
    assert not box.outbox.full


async def test_more_than_the_hard_bound_ends_it_and_nothing_is_sent_any_more(box):
    box.put(b"1" * 10, b"2" * 10)
    assert box.slow == []
    box.put(b"3")
    box.put(b"4")
    box.wire.free.set()
    await box.settle()
    assert [[frame.event for frame in unsent] for unsent in box.slow] == [[("game", 1), ("game", 2)]]
    assert b"3" not in box.wire.sent
    assert b"4" not in box.wire.sent


async def test_no_progress_in_time_ends_it():
    box = Box(stall_s=0.0)
    box.put(b"1")
    await box.task
    assert len(box.slow) == 1
    assert box.gone == []


async def test_a_socket_that_is_gone_is_told_once(box):
    box.wire.broken = True
    box.put(b"1", b"2")
    box.wire.free.set()
    await box.task
    assert box.gone == [True]
    assert box.slow == []


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_is_what_the_websockets_library_makes(size):
    from websockets.frames import Frame as Reference  # noqa: PLC0415
    from websockets.frames import Opcode  # noqa: PLC0415

    payload = b"x" * size
    assert Frame(payload).bytes == Reference(Opcode.TEXT, payload).serialize(mask=False)
