"""`turnlog heads`: signed heads of the log and the keys that sign them (docs/audit.md)."""

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress

from events.heads import Successor
from events.logproof import check_heads
from events.merkle import NotProved
from events.notes import NoteError, PrivateKey, check_name
from events.tree import TreeBroken
from server.cli.common import CommandError, Database, Json, UsageError, note, print_json, sentence_of, services_of
from server.cli.trust import open_head, read_consistency, read_keys, read_note
from server.head_check import check_log
from server.head_files import HeadFilesError
from server.key_files import SEED_BYTES, KeyFileError, read_key, write_key

if TYPE_CHECKING:
    from server.services import Services
    from server.signing import Signer


def add_to(app: App) -> None:
    """Add the commands."""
    heads = App(name="heads", help="Signed heads of the log, and their keys.", result_action="return_value")
    heads.command(heads_status, name="status")
    heads.command(heads_check, name="check")
    heads.command(heads_rebuild, name="rebuild")
    heads.command(heads_verify, name="verify")
    heads.command(heads_new_key, name="new-key")
    heads.command(heads_rotate, name="rotate")
    app.command(heads)


async def heads_status(*, database: Database = None, json: Json = False) -> None:
    """The latest signed head of the log in a database, and all keys.

    Try:

    - `turnlog heads status --database data/turnlog.db`
    """
    async with services_of(database) as services:
        latest, keys = await services.signer.heads.latest(), (await services.signer.heads.keyring()).keys
        events = await services.store.head()
    lines = [{"key": one.key.text, "first": one.first, "signed_in": one.endorsed is not None} for one in keys]
    if json:
        print_json({"events": events, "latest": latest, "keys": lines})
        return
    print(f"events: {events}")
    for line in lines:
        print(f"key from size {line['first']}: {line['key']}")
    print("no head is signed yet" if latest is None else f"latest head, signed at {latest.at}:\n{latest.note}", end="")


async def heads_check(*, database: Database = None, json: Json = False) -> int:
    """Hash the whole log anew and compare it with every head signed of it; exit code 1 if it is not the same log.

    Heads in TURNLOG_HEADS_DIRECTORY are compared too.

    Try:

    - `turnlog heads check --database data/turnlog.db`
    """
    console = Console(stderr=True)
    async with services_of(database) as services:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("events", total=None)
            found = await verify_heads(services.signer, lambda at, all_: bar.update(task, completed=at, total=all_))
    if json:
        print_json(found)
    elif "error" not in found:
        told = found["report"]
        print(f"{told['size']} events are as signed by {told['heads']} heads, {told['published']} of them published")
    if "error" in found:
        note(f"turnlog: {found['error']}")
    return int("error" in found)


async def verify_heads(signer: "Signer", progress: Any = None) -> dict[str, Any]:
    """Check the log against its heads: `{of, report}` or `{of, error}`."""
    try:
        checked = await check_log(signer.tree, signer.heads, signer.files, await signer.size(), progress)
    except (TreeBroken, NoteError, HeadFilesError) as error:
        return {"of": "signed heads", "error": sentence_of(error)}
    return {"of": "signed heads", "report": msgspec.to_builtins(checked)}


async def heads_rebuild(*, database: Database = None) -> None:
    """Drop the hashes kept of the log's tree and compute them anew. Signed heads stay.

    Try:

    - `turnlog heads rebuild --database data/turnlog.db`
    """
    async with services_of(database) as services:
        await services.signer.tree.forget()
        await services.signer.tree.grow(await services.store.head())
    print("the tree is computed anew")


def heads_verify(
    old: Path,
    new: Path,
    /,
    *,
    proof: Path | None = None,
    key: Annotated[list[str], Parameter(negative="")],
    json: Json = False,
) -> None:
    """Verify that the log of one signed head went on from that of an older one. Needs no server.

    Try:

    - `turnlog heads verify monday.head friday.head --proof proof.json --key example.org/games+c74f20a3+ARpc2QcUPDhM…`

    Parameters
    ----------
    old:
        A signed head.
    new:
        A signed head of no smaller size.
    proof:
        What GET /v1/heads/{size}/consistency?from=… gave, unless both are of one size.
    key:
        A public key of the log, or a file of some; give all that signed one of the two.
    """
    keys = [one for text in key for one in read_keys(text)]
    try:
        older, newer = open_head(read_note(old), keys), open_head(read_note(new), keys)
        if older.size > newer.size:
            raise UsageError(f"{old} is the newer one: name the older one first.")
        check_heads(older, newer, None if proof is None else read_consistency(proof))
    except NotProved as error:
        raise CommandError(f"{sentence_of(error)}.") from error
    if json:
        print_json({"origin": newer.origin, "old": older.size, "new": newer.size})
    else:
        print(f"the log of {newer.origin} went on from {older.size} events to {newer.size}, and nothing before changed")


def heads_new_key(file: Path, /, *, name: str) -> None:
    """Make a private key in a new file, and print the public one.

    Try:

    - `turnlog heads new-key /etc/turnlog/heads.key --name example.org/games`

    Parameters
    ----------
    file:
        The new file, which only its owner may read.
    name:
        The name of the log: without spaces, best a name of yours on the web.
    """
    print(_made(file, name).public.text)


def _made(file: Path, name: str) -> PrivateKey:
    try:
        key = PrivateKey(check_name(name), secrets.token_bytes(SEED_BYTES))
        write_key(file, key)
    except NoteError as error:
        raise UsageError(f"--name: {error}.") from error
    except KeyFileError as error:
        raise CommandError(f"{error}.") from error
    return key


async def heads_rotate(
    *,
    old: Path | None = None,
    new: Path,
    old_lost: Annotated[bool, Parameter(negative="")] = False,
    database: Database = None,
) -> None:
    """Let a new key follow the one in force, which signs it in. Heads signed until now stay good.

    Afterwards let TURNLOG_HEADS_KEY name the new file and destroy the old one.

    Try:

    - `turnlog heads rotate --old heads.key --new heads-2027.key`

    Parameters
    ----------
    old:
        The file of the key in force.
    new:
        The file of the new key; made if it is not there.
    old_lost:
        The key in force is lost: the new one follows without its signature, and nobody's trust reaches over to it.
    """
    if (old is None) != old_lost:
        raise UsageError("Name the file of the key in force with --old, or say --old-lost.")
    async with services_of(database) as services:
        successor = await _rotated(services, old, new)
    print(f"key from size {successor.first}: {successor.key.text}")


async def _rotated(services: "Services", old: Path | None, new: Path) -> Successor:
    heads = services.signer.heads
    keys, latest = (await heads.keyring()).keys, await heads.latest()
    if not keys:
        raise CommandError("No key is in force yet: start the server with the new one.")
    in_force = keys[-1]
    signing = None if old is None else await asyncio.to_thread(_read, old)
    if signing is not None and signing.public != in_force.key:
        raise CommandError(f"{old} has not the key in force, {in_force.key.text}.")
    key = await asyncio.to_thread(_read_or_made, new, in_force.key.name)
    if key.name != in_force.key.name or key.public in [one.key for one in keys]:
        raise CommandError(f"{new} must have a new key with the name {in_force.key.name}.")
    first = max(0 if latest is None else latest.size, in_force.first) + 1
    successor = Successor(key.public, first) if signing is None else Successor.endorse(key.public, first, signing)
    if not await heads.add_key(successor, in_force.key):
        raise CommandError("Another process signed in the meantime: try again.")
    return successor


def _read(file: Path) -> PrivateKey:
    try:
        key = read_key(file)
    except KeyFileError as error:
        raise CommandError(f"{error}.") from error
    if key is None:
        raise CommandError(f"There is no key file {file}.")
    return key


def _read_or_made(file: Path, name: str) -> PrivateKey:
    return _read(file) if file.exists() else _made(file, name)
