"""What makes a content pack valid (cards, sections 1 to 3), and the shelf of packs in use."""

from functools import cache

from games.content import ContentError, Shelf
from games.host_tournament import ops
from games.host_tournament.cards import WORDS, Book, Card, words
from games.host_tournament.deck import deck_fault
from games.host_tournament.pack_parts import Pack
from games.host_tournament.pack_words import check_folder, check_free, check_rule
from games.host_tournament.pack_words import expect as _expect
from games.host_tournament.reading import TYPES

#: Which rules each type of card may have.
RULES_OF = {
    "personnel": (ops.Play, ops.Act, ops.Dl, ops.During, ops.Start, ops.End, ops.After),
    "location": (ops.Play, ops.Act, ops.Dl, ops.During, ops.Start, ops.End, ops.After),
    "equipment": (ops.Play, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
    "event": (ops.Play, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
    "interrupt": (ops.Reply, ops.During, ops.Start, ops.End, ops.After),
    "chula": (ops.Chula, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
}
#: Words of the effect language that stand where ids do.
RESERVED = frozenset({*WORDS, *ops.STATS, "every_stat"})
NAME_MAX, TEXT_MAX = 100, 2000


def check(pack: Pack) -> None:
    """Test a pack against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    _check_names(pack)
    towns = [town.id for town in pack.towns]
    for number, town in enumerate(towns):
        _expect(towns.count(town) == 1 and town != "any", f"towns[{number}].id", "each town once, none `any`", "HT-3.3")
        _expect(town not in RESERVED, f"towns[{number}].id", f"{town} is a word of effects", "HT-3.3")
    book = Book(pack)
    for card in book.cards.values():
        _check_card(book, card, f"{card.type}.{card.id}")
    if book.sorting is not None:
        check_folder(book.sorting, "type_rules[0].effect[0]")
    _check_circles(book)
    ids = [deck.id for deck in pack.decks]
    _expect(len(set(ids)) == len(ids), "decks", "each deck has an id of its own", "HT-1.2")
    for deck in pack.decks:
        fault = deck_fault(book, deck.cards)
        if fault is not None:
            raise ContentError(f"decks.{deck.id}.cards{fault}")
    _expect(bool(pack.decks), "decks", "there is a sample deck, for who brings none", "HT-1.2")


def _check_names(pack: Pack) -> None:
    """Names fit on a line, texts in a few; skills and towns are told from each other and from words."""
    named = [(f"towns[{number}]", town.name) for number, town in enumerate(pack.towns)]
    named += [(f"decks.{deck.id}", deck.name) for deck in pack.decks]
    for kind in TYPES:
        for part in getattr(pack, kind):
            named.append((f"{kind}.{part.id}", part.name))
            _expect(_fits(part.text, TEXT_MAX), f"{kind}.{part.id}.text", f"at most {TEXT_MAX} characters", "HT-0.2")
    for field, name in (("", pack.pack), *named):
        where = f"{field}.name" if field else "pack"
        fits = bool(name.strip()) and "\n" not in name and _fits(name, NAME_MAX)
        _expect(fits, where, f"a name has 1 to {NAME_MAX} characters that can be seen", "HT-0.2")
    taken = {*RESERVED, *(town.id for town in pack.towns)}
    for number, skill in enumerate(pack.skills):
        once = pack.skills.count(skill) == 1 and skill not in taken
        _expect(once, f"skills[{number}]", f"{skill}: each skill once, none a town or a word of effects", "HT-5.2")


def _fits(text: str, most: int) -> bool:
    return len(text) <= most and text.replace("\n", "").isprintable()


def _check_card(book: Book, card: Card, where: str) -> None:
    _expect(len(card.aff) <= 2 and len(set(card.aff)) == len(card.aff), f"{where}.aff", "at most two towns", "HT-13.1")
    for town in card.aff:
        _expect(town in book.towns, f"{where}.aff", f"there is no town {town}", "HT-3.3")
    for skill in card.skills:
        _expect(skill in book.skills, f"{where}.skills", f"there is no skill {skill}", "HT-5.2")
    if card.type == "location":
        _expect(
            card.town == "any" or card.town in book.towns, f"{where}.town", f"there is no town {card.town}", "HT-3.3"
        )
        _expect(
            card.town != "any" or not card.unique, f"{where}.town", "only a universal one names its town", "HT-18.11"
        )
    if card.key != card.id:
        _expect(card.key not in book.cards, f"{where}.persona", "a persona key is no card's id", "HT-16.1")
        _expect(card.unique, f"{where}.persona", "who has several personas is unique", "HT-16.1")
    for index, rule in enumerate(card.rules):
        allowed = RULES_OF[card.type]
        told = f"{where}.effect[{index}]"
        _expect(isinstance(rule, allowed), told, f"a rule that no {card.type} has", "HT-10.4")
        check_rule(book, card, rule, told)
    check_free(card, f"{where}.free")
    _check_wanted(card, where)


def _check_wanted(card: Card, where: str) -> None:
    """The rule without which a card of its type could not be played."""
    plays = sum(isinstance(rule, ops.Play) for rule in card.rules)
    _expect(plays <= 1, f"{where}.effect", "at most one play", "HT-7.1")
    if card.type == "event":
        _expect(plays == 1, f"{where}.effect", "an event has a play", "HT-7.1")
    if card.type == "interrupt":
        _expect(bool(card.replies), f"{where}.effect", "an interrupt has a reply", "HT-18.10")
        windows = [rule.t for _, rule in card.replies]
        twice = next((window for window in windows if windows.count(window) > 1), None)
        _expect(twice is None, f"{where}.effect", f"one reply for each window, here {twice} has more", "HT-18.10")
    if card.type == "chula":
        count = sum(isinstance(rule, ops.Chula) for rule in card.rules)
        _expect(count == 1, f"{where}.effect", "a chula has one rule chula", "HT-10.4")
    if card.type == "equipment":
        first = card.play[1].ops[:1] if card.play is not None else ()
        host = first[0].w if first and isinstance(first[0], ops.Attach) else None
        fits = isinstance(host, ops.Pick) and (host.w, host.n, host.player) == ("FIELD", 1, "YOU")
        _expect(fits, f"{where}.effect", "it begins with attach(pick(FIELD, 1, YOU))", "HT-6.8")


def _check_circles(book: Book) -> None:
    """What holds while a card is in play may depend on what others make hold, but not in a circle."""
    ways: dict[str, set[str]] = {}
    for card in book.cards.values():
        for _, rule in card.during:
            for mod in rule.mods:
                changed = set(ops.STATS) if getattr(mod, "stat", "") == "every_stat" else {_changed(mod)}
                for name in changed - {""}:
                    ways.setdefault(name, set()).update(_looked_at(book, (rule.c, mod)))
    for name in ways:
        reached, rest = set[str](), [name]
        while rest:
            fresh = ways.get(rest.pop(), set()) - reached
            reached |= fresh
            rest += sorted(fresh)
        _expect(name not in reached, "effect", f"what changes {name} depends on {name} in a circle", "HT-18.9")


def _changed(mod: ops.Modifier) -> str:
    return mod.stat if isinstance(mod, ops.Buff) else mod.skill if isinstance(mod, ops.Grant) else ""


def _looked_at(book: Book, things: tuple[ops.Word, ...]) -> set[str]:
    found = set()
    for word in words(things):
        if isinstance(word, ops.Count | ops.Only) and word.x in book.skills:
            found.add(word.x)
        if isinstance(word, ops.Total | ops.Below):
            found.add(word.stat)
    return found


#: The packs in use, by SHA-256; whoever reads files fills it.
SHELF: Shelf[Pack] = Shelf(Pack, check)


@cache
def book(pack: str) -> Book:
    """The cards of a pack on the shelf, by its SHA-256."""
    return Book(SHELF[pack])


@cache
def names(pack: str) -> dict[str, str]:
    """What the towns, cards and sample decks of a pack are called, and its skills as they are written."""
    known = book(pack)
    skills = {skill: skill.replace("_", " ").capitalize() for skill in known.skills}
    decks = {deck.id: deck.name for deck in known.decks.values()}
    return skills | known.towns | decks | {card.id: card.name for card in known.cards.values()}
