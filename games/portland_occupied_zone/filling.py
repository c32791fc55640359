"""A position laid over a fresh set-up (specification, 3.3): what it leaves out is completed."""

from typing import Any

from msgspec import UNSET

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import SLOTS
from games.portland_occupied_zone.effects import CharacterChosen
from games.portland_occupied_zone.effects.police import JACKSON, LATE, MEDIC
from games.portland_occupied_zone.effects.rounds import PHASE_OF
from games.portland_occupied_zone.filling_cards import fill_piles
from games.portland_occupied_zone.filling_town import by_id, fill_poz, fill_town, last
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.judging_names import check_people
from games.portland_occupied_zone.modifiers import bricks_total, track
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import (
    burnables,
    cells_of,
    commune,
    nearest_for_police,
    space_at,
)
from games.portland_occupied_zone.position_doc import PcDoc, PositionDoc, given
from games.portland_occupied_zone.state import (
    Cop,
    Lead,
    Officer,
    Slots,
    Space,
    Timed,
    Turn,
)
from games.portland_occupied_zone.steps.setup import turn_order


def fill(game: Game, doc: PositionDoc) -> None:
    """Everything that a position says, in an order in which later parts can build on earlier ones."""
    _seat_characters(game, doc)
    check_people(game, doc)
    fill_town(game, doc)
    fill_poz(game, doc)
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
    if len(chosen) < sum(map(len, seats.values())):
        impossible("seats", "a character is played by one seat")
    for pc in chosen.keys() | doc.pcs.keys():
        _check_seated(game, doc, pc, chosen.get(pc))
    for pc in game.board.characters:
        if pc in chosen:
            CharacterChosen(chosen[pc], pc).fold(game)


def _check_seated(game: Game, doc: PositionDoc, pc: str, seat: int | None) -> None:
    """A character that can be chosen, of one seat of the game."""
    if pc not in game.board.characters or seat is None:
        impossible(f"pcs.{pc}", "it is a character of one of the seats")
    if game.board.characters[pc].works_at not in game.board.buildings:
        impossible(f"pcs.{pc}", "its work place is not on the map")
    if not 0 <= seat < game.seats:
        impossible(f"pcs.{pc}.seat", f"there are {game.seats} seats")
    if pc in doc.pcs and doc.pcs[pc].seat not in (UNSET, seat):
        impossible(f"pcs.{pc}.seat", f"seat {seat} plays it")


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


def _police(game: Game, doc: PositionDoc) -> None:
    circles = game.board.buildings[COURTHOUSE].circles
    for name, part, officer in (("jackson", doc.jackson, game.jackson), ("medic", doc.medic, game.medic)):
        if not game.buildings[COURTHOUSE].standing and circles is not None:
            officer.space = getattr(circles, name)
        _officer(officer, given(part))
    game.cops = {name: Cop(space=cop.space, ready_round=cop.ready_round) for name, cop in by_id(doc.cops, "r").items()}
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
    if doc.lead is None or (doc.lead is UNSET and game.phase == "setup"):
        return
    fields = {} if doc.lead is UNSET else given(doc.lead)
    if "holder" not in fields:
        if not game.turn_order:
            return
        fields["holder"] = game.turn_order[0]
    fields.setdefault("token", "tin_pot" if game.battle else "pillow")
    game.lead = Lead(**fields)


def _character(game: Game, name: str, part: PcDoc) -> None:
    pc = game.pcs[name]
    fields = given(part)
    if part.stability is not UNSET:
        fields["stability"] = _stability(game, name, part.stability)
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


def _stability(game: Game, name: str, said: int | str) -> int:
    """A state of mind by its number or name."""
    names = [state for state, _ in track(game, name)]
    if said not in (names if isinstance(said, str) else range(len(names))):
        impossible(f"pcs.{name}.stability", f"it is one of {', '.join(names)}, or its number from 0")
    return names.index(said) if isinstance(said, str) else said


def _stand(game: Game, doc: PositionDoc) -> None:
    """A cell of something larger means that; who has not been placed makes room for what has, or returns in time."""
    for pc in game.pcs.values():
        pc.space = _owner(game, pc.space)
    for cop in game.cops.values():
        cop.space = _owner(game, cop.space)
    for part, officer, late in ((doc.jackson, game.jackson, LATE[JACKSON]), (doc.medic, game.medic, LATE[MEDIC])):
        if not officer.on_board and part.returns_round is UNSET:
            officer.returns_round = game.round + late
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
        "s": last(game.structures, "s"),
        "r": last(game.cops, "r"),
        "k": last(game.checkpoints, "k"),
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
