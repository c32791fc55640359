"""Card kinds made ready to look up, and how a card is written.

A card is written as the id of its kind; where two decks have that kind, a card of the second one carries its back,
`dispensary:horse_paste`. So equal cards are one candidate, and the back of each is known.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from games.portland_occupied_zone.language import Call, parse
from games.portland_occupied_zone.pack_parts import Loot, Pack

PERSONAL, HOMEBREW, DISEASE = "personal", "homebrew", "disease"
EQUIPMENT = frozenset("WAX")
SLOTS = ("weapon", "apparel", "acc1", "acc2")
#: Which slots a card of a type fits (POZ-BRD-9); diseases fit any.
SLOTS_OF: Mapping[str, tuple[str, ...]] = {"W": ("weapon",), "A": ("apparel",), "X": ("acc1", "acc2"), "P": SLOTS}


class Mods(Struct, frozen=True):
    """Standing modifiers: numbers by key, flags, and those that hold only under conditions."""

    numbers: dict[str, int]
    flags: frozenset[str]
    conditional: tuple[Call, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return not (self.numbers or self.flags or self.conditional)


def standing(calls: Iterable[Call]) -> Mods:
    """The modifiers among calls, for as long as what they stand on is in force."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    conditional: list[Call] = []
    for call in calls:
        if call.when:
            conditional.append(call)
        elif call.name == "flag":
            flags.add(call.word(0))
        elif call.name == "mod":
            numbers[call.word(0)] = numbers.get(call.word(0), 0) + call.number(1)
    return Mods(numbers, frozenset(flags), tuple(conditional))


class Card(Struct, frozen=True):
    """A kind of card: `type` W, A, X, F, D, S or P (a disease); `back` of the first deck that has it.

    `text` is what it does when used, read as `ops`; equipment has `mods` instead.
    """

    id: str
    name: str
    type: str
    back: str
    tags: frozenset[str] = frozenset()
    text: str = ""
    ops: tuple[Call, ...] = ()
    mods: Mods = Mods({}, frozenset(), ())
    tail: tuple[Call, ...] = ()
    contracted: tuple[Call, ...] = ()
    paste: bool = False
    cook: int | None = None


def card_kinds(pack: Pack) -> dict[str, Card]:
    """Every kind of card that can be in a hand or slot, by id."""
    kinds: dict[str, Card] = {}
    for back, cards in ((PERSONAL, pack.personal), *pack.loot.items(), (HOMEBREW, pack.homebrew)):
        for card in cards:
            kinds.setdefault(card.id, _kind(card, back))
    for disease in pack.diseases:
        kinds[disease.id] = Card(
            id=disease.id,
            name=disease.name,
            type="P",
            back=DISEASE,
            mods=standing(parse(disease.effect)),
            contracted=parse(disease.contracted),
            paste=disease.paste,
        )
    return kinds


def _kind(card: Loot, back: str) -> Card:
    calls = parse(card.effect)
    worn = card.type in EQUIPMENT
    return Card(
        id=card.id,
        name=card.name,
        type=card.type,
        back=back,
        tags=frozenset(card.tags),
        text="" if worn else card.effect,
        ops=() if worn else calls,
        mods=standing(calls) if worn else Mods({}, frozenset(), ()),
        tail=parse(card.tail),
        cook=card.cook,
    )


def kind_of(card: str) -> str:
    """The id of a card's kind, without its back."""
    return card.rpartition(":")[2]


def different(cards: Iterable[str]) -> Iterator[str]:
    """The ids of the kinds among cards, each once, in their order."""
    return iter(dict.fromkeys(map(kind_of, cards)))


def find(cards: Iterable[str], kind: str) -> str | None:
    """The first card of a kind; None if there is none."""
    return next((card for card in cards if kind_of(card) == kind), None)
