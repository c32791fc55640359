"""What makes a content pack valid (cards, sections 1 to 3), and the shelf of packs in use."""

from functools import cache

from games.content import ContentError, Shelf
from games.host_tournament import ops
from games.host_tournament.cards import Book, Card, words
from games.host_tournament.deck import deck_fault
from games.host_tournament.pack_parts import Pack

#: Which rules each type of card may have.
RULES_OF = {
    "personnel": (ops.Play, ops.Act, ops.Dl, ops.During, ops.Start, ops.End, ops.After),
    "location": (ops.Play, ops.Act, ops.Dl, ops.During, ops.Start, ops.End, ops.After),
    "equipment": (ops.Play, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
    "event": (ops.Play, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
    "interrupt": (ops.Reply, ops.During, ops.Start, ops.End, ops.After),
    "chula": (ops.Chula, ops.During, ops.Start, ops.End, ops.Zero, ops.After),
}
SUBGAME = ("entry_t", "entry_d", "roll_t", "roll_d", "result_t", "result_d")


def check(pack: Pack) -> None:
    """Test a pack against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    towns = [town.id for town in pack.towns]
    for number, town in enumerate(towns):
        _expect(towns.count(town) == 1 and town != "any", f"towns[{number}].id", "each town once, none `any`", "HT-3.3")
    book = Book(pack)
    for card in book.cards.values():
        _check_card(book, card, f"{card.type}.{card.id}")
    _check_circles(book)
    ids = [deck.id for deck in pack.decks]
    _expect(len(set(ids)) == len(ids), "decks", "each deck has an id of its own", "HT-1.2")
    for deck in pack.decks:
        fault = deck_fault(book, deck.cards)
        if fault is not None:
            raise ContentError(f"decks.{deck.id}.cards{fault}")
    _expect(bool(pack.decks), "decks", "there is a sample deck, for who brings none", "HT-1.2")


def _expect(holds: bool, field: str, sentence: str, rule: str) -> None:  # noqa: FBT001 a test and its complaint
    if not holds:
        raise ContentError(f"{field}: {sentence} ({rule})")


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
    for index, rule in enumerate(card.rules):
        allowed = RULES_OF[card.type]
        told = f"{where}.effect[{index}]"
        _expect(isinstance(rule, allowed), told, f"a rule that no {card.type} has", "HT-10.4")
        _check_rule(card, rule, told)
    _check_wanted(card, where)


def _check_wanted(card: Card, where: str) -> None:
    """The rule without which a card of its type could not be played."""
    plays = sum(isinstance(rule, ops.Play) for rule in card.rules)
    _expect(plays <= 1, f"{where}.effect", "at most one play", "HT-7.1")
    if card.type == "event":
        _expect(plays == 1, f"{where}.effect", "an event has a play", "HT-7.1")
    if card.type == "interrupt":
        _expect(bool(card.replies), f"{where}.effect", "an interrupt has a reply", "HT-18.10")
    if card.type == "chula":
        count = sum(isinstance(rule, ops.Chula) for rule in card.rules)
        _expect(count == 1, f"{where}.effect", "a chula has one rule chula", "HT-10.4")
    if card.type == "equipment":
        first = card.play[1].ops[:1] if card.play is not None else ()
        host = first[0].w if first and isinstance(first[0], ops.Attach) else None
        fits = isinstance(host, ops.Pick) and (host.w, host.n, host.player) == ("FIELD", 1, "YOU")
        _expect(fits, f"{where}.effect", "it begins with attach(pick(FIELD, 1, YOU))", "HT-6.8")


def _check_rule(card: Card, rule: ops.Rule, where: str) -> None:
    timing = rule.t if isinstance(rule, ops.Reply | ops.After) else ""
    if isinstance(rule, ops.After):
        _expect(timing in SUBGAME, where, "after goes with a window of a subgame", "HT-18.9")
    if isinstance(rule, ops.Zero):
        _expect(card.cd is not None, where, "zero goes with a countdown", "HT-14.1")
    group = isinstance(rule, ops.Chula) or timing == "answer_motion"
    for word in words(rule):
        _check_word(word, timing, where)
        attaches = isinstance(word, ops.Attach)
        _expect(not attaches or isinstance(rule, ops.Play), where, "equipment is attached as it is played", "HT-3.2")
        for name in word.__struct_fields__:
            value = getattr(word, name)
            _expect(value != "GROUP" or group, where, "GROUP goes with chulas and answer_motion", "HT-11.1")
            _expect(value != "ENTRANTS" or timing in SUBGAME, where, "ENTRANTS goes with subgames", "HT-8.1")
    if isinstance(rule, ops.During):
        for word in words(rule):
            chosen = isinstance(word, ops.Pick | ops.Rand | ops.Best | ops.Once)
            _expect(not chosen, where, "nothing is chosen or used up by what holds all the time", "HT-18.9")


def _check_word(word: ops.Word, timing: str, where: str) -> None:
    match word:
        case ops.Fee(w, _, n):
            _expect(n < 0 or w == "ALL", where, "what makes moves dearer does so for ALL", "HT-18.5")
        case ops.Cancel():
            _expect(timing.startswith("answer_"), where, "cancel goes with a window answer_…", "HT-18.10")
        case ops.Won():
            _expect(timing == "result_t", where, "won goes with result_t", "HT-18.10")
        case ops.Reroll():
            _expect(timing == "roll_t", where, "reroll goes with roll_t", "HT-18.10")
        case ops.Pick(_, n) | ops.Rand(_, n):
            _expect(n > 0, where, "at least one is picked", "HT-10.4")
    if isinstance(word, ops.Count | ops.Total | ops.Won):
        chosen = any(isinstance(part, ops.Pick | ops.Rand | ops.Best) for part in words(word.w))
        _expect(not chosen, where, "nothing is chosen to see whether a condition holds", "HT-18.3")


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
