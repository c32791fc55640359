"""The key of signed heads that nodes of a test share, and what they have signed with it."""

import secrets
from pathlib import Path

from events.notes import PrivateKey
from server.head_check import check_log
from server.key_files import SEED_BYTES, write_key
from server.services import Services


def shared_key(folder: Path) -> Path:
    """The file of the key for all nodes with this folder, made if it is not there."""
    path = folder / "heads_key"
    if not path.exists():
        write_key(path, PrivateKey("turnlog.example.org", secrets.token_bytes(SEED_BYTES)))
    return path


async def check_signed(services: Services) -> None:
    """Nodes have signed heads, and the log is the one of which each of them was signed."""
    signer = services.signer
    await signer.check()
    checked = await check_log(signer.tree, signer.heads, signer.files, await signer.size())
    assert checked.heads > 0
