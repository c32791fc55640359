"""Holding the whole log against every head that was ever signed of it: for who runs a server, in their own time."""

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from events.heads import Keyring
from events.merkle import Frontier
from events.notes import Note, NoteError
from events.signed import SignedHeads
from events.tree import Tree, TreeBroken
from server.head_files import HeadFiles, size_of

#: Events that are read at a time.
PAGE_EVENTS: Final = 4096

Progress = Callable[[int, int], None]


class Checked(Struct, frozen=True):
    """A log that is as it was signed: its size, and how many heads say so, in the database and in the directory."""

    size: int
    heads: int
    published: int


class _Log(Struct, frozen=True):
    """What is held against what."""

    tree: Tree
    heads: SignedHeads
    keys: Keyring
    files: HeadFiles | None
    names: list[str]


async def check_log(
    tree: Tree, heads: SignedHeads, files: HeadFiles | None, size: int, progress: Progress | None = None
) -> Checked:
    """Hash all `size` events of the log anew and compare the root at the size of each head, and all hashes kept.

    Raises:
        TreeBroken, NoteError, HeadFilesError: at the first thing that is not as it was signed.
    """
    names = [] if files is None else await asyncio.to_thread(files.names)
    log = _Log(tree, heads, await heads.keyring(), files, names)
    frontier, counts = Frontier(), [0, 0]
    for start in range(0, size, PAGE_EVENTS):
        end = min(start + PAGE_EVENTS, size)
        await _check_page(log, frontier, end, counts)
        if progress is not None:
            progress(end, size)
        await asyncio.sleep(0)
    latest = await heads.latest()
    beyond = max(0 if latest is None else latest.size, size_of(names[-1]) if names else 0)
    if beyond > size:
        raise TreeBroken(f"the log ends at event {size}, but a head of {beyond} events was signed")
    await tree.recheck(0, size)
    return Checked(size, *counts)


async def _check_page(log: _Log, frontier: Frontier, end: int, counts: list[int]) -> None:
    """Let the tree grow to `end`, and compare with the heads on the way."""
    start = frontier.size
    digests = await log.tree.digests(start, end)
    told = [(head.size, head.note, "the database", 0) for head in await log.heads.within(start, end)]
    told += [(size_of(name), note, name, 1) for name, note in _published(log, start, end)]
    for size, note, where, kind in sorted(told):
        frontier.extend(digests[frontier.size - start : size - start])
        try:
            head = log.keys.open(Note.parse(note))
        except NoteError as error:
            raise NoteError(f"the head of {size} events in {where} cannot be believed: {error}") from error
        if (head.size, head.root) != (size, frontier.root()):
            raise TreeBroken(f"the head of {size} events in {where} is not that of this log: events were changed")
        counts[kind] += 1
    frontier.extend(digests[frontier.size - start :])


def _published(log: _Log, start: int, end: int) -> Iterator[tuple[str, str]]:
    first, last = (bisect_right(log.names, size, key=size_of) for size in (start, end))
    if log.files is not None:
        for name in log.names[first:last]:
            yield name, log.files.read(name).note
