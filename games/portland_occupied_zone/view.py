"""The state as one reader may see it (specification, 3.2), with the map to draw it on.

`map` never changes in a game: cells are `[x, y]`, x east and y south. Everything else lies on it by space: the id of a
building, structure or checkpoint, or a single cell.
"""

from collections import Counter
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from games.kernel import EVERYTHING, Outcome, redact
from games.portland_occupied_zone.cards import kind_of
from games.portland_occupied_zone.effects.governing import BRICK
from games.portland_occupied_zone.leading import population
from games.portland_occupied_zone.modifiers import bricks_total, hand_limit, has_power, move_rate, staffed, track
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.pack_parts import Cell
from games.portland_occupied_zone.state import (
    Building,
    Camera,
    Checkpoint,
    Cop,
    Dumpster,
    Lead,
    Medic,
    Officer,
    Phase,
    RoundStep,
    Slots,
    Space,
    State,
    Supplies,
    TeachIn,
    Timed,
    Tokens,
    Turn,
)
from games.portland_occupied_zone.underway import Ballot, Exchange
from games.portland_occupied_zone.view_map import MapView, map_view


class PcView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A character; `hand` only for who may see it, its backs for all. `stability` by name, powers that are unlocked."""

    seat: int
    status: str
    space: Space
    injuries: int
    injury_slots: int
    stability: str
    crap: int
    bricks: int
    bricks_total: int
    move: int
    hand_limit: int
    hand_size: int
    hand_backs: dict[str, int]
    slots: Slots
    powers: tuple[str, ...]
    skip: int = 0
    jail: str | None = None
    burned_by: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    hand: tuple[str, ...] | UnsetType = UNSET


class DecksView(Struct, frozen=True, kw_only=True):
    """Every pile: sizes of what is face down, backs of the garbage, faces of what is open."""

    loot: dict[str, int]
    disease: int
    homebrew: dict[str, int]
    aktion: int
    aktion_discard: tuple[str, ...]
    narrative: int
    standard_left: int
    narrative_out: tuple[str, ...]
    plans: int
    shown: tuple[str, ...]
    claimed: tuple[str, ...]
    store: tuple[str, ...]
    garbage: dict[str, int]
    removed: tuple[str, ...]


class StructureView(Struct, frozen=True):
    """A structure, with its population and whether it works."""

    type: str
    cells: tuple[Cell, ...]
    npcs: int
    slots: int
    pop: int
    staffed: bool


class OfferView(Struct, frozen=True, omit_defaults=True):
    """A trade being offered: faces only for who may see them, backs for all."""

    pc: str
    to: str
    backs: tuple[str, ...]
    asks: tuple[str, ...]
    sent: bool
    items: tuple[str, ...] | UnsetType = UNSET


class CombatView(Struct, frozen=True, omit_defaults=True):
    """A fight: who has declared bricks, how many only for its seat."""

    attacker: str
    defender: str
    bonus: int
    declared: tuple[str, ...]
    own: dict[str, int]
    won_by: int | None


class View(Struct, frozen=True, kw_only=True):
    """The table as one reader sees it."""

    options: Options
    round: int
    phase: Phase
    step: RoundStep | None
    battle: bool
    plot: str | None
    aktion: str | None
    turn_order: tuple[str, ...]
    turn_index: int
    lead: Lead | None
    teach_in: TeachIn
    timed: tuple[Timed, ...]
    pcs: dict[str, PcView]
    turn: Turn | None
    ballot: Ballot | None
    offer: OfferView | None
    exchange: Exchange | None
    combat: CombatView | None
    decks: DecksView
    population: int
    buildings: dict[str, Building]
    structures: dict[str, StructureView]
    checkpoints: dict[str, Checkpoint]
    dumpsters: dict[str, Dumpster]
    cameras: dict[str, Camera]
    tokens: Tokens
    supplies: Supplies
    jackson: Officer
    medic: Medic
    cops: dict[str, Cop]
    stunned: tuple[str, ...]
    map: MapView
    agenda: tuple[dict[str, Any], ...]
    resigned: tuple[int, ...]
    outcome: Outcome | None


def view(state: State, reader: int) -> View:
    """The view of a seat, or of a spectator."""
    return View(
        options=state.options,
        round=state.round,
        phase=state.phase,
        step=state.step,
        battle=state.battle,
        plot=state.plot,
        aktion=state.aktion,
        turn_order=tuple(state.turn_order),
        turn_index=state.turn_index,
        lead=state.lead,
        teach_in=state.teach_in,
        timed=tuple(state.timed),
        pcs={name: _pc(state, name, reader) for name in state.pcs},
        turn=state.turn,
        ballot=state.ballot,
        offer=_offer(state, reader),
        exchange=state.exchange,
        combat=_combat(state, reader),
        decks=_decks(state),
        population=population(state),
        buildings=state.buildings,
        structures={name: _structure(state, name) for name in state.structures},
        checkpoints=state.checkpoints,
        dumpsters=state.dumpsters,
        cameras=state.cameras,
        tokens=state.tokens,
        supplies=state.supplies,
        jackson=state.jackson,
        medic=state.medic,
        cops=state.cops,
        stunned=tuple(state.stunned),
        map=map_view(state.pack, state.options.tiles),
        agenda=tuple(redact(step, reader) for step in state.agenda),
        resigned=tuple(state.resigned),
        outcome=state.outcome,
    )


def _sees_hand(state: State, pc: str, reader: int) -> bool:
    """Its seat; who searches the body, for this turn (3.2); after the end everybody."""
    if state.outcome is not None or reader in (state.pcs[pc].seat, EVERYTHING):
        return True
    turn = state.turn
    return turn is not None and pc in turn.searched and state.pcs[turn.pc].seat == reader


def _pc(state: State, name: str, reader: int) -> PcView:
    who, base = state.pcs[name], state.board.characters[name]
    return PcView(
        seat=who.seat,
        status=who.status,
        space=who.space,
        injuries=who.injuries,
        injury_slots=base.injuries,
        stability=track(state, name)[who.stability][0],
        crap=who.crap,
        bricks=who.bricks,
        bricks_total=bricks_total(state, name),
        move=move_rate(state, name),
        hand_limit=hand_limit(state, name),
        hand_size=len(who.hand),
        hand_backs=_counts(map(state.board.back, who.hand)),
        slots=who.slots,
        powers=tuple(power.id for power in base.powers if has_power(state, name, power.id)),
        skip=who.skip,
        jail=who.jail,
        burned_by=tuple(who.burned_by),
        drugs=tuple(kind_of(tail.card) for tail in who.drug_tail),
        hand=tuple(map(kind_of, who.hand)) if _sees_hand(state, name, reader) else UNSET,
    )


def _counts(things: Any) -> dict[str, int]:
    return dict(sorted(Counter(things).items()))


def _decks(state: State) -> DecksView:
    decks = state.decks
    return DecksView(
        loot={deck: len(cards) for deck, cards in decks.loot.items()},
        disease=len(decks.disease),
        homebrew=decks.homebrew,
        aktion=len(decks.aktion),
        aktion_discard=tuple(decks.aktion_discard),
        narrative=len(decks.narrative),
        standard_left=decks.standard_left,
        narrative_out=tuple(decks.narrative_out),
        plans=len(decks.plans),
        shown=tuple(decks.shown),
        claimed=tuple(decks.claimed),
        store=tuple(decks.store),
        garbage=_counts(map(state.board.back, decks.garbage)),
        removed=tuple(decks.removed),
    )


def _structure(state: State, name: str) -> StructureView:
    thing = state.structures[name]
    kind = state.board.structures[thing.type]
    return StructureView(thing.type, thing.cells, thing.npcs, kind.npcs, kind.pop, staffed(state, name))


def _offer(state: State, reader: int) -> OfferView | None:
    offer = state.offer
    if offer is None:
        return None
    readers = {state.pcs[offer.pc].seat, EVERYTHING}
    if offer.sent:
        readers.add(state.pcs[offer.to].seat)
    backs = tuple(item if item == BRICK else state.board.back(item) for item in offer.items)
    items = tuple(map(kind_of, offer.items)) if reader in readers else UNSET
    return OfferView(offer.pc, offer.to, backs, tuple(offer.asks), offer.sent, items)


def _combat(state: State, reader: int) -> CombatView | None:
    fight = state.combat
    if fight is None:
        return None
    own = {pc: b for pc, b in fight.declared.items() if reader in (state.pcs[pc].seat, EVERYTHING)}
    declared = tuple(pc for pc in (fight.attacker, fight.defender) if pc in fight.declared)
    return CombatView(fight.attacker, fight.defender, fight.bonus, declared, own, fight.won_by)
