"""Files of private keys: one key as text, readable by nobody else."""

import os
from pathlib import Path
from typing import Final

from events.notes import NoteError, PrivateKey

KEY_BYTES_MAX: Final = 4096
SEED_BYTES: Final = 32


class KeyFileError(Exception):
    """A key file that cannot be used: one sentence, without what is in the file."""


def read_key(path: Path) -> PrivateKey | None:
    """The private key in a file; None if there is no such file.

    Raises:
        KeyFileError: it is no key, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            return PrivateKey.parse(file.read(KEY_BYTES_MAX).decode())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    except (NoteError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, NoteError) else "it is no text"
        raise KeyFileError(f"{path} has no private key: {reason}") from error


def write_key(path: Path, key: PrivateKey) -> None:
    """Write a private key into a new file, durably.

    Raises:
        KeyFileError: there is such a file, or it cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(key.text + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise KeyFileError(f"{path} cannot be made: {(error.strerror or str(error)).lower()}") from error
