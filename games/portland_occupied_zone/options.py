"""The options of a game (specification, 4.9); each picks a reading of the rulebook, or a size."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.kernel import PositionError, Setting

CHARACTERS_MAX = 8  # POZ-WAR-1
STANDARD_MAX, BATTLE_MAX, CHANGES_MAX, OFFERS_MAX = 38, 26, 9, 20
TILES_MIN = 4  # POZ-ALT-2

Count = Annotated[int, Meta(ge=1, le=8)]
Tile = tuple[int, int]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game.

    `characters_per_seat`: one number for all seats, or one for each. `characters`: who they are, seat by seat; None:
    the seats choose. `tiles`: the tiles of the map in play as (column, row) from 0; None: all. `cop_cap`: by the
    number of living characters from 0; None: the pack's table.
    """

    characters_per_seat: Count | tuple[Count, ...] = 1
    characters: tuple[tuple[str, ...], ...] | None = None
    standard_cards: Annotated[int, Meta(ge=0, le=STANDARD_MAX)] = 24
    battle_cards: Annotated[int, Meta(ge=1, le=BATTLE_MAX)] = 16
    tiles: tuple[Tile, ...] | None = None
    brick_die: Literal["d6", "equal_faces", "physical"] = "d6"
    injury_rule: Literal["next_hit", "last_slot"] = "next_hit"
    kim_fourth_state: Literal["manic", "happy", "flat"] = "manic"
    initial_bricks: Literal["full", "none"] = "full"
    power_relock: bool = True
    population_gain: Literal["ones", "any"] = "ones"
    npc_cost: Literal["food_drug", "any_loot"] = "food_drug"
    trade_range: Literal["anywhere", "near"] = "anywhere"
    gas_timing: Literal["first_action", "end_of_turn"] = "first_action"
    riot_fallback: Literal["pursue", "hold"] = "pursue"
    medic_shoots: bool = True
    vote_changes: Annotated[int, Meta(ge=0, le=CHANGES_MAX)] = 3
    trade_offers: Annotated[int, Meta(ge=0, le=OFFERS_MAX)] = 6
    drug_stability: Literal["turn", "lasting"] = "turn"
    brick_supply: Annotated[int, Meta(ge=0, le=400)] = 40
    befoul_tokens: Annotated[int, Meta(ge=0, le=100)] = 8
    cop_cap: tuple[Annotated[int, Meta(ge=1, le=8)], ...] | None = None

    def counts(self, seats: int) -> tuple[int, ...]:
        """How many characters each seat plays."""
        if self.characters is not None:
            return tuple(map(len, self.characters))
        each = self.characters_per_seat
        return (each,) * seats if isinstance(each, int) else each


def check_options(setting: Setting, choosable: tuple[str, ...]) -> None:
    """Refuse options that do not go together with the seats and the characters that can be chosen.

    Raises:
        PositionError: a sentence that names the option.
    """
    options: Options = setting.options
    counts = options.counts(setting.seats)
    field = "options.characters_per_seat" if options.characters is None else "options.characters"
    if len(counts) != setting.seats or min(counts) < 1:
        raise PositionError(f"{field}: each of the {setting.seats} seats has at least one")
    if sum(counts) > len(choosable):
        raise PositionError(f"{field}: there are {len(choosable)} characters to choose from, not {sum(counts)}")
    for pc in (named := [pc for seat in options.characters or () for pc in seat]):
        if pc not in choosable or named.count(pc) > 1:
            raise PositionError(f"options.characters: {pc} cannot be chosen (again)")
    if options.cop_cap is not None and len(options.cop_cap) != CHARACTERS_MAX + 1:
        raise PositionError("options.cop_cap: it has nine numbers, for 0 to 8 living characters")


def check_tiles(named: tuple[Tile, ...], tiles: frozenset[Tile]) -> None:
    """Refuse a map that is too small, without its centre, or in pieces (POZ-ALT-2).

    Raises:
        PositionError: a sentence about the option.
    """
    used = set(named)
    if len(used) != len(named) or not used <= tiles:
        raise PositionError("options.tiles: each is a tile of the map, named once")
    middle = {(x, y) for x, y in used if (x, y) == (max(tiles)[0] // 2, max(tiles)[1] // 2)}
    if len(used) < TILES_MIN or not middle:
        raise PositionError(f"options.tiles: at least {TILES_MIN}, the centre among them")
    reached: set[Tile] = set()
    ahead = list(middle)
    while ahead:
        x, y = tile = ahead.pop()
        if tile not in reached:
            reached.add(tile)
            ahead += {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & used
    if reached != used:
        raise PositionError("options.tiles: they are connected")
