"""The set-up choice (specification, 4.3, step 5)."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations, product, starmap
from typing import ClassVar

from games.kernel import Action, Secret, Table
from games.tpoc.actions.refusals import refuse
from games.tpoc.codes import holds, in_order, is_villager, listed
from games.tpoc.effects import SetupSealed
from games.tpoc.pack import Limits
from games.tpoc.state import State


class ChooseSetup(Action, frozen=True):
    """Choose the cards of the first platform and the villagers to start in play; both in canonical order."""

    rule: ClassVar[str] = "TPOC-3.4"
    exact: ClassVar[bool] = True

    platform: Secret[tuple[str, ...]]
    tiles: Secret[tuple[str, ...]]

    @classmethod
    def options(cls, state: State, seat: int) -> "tuple[ChooseSetup, ...]":
        """Every different platform with every different set of villagers.

        The first one has the first cards in canonical order and the first villager drawn, as 4.14 asks for.
        """
        me = state.seats[seat]
        return _choices(tuple(listed(me.hand)), tuple(me.start_tiles), state.content().limits)

    def check(self, state: State, seat: int) -> None:
        """Refuse what is not four own cards, then what is not one to three own villagers."""
        me, limits = state.seats[seat], state.content().limits
        if len(self.platform) != limits.start_platform or not _own(self.platform, me.hand):
            refuse("TPOC-3.4", "platform_not_from_hand")
        drawn = {tile: me.start_tiles.count(tile) for tile in me.start_tiles}
        if not limits.start_keep_min <= len(self.tiles) <= limits.start_tiles or not _own(self.tiles, drawn):
            refuse("TPOC-3.5", "tiles_not_from_start_tiles")
        if not all(map(is_villager, self.tiles)):
            refuse("TPOC-3.8", "special_tile_named")

    def apply(self, table: Table[State], seat: int) -> None:
        """Seal the choice."""
        table.emit(SetupSealed(seat, self.platform, self.tiles))


# Every seat that has not chosen is asked again after each choice of another, with the same cards and tiles.
@lru_cache(maxsize=64)
def _choices(hand: tuple[str, ...], drawn: tuple[str, ...], limits: Limits) -> tuple[ChooseSetup, ...]:
    platforms = _different(combinations(hand, limits.start_platform))
    villagers = [tile for tile in drawn if is_villager(tile)]
    sizes = range(limits.start_keep_min, len(villagers) + 1)
    kept = _different(in_order(some) for size in sizes for some in combinations(villagers, size))
    return tuple(starmap(ChooseSetup, product(platforms, kept)))


def _own(codes: tuple[str, ...], owned: dict[str, int]) -> bool:
    return holds(owned, codes) and in_order(codes) == codes


def _different(choices: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(choices))
