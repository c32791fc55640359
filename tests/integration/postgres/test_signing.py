"""Signed heads on PostgreSQL: many nodes sign one log, no node can change a head, and a tampered log is refused."""

import asyncio
from functools import partial

import asyncpg
import pytest

from events.database import CannotOpen
from events.heads import Successor
from events.logproof import check, check_trust
from events.merkle import Frontier, check_consistency
from events.migrations import migrate
from events.notes import Note, PrivateKey
from events.postgres import PostgresStore
from events.postgres_pool import PostgresPool
from events.signed import SignedHeads
from events.tree import TILE, Tree
from server.head_check import check_log
from server.key_files import read_key, write_key
from server.log_proofs import prove
from server.settings import Settings
from server.signing import Parts, Signer
from server.simulate import SeededRandom, SteppingClock
from tests.integration.store_kit import an_append, sealed

pytestmark = pytest.mark.slow

KEY, NEXT = (PrivateKey("example.org/games", bytes([n]) * 32) for n in (1, 2))


class Node:
    """A node with a pool of its own; `heads_key` is the file of its key."""

    def __init__(self, dsn: str, key: str) -> None:
        self.database = PostgresPool(dsn)
        self.store = PostgresStore(self.database)
        settings = Settings(database=dsn, heads_key=key)
        self.signer = Signer(settings, Parts(self.store, self.database, SteppingClock(), SeededRandom(dsn)))

    async def open(self) -> None:
        await self.database.open()
        await self.signer.prepare()


@pytest.fixture(scope="module")
def template(postgres):
    """A database with the tables of the log and of its heads, to be copied."""
    with postgres.one() as dsn:
        rooms = PostgresPool(dsn)
        Tree(rooms)
        SignedHeads(rooms)
        asyncio.run(migrate(dsn, rooms.rooms))
        yield dsn


@pytest.fixture
def log_database(postgres, template):
    with postgres.one(template) as dsn:
        yield dsn


@pytest.fixture
def key(tmp_path):
    write_key(tmp_path / "key", KEY)
    return str(tmp_path / "key")


@pytest.fixture
async def nodes(log_database, key):
    """Two nodes on one log."""
    both = [Node(log_database, key) for _ in range(2)]
    for node in both:
        await node.open()
    yield both
    for node in both:
        await node.store.close()


async def play(node: Node, games: int, events: int = 100, prefix: str = "g") -> list:
    """So many games with so many events each; the events."""
    made = [sealed(f"{prefix}{n}", events) for n in range(games)]
    await asyncio.gather(*(node.store.append(an_append(one)) for one in made))
    return [event for one in made for event in one]


async def root_of(node: Node, size: int) -> bytes:
    """From all events as they are read."""
    frontier = Frontier()
    frontier.extend(event.digest for event in await node.store.read_all(0, size))
    return frontier.root()


async def test_two_nodes_sign_one_log_and_any_of_them_proves_it(nodes):
    one, other = nodes
    assert (one.signer.off, other.signer.off) == (None, None)
    await play(one, 7)
    await asyncio.gather(*(node.signer.sign() for node in nodes * 3))
    await play(other, 1, prefix="h")
    await asyncio.gather(*(node.signer.sign() for node in nodes * 3))
    heads = await one.signer.heads.before(None, 10)
    assert [head.size for head in heads] == [800, 700]
    ring = await other.signer.heads.keyring()
    new, old = (ring.open(Note.parse(head.note)) for head in heads)
    assert (old.root, new.root) == (await root_of(one, 700), await root_of(other, 800))
    proof = await other.signer.tree.consistency(700, 800)
    check_consistency(700, 800, old.root, new.root, proof)
    proved = await prove(other.signer, "g3", 100, heads[0])
    check_trust(check(proved.proof, proved.place.digest), [KEY.public])
    checked = await check_log(one.signer.tree, one.signer.heads, None, 800)
    assert (checked.size, checked.heads) == (800, 2)
    await one.signer.tree.forget()
    assert await other.signer.tree.root(800) == new.root


async def test_a_node_starts_while_another_one_writes_and_signs(nodes, log_database, key):
    one, _ = nodes
    await play(one, 1)
    await one.signer.sign()
    late = Node(log_database, key)
    await late.database.open()
    numbers = iter(range(100))

    async def meanwhile(ask):
        found = await ask()
        await play(one, 1, prefix=f"m{next(numbers)}-")
        await one.signer.sign()
        return found

    late.store.head = partial(meanwhile, late.store.head)
    late.signer.heads.latest = partial(meanwhile, late.signer.heads.latest)
    late.signer.heads.keyring = partial(meanwhile, late.signer.heads.keyring)
    await late.signer.prepare()
    assert late.signer.off is None
    await late.store.close()


async def test_a_rotated_key_ends_the_signing_of_nodes_that_do_not_have_it(nodes, tmp_path, log_database):
    one, other = nodes
    await play(one, 1)
    await one.signer.sign()
    assert await other.signer.heads.add_key(Successor.endorse(NEXT.public, 101, KEY), KEY.public)
    await play(one, 1, prefix="h")
    assert (await one.signer.sign()).size == 100
    write_key(tmp_path / "next", NEXT)
    third = Node(log_database, str(tmp_path / "next"))
    await third.open()
    assert (await third.signer.sign()).size == 200
    await third.store.close()


async def test_no_node_can_change_or_remove_a_head_or_a_key(nodes, log_database):
    one, _ = nodes
    await play(one, 1)
    await one.signer.sign()
    for sql in (
        "update tree_heads set note = ''",
        "delete from tree_heads",
        "truncate tree_heads",
        "update tree_keys set key = ''",
        "delete from tree_keys",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await one.database.change(sql)
    owner = await asyncpg.connect(log_database)
    for table in ("tree_heads", "tree_keys"):
        with pytest.raises(asyncpg.PostgresError, match="append-only"):  # nor the owner, by mistake
            await owner.execute(f"delete from audit.{table}")
    await owner.close()


@pytest.mark.parametrize(
    ("tampering", "reason"),
    [
        ("update log.events set digest = decode(repeat('00', 32), 'hex') where position = 5", "positions 1 to 256"),
        ("update log.events set digest = decode(repeat('00', 32), 'hex') where position = 290", "with another root"),
        ("delete from log.events where position = 5", "the log has only"),
        ("delete from log.events where position > 200; update log.head set position = 200", "it ends at event 200"),
        ("update shell.tree_nodes set hash = decode(repeat('00', 32), 'hex')", "with another root"),
        ("update audit.tree_heads set note = 'x' || note", "cannot be believed"),
    ],
)
async def test_a_log_that_was_tampered_with_is_refused(log_database, key, tampering, reason):
    node = Node(log_database, key)
    await node.open()
    await play(node, 3)
    assert (await node.signer.sign()).size == 300 > TILE
    await node.store.close()
    owner = await asyncpg.connect(log_database)
    await owner.execute("set session_replication_role = replica")  # the triggers hold for the owner too
    await owner.execute(tampering)
    await owner.close()
    again = Node(log_database, key)
    await again.database.open()
    with pytest.raises(CannotOpen, match=reason):
        await again.signer.prepare()
    await again.store.close()


async def test_nodes_make_no_key_of_their_own(log_database, tmp_path):
    node = Node(log_database, str(tmp_path / "none"))
    await node.open()
    assert "make one with `turnlog heads new-key`" in node.signer.off
    assert read_key(tmp_path / "none") is None
    await node.store.close()
