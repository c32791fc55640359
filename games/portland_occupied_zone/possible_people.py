"""Where and how characters can be (specification, 3.3; POZ-KO-1 to -4, POZ-ARR-1 to -7, POZ-KIL-1)."""

from collections.abc import Callable
from typing import Final

from games.kernel.positions import impossible
from games.portland_occupied_zone.cards import DISEASE, HOMEBREW, SLOTS, SLOTS_OF
from games.portland_occupied_zone.harm import diseases
from games.portland_occupied_zone.pack_map import COURTHOUSE
from games.portland_occupied_zone.places import barred, cells_of, commune, dumpster_at, exists, is_building
from games.portland_occupied_zone.possible_round import begins_battle
from games.portland_occupied_zone.state import Pc, State, Tail

PcTest = Callable[[State, str, Pc], bool]


def check_people(state: State) -> None:
    """Test every character.

    Raises:
        PositionError: one cannot be where or as it is, with the field and a sentence.
    """
    for name, pc in state.pcs.items():
        for field, is_possible, sentence in PEOPLE:
            if not is_possible(state, name, pc):
                impossible(f"pcs.{name}.{field}", sentence)
        _check_place(state, name, pc)
        _check_cards(state, name, pc)


def _is_somewhere(state: State, _: str, pc: Pc) -> bool:
    return exists(state, pc.space)


def _is_unhurt(state: State, name: str, pc: Pc) -> bool:
    return pc.injuries <= state.board.characters[name].injuries


def _has_been_there(_: State, __: str, pc: Pc) -> bool:
    return pc.crap <= pc.crap_best


def _owes_turns(_: State, __: str, pc: Pc) -> bool:
    """Who is knocked out or in jail loses one turn, nobody else any."""
    return pc.skip <= (pc.status in ("ko", "jailed"))


def _has_a_jail(state: State, _: str, pc: Pc) -> bool:
    """Who was put out of the courthouse, as the battle began, is a prisoner without a jail (ALG-RELEASE)."""
    if pc.status != "jailed":
        return pc.jail is None
    return pc.jail is not None or state.battle or begins_battle(state)


def _is_in_jail(state: State, _: str, pc: Pc) -> bool:
    jails = {"courthouse": COURTHOUSE, "commune": commune(state)}
    return pc.jail is None or pc.space == jails[pc.jail]


def _pays(_: State, __: str, pc: Pc) -> bool:
    return pc.alive or not pc.bricks


def _was_burned(state: State, _: str, pc: Pc) -> bool:
    return set(pc.burned_by) <= state.board.buildings.keys()


def _has_room(state: State, name: str, pc: Pc) -> bool:
    """Four diseases at most, those that have no slot yet among them (POZ-R22)."""
    return len(diseases(state, name)) <= len(SLOTS) and (pc.alive or not pc.catching)


#: How a character is: the field, whether it can be so.
PEOPLE: Final[tuple[tuple[str, PcTest, str], ...]] = (
    ("space", _is_somewhere, "there is no such space"),
    ("injuries", _is_unhurt, "it has not so many slots"),
    ("crap_best", _has_been_there, "it has been higher"),
    ("skip", _owes_turns, "who is knocked out or in jail loses one turn, nobody else any"),
    ("jail", _has_a_jail, "who is in jail has one that stands, nobody else has"),
    ("space", _is_in_jail, "who is in jail is there"),
    ("bricks", _pays, "the dead have none"),
    ("burned_by", _was_burned, "there is no such building"),
    ("catching", _has_room, "it has no room for so many diseases"),
)


def _check_place(state: State, name: str, pc: Pc) -> None:
    """Characters are where they could go (police may have come since, and the living step over the dead)."""
    field = f"pcs.{name}.space"
    shut = barred(state, name, pc.space)
    allowed = (
        {"police_there"} | (set() if pc.alive else {"pulpit_taken"}) | ({"courthouse_there"} if pc.jail else set())
    )
    if shut is not None and shut[1] not in allowed:
        impossible(field, f"it cannot be there: {shut[1]} ({shut[0]})")
    if not is_building(state, pc.space) and any(dumpster_at(state, cell) for cell in cells_of(state, pc.space)):
        impossible(field, "there is a dumpster")


def _check_cards(state: State, name: str, pc: Pc) -> None:
    field, board = f"pcs.{name}", state.board
    for slot, card in pc.slots.filled():
        if slot not in SLOTS_OF.get(board.kind(card).type, ()):
            impossible(f"{field}.slots.{slot}", f"{card} does not go there")
    for card in pc.hand:
        if board.kind(card).type == "P":
            impossible(f"{field}.hand", "diseases are not held")
    for card in pc.catching:
        if board.back(card) != DISEASE:
            impossible(f"{field}.catching", f"{card} is no disease")
    for tail in pc.drug_tail:
        if not _wears_off(state, tail):
            impossible(f"{field}.drug_tail", f"{tail.card} does not work on")


def _wears_off(state: State, tail: Tail) -> bool:
    """A drug, or what has a text for the end of the turn; homebrew with such a text is kept until then."""
    kind = state.board.kind(tail.card)
    kept = bool(kind.tail) and state.board.back(tail.card) == HOMEBREW
    return (kind.type == "D" or bool(kind.tail)) and tail.kept <= kept
