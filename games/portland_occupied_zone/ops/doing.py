"""What each op does (specification, 2.7). Ops that ask somebody push the frame; the rest of the text lies beneath."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from games.kernel import Table
from games.portland_occupied_zone.burning import ignite
from games.portland_occupied_zone.dispatching import dispatch, place_checkpoints
from games.portland_occupied_zone.effects import (
    BricksChanged,
    CameraDestroyed,
    CameraRestored,
    CardDiscarded,
    Cleaned,
    DeckShuffled,
    DumpsterLit,
    FigureDefeated,
    FigureStunned,
    FireRemoved,
    GarbageTaken,
    ItemGained,
    ItemStolen,
    LootDrawn,
    LootMilled,
    ModifierGiven,
    Relocated,
)
from games.portland_occupied_zone.steps.fighting import strike
from games.portland_occupied_zone.frames import PlaceStructure
from games.portland_occupied_zone.harm import befoul, crapulence, enter, heal, hurt, stability
from games.portland_occupied_zone.language import GLOBAL, Call, Value
from games.portland_occupied_zone.leading import leader_seat
from games.portland_occupied_zone.modifiers import flagged, modifier
from games.portland_occupied_zone.ops.who import Bound, selected
from games.portland_occupied_zone.places import barred, has_room, nearest_for_pc, token_cells
from games.portland_occupied_zone.plans import redraw
from games.portland_occupied_zone.state import Space, State
from games.portland_occupied_zone.steps.building import PlaceSomeNpcs, Populate, Shed
from games.portland_occupied_zone.steps.curing import Cures, Infections, PayCards


class Acting(Struct, frozen=True):
    """Who acts, what has been picked, and whether a drug (its card) or food is at work."""

    me: str
    bound: Bound
    drug: str | None = None
    food: bool = False


Doing = Callable[[Table[State], Acting, Call], None]


def do(table: Table[State], act: Acting, call: Call) -> None:
    """Do one op."""
    OPS[call.name](table, act, call)


def _whom(table: Table[State], act: Acting, who: Value) -> list[str]:
    """The characters an op meets; at a party, food is shared with everybody near."""
    state = table.state
    met = selected(state, who, act.me, act.bound)
    if act.food and who == "self" and flagged(state, act.me, "party"):
        met += selected(state, "near", act.me, act.bound)
    return met


def _stab(table: Table[State], act: Acting, call: Call) -> None:
    for pc in _whom(table, act, call.args[0]):
        stability(table, pc, call.number(1), act.drug)


def _hurt(table: Table[State], act: Acting, call: Call) -> None:
    for pc in _whom(table, act, call.args[0]):
        hurt(table, pc, call.number(1), "other")


def _heal(table: Table[State], act: Acting, call: Call) -> None:
    bonus = modifier(table.state, act.me, "heal_bonus") if act.food else 0
    n = call.args[1]
    for pc in _whom(table, act, call.args[0]):
        heal(table, pc, n + bonus if isinstance(n, int) else None)


def _crap(table: Table[State], act: Acting, call: Call) -> None:
    for pc in _whom(table, act, call.args[0]):
        crapulence(table, pc, call.number(1), "card")


def _bricks(table: Table[State], act: Acting, call: Call) -> None:
    state = table.state
    n = call.args[1] if isinstance(call.args[1], int) else int(str(act.bound.get("swapped", "0")))
    for pc in _whom(table, act, call.args[0]):
        moved = min(n, state.supplies.bricks) if n > 0 else -min(-n, state.pcs[pc].bricks)
        if moved:
            table.emit(BricksChanged(pc, moved))


def _mp(table: Table[State], act: Acting, call: Call) -> None:
    for pc in _whom(table, act, call.args[0]):
        table.emit(ModifierGiven("move", call.number(1), "turn", pc))


def _modifier(table: Table[State], act: Acting, call: Call) -> None:
    """`mod` and `flag`; what holds as long as a plot is read from the plot itself."""
    key, until = call.word(0), str(call.named.get("for", "turn"))
    n = call.number(1) if call.name == "mod" else 1
    if until == "plot":
        return
    if key in GLOBAL:
        table.emit(ModifierGiven(key, n, until))  # type: ignore[arg-type] # a duration of the language
        return
    for pc in _whom(table, act, call.named.get("who", "self")):
        table.emit(ModifierGiven(key, n, until, pc))  # type: ignore[arg-type] # the same


def _loot(table: Table[State], act: Acting, call: Call) -> None:
    deck = str(act.bound.get("picked", "")) if call.args[1] == "picked" else call.word(1)
    for pc in _whom(table, act, call.args[0]):
        draw_loot(table, pc, deck, call.number(2))


def draw_loot(table: Table[State], pc: str, deck: str, n: int) -> None:
    """The top cards of a loot deck, as many as there are."""
    cards = tuple(table.state.decks.loot.get(deck, [])[:n])
    if cards:
        table.emit(LootDrawn(pc, table.state.seat_of(pc), deck, len(cards), cards))


def _scavenge(table: Table[State], act: Acting, call: Call) -> None:
    state = table.state
    for pc in _whom(table, act, call.args[0]):
        for _ in range(min(call.number(1), len(state.decks.garbage))):
            take_garbage(table, pc, state.decks.garbage)


def take_garbage(table: Table[State], pc: str, among: Iterable[str]) -> None:
    """A random one of these cards of the garbage."""
    board = table.state.board
    card = table.pick("garbage", list(among))
    table.emit(GarbageTaken(pc, table.state.seat_of(pc), board.back(card), board.kind(card).id))


def _drop(table: Table[State], act: Acting, call: Call) -> None:
    state = table.state
    for pc in _whom(table, act, call.args[0]):
        for _ in range(min(call.number(1), len(state.pcs[pc].hand))):
            card = table.pick("item", state.pcs[pc].hand)
            table.emit(CardDiscarded(pc, state.seat_of(pc), state.board.back(card), state.board.kind(card).id, "drop"))


def _gain(table: Table[State], act: Acting, call: Call) -> None:
    state, kind = table.state, call.word(1)
    back = state.board.cards[kind].back
    for pc in _whom(table, act, call.args[0]):
        if state.decks.homebrew.get(kind, 0):
            table.emit(ItemGained(pc, kind, back, "homebrew"))
        elif kind in state.decks.loot.get(back, []):
            table.emit(ItemGained(pc, kind, back, "deck"))
            order = tuple(table.shuffle(f"loot:{back}", state.decks.loot[back]))
            table.emit(DeckShuffled(f"loot:{back}", len(order), order))


def _infect(table: Table[State], act: Acting, call: Call) -> None:
    chance, name = call.named.get("chance"), call.named.get("id")
    table.push(
        Infections(
            pcs=tuple(_whom(table, act, call.args[0])),
            card=name if isinstance(name, str) else None,
            chance=chance if isinstance(chance, int) else None,
        )
    )


def _cure(table: Table[State], act: Acting, call: Call) -> None:
    pcs = [pc for pc in _whom(table, act, call.args[0]) for _ in range(call.number(1))]
    table.push(Cures(pcs=tuple(pcs), paste=call.args[2] == "paste"))


def _pop(table: Table[State], act: Acting, call: Call) -> None:
    n = call.number(0)
    table.push(Populate(left=n) if n > 0 else Shed(left=-n))


def _build(table: Table[State], act: Acting, call: Call) -> None:
    state, kind = table.state, call.word(0)
    if state.supplies.structures[kind] and has_room(state, kind):
        table.push(PlaceStructure(seats=(leader_seat(state),), type=kind))


def _npc(table: Table[State], act: Acting, call: Call) -> None:
    table.push(PlaceSomeNpcs(left=call.number(0)))


def _place(table: Table[State], act: Acting, where: str) -> Space | None:
    """The space or cell that a place of the language means."""
    state = table.state
    if where == "here":
        return state.pcs[act.me].space
    if where in act.bound:
        return act.bound[where]
    if where in state.buildings:
        return where
    return next((name for name, thing in state.structures.items() if thing.type == where), None)


def _befoul(table: Table[State], act: Acting, call: Call) -> None:
    where = _place(table, act, call.word(0))
    if where is not None:
        befoul(table, token_cells(table.state, where)[0])


def _clean(table: Table[State], act: Acting, call: Call) -> None:
    tokens = table.state.tokens
    if call.args[0] == "all":
        befouled, gas = tuple(tokens.befoul), tuple(tokens.gas)
    else:
        where = _place(table, act, call.word(0))
        cells = () if where is None else token_cells(table.state, where)
        befouled, gas = (tuple(c for c in cells if c in there) for there in (tokens.befoul, tokens.gas))
    if befouled or gas:
        table.emit(Cleaned(befouled, gas))


def _douse(table: Table[State], act: Acting, call: Call) -> None:
    """All fire, dumpsters too (POZ-ARS-18), or that of one place."""
    state = table.state
    only = None if call.args[0] == "all" else _place(table, act, call.word(0))
    for name, place in (*state.buildings.items(), *state.checkpoints.items()):
        if place.arson and only in (None, name):
            table.emit(FireRemoved(name, place.arson))
    for name, dumpster in state.dumpsters.items():
        if dumpster.burning and only in (None, name):
            table.emit(FireRemoved(name))


def _ignite(table: Table[State], act: Acting, call: Call) -> None:
    where = act.bound.get(call.word(0))
    if isinstance(where, str) and where in table.state.dumpsters:
        if not table.state.dumpsters[where].burning:
            table.emit(DumpsterLit(where))
    elif isinstance(where, str):
        ignite(table, where, call.number(1), act.me)


def _relocate(table: Table[State], act: Acting, call: Call) -> None:
    where = _place(table, act, call.word(1))
    for pc in _whom(table, act, call.args[0]):
        if where is not None:
            relocate(table, pc, where, "power")


def relocate(table: Table[State], pc: str, where: Space, how: str) -> None:
    """Put a character somewhere; if it cannot enter there, in the nearest space that it can."""
    state = table.state
    if barred(state, pc, where) is not None:
        where = nearest_for_pc(state, pc, token_cells(state, where)[0])
    table.emit(Relocated(pc, where, how))
    enter(table, pc, where, how)


def _strike(table: Table[State], act: Acting, call: Call) -> None:
    target = act.bound.get("target")
    if isinstance(target, str):
        strike(table, act.me, target, call.number(0))


def _steal(table: Table[State], act: Acting, call: Call) -> None:
    for pc in _whom(table, act, call.args[0]):
        if pc != act.me:
            for _ in range(min(call.number(1), len(table.state.pcs[pc].hand))):
                steal(table, act.me, pc)


def steal(table: Table[State], thief: str, victim: str) -> None:
    """A random card of the victim's hand (POZ-PVP-13)."""
    state = table.state
    card = table.pick("item", state.pcs[victim].hand)
    seats = state.seat_of(thief), state.seat_of(victim)
    table.emit(ItemStolen(thief, victim, *seats, state.board.back(card), state.board.kind(card).id))


def _stun(table: Table[State], act: Acting, call: Call) -> None:
    target = act.bound.get("target")
    if isinstance(target, str):
        table.emit(FigureStunned(target))


def _banish(table: Table[State], act: Acting, call: Call) -> None:
    target = act.bound.get("target")
    if isinstance(target, str):
        table.emit(FigureDefeated(target, act.me, credited=False))


def _checkpoint(table: Table[State], act: Acting, call: Call) -> None:
    place_checkpoints(table, call.number(0))


def _dispatch(table: Table[State], act: Acting, call: Call) -> None:
    dispatch(table, call.number(0))


def _camera(table: Table[State], act: Acting, call: Call) -> None:
    """Removing is asked for as a pick before (see `steps/ops.py`)."""
    camera = act.bound.get("camera")
    if call.args[0] == "remove" and isinstance(camera, str):
        table.emit(CameraDestroyed(camera))
    elif call.args[0] == "restore":
        gone = next((name for name, camera in table.state.cameras.items() if not camera.present), None)
        if gone is not None:
            table.emit(CameraRestored(gone))


def _plans(table: Table[State], act: Acting, call: Call) -> None:
    redraw(table)


def _mill(table: Table[State], act: Acting, call: Call) -> None:
    cards = tuple(table.state.decks.loot.get(call.word(0), [])[: call.number(1)])
    if cards:
        table.emit(LootMilled(call.word(0), len(cards), cards))


def _swap(table: Table[State], act: Acting, call: Call) -> None:
    if table.state.pcs[act.me].hand:
        seats = (table.state.seat_of(act.me),)
        table.push(PayCards(seats=seats, pc=act.me, left=call.number(1), swap=True))


def _nothing(table: Table[State], act: Acting, call: Call) -> None:
    """`pick` is asked for before, `pass_lead` is what the vote on it does."""


OPS: dict[str, Doing] = {
    "pick": _nothing,
    "stab": _stab,
    "hurt": _hurt,
    "heal": _heal,
    "crap": _crap,
    "bricks": _bricks,
    "mp": _mp,
    "mod": _modifier,
    "flag": _modifier,
    "loot": _loot,
    "scavenge": _scavenge,
    "drop": _drop,
    "gain": _gain,
    "infect": _infect,
    "cure": _cure,
    "pop": _pop,
    "build": _build,
    "npc": _npc,
    "befoul": _befoul,
    "clean": _clean,
    "douse": _douse,
    "ignite": _ignite,
    "relocate": _relocate,
    "strike": _strike,
    "steal": _steal,
    "stun": _stun,
    "banish": _banish,
    "checkpoint": _checkpoint,
    "dispatch": _dispatch,
    "camera": _camera,
    "plans": _plans,
    "pass_lead": _nothing,
    "mill": _mill,
    "swap": _swap,
}
