"""The random stream of one game: auditable, without bias, scriptable in sandbox games.

Draw k (counted from 1) with `sides` outcomes: for attempt a = 0, 1 ... let x be HMAC-SHA256(key, k as 8 bytes
big-endian followed by a as 1 byte) read as a big-endian number; the first x below the greatest multiple of `sides`
that fits into 256 bits gives x mod `sides` + 1. The key is HMAC-SHA256(server seed, all players' entropies in order),
so neither side can choose it. A shuffle is Fisher-Yates from the end: for i = n ... 2 a draw with i outcomes says what
goes to place i.
"""

import hmac
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")
_SPACE = 1 << 256


class ScriptMismatchError(ValueError):
    """A scripted die or order does not fit what the game asks for."""


class Script(Struct, frozen=True):
    """Scripted chance: `dice` in order (a number, the thing itself, or {purpose: either}); `orders` by purpose."""

    dice: tuple[Any, ...] = ()
    orders: dict[str, tuple[tuple[Any, ...], ...]] = {}


def commitment(seed: bytes) -> str:
    """What is published of a server seed before anyone joins: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def game_key(seed: bytes, entropies: Sequence[bytes]) -> bytes:
    """The key of a game: HMAC of the server seed over the players' entropies, each preceded by its length."""
    return _hmac(seed, b"".join(len(e).to_bytes(4, "big") + e for e in entropies))


@lru_cache(maxsize=1024)
def _hmac(seed: bytes, told: bytes) -> bytes:
    return hmac.digest(seed, told, "sha256")


#: HMAC's pads (RFC 2104), as tables for bytes.translate.
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@lru_cache(maxsize=1024)
def _keyed(key: bytes) -> tuple[Any, Any]:
    """The inner and outer hash of HMAC-SHA256 with the key taken in: copying them is much cheaper than hmac.digest."""
    block = (key if len(key) <= 64 else sha256(key).digest()).ljust(64, b"\0")
    return sha256(block.translate(_INNER)), sha256(block.translate(_OUTER))


@lru_cache(maxsize=256)
def _limit(sides: int) -> int:
    """The greatest multiple of `sides` that fits into 256 bits."""
    return _SPACE - _SPACE % sides


def draw(key: bytes, number: int, sides: int) -> int:
    """Draw `number` (from 1) of the stream of `key`: 1 to `sides`, each with the same chance."""
    limit, (inner_keyed, outer_keyed) = _limit(sides), _keyed(key)
    attempt = 0
    while True:
        inner, outer = inner_keyed.copy(), outer_keyed.copy()
        inner.update((number << 8 | attempt).to_bytes(9, "big"))
        outer.update(inner.digest())
        value = int.from_bytes(outer.digest(), "big")
        if value < limit:
            return value % sides + 1
        attempt += 1


class Dice:
    """The dice of one game from draw `draws` on. `used` counts the script: `dice`, orders by purpose."""

    __slots__ = ("draws", "key", "script", "used")

    def __init__(self, key: bytes, draws: int = 0, script: Script | None = None, used: Mapping[str, int] = {}) -> None:
        self.key = key
        self.draws = draws
        self.script = script
        self.used = dict(used)

    def roll(self, purpose: str, sides: int) -> int:
        """A die with `sides` faces.

        Raises:
            ScriptMismatchError: the script's next value is for another purpose, or no face.
        """
        value = self._scripted(purpose, range(1, sides + 1))
        return value if value is not None else self._draw(sides)

    def pick(self, purpose: str, candidates: Sequence[T]) -> T:
        """One candidate by chance: a roll of 1 to k over them in their order; a single one needs no roll.

        Raises:
            ScriptMismatchError: as for `roll`; the script may name the number or the thing itself.
        """
        if len(candidates) == 1:
            return candidates[0]
        number = self._scripted(purpose, range(1, len(candidates) + 1), candidates)
        return candidates[(number if number is not None else self._draw(len(candidates))) - 1]

    def shuffle(self, purpose: str, items: Sequence[T]) -> list[T]:
        """The items in an order by chance; a scripted order is the whole or the front, the rest is shuffled.

        Raises:
            ScriptMismatchError: the scripted order names something that is not there.
        """
        rest, front = list(items), self._scripted_order(purpose)
        for thing in front:
            if thing not in rest:
                message = f"orders.{purpose}: {thing!r} is not (or no longer) among what is shuffled"
                raise ScriptMismatchError(message)
            rest.remove(thing)
        for i in range(len(rest), 1, -1):
            j = self._draw(i) - 1
            rest[i - 1], rest[j] = rest[j], rest[i - 1]
        return [*front, *rest]

    def _draw(self, sides: int) -> int:
        self.draws += 1
        return draw(self.key, self.draws, sides)

    def _scripted(self, purpose: str, faces: range, things: Sequence[Any] = ()) -> int | None:
        used = self.used.get("dice", 0)
        if self.script is None or used >= len(self.script.dice):
            return None
        value = self.script.dice[used]
        if isinstance(value, dict):
            if list(value) != [purpose]:
                message = f"dice[{used}] is for {', '.join(map(str, value))}, but the game asks for {purpose}"
                raise ScriptMismatchError(message)
            value = value[purpose]
        if not isinstance(value, int) and value in things:
            value = list(things).index(value) + 1
        if isinstance(value, bool) or not isinstance(value, int) or value not in faces:
            message = f"dice[{used}] = {value!r} is no result of {purpose} (1 to {len(faces)})"
            raise ScriptMismatchError(message)
        self.used["dice"] = used + 1
        self.draws += 1
        return value

    def _scripted_order(self, purpose: str) -> tuple[Any, ...]:
        orders = self.script.orders.get(purpose, ()) if self.script else ()
        used = self.used.get(purpose, 0)
        if used >= len(orders):
            return ()
        self.used[purpose] = used + 1
        return orders[used]
