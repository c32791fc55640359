"""A position laid over a fresh set-up (specification, 3.3): what it leaves out is completed."""

from typing import Any

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import SLOTS
from games.portland_occupied_zone.effects import CharacterChosen
from games.portland_occupied_zone.effects.rounds import PHASE_OF
from games.portland_occupied_zone.filling_cards import fill_piles
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.judging_names import check_people
from games.portland_occupied_zone.modifiers import bricks_total, track
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import burnables, cells_of, commune, footprint, nearest_for_police, space_at
from games.portland_occupied_zone.position_doc import PcDoc, PositionDoc, StructureDoc, given
from games.portland_occupied_zone.state import (
    Camera,
    Checkpoint,
    Cop,
    Lead,
    Officer,
    Slots,
    Space,
    Structure,
    Timed,
    Turn,
)
from games.portland_occupied_zone.steps.setup import turn_order


def fill(game: Game, doc: PositionDoc) -> None:
    """Everything that a position says, in an order in which later parts can build on earlier ones."""
    _seat_characters(game, doc)
    check_people(game, doc)
    _town(game, doc)
    _poz(game, doc)
    _police(game, doc)
    _where_play_is(game, doc)
    for name, part in doc.pcs.items():
        _character(game, name, part)
    _stand(game, doc)
    fill_piles(game, doc)
    _supplies(game, doc)


def _seat_characters(game: Game, doc: PositionDoc) -> None:
    """Who plays whom: as listed, by the options, by each one's `seat`, else dealt round the seats in rainbow order."""
    if doc.seats is not UNSET:
        seats = dict(enumerate(doc.seats))
    elif game.options.characters is not None:
        seats = dict(enumerate(game.options.characters))  # type: ignore[arg-type] # lists or tuples
    else:
        seats = _dealt(game, doc)
    chosen = {pc: seat for seat, pcs in seats.items() for pc in pcs}
    for pc in chosen.keys() | doc.pcs.keys():
        if pc not in game.board.characters or pc not in chosen:
            impossible(f"pcs.{pc}", "it is a character of one of the seats")
        if game.board.characters[pc].works_at not in game.board.buildings:
            impossible(f"pcs.{pc}", "its work place is not on the map")
    for pc in game.board.characters:
        if pc in chosen:
            if not 0 <= chosen[pc] < game.seats:
                impossible(f"pcs.{pc}.seat", f"there are {game.seats} seats")
            CharacterChosen(chosen[pc], pc).fold(game)


def _dealt(game: Game, doc: PositionDoc) -> dict[int, list[str]]:
    if not doc.pcs and doc.phase == "setup":
        return {}
    board = game.board
    seats: dict[int, list[str]] = {seat: [] for seat in range(game.seats)}
    counts = game.options.counts(game.seats)
    named = [pc for pc in board.characters if pc in doc.pcs]
    for pc in named:
        seat = doc.pcs[pc].seat
        if seat is not UNSET:
            seats.setdefault(seat, []).append(pc)
    placed = [pc for pcs in seats.values() for pc in pcs]
    able = [pc for pc, who in board.characters.items() if pc not in doc.pcs and who.works_at in board.buildings]
    for pc in [pc for pc in named if pc not in placed]:
        seats[min(range(game.seats), key=lambda seat: (len(seats[seat]) - counts[seat] >= 0, len(seats[seat])))].append(
            pc
        )
    whole = any(doc.pcs[pc].seat is not UNSET for pc in named) and all(seats.values())
    while not whole and able and (short := [s for s in range(game.seats) if len(seats[s]) < counts[s]]):
        seats[min(short, key=lambda seat: len(seats[seat]))].append(able.pop(0))
    return seats


def _town(game: Game, doc: PositionDoc) -> None:
    game.battle = doc.battle is True
    if game.battle:
        game.buildings[COURTHOUSE].standing = False
    for name, building in doc.buildings.items():
        if name not in game.buildings:
            impossible(f"buildings.{name}", "there is no such building on the map")
        for field, value in given(building).items():
            setattr(game.buildings[name], field, value)
    for name, dumpster in doc.dumpsters.items():
        if name not in game.dumpsters:
            impossible(f"dumpsters.{name}", "there is no such dumpster on the map")
        for field, value in given(dumpster).items():
            setattr(game.dumpsters[name], field, value)
    for name, camera in doc.cameras.items():
        if name not in game.cameras:
            impossible(f"cameras.{name}", "there is no such camera on the map")
        game.cameras[name] = Camera(present=camera.present)
    game.tokens = doc.tokens


def _poz(game: Game, doc: PositionDoc) -> None:
    listed = {} if doc.structures is UNSET else _by_id(doc.structures, "s")
    game.structures = {
        name: Structure(type=part.type, cells=_cells(game, f"structures.{name}", part), npcs=part.npcs)
        for name, part in listed.items()
    }
    for name, point in _by_id(doc.checkpoints, "k").items():
        cells = game.board.sites.get(point.site) if point.site is not UNSET else point.cells
        if not cells:
            impossible(f"checkpoints.{name}", "it has cells, or a site of the map")
        game.checkpoints[name] = Checkpoint(cells=cells, arson=point.arson)


def _by_id(parts: Any, letter: str) -> dict[str, Any]:
    """Parts by id; those of a list that have none are counted up (3.3)."""
    if isinstance(parts, dict):
        return parts
    return {part.id if part.id is not UNSET else f"{letter}{n}": part for n, part in enumerate(parts, 1)}


def _cells(game: Game, field: str, part: StructureDoc) -> tuple[Any, ...]:
    kind = game.board.structures.get(part.type)
    if kind is None:
        return impossible(f"{field}.type", f"there is no structure {part.type}")
    if part.cells is not UNSET:
        return part.cells
    if part.site is not UNSET:
        return game.board.sites.get(part.site) or impossible(f"{field}.site", "there is no such site on the map")
    if part.anchor is UNSET or kind.size is None:
        return impossible(field, "it has cells, an anchor or a site")
    return footprint(kind.size, part.anchor, turned=part.turned)


def _police(game: Game, doc: PositionDoc) -> None:
    circles = game.board.buildings[COURTHOUSE].circles
    for name, part, officer in (("jackson", doc.jackson, game.jackson), ("medic", doc.medic, game.medic)):
        if not game.buildings[COURTHOUSE].standing and circles is not None:
            officer.space = getattr(circles, name)
        _officer(officer, given(part))
    game.cops = {name: Cop(space=cop.space, ready_round=cop.ready_round) for name, cop in _by_id(doc.cops, "r").items()}
    game.stunned = doc.stunned


def _officer(officer: Officer, fields: dict[str, Any]) -> None:
    """Out of the game until its return, unless the position says that it is on the board."""
    if fields.get("returns_round") is not None:
        fields.setdefault("on_board", False)
    if fields.get("on_board") is False:
        fields.setdefault("space", None)
    for field, value in fields.items():
        setattr(officer, field, value)


def _where_play_is(game: Game, doc: PositionDoc) -> None:
    game.round = doc.round if doc.round is not UNSET else (0 if doc.phase == "setup" else 1)
    if doc.step is not UNSET and doc.step is not None:
        game.step, game.phase = doc.step, PHASE_OF[doc.step]  # type: ignore[assignment] # one of the phases
    elif doc.turn is not None and doc.step is UNSET:
        game.step, game.phase = "turns", "turns"
    elif doc.step is UNSET:
        game.step = {"teach_in": "ideology", "police": "2.1", "turns": "turns"}.get(  # type: ignore[assignment]
            "teach_in" if doc.phase is UNSET else str(doc.phase)
        )
        game.phase = "teach_in"
    if doc.phase is not UNSET:
        game.phase = doc.phase
    order = list(turn_order(game)) if game.pcs else []
    game.turn_order = order if doc.turn_order is UNSET else doc.turn_order
    if doc.turn is not None and doc.turn.pc in game.turn_order:
        game.turn_index = game.turn_order.index(doc.turn.pc)
    if doc.turn_index is not UNSET:
        game.turn_index = doc.turn_index
    _lead(game, doc)
    for field in ("plot", "aktion", "ballot", "offer", "exchange", "combat", "resigned", "outcome"):
        setattr(game, field, getattr(doc, field))
    if doc.teach_in is not UNSET:
        game.teach_in = doc.teach_in
    game.timed = [Timed(key=part.key, until=part.until, n=part.n, pc=part.pc) for part in doc.timed]


def _lead(game: Game, doc: PositionDoc) -> None:
    if doc.lead is None or (doc.lead is UNSET and (not game.turn_order or game.phase == "setup")):
        return
    fields = {} if doc.lead is UNSET else given(doc.lead)
    fields.setdefault("holder", game.turn_order[0])
    fields.setdefault("token", "tin_pot" if game.battle else "pillow")
    game.lead = Lead(**fields)


def _character(game: Game, name: str, part: PcDoc) -> None:
    pc = game.pcs[name]
    fields = given(part)
    if isinstance(part.stability, str):
        names = [state for state, _ in track(game, name)]
        if part.stability not in names:
            impossible(f"pcs.{name}.stability", f"it is one of {', '.join(names)}")
        fields["stability"] = names.index(part.stability)
    if part.slots is not UNSET:
        named: dict[str, str | None] = dict(part.slots.items())
        fields["slots"] = Slots(**{slot: named.get(slot) for slot in SLOTS})
        _free_diseases(game, [card for _, card in pc.slots.filled()])
    if fields.get("status") == "jailed":
        fields.setdefault("jail", "commune" if game.battle else "courthouse")
        fields.setdefault("skip", 1)
        jails = {COURTHOUSE: COURTHOUSE, "commune": commune(game)}
        if (space := jails.get(fields["jail"])) is not None:
            fields.setdefault("space", space)
    if fields.get("status") == "dead":
        fields.setdefault("bricks", 0)
    fields.setdefault("crap_best", fields.get("crap", 0))
    for field, value in fields.items():
        setattr(pc, field, value)


def _stand(game: Game, doc: PositionDoc) -> None:
    """A cell of something larger means that; who has not been placed makes room for what has."""
    for pc in game.pcs.values():
        pc.space = _owner(game, pc.space)
    for cop in game.cops.values():
        cop.space = _owner(game, cop.space)
    for part, officer in ((doc.jackson, game.jackson), (doc.medic, game.medic)):
        if officer.space is not None:
            officer.space = _owner(game, officer.space)
            if part.space is UNSET and isinstance(officer.space, str) and officer.space != COURTHOUSE:
                officer.space = nearest_for_police(game, cells_of(game, officer.space)[0])


def _owner(game: Game, space: Space) -> Space:
    if isinstance(space, str):
        burnt = space in game.buildings and not game.buildings[space].standing
        return game.board.buildings[space].door[0] if burnt else space
    return space_at(game, space) if space in game.board.around else space


def _free_diseases(game: Game, cards: list[str]) -> None:
    """What a character starts with is in its deck again if the position says otherwise."""
    game.decks.disease += [card for card in cards if game.board.kind(card).type == "P"]


def _supplies(game: Game, doc: PositionDoc) -> None:
    supplies = game.supplies
    supplies.arson -= sum(place.arson for _, place in burnables(game))
    supplies.npc -= sum(thing.npcs for thing in game.structures.values())
    supplies.befoul -= len(game.tokens.befoul)
    for thing in game.structures.values():
        supplies.structures[thing.type] -= 1
    game.made = {
        "s": _last(game.structures, "s"),
        "r": _last(game.cops, "r"),
        "k": _last(game.checkpoints, "k"),
    } | doc.made
    _bricks(game, doc)
    for name, value in given(doc.supplies).items():
        if name == "structures":
            supplies.structures.update(value)
        else:
            setattr(supplies, name, value)
    if doc.turn is not None and len(given(doc.turn)) > 1:
        fields = {"start_space": game.pcs[doc.turn.pc].space, **given(doc.turn)}
        game.turn = Turn(**fields)


def _bricks(game: Game, doc: PositionDoc) -> None:
    """Bricks that are not listed are as at the start of a game, in turn order (POZ-R10)."""
    left = game.supplies.bricks - sum(pc.bricks for pc in game.pcs.values())
    for name in game.turn_order if game.options.initial_bricks == "full" and game.phase != "setup" else ():
        pc = game.pcs[name]
        if doc.pcs.get(name, PcDoc()).bricks is UNSET and pc.alive:
            pc.bricks = max(0, min(bricks_total(game, name), left))
            left -= pc.bricks
    game.supplies.bricks = left


def _last(things: dict[str, Any], letter: str) -> int:
    numbers = [int(name[1:]) for name in things if name[:1] == letter and name[1:].isdigit()]
    return max(numbers, default=0)
