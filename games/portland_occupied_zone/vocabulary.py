"""The words of the effect language (specification, 2.7), and which arguments each op, selector and condition takes.

An argument is of a kind: `n` a whole number, `count` one from 1 on, `reach` one from 0 on, `who` a selector, a kind of
WORDS one of these words, a kind of IDS an id of the pack (looked up in `pack_texts.py`); `n|word` allows the word too.
"""

from collections.abc import Mapping
from typing import Literal

Duration = Literal["turn", "next_turn", "round", "plot"]
DURATIONS = ("turn", "next_turn", "round", "plot")
KEYS = (
    "hits_players", "hits_police", "defense", "arson", "move", "max_bricks", "range", "crit", "hand_limit", "dive",
    "heal_bonus", "loot_bonus", "jackson_move", "jackson_damage", "riot_move", "gas_range",
)  # fmt: skip
FLAGS = (
    "immune_befoul", "immune_gas", "immune_fire", "inject", "calm", "hidden", "witch", "drummer", "spread_plus",
    "vote_proof", "any_npc", "own_altar", "altar_free", "gas_aura", "encore", "party", "mellow", "fast_push",
    "dive_anywhere", "bed_free", "no_food", "no_loot", "farm_plus", "no_camera_los", "police_shoot", "garbage_day",
    "no_gas", "no_dispatch", "medic_idle",
)  # fmt: skip
#: What holds for the whole game and for nobody in particular.
GLOBAL = frozenset(
    {"jackson_move", "jackson_damage", "riot_move", "gas_range", "no_camera_los", "police_shoot", "garbage_day",
     "no_gas", "no_dispatch", "medic_idle"}
)  # fmt: skip
WHO = ("self", "target", "all", "others", "awake", "leader", "top", "bottom", "outdoors", "near")

#: Ops: their arguments by kind.
SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "pick": ("pick",),
    "stab": ("who", "n"),
    "hurt": ("who", "count"),
    "heal": ("who", "count|all"),
    "crap": ("who", "n"),
    "bricks": ("who", "n|swapped"),
    "mp": ("who", "n"),
    "mod": ("key", "n"),
    "flag": ("flag",),
    "loot": ("who", "deck|picked", "count"),
    "scavenge": ("who", "count"),
    "drop": ("who", "count"),
    "gain": ("who", "card"),
    "infect": ("who",),
    "cure": ("who", "count", "how"),
    "pop": ("n",),
    "build": ("buildable",),
    "npc": ("count",),
    "befoul": ("place|here|cell|building",),
    "clean": ("place|here|cell|building|all",),
    "douse": ("house|here|cell|building|dumpster|all",),
    "ignite": ("house|here|building|dumpster", "count"),
    "relocate": ("who", "place|here|cell|building"),
    "strike": ("count",),
    "steal": ("who", "count"),
    "stun": (),
    "banish": (),
    "checkpoint": ("count",),
    "dispatch": ("count",),
    "camera": ("camera",),
    "plans": ("plans",),
    "pass_lead": (),
    "mill": ("deck", "count"),
    "swap": ("swap", "count"),
}
#: Selectors with an argument, and conditions.
SELECTORS: Mapping[str, tuple[str, ...]] = {"on": ("street",), "in": ("place",), "holding": ("food_or_drug",)}
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "at": ("place",),
    "staffed": ("structure",),
    "battle": (),
    "has": ("food_or_drug",),
    "ko": ("target",),
}
#: Arguments with a name, by op; those of picks depend on what is picked.
NAMED: Mapping[str, Mapping[str, str]] = {
    "mod": {"who": "who", "for": "for"},
    "flag": {"who": "who", "for": "for"},
    "infect": {"id": "disease", "chance": "count"},
}
PICKS: Mapping[str, Mapping[str, str]] = {
    "char": {"range": "reach", "los": "los", "filter": "filter_char"},
    "char_or_police_or_checkpoint": {"range": "reach", "los": "los", "filter": "filter_char"},
    "police": {"range": "reach", "los": "los"},
    "cell": {"range": "reach"},
    "building": {"filter": "filter_building"},
    "dumpster": {},
    "card": {"filter": "filter_card"},
    "deck": {},
}
WORDS: Mapping[str, tuple[str, ...]] = {
    "pick": tuple(PICKS),
    "key": KEYS,
    "flag": FLAGS,
    "how": ("paste", "any"),
    "camera": ("remove", "restore"),
    "plans": ("redraw",),
    "swap": ("card",),
    "los": ("yes",),
    "for": DURATIONS,
    "food_or_drug": ("food", "drug"),
    "target": ("target",),
    "filter_char": ("ko", "ko_or_ball_pit", "or_self"),
    "filter_building": ("business",),
    "filter_card": ("food",),
}
#: Kinds of ids: a `house` is a building, a `place` a building or a type of structure.
IDS = ("street", "house", "place", "structure", "buildable", "deck", "card", "disease")
#: What a pick binds for the ops after it, by what is picked; `swap` binds `swapped`.
BINDS: Mapping[str, str] = {
    "char": "target",
    "char_or_police_or_checkpoint": "target",
    "police": "target",
    "deck": "picked",
}
BOUND = ("target", "picked", "cell", "building", "dumpster", "swapped")
#: Ops that mean the target without naming it.
AIMED = ("strike", "stun", "banish")
