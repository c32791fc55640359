"""The signer: signs the log's size and root every few seconds, and refuses a log that is not the one signed before.

Several processes may sign: a head is kept only if it goes on from the latest one (docs/adr/0011).
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct
from structlog.typing import FilteringBoundLogger

from events.database import CannotOpen, Database
from events.heads import Head, Keyring, Successor
from events.notes import Note, NoteError, PrivateKey, check_name
from events.signed import SignedHead, SignedHeads
from events.sqlite_file import MEMORY
from events.store import EventStore, StoreFailed, StoreFull
from events.tree import Tree, TreeBroken
from server.head_files import HeadFiles, HeadFilesError
from server.key_files import SEED_BYTES, KeyFileError, read_key, write_key
from server.leases import EverybodyHolds, Leases
from server.meter import SILENT, Meter
from server.ports import Clock, Random, timestamp
from server.settings import Settings

log: FilteringBoundLogger = structlog.get_logger("turnlog")

#: Events that are hashed anew and compared after each head, in turn through the whole log.
RECHECKED_EVENTS: Final = 4096
#: Under which one of several nodes signs; it saves work and decides nothing.
LEASE: Final = "heads"
#: What a server's own key file is called, beside its SQLite file.
KEY_SUFFIX: Final = ".heads-key"


class Parts(Struct, frozen=True):
    """What a signer works on."""

    store: EventStore
    database: Database
    clock: Clock
    random: Random
    meter: Meter = SILENT
    leases: Leases = EverybodyHolds()


class Signer:
    """Signs heads. `off` says why it does not, if so; those signed before are checked and served all the same."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        self.tree = Tree(parts.database)
        self.heads = SignedHeads(parts.database)
        self.off: str | None = "the server has not started"
        self._settings = settings
        self._parts = parts
        self._key: PrivateKey | None = None
        self.files = HeadFiles(Path(settings.heads_directory)) if settings.heads_directory else None
        self._prepared = False
        #: Up to which head the directory has all of them; None until somebody has looked.
        self._published: int | None = None
        self._rechecked = 0

    async def size(self) -> int:
        """How many events the log has."""
        return await self._parts.store.head()

    # starting

    async def prepare(self) -> None:
        """Check the log, find the key (made for a new SQLite file), and say so if nothing will be signed; once.

        Raises:
            CannotOpen: as `check`.
        """
        if self._prepared:
            return
        await self.check()
        try:
            self._key, self.off = await self._find_key(), None
        except (KeyFileError, NoteError) as error:
            self.off = str(error)
            log.warning("heads_off", why=self.off)
        self._prepared = True

    async def check(self) -> None:
        """Hold the log against the last signed head, here and in the directory, before anything is written.

        Raises:
            CannotOpen: it is an older or another log; the sentence says what was found and what to do.
        """
        try:
            newest = None if self.files is None else await asyncio.to_thread(self.files.newest)
            latest = await self.heads.latest()
            # Asked for after the heads: other nodes write and sign meanwhile.
            keys, size = await self.heads.keyring(), await self._parts.store.head()
            if latest is not None:
                await self._check(size, keys, latest.note, "the database has")
                await self.tree.recheck(latest.size - self._settings.heads_check_events_max, latest.size)
            if newest is not None:
                await self._check(size, keys, newest.note, f"there is in {newest.path}")
        except (NoteError, TreeBroken, HeadFilesError) as error:
            raise CannotOpen(f"the log is not the one whose heads were signed: {error}{HELP}") from error

    async def _check(self, size: int, keys: Keyring, note: str, where: str) -> None:
        found = Note.parse(note)
        said = Head.parse(found.text)
        if said.size > size:
            cut = "it was cut off, or an older backup was put in its place"
            raise TreeBroken(f"it ends at event {size}, but {where} a head of {said.size} events; {cut}")
        try:
            head = keys.open(found)
        except NoteError as error:
            raise NoteError(f"{where} a head of {said.size} events that cannot be believed: {error}") from error
        if await self.tree.root(head.size) != head.root:
            raise TreeBroken(f"{where} a head of {head.size} events with another root: events were changed or replaced")

    async def _find_key(self) -> PrivateKey:
        settings, keys = self._settings, (await self.heads.keyring()).keys
        if settings.head_interval_s <= 0:
            raise KeyFileError("TURNLOG_HEAD_INTERVAL_S is 0: no heads are signed")
        path, own = _key_path(settings, self._parts.database)
        key = await asyncio.to_thread(read_key, path)
        if key is None and (keys or not own):
            raise KeyFileError(f"there is no key file {path}; make one with `turnlog heads new-key`")
        if key is None:
            key = PrivateKey(check_name(settings.heads_origin), self._parts.random.bytes(SEED_BYTES))
            await asyncio.to_thread(write_key, path, key)
        if not keys:
            await self.heads.add_key(Successor(key.public), None)
            keys = (await self.heads.keyring()).keys
        if key.public != keys[-1].key:
            raise KeyFileError(f"{path} has the key {key.public.text}, but {_newer(keys)}")
        return key

    # running

    async def run(self) -> None:
        """Sign as often as the settings say and the log moves, until cancelled, or until another key is in force."""
        while self.off is None:
            await asyncio.sleep(self._settings.head_interval_s)
            try:
                if await self._parts.leases.hold(LEASE):
                    await self.sign()
                    await self.recheck()
            except (TreeBroken, NoteError) as error:
                # Signing it would make the fault everybody's; play goes on, since it rests on the games' own chains.
                self._parts.meter.count("turnlog_head_faults_total")
                log.critical("log_differs", why=str(error))
            except (HeadFilesError, StoreFull, StoreFailed) as error:
                log.warning("head_delayed", why=str(error))
        await self._parts.leases.release(LEASE)  # a node that signs need not wait for it
        await asyncio.Event().wait()

    async def sign(self) -> SignedHead | None:
        """Sign the log as it is now; the latest head, whoever signed it. Nothing is signed if the log has not moved.

        If a newer key is in force than this node has, it signs no more: `off` says so from now on.

        Raises:
            TreeBroken: the log does not go on from the latest head.
            HeadFilesError: the head was kept but not published; the next call tries again.
        """
        size, latest = await self._parts.store.head(), await self.heads.latest()
        if self._key is not None and size > (0 if latest is None else latest.size):
            if latest is not None:
                await self._check(size, await self.heads.keyring(), latest.note, "the database has")
            head = Head(self._key.name, size, await self.tree.root(size))
            now = timestamp(self._parts.clock.now())
            signed = SignedHead(size, self._key.sign(head.text).source, now)
            after = 0 if latest is None else latest.size
            kept = await self.heads.add(signed, after, self._key.public)
            if not kept:
                await self._check_key(self._key)
            latest = signed if kept else await self.heads.latest()
        if latest is not None and self.files is not None:
            await self._publish(self.files, latest.size)
        return latest

    async def _check_key(self, key: PrivateKey) -> None:
        """A head was not kept: another node was faster, which is nothing, or another key follows this one."""
        keys = (await self.heads.keyring()).keys
        if key.public != keys[-1].key:
            self._key, self.off = None, f"this node has the key {key.public.text}, but {_newer(keys)}"
            log.warning("heads_off", why=self.off)

    async def _publish(self, files: HeadFiles, latest: int) -> None:
        """Give the directory the heads that it lacks, the smallest first; if they are many, the rest at the next call.

        In this order its newest head tells that it has all before, whichever node wrote them and died.

        Raises:
            HeadFilesError: as HeadFiles has it.
        """
        if self._published is None:
            newest = await asyncio.to_thread(files.newest)
            self._published = 0 if newest is None else newest.size
        if latest > self._published:
            for head in await self.heads.after(self._published, self._settings.heads_published_max):
                await asyncio.to_thread(files.publish, head.size, head.note, self._published)
                self._published = head.size

    async def recheck(self) -> None:
        """Hash the next few of the signed events anew and compare, from the first again after the last.

        Raises:
            TreeBroken: one was changed.
        """
        latest = await self.heads.latest()
        if latest is not None:
            end = min(self._rechecked + RECHECKED_EVENTS, latest.size)
            await self.tree.recheck(self._rechecked, end)
            self._rechecked = 0 if end == latest.size else end


#: How the sentence of a refused log goes on.
HELP: Final = ". Put the right database in place, or see docs/audit.md, «When the server refuses its log»."


def _newer(keys: Sequence[Successor]) -> str:
    return f"the newest key of this log is {keys[-1].key.text}; see `turnlog heads rotate`"


def _key_path(settings: Settings, database: Database) -> tuple[Path, bool]:
    """Where the key is, and whether it may be made there: by the one process that a SQLite file has.

    Raises:
        KeyFileError: nobody has said where.
    """
    if settings.heads_key:
        return Path(settings.heads_key), not database.shared
    if database.shared or settings.database == MEMORY:
        raise KeyFileError("TURNLOG_HEADS_KEY names no key file: no heads are signed")
    return Path(settings.database + KEY_SUFFIX), True
