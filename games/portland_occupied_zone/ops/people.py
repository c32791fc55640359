"""What ops do to characters and figures (specification, 2.7)."""

from games.kernel import Table
from games.portland_occupied_zone.effects import BricksChanged, FigureDefeated, FigureStunned, ModifierGiven, Relocated
from games.portland_occupied_zone.harm import crapulence, enter, heal, hurt, stability
from games.portland_occupied_zone.language import Call
from games.portland_occupied_zone.modifiers import modifier
from games.portland_occupied_zone.ops.acting import Acting, place_of, whom
from games.portland_occupied_zone.places import barred, figures, nearest_for_pc, space_at, token_cells
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.tasks.curing import Cures, Infections
from games.portland_occupied_zone.tasks.fighting import strike
from games.portland_occupied_zone.vocabulary import GLOBAL


def do_stab(table: Table[State], act: Acting, call: Call) -> None:
    """`stab`."""
    for pc in whom(table, act, call.args[0]):
        stability(table, pc, call.number(1), act.drug)


def do_hurt(table: Table[State], act: Acting, call: Call) -> None:
    """`hurt`."""
    for pc in whom(table, act, call.args[0]):
        hurt(table, pc, call.number(1), "other")


def do_heal(table: Table[State], act: Acting, call: Call) -> None:
    """`heal`."""
    bonus = modifier(table.state, act.me, "heal_bonus") if act.food else 0
    n = call.args[1]
    for pc in whom(table, act, call.args[0]):
        heal(table, pc, n + bonus if isinstance(n, int) else None)


def do_crap(table: Table[State], act: Acting, call: Call) -> None:
    """`crap`."""
    for pc in whom(table, act, call.args[0]):
        crapulence(table, pc, call.number(1), "card")


def do_bricks(table: Table[State], act: Acting, call: Call) -> None:
    """`bricks`."""
    state = table.state
    n = call.args[1] if isinstance(call.args[1], int) else int(str(act.bound.get("swapped", "0")))
    for pc in whom(table, act, call.args[0]):
        moved = min(n, state.supplies.bricks) if n > 0 else -min(-n, state.pcs[pc].bricks)
        if moved:
            table.emit(BricksChanged(pc, moved))


def do_mp(table: Table[State], act: Acting, call: Call) -> None:
    """`mp`."""
    for pc in whom(table, act, call.args[0]):
        table.emit(ModifierGiven("move", call.number(1), "turn", pc))


def do_modifier(table: Table[State], act: Acting, call: Call) -> None:
    """`mod` and `flag`; what holds as long as a plot is read from the plot itself."""
    key, until = call.word(0), str(call.named.get("for", "turn"))
    n = call.number(1) if call.name == "mod" else 1
    if until == "plot":
        return
    if key in GLOBAL:
        table.emit(ModifierGiven(key, n, until))  # type: ignore[arg-type] # a duration of the language
        return
    for pc in whom(table, act, call.named.get("who", "self")):
        table.emit(ModifierGiven(key, n, until, pc))  # type: ignore[arg-type] # the same


def do_infect(table: Table[State], act: Acting, call: Call) -> None:
    """`infect`."""
    chance, name = call.named.get("chance"), call.named.get("id")
    table.push(
        Infections(
            pcs=tuple(whom(table, act, call.args[0])),
            card=name if isinstance(name, str) else None,
            chance=chance if isinstance(chance, int) else None,
        )
    )


def do_cure(table: Table[State], act: Acting, call: Call) -> None:
    """`cure`."""
    pcs = [pc for pc in whom(table, act, call.args[0]) for _ in range(call.number(1))]
    table.push(Cures(pcs=tuple(pcs), paste=call.args[2] == "paste"))


def do_relocate(table: Table[State], act: Acting, call: Call) -> None:
    """`relocate`."""
    where = place_of(table, act, call.word(1))
    if where is not None and not isinstance(where, str):
        where = space_at(table.state, where)
    for pc in whom(table, act, call.args[0]):
        if where is not None:
            relocate(table, pc, where, "power")


def relocate(table: Table[State], pc: str, where: Space, how: str) -> None:
    """Put a character somewhere; if it cannot enter there, in the nearest space that it can."""
    state = table.state
    if barred(state, pc, where) is not None:
        where = nearest_for_pc(state, pc, token_cells(state, where)[0])
    table.emit(Relocated(pc, where, how))
    enter(table, pc, where, how)


def do_strike(table: Table[State], act: Acting, call: Call) -> None:
    """`strike`."""
    target = act.bound.get("target")
    if isinstance(target, str):
        strike(table, act.me, target, call.number(0))


def do_stun(table: Table[State], act: Acting, _call: Call) -> None:
    """`stun`."""
    target = act.bound.get("target")
    if target in figures(table.state):
        table.emit(FigureStunned(str(target)))


def do_banish(table: Table[State], act: Acting, _call: Call) -> None:
    """`banish`."""
    target = act.bound.get("target")
    if target in figures(table.state):
        table.emit(FigureDefeated(str(target), act.me, credited=False))
