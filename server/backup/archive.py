"""The file of a backup: frames in gzip, each a length and MessagePack, with a checksum over all of them at the end.

The frames: a head, any number of batches (a table and some of its rows), and a tail. A file without a tail was cut off.
"""

import gzip
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

FORMAT = "turnlog-backup/1"

#: A frame is larger than the largest row that there can be, and not by much.
FRAME_BYTES_MAX = 256 * 1024 * 1024
BATCH_ROWS = 500
BATCH_BYTES = 4 * 1024 * 1024
_LENGTH_BYTES = 4


class BackupError(Exception):
    """The backup cannot be used, or cannot be made: one sentence."""


class Head(Struct, frozen=True):
    """The first frame: what this is, when it was made (RFC 3339), and the log's last position then."""

    format: str
    made_at: str
    position: int


class Batch(Struct, frozen=True, array_like=True):
    """Rows of a table, in order."""

    table: str
    rows: list[list[Any]]


class Tail(Struct, frozen=True):
    """The last frame: how many rows of each table there were, and the SHA-256 of all frames before this one."""

    rows: dict[str, int]
    sha256: str


_encode = msgspec.msgpack.Encoder().encode


class Writer:
    """Writes the frames of a backup; not a backup before `finish`."""

    def __init__(self, file: BinaryIO, head: Head) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0)
        self._sum = sha256()
        self._rows: dict[str, int] = {}
        self._add(_encode(head))

    def add(self, table: str, rows: list[list[Any]]) -> None:
        """Add rows of a table, in frames that whoever reads them takes.

        Raises:
            BackupError: one row alone is too large.
        """
        frame = _encode(Batch(table, rows))
        if len(frame) > BATCH_BYTES and len(rows) > 1:
            half = len(rows) // 2
            self.add(table, rows[:half])
            self.add(table, rows[half:])
            return
        if len(frame) > FRAME_BYTES_MAX:
            raise BackupError(f"a row of {table} is larger than a backup can hold")
        self._rows[table] = self._rows.get(table, 0) + len(rows)
        self._add(frame)

    def finish(self) -> dict[str, int]:
        """Write the tail; the rows of each table."""
        tail = _encode(Tail(self._rows, self._sum.hexdigest()))
        self._file.write(len(tail).to_bytes(_LENGTH_BYTES, "big") + tail)
        self._file.close()
        return self._rows

    def _add(self, frame: bytes) -> None:
        framed = len(frame).to_bytes(_LENGTH_BYTES, "big") + frame
        self._sum.update(framed)
        self._file.write(framed)


def read_backup(path: Path) -> Iterator[Head | Batch]:
    """The head and the batches of a backup. It is whole only if this comes to its end.

    Raises:
        BackupError: it is none, or was damaged or cut off.
    """
    with path.open("rb") as file:
        try:
            yield from _read(gzip.GzipFile(fileobj=file, mode="rb"))
        except (OSError, EOFError, gzip.BadGzipFile, msgspec.MsgspecError) as error:
            raise BackupError(f"{path}: no backup, or a damaged one ({error})") from error


def _read(file: gzip.GzipFile) -> Iterator[Head | Batch]:
    total, rows = sha256(), dict[str, int]()
    frame = _frame(file)
    head = msgspec.msgpack.decode(frame, type=Head)
    if head.format != FORMAT:
        raise EOFError(f"its format is {head.format}, not {FORMAT}")
    yield head
    while True:
        total.update(len(frame).to_bytes(_LENGTH_BYTES, "big") + frame)
        frame = _frame(file)
        told = msgspec.msgpack.decode(frame)
        if isinstance(told, dict):
            break
        batch = msgspec.convert(told, Batch)
        rows[batch.table] = rows.get(batch.table, 0) + len(batch.rows)
        yield batch
    if msgspec.convert(told, Tail) != Tail(rows, total.hexdigest()) or file.read(1):
        raise EOFError("its checksum is another")


def _frame(file: gzip.GzipFile) -> bytes:
    length = int.from_bytes(file.read(_LENGTH_BYTES), "big")
    if not 0 < length <= FRAME_BYTES_MAX:
        raise EOFError("it ends too early")
    frame = file.read(length)
    if len(frame) < length:
        raise EOFError("it ends too early")
    return frame
