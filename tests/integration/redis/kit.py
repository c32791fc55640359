"""What the tests on Redis share."""

import itertools
import os

_numbers = itertools.count(1)


def new_prefix():
    """A beginning of names that no other test uses, in this process or another."""
    return f"test-{os.getpid()}-{next(_numbers)}"
