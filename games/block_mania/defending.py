"""Who may fire defensively at whom (specification, 4.7): why not, and the list of what is legal."""

from collections.abc import Iterator

from msgspec import Struct

from games.block_mania.aiming import ROBODOG, Aiming, gun_of, ready_refusal, weapon_refusal
from games.block_mania.predicates import flying_now, item
from games.block_mania.refusals import Refusal
from games.block_mania.state import Blocker, State


class Defence(Struct, frozen=True):
    """A blocker that fires a token in a mode at another."""

    blocker: str
    token: str
    mode: str
    target: str


def defences(state: State, seat: int) -> Iterator[Defence]:
    """What a seat may do in Defensive Fire: firer by firer, token by token, in the order of the blockers."""
    targets = [one.id for one in state.blockers.values() if one.activated_this_turn and one.at]
    for blocker in state.blockers.values():
        if blocker.controller != seat or blocker.flipped or not targets:
            continue
        for token in dict.fromkeys(blocker.equipment):
            held = item(state, token)
            modes = [ROBODOG.mode] if "robodog" in held.flags else [shot.mode for shot in held.shots]
            for mode in modes:
                for target in targets:
                    found = Defence(blocker.id, token, mode, target)
                    if defence_refusal(state, seat, found) is None:
                        yield found


def defence_refusal(state: State, seat: int, defence: Defence) -> Refusal | None:
    """Why a blocker may not fire defensively at another (4.7): it is a Shooting attack on that one (BM-DF-3)."""
    firer, token, mode = defence.blocker, defence.token, defence.mode
    aimed = state.blockers.get(defence.target)
    refused = ready_refusal(state, seat, firer, "BM-DF-1", _pin_rule(state, firer, aimed))
    if refused is not None:
        return ("BM-DF-4", "flipped") if refused[1] == "flipped" else refused
    blocker = state.blockers[firer]
    if (refused := _arms_refusal(state, blocker, token, mode)) is not None:
        return refused
    if aimed is None or not aimed.at or not aimed.activated_this_turn:
        return ("BM-DF-1", "not_activated")
    if (refused := _beside_refusal(state, blocker, aimed)) is not None:
        return refused
    if aimed.stuck_until is not None:
        return ("BM-MAN-1", "stuck_blocker_there")
    gun = gun_of(state, firer, token, mode)
    # In the air, or outside a Window (BM-R61).
    if "robodog" in gun.item.flags:
        return ("BM-DF-5", "target_flies") if flying_now(state, aimed) else None
    return Aiming(state, gun).area_refusal((aimed.at, aimed.side))


def _pin_rule(state: State, firer: str, aimed: Blocker | None) -> str:
    """A blocker does not defend against one that is in its own area; pinned it does not fire at all."""
    blocker = state.blockers.get(firer)
    together = blocker is not None and aimed is not None and (blocker.at, blocker.side) == (aimed.at, aimed.side)
    return "BM-DF-7" if together else "BM-SH-1"


def _arms_refusal(state: State, blocker: Blocker, token: str, mode: str) -> Refusal | None:
    if token in blocker.equipment and "robodog" in item(state, token).flags:
        return None if mode == ROBODOG.mode else ("BM-DF-1", "no_such_mode")
    if mode == "thrown":
        return ("BM-DF-1", "no_such_mode")
    return weapon_refusal(state, blocker, token, mode, "BM-DF-1")


def _beside_refusal(state: State, blocker: Blocker, aimed: Blocker) -> Refusal | None:
    """Exactly one square away (4.5.4)."""
    here, there = (blocker.at, blocker.side), (aimed.at, aimed.side)
    if state.sight.range(here, there) == 1 and state.sight.visible(here, there):
        return None
    diagonal = aimed.at in state.map.eight[blocker.at] and aimed.at not in state.map.cardinal[blocker.at]
    return ("BM-DF-2" if diagonal else "BM-DF-1", "not_one_square_away")
