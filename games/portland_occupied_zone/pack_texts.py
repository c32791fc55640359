"""What the texts of a pack may say (specification, 2.7): the ids in them, and which ops make sense where they stand."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from games.content import expect
from games.portland_occupied_zone.language import Call, LanguageError, arguments, parse, told
from games.portland_occupied_zone.pack_parts import Character, Loot, Pack
from games.portland_occupied_zone.vocabulary import GLOBAL, IDS

#: Where a text stands: `done` it is done when its card or power is used, `worn` it holds as long as its card or power
#: does, `built` as long as a structure stands; the others are what they are called in `pack_parts.py`.
Role = Literal["done", "worn", "built", "entering", "contracted", "tail", "plot", "repeated_plot", "majority"]
RULE = "POZ-LOT-11"
WORN = frozenset("WAX")
#: Structures that no card builds.
FIXED = frozenset({"pulpit", "commune"})
#: What the rates of all characters gain by a structure.
BUILT_KEYS = frozenset({"max_bricks", "move"})
#: Roles of a few ops only, which meet nobody but the character itself.
NARROW: Mapping[Role, tuple[str, ...]] = {
    "entering": ("hurt", "infect"),
    "contracted": ("stab",),
    "tail": ("hurt",),
    "majority": ("pick", "pass_lead"),
}


def texts(pack: Pack) -> Iterator[tuple[str, Role, str]]:
    """Every text in the effect language: the field it stands in, its role, and itself."""
    for kind in pack.structures:
        yield f"structures.{kind.id}.entering", "entering", kind.entering
        yield f"structures.{kind.id}.mods", "built", kind.mods
    for pc in pack.characters:
        yield from _of_character(pc)
    for card in (*pack.personal, *pack.homebrew, *(card for cards in pack.loot.values() for card in cards)):
        yield f"cards.{card.id}.effect", _role(card), card.effect
        yield f"cards.{card.id}.tail", "tail", card.tail
    for disease in pack.diseases:
        yield f"diseases.{disease.id}.effect", "worn", disease.effect
        yield f"diseases.{disease.id}.contracted", "contracted", disease.contracted
    role: Role
    for aktion in pack.aktions:
        role = "majority" if aktion.decision == "majority" else "done"
        yield from ((f"aktions.{aktion.id}.options[{index}]", role, text) for index, text in enumerate(aktion.options))
    for narrative in (*pack.narratives.standard, *pack.narratives.battle):
        role = "done" if narrative.kind == "event" else narrative.kind
        yield f"narratives.{narrative.id}.effect", role, narrative.effect


def _of_character(pc: Character) -> Iterator[tuple[str, Role, str]]:
    yield f"characters.{pc.id}.setup", "done", pc.setup
    for power in pc.powers:
        field = f"characters.{pc.id}.{power.id}"
        yield f"{field}.passive", "worn", power.passive
        yield f"{field}.active", "done", power.active
        yield f"{field}.teach_in", "done", power.teach_in


def _role(card: Loot) -> Role:
    return "worn" if card.type in WORN else "done"


def check_texts(pack: Pack) -> None:
    """Test every text by itself, for where it stands, and against the ids of the pack.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    known = _known(pack)
    for field, role, text in texts(pack):
        try:
            calls = parse(text)
        except LanguageError as error:
            expect(False, field, str(error), RULE)
        else:
            for call in calls:
                _check_role(field, role, call)
                _check_ids(field, call, known)
    for aktion in pack.aktions:
        leads = any(call.name == "pass_lead" for text in aktion.options for call in parse(text))
        good = leads == (aktion.decision == "majority")
        expect(good, f"aktions.{aktion.id}.options", "a majority decides who leads, and that only", "POZ-GOV-6")
    _check_places(pack)


def _known(pack: Pack) -> dict[str, set[str]]:
    structures = {kind.id for kind in pack.structures}
    looted = {card.id for cards in pack.loot.values() for card in cards}
    known = {
        "street": set(pack.map.streets),
        "house": set(pack.map.buildings),
        "place": structures | set(pack.map.buildings),
        "structure": structures,
        "buildable": structures - FIXED,
        "deck": set(pack.loot),
        "card": looted | {card.id for card in pack.homebrew},
        "disease": {card.id for card in pack.diseases},
    }
    assert set(known) == set(IDS)
    return known


def _check_ids(field: str, call: Call, known: Mapping[str, set[str]]) -> None:
    for value, kind in arguments(call):
        what, *words = kind.split("|")
        if what in known and value not in words:
            expect(value in known[what], field, f"there is no {what} {told(value)}", RULE)


def _check_role(field: str, role: Role, call: Call) -> None:
    standing = call.name in ("mod", "flag")
    if role in NARROW:
        expect(call.name in NARROW[role], field, f"{call.name} is not among {', '.join(NARROW[role])}", RULE)
        plain = not call.when and not call.named and all(value == "self" for value, k in arguments(call) if k == "who")
        expect(plain or role == "majority", field, "it meets the character itself, always", RULE)
    elif role == "worn":
        expect(standing and not call.named, field, "what holds by itself is a mod or flag for its owner", RULE)
    elif role == "built":
        good = call.name == "mod" and call.args[0] in BUILT_KEYS and not call.named and not call.when
        expect(good, field, f"a structure adds to {' or '.join(sorted(BUILT_KEYS))}, always", RULE)
    elif role == "done" or not standing:
        expect(role != "plot", field, "a plot is made of mods and flags; one that repeats does more", RULE)
        expect(call.named.get("for") != "plot", field, "only a plot lasts as long as a plot", RULE)
        expect(call.name != "pass_lead", field, "a majority alone passes the lead", "POZ-GOV-6")
    else:
        _check_plot(field, call)


def _check_plot(field: str, call: Call) -> None:
    lasting = call.named.get("for") == "plot" and not call.when
    expect(lasting, field, "a plot holds as long as it is a plot (for=plot), always", RULE)
    if call.args[0] in GLOBAL:
        expect("who" not in call.named, field, f"{call.word(0)} is for nobody in particular", RULE)
    else:
        good = call.name == "mod" and call.named.get("who") == "all"
        expect(good, field, "a plot gives all characters a mod (who=all)", RULE)


def _check_places(pack: Pack) -> None:
    """Who draws a card must know what it is about, in case that is not on the map (POZ-ALT-3)."""
    cards: list[tuple[str, Iterable[str], tuple[str, ...]]] = [
        *((f"cards.{card.id}", (card.effect,), card.refs) for cards in pack.loot.values() for card in cards),
        *((f"cards.{card.id}", (card.effect,), card.refs) for card in pack.homebrew),
        *((f"diseases.{card.id}", (card.effect,), card.refs) for card in pack.diseases),
        *((f"aktions.{card.id}", card.options, card.refs) for card in pack.aktions),
        *((f"narratives.standard.{card.id}", (card.effect,), card.refs) for card in pack.narratives.standard),
        *((f"narratives.battle.{card.id}", (card.effect,), card.refs) for card in pack.narratives.battle),
    ]
    places = {*pack.map.buildings, *pack.map.streets}
    for field, effects, refs in cards:
        for name in refs:
            expect(name in places, f"{field}.refs", f"there is no business or street {name}", "POZ-ALT-3")
        for text in effects:
            for name in places_in(text):
                expect(name in refs or name not in places, f"{field}.refs", f"it names {name}", "POZ-ALT-3")


def places_in(text: str) -> Iterator[str]:
    """The streets and buildings (or types of structures) that a text names."""
    for call in parse(text):
        for value, kind in arguments(call):
            if kind.split("|")[0] in ("street", "house", "place", "deck") and isinstance(value, str):
                yield value
