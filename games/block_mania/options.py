"""The options of a game (specification, 2.11): content to add, alternative rules, readings of the rulebook."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0, le=53)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game, by name as in 2.11. `first_boards` names the boards that may be chosen; none: all."""

    jaegers: bool = False
    robodogs_sucker_guns: bool = False
    trip_mines_spit_cannons: bool = False
    thermo_bombs: bool = False
    plascrete_virus: bool = False
    nerve_gas: bool = False
    open_living_spaces: bool = False
    justice_units_targetable: bool = False
    mine_bluffing: bool = False
    hotter_than_the_sun: bool = False
    discard: Literal["auto"] | Count = "auto"
    opening_hand: Literal[0, 3] = 0
    deck: Literal["house54", "table49", "totals53"] = "house54"
    catastrophe_check: Literal["since_last_check", "own_turn_only", "every_end_phase"] = "since_last_check"
    water_tank_douse: Literal["column_below", "row_below"] = "column_below"
    explosion_adjacency: Literal["eight", "four"] = "eight"
    virus_check: Literal["every_end_phase", "owner_end_phase"] = "every_end_phase"
    max_reshuffles: Annotated[int, Meta(ge=0, le=20)] = 3
    mob_sky_rail: bool = False
    sky_rail_car_moves: bool = False
    power_house_collapse: Literal["unchanged", "power_off"] = "unchanged"
    card_backs_visible: bool = True
    equipment_visible: Literal["open", "hidden"] = "open"
    reaction_prompt: Literal["any_card", "eligible_card"] = "any_card"
    first_boards: tuple[str, ...] = ()

    @property
    def equipment_hidden(self) -> bool:
        """Whether equipment is face down for others (forced by Mine Bluffing: BM-R57)."""
        return self.mine_bluffing or self.equipment_visible == "hidden"
