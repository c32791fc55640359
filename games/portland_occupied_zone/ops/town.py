"""What ops do to the POZ and the town (specification, 2.7)."""

from games.kernel import Table
from games.portland_occupied_zone.dispatching import dispatch, place_checkpoints
from games.portland_occupied_zone.effects import CameraDestroyed, CameraRestored, Cleaned, DumpsterLit, FireRemoved
from games.portland_occupied_zone.frames import PlaceStructure
from games.portland_occupied_zone.harm import befoul
from games.portland_occupied_zone.language import Call
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.ops.acting import Acting, place_of
from games.portland_occupied_zone.places import burnables, has_room, token_cells
from games.portland_occupied_zone.state import State
from games.portland_occupied_zone.tasks.building import PlaceSomeNpcs, Populate, Shed
from games.portland_occupied_zone.tasks.burning import ignite


def do_pop(table: Table[State], _act: Acting, call: Call) -> None:
    """`pop`."""
    n = call.number(0)
    table.push(Populate(left=n) if n > 0 else Shed(left=-n))


def do_build(table: Table[State], _act: Acting, call: Call) -> None:
    """`build`."""
    state, kind = table.state, call.word(0)
    if state.supplies.structures[kind] and has_room(state, kind):
        table.push(PlaceStructure(seats=(leader_seat(state),), type=kind))


def do_npc(table: Table[State], _act: Acting, call: Call) -> None:
    """`npc`."""
    table.push(PlaceSomeNpcs(left=call.number(0)))


def do_befoul(table: Table[State], act: Acting, call: Call) -> None:
    """`befoul`."""
    where = place_of(table, act, call.word(0))
    if where is not None:
        befoul(table, token_cells(table.state, where)[0])


def do_clean(table: Table[State], act: Acting, call: Call) -> None:
    """`clean`."""
    tokens = table.state.tokens
    if call.args[0] == "all":
        befouled, gas = tuple(tokens.befoul), tuple(tokens.gas)
    else:
        where = place_of(table, act, call.word(0))
        cells = () if where is None else token_cells(table.state, where)
        befouled, gas = (tuple(c for c in cells if c in there) for there in (tokens.befoul, tokens.gas))
    if befouled or gas:
        table.emit(Cleaned(befouled, gas))


def do_douse(table: Table[State], act: Acting, call: Call) -> None:
    """All fire, dumpsters too (POZ-ARS-18), or that of one place."""
    state = table.state
    only = None if call.args[0] == "all" else place_of(table, act, call.word(0))
    for name, place in burnables(state):
        if place.arson and only in (None, name):
            table.emit(FireRemoved(name, place.arson))
    for name, dumpster in state.dumpsters.items():
        if dumpster.burning and only in (None, name):
            table.emit(FireRemoved(name))


def do_ignite(table: Table[State], act: Acting, call: Call) -> None:
    """`ignite`."""
    where, state = place_of(table, act, call.word(0)), table.state
    if not isinstance(where, str):
        return
    if where in state.dumpsters:
        if not state.dumpsters[where].burning:
            table.emit(DumpsterLit(where))
    elif where in state.buildings and state.buildings[where].standing:
        ignite(table, where, call.number(1), act.me)


def do_checkpoint(table: Table[State], _act: Acting, call: Call) -> None:
    """`checkpoint`."""
    place_checkpoints(table, call.number(0))


def do_dispatch(table: Table[State], _act: Acting, call: Call) -> None:
    """`dispatch`."""
    dispatch(table, call.number(0))


def do_camera(table: Table[State], act: Acting, call: Call) -> None:
    """Removing is asked for as a pick before (see `steps/ops.py`)."""
    camera = act.bound.get("camera")
    if call.args[0] == "remove" and isinstance(camera, str):
        table.emit(CameraDestroyed(camera))
    elif call.args[0] == "restore":
        gone = next((name for name, camera in table.state.cameras.items() if not camera.present), None)
        if gone is not None:
            table.emit(CameraRestored(gone))


def do_nothing(_table: Table[State], _act: Acting, _call: Call) -> None:
    """`pick` is asked for before, `pass_lead` is what the vote on it does."""
