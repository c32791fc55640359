"""Signed heads in a directory: one file a head, only ever added, for a second place that the database cannot reach."""

import os
import re
from pathlib import Path
from typing import Final
from uuid import uuid4

from msgspec import Struct

#: So many digits have the names, so that they sort as the sizes do.
DIGITS: Final = 18

_NAME = re.compile(r"[0-9]{18}\.head")


class HeadFilesError(Exception):
    """The directory cannot be used, or has another head of the same size: one sentence."""


class HeadFile(Struct, frozen=True):
    """A head in a file, as it is written there; size: that of its tree, by the file's name."""

    path: str
    size: int
    note: str


class HeadFiles:
    """The directory `path`; made when the first head is published."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def publish(self, size: int, note: str, after: int = 0) -> None:
        """Add a head, whole or not at all; one that is there already is left as it is.

        after: the size of the head that was published before it, if there was one.

        Raises:
            HeadFilesError: it cannot be written, what is there is another, or the one before is gone.
        """
        path = self._file(size)
        try:
            if after and not self._file(after).exists():
                gone = f"the head of size {after}, which was published, is not in {self._path}"
                raise HeadFilesError(f"{gone}: is what belongs there mounted?")
            self._path.mkdir(parents=True, exist_ok=True)
            if path.exists():
                if path.read_text() != note:
                    raise HeadFilesError(f"{path} holds another head of size {size}")
                return
            half = path.with_suffix(f".{uuid4().hex}")
            with half.open("w") as file:
                file.write(note)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
            _sync(self._path)
        except (OSError, UnicodeDecodeError) as error:
            raise HeadFilesError(f"{path} cannot be written: {error}") from error

    def newest(self) -> HeadFile | None:
        """The head of the largest tree.

        Raises:
            HeadFilesError: it cannot be read.
        """
        names = self.names()
        return self.read(names[-1]) if names else None

    def names(self) -> list[str]:
        """The names of all heads, the smallest tree first.

        Raises:
            HeadFilesError: the directory cannot be read.
        """
        try:
            with os.scandir(self._path) as found:
                return sorted(entry.name for entry in found if _NAME.fullmatch(entry.name))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise HeadFilesError(f"{self._path} cannot be read: {error}") from error

    def read(self, name: str) -> HeadFile:
        """The head of that name.

        Raises:
            HeadFilesError: it cannot be read.
        """
        path = self._path / name
        try:
            return HeadFile(str(path), size_of(name), path.read_text())
        except (OSError, UnicodeDecodeError) as error:
            raise HeadFilesError(f"{path} cannot be read: {error}") from error

    def _file(self, size: int) -> Path:
        return self._path / f"{size:0{DIGITS}d}.head"


def size_of(name: str) -> int:
    """The size of the tree whose head has this name."""
    return int(name.partition(".")[0])


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
