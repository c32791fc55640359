"""The Merkle tree over all events of the log (RFC 6962, RFC 9162): roots, proofs, and how to check them.

Leaf number p-1 is the digest of the event at position p. All that a proof needs are hashes of complete subtrees, which
never change once the tree is larger than they are: `Subtree` names one, whoever keeps them finds them by that name.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

HASH_BYTES = 32
PROOF_HASHES_MAX = 64
"""No proof over less than 2^63 leaves is longer."""

EMPTY = sha256().digest()
"""The root of a tree without leaves."""

Span = tuple[int, int]
"""Leaves from the first number up to, and without, the second."""


class NotProved(Exception):
    """A proof does not show what it should; one sentence says how that shows."""


class Subtree(NamedTuple):
    """The complete subtree over the 2**level leaves from leaf number × 2**level on."""

    level: int
    number: int


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node, from those of its two children."""
    return sha256(b"\1" + left + right).digest()


def subtree_hash(hashes: Sequence[bytes]) -> bytes:
    """The hash of a complete subtree, from those of 1, 2, 4, … equally large subtrees side by side in it."""
    while len(hashes) > 1:
        hashes = [node_hash(hashes[n], hashes[n + 1]) for n in range(0, len(hashes), 2)]
    return hashes[0]


def fold(hashes: Sequence[bytes]) -> bytes:
    """The hash over complete subtrees side by side, the largest first: each stands to the left of all after it."""
    if not hashes:
        return EMPTY
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = node_hash(left, root)
    return root


def subtrees(span: Span) -> list[Subtree]:
    """The complete subtrees that make up a span of a proof (or of a whole tree), the largest first."""
    start, end = span
    found = []
    while start < end:
        level = (end - start).bit_length() - 1
        found.append(Subtree(level, start >> level))
        start += 1 << level
    return found


def inclusion_spans(index: int, size: int) -> list[Span]:
    """The spans whose hashes prove that a leaf is in the tree of this size, from the leaf up (RFC 9162, 2.1.3.1).

    Raises ValueError if there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    start, end, spans = 0, size, []
    while end - start > 1:
        middle = start + _left(end - start)
        if index < middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    return spans[::-1]


def consistency_spans(old: int, new: int) -> list[Span]:
    """The spans whose hashes prove that a tree grew from an older one by leaves at its end alone (RFC 9162, 2.1.4.1).

    Raises ValueError if it is not 0 < old <= new.
    """
    if not 0 < old <= new:
        raise ValueError(f"there is no proof from size {old} to size {new}")
    start, end, spans = 0, new, []
    while end > old:
        middle = start + _left(end - start)
        if old <= middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    if start > 0:  # else it is the old root, which the verifier has
        spans.append((start, end))
    return spans[::-1]


def check_inclusion(data: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Check that leaf number `index` of the tree with this size and root is `data` (RFC 9162, 2.1.3.2).

    Raises NotProved.
    """
    if not 0 <= index < size:
        raise NotProved(f"a tree of {size} leaves has no leaf {index}")
    _check_hashes(proof, len(inclusion_spans(index, size)))
    at, last, found = index, size - 1, leaf_hash(data)
    for sibling in proof:
        left = at & 1 or at == last  # at the right edge all others stand to the left
        found = node_hash(sibling, found) if left else node_hash(found, sibling)
        at, last = at >> 1, last >> 1
    if not hmac.compare_digest(found, root):
        raise NotProved(f"the proof of leaf {index} leads to another root than that of the tree of {size} leaves")


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the larger tree has all leaves of the smaller one, in their places (RFC 9162, 2.1.4.2).

    Raises NotProved.
    """
    if not 0 < old <= new:
        raise NotProved(f"no tree of {new} leaves can have grown from one of {old}")
    _check_hashes(proof, len(consistency_spans(old, new)))
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    # The older tree, where it is one complete subtree or the whole, is left out: its root is known.
    path = iter(proof if at and old < new else (old_root, *proof))
    before = after = next(path)
    for sibling in path:
        if at & 1 or at == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
        at, last = at >> 1, last >> 1
    if not hmac.compare_digest(before, old_root):
        raise NotProved(f"the proof does not lead to the root of the tree of {old} leaves")
    if not hmac.compare_digest(after, new_root):
        raise NotProved(f"the proof does not lead to the root of the tree of {new} leaves")


class Frontier:
    """A tree that grows leaf by leaf and keeps no more than the hashes of its largest complete subtrees."""

    def __init__(self) -> None:
        self.size = 0
        self._hashes: list[bytes] = []

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Append the leaves with these data."""
        hashes = self._hashes
        for data in leaves:
            found, size = leaf_hash(data), self.size
            while size & 1:
                found = node_hash(hashes.pop(), found)
                size >>= 1
            hashes.append(found)
            self.size += 1

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        return fold(self._hashes)


def _left(size: int) -> int:
    """How many leaves of a tree of more than one are on the left: the largest power of two below its size."""
    return 1 << (size - 1).bit_length() - 1


def _check_hashes(proof: Sequence[bytes], wanted: int) -> None:
    if len(proof) != wanted:
        raise NotProved(f"the proof has {len(proof)} hashes, but there must be {wanted}")
    if any(len(one) != HASH_BYTES for one in proof):
        raise NotProved(f"a hash of the proof is not of {HASH_BYTES} bytes")
