"""Make the golden games anew: `python -m tests.golden.make`, only before 0.1.0 is released.

From then on they are never changed: every later program must read them, verify them, and fold them to the states whose
hashes stand in states.json. A schema that changes gets new games beside the old ones.
"""

import asyncio
import json
from hashlib import sha256
from pathlib import Path

from games.kernel import encode
from projections.history import open_game
from server.catalogue import Catalogue
from server.replays import ReplayLog, check
from server.simulate import Plan, play_games

FOLDER = Path(__file__).parent
STATES = FOLDER / "states.json"

#: Block Mania with all that can be added, and with every alternative rule.
EXPANSIONS = dict.fromkeys(
    ("jaegers", "robodogs_sucker_guns", "trip_mines_spit_cannons", "thermo_bombs", "plascrete_virus", "nerve_gas"), True
)
ALTERNATIVES = EXPANSIONS | dict.fromkeys(
    ("open_living_spaces", "justice_units_targetable", "mine_bluffing", "hotter_than_the_sun"), True
)

#: By file name: all numbers of seats, and the options away from their defaults.
PLANS = {
    "block_mania/2": Plan("block_mania", 1, "golden 2", 2, keep=True),
    "block_mania/4": Plan("block_mania", 1, "golden 4", 4, keep=True),
    "block_mania/expansions": Plan("block_mania", 1, "golden expansions", 3, EXPANSIONS, keep=True),
    "block_mania/alternatives": Plan("block_mania", 1, "golden alternatives", 2, ALTERNATIVES, keep=True),
    "portland_occupied_zone/1": Plan(
        "portland_occupied_zone", 1, "golden 1", 1, {"characters_per_seat": 3, "standard_cards": 4}, keep=True
    ),
    "portland_occupied_zone/4": Plan(
        "portland_occupied_zone",
        1,
        "golden 4",
        4,
        {"standard_cards": 2, "battle_cards": 3, "trade_offers": 2},
        keep=True,
    ),
    "portland_occupied_zone/options": Plan(
        "portland_occupied_zone",
        1,
        "golden options",
        3,
        {
            "characters_per_seat": 2,
            "standard_cards": 2,
            "battle_cards": 3,
            "trade_offers": 1,
            "brick_die": "equal_faces",
            "injury_rule": "last_slot",
            "kim_fourth_state": "happy",
            "population_gain": "any",
            "npc_cost": "any_loot",
            "gas_timing": "end_of_turn",
            "riot_fallback": "hold",
            "drug_stability": "lasting",
        },
        keep=True,
    ),
    "tpoc/3": Plan("tpoc", 1, "golden 3", 3, keep=True),
    "tpoc/4": Plan("tpoc", 1, "golden 4", 4, keep=True),
    "tpoc/5": Plan("tpoc", 1, "golden 5", 5, keep=True),
    "tpoc/first_player": Plan("tpoc", 1, "golden first", 3, {"first_player": 2}, keep=True),
    "tpoc/secret_ends": Plan("tpoc", 1, "golden secret", 4, {"secret_ends_accusations": True}, keep=True),
    "tpoc/tied_owner": Plan("tpoc", 1, "golden tied", 5, {"tied_owner_keeps_leader": True}, keep=True),
    "tpoc/void": Plan("tpoc", 1, "golden void", 4, {"both_colours": "void"}, keep=True),
    "tpoc/open_lunch": Plan("tpoc", 1, "golden lunch", 3, {"lunch_draw": "open"}, keep=True),
    "host_tournament/samples": Plan("host_tournament", 1, "golden samples", 2, {"turn_limit": 60}, keep=True),
    "host_tournament/open": Plan(
        "host_tournament",
        1,
        "golden open",
        2,
        {"first_player": "random", "entry_order": "active_first", "deprivation": "end_of_turn", "turn_limit": 40},
        keep=True,
    ),
    "host_tournament/few": Plan(
        "host_tournament",
        1,
        "golden few",
        2,
        {"first_player": 1, "max_copies": 2, "winner_points": "present", "reactions": "smart", "turn_limit": 40},
        keep=True,
    ),
    "world_war_zed/basic": Plan("world_war_zed", 1, "golden basic", 1, keep=True),
    "world_war_zed/boss": Plan("world_war_zed", 1, "golden boss", 1, {"zed_boss": "on"}, keep=True),
}


def folded(source: bytes) -> dict[str, str | int]:
    """Verify a replay and fold it: version, head and the hash of its final state."""
    catalogue = Catalogue.load()
    rulesets = {name: entry.rules for name, entry in catalogue.items()}
    replay, report = check(rulesets, source)
    live = asyncio.run(open_game(ReplayLog(replay), rulesets, replay.game))
    return {"version": report.version, "head": report.head, "state": sha256(encode(live.state)).hexdigest()}


def all_folded() -> dict[str, dict[str, str | int]]:
    """Every golden game, by the name of its file."""
    files = sorted(FOLDER.glob("*/*.ndjson"))
    return {str(file.relative_to(FOLDER)): folded(file.read_bytes()) for file in files}


def main() -> None:
    """Play them, and write them and their hashes."""
    catalogue = Catalogue.load()
    for name, plan in PLANS.items():
        file = FOLDER / f"{name}.ndjson"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(play_games(catalogue, plan, [1])[0].replay)
    STATES.write_text(json.dumps(all_folded(), indent=2) + "\n")


if __name__ == "__main__":
    main()
