"""Every op of the effect language (specification, 2.7), by name.

Ops that ask somebody push the frame; the rest of the text lies beneath.
"""

from collections.abc import Callable, Mapping

from games.kernel import Table
from games.portland_occupied_zone.language import Call
from games.portland_occupied_zone.ops import cards, people, town
from games.portland_occupied_zone.ops.acting import Acting
from games.portland_occupied_zone.state import State

OPS: Mapping[str, Callable[[Table[State], Acting, Call], None]] = {
    "pick": town.do_nothing,
    "stab": people.do_stab,
    "hurt": people.do_hurt,
    "heal": people.do_heal,
    "crap": people.do_crap,
    "bricks": people.do_bricks,
    "mp": people.do_mp,
    "mod": people.do_modifier,
    "flag": people.do_modifier,
    "loot": cards.do_loot,
    "scavenge": cards.do_scavenge,
    "drop": cards.do_drop,
    "gain": cards.do_gain,
    "infect": people.do_infect,
    "cure": people.do_cure,
    "pop": town.do_pop,
    "build": town.do_build,
    "npc": town.do_npc,
    "befoul": town.do_befoul,
    "clean": town.do_clean,
    "douse": town.do_douse,
    "ignite": town.do_ignite,
    "relocate": people.do_relocate,
    "strike": people.do_strike,
    "steal": cards.do_steal,
    "stun": people.do_stun,
    "banish": people.do_banish,
    "checkpoint": town.do_checkpoint,
    "dispatch": town.do_dispatch,
    "camera": town.do_camera,
    "plans": cards.do_plans,
    "pass_lead": town.do_nothing,
    "mill": cards.do_mill,
    "swap": cards.do_swap,
}


def do(table: Table[State], act: Acting, call: Call) -> None:
    """Do one op."""
    OPS[call.name](table, act, call)
