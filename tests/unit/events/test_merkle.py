"""The Merkle tree: published vectors, the RFC's own definitions, and pymerkle as an oracle."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from events import merkle
from events.merkle import Frontier, NotProved, Span, Subtree, check_consistency, check_inclusion

# The leaves and roots with which Certificate Transparency's implementations are tested.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


class Plain:
    """A tree that has all its leaves at hand, and takes hashes of spans from complete subtrees as a store would."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.leaves = list(leaves)

    def subtree(self, at: Subtree) -> bytes:
        return merkle.subtree_hash([merkle.leaf_hash(d) for d in self.leaves[at.number << at.level :][: 1 << at.level]])

    def span(self, span: Span) -> bytes:
        return merkle.fold([self.subtree(at) for at in merkle.subtrees(span)])

    def root(self, size: int | None = None) -> bytes:
        return self.span((0, len(self.leaves) if size is None else size))

    def inclusion(self, index: int, size: int) -> list[bytes]:
        return [self.span(span) for span in merkle.inclusion_spans(index, size)]

    def consistency(self, old: int, new: int) -> list[bytes]:
        return [self.span(span) for span in merkle.consistency_spans(old, new)]


def mth(leaves: Sequence[bytes]) -> bytes:
    """The hash of a list of leaves by the definition of RFC 9162, 2.1.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def subproof(old: int, leaves: Sequence[bytes], known: bool = True) -> list[bytes]:
    """SUBPROOF of RFC 9162, 2.1.4.1."""
    if old == len(leaves):
        return [] if known else [mth(leaves)]
    k = split(len(leaves))
    if old <= k:
        return [*subproof(old, leaves[:k], known), mth(leaves[k:])]
    return [*subproof(old - k, leaves[k:], False), mth(leaves[:k])]


def split(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def oracle(leaves: Sequence[bytes]) -> InmemoryTree:
    tree = InmemoryTree()
    for leaf in leaves:
        tree.append_entry(leaf)
    return tree


def test_the_published_roots_come_out() -> None:
    tree, frontier = Plain(LEAVES), Frontier()
    for size, root in enumerate(ROOTS):
        assert tree.root(size).hex() == root
        assert frontier.root().hex() == root
        frontier.extend(LEAVES[size : size + 1])


def test_proofs_of_seven_leaves_are_those_of_the_rfc() -> None:
    """RFC 9162, 2.1.5: named there by the nodes of its drawing."""
    tree = Plain([b"d%d" % n for n in range(7)])
    a, b, c, d, e, f, j = (merkle.leaf_hash(leaf) for leaf in tree.leaves)
    g, h, i = merkle.node_hash(a, b), merkle.node_hash(c, d), merkle.node_hash(e, f)
    k, l = merkle.node_hash(g, h), merkle.node_hash(i, j)  # noqa: E741 - the drawing's names
    assert tree.root() == merkle.node_hash(k, l)
    assert tree.inclusion(0, 7) == [b, h, l]
    assert tree.inclusion(3, 7) == [c, g, l]
    assert tree.inclusion(4, 7) == [f, j, k]
    assert tree.inclusion(6, 7) == [i, k]
    assert tree.consistency(3, 7) == [c, d, g, l]
    assert tree.consistency(4, 7) == [l]
    assert tree.consistency(6, 7) == [i, j, k]


@settings(max_examples=1000)
@given(st.data())
def test_any_tree_is_that_of_the_oracle_and_proves_every_leaf_and_every_older_tree(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 70))
    seed = data.draw(st.binary(max_size=8))
    leaves = [seed * (n % 4) + bytes(n % 2) + bytes([n])[: n % 3] for n in range(size)]  # some of them the same
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    tree, known = Plain(leaves), oracle(leaves)
    root, before = tree.root(), tree.root(old)
    frontier = Frontier()
    frontier.extend(leaves)
    assert root == known.get_root() == frontier.root() == mth(leaves)
    assert before == known.get_root(old)
    inclusion, consistency = tree.inclusion(index, size), tree.consistency(old, size)
    assert inclusion == known.prove_inclusion(index + 1, size).path[1:]
    assert consistency == subproof(old, leaves)
    check_inclusion(leaves[index], index, size, inclusion, root)
    check_consistency(old, size, before, root, consistency)


@settings(max_examples=300)
@given(st.data())
def test_a_proof_with_anything_changed_proves_nothing(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 70))
    leaves = [n.to_bytes(32, "big") for n in range(size)]
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    tree = Plain(leaves)
    root, before = tree.root(), tree.root(old)
    inclusion, consistency = tree.inclusion(index, size), tree.consistency(old, size)
    at, byte = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 31))
    bit = 1 << data.draw(st.integers(0, 7))

    def flipped(one: bytes) -> bytes:
        return one[:byte] + bytes([one[byte] ^ bit]) + one[byte + 1 :]

    def spoilt(proof: list[bytes]) -> list[list[bytes]]:
        n = at % len(proof)
        return [
            [*proof[:n], flipped(proof[n]), *proof[n + 1 :]],
            [*proof[:n], *proof[n + 1 :]],
            [*proof, proof[n]],
            [*proof[:n], proof[n][:-1], *proof[n + 1 :]],
        ]

    for proof in spoilt(inclusion):
        with pytest.raises(NotProved):
            check_inclusion(leaves[index], index, size, proof, root)
    for proof in spoilt(consistency):
        with pytest.raises(NotProved):
            check_consistency(old, size, before, root, proof)
    refused = [
        (flipped(leaves[index]), index, size, root),
        (leaves[index], (index + 1) % size, size, root),
        (leaves[index], size, size, root),
        (leaves[index], -1, size, root),
        (leaves[index], index, size, flipped(root)),
    ]
    for leaf, where, total, top in refused:
        with pytest.raises(NotProved):
            check_inclusion(leaf, where, total, inclusion, top)
    for smaller, larger, one, other in [
        (old, size, flipped(before), root),
        (old, size, before, flipped(root)),
        (size + 1, size, before, root),
        (0, size, before, root),
    ]:
        with pytest.raises(NotProved):
            check_consistency(smaller, larger, one, other, consistency)


def test_a_tree_is_consistent_with_itself_alone() -> None:
    tree = Plain(LEAVES)
    for size in range(1, 9):
        root = tree.root(size)
        check_consistency(size, size, root, root, [])
        with pytest.raises(NotProved):
            check_consistency(size, size, root, merkle.leaf_hash(root), [])


def test_there_are_no_proofs_beyond_the_tree() -> None:
    for index, size in [(0, 0), (3, 3), (-1, 3)]:
        with pytest.raises(ValueError, match="has no leaf"):
            merkle.inclusion_spans(index, size)
    for old, new in [(0, 3), (4, 3), (-1, 3)]:
        with pytest.raises(ValueError, match="no proof"):
            merkle.consistency_spans(old, new)


@given(st.data())
def test_proofs_stay_short_in_trees_of_any_size(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 2**63 - 1))
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    levels = (size - 1).bit_length()
    for spans, most in [
        (merkle.inclusion_spans(index, size), levels),
        (merkle.consistency_spans(old, size), levels + 1),
    ]:
        assert len(spans) <= most <= merkle.PROOF_HASHES_MAX
        assert sum(len(merkle.subtrees(span)) for span in spans) <= 2 * levels + 1


@pytest.mark.parametrize("leaf", range(8))
def test_a_node_is_never_taken_for_a_leaf(leaf: int) -> None:
    """The second preimage that the prefixes are against: the two children of a node, given as one leaf."""
    tree = Plain(LEAVES)
    children = merkle.leaf_hash(LEAVES[0]) + merkle.leaf_hash(LEAVES[1])
    with pytest.raises(NotProved):
        check_inclusion(children, leaf // 2, 4, tree.inclusion(0, 8)[1:], tree.root())
