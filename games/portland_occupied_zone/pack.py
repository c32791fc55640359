"""What makes a content pack valid (specification, 2.3 to 2.14), and the shelf of packs in use."""

from collections.abc import Iterator

from games.content import Shelf, expect
from games.portland_occupied_zone.language import Call, LanguageError, parse
from games.portland_occupied_zone.pack_faults import expect_unique
from games.portland_occupied_zone.pack_map import BUSINESSES, COURTHOUSE, check_map
from games.portland_occupied_zone.pack_parts import Character, Pack, Structure
from games.portland_occupied_zone.requirements import requirement

CHARACTERS = 8  # POZ-WAR-1
PLANS_SHOWN = 5  # POZ-SET-2.4
FULL_STANDARD, FULL_BATTLE = 24, 16  # POZ-SET-2.3
POWERS_AT = (0, 7, 14, 21, 28)  # POZ-SCO-4
#: Structures and cards that the rules themselves name (2.2).
NAMED_STRUCTURES = (
    "pulpit", "tent", "laundry", "needle_pile", "tire_fire", "brick_pile", "drum_circle", "bed", "altar", "barricade",
    "ball_pit", "potato_patch", "weed_farm", "meth_lab", "commune",
)  # fmt: skip
FIXED_COPIES = {"pulpit": 1, "commune": 1, "barricade": 8}


def check(pack: Pack) -> None:
    """Test a pack against the rulebook and against itself.

    Raises:
        ContentError: a sentence that names the field and the rule.
    """
    check_map(pack.map)
    limits = pack.limits
    expect(len(limits.cop_cap) == CHARACTERS + 1, "limits.cop_cap", "nine numbers, for 0 to 8 characters", "POZ-CAP-2")
    expect(len(pack.bricks) == 3, "bricks", "each value of the option brick_die has its odds", "POZ-BRK-4")
    for name, die in pack.bricks.items():
        expect(die.flat < die.thin < die.sides, f"bricks.{name}", "all three sides can come up", "POZ-BRK-4")
    _check_structures(pack)
    _check_cards(pack)
    expect(len(pack.characters) == CHARACTERS, "characters", f"there are {CHARACTERS}", "POZ-WAR-1")
    expect_unique((pc.id for pc in pack.characters), "characters", "POZ-WAR-1")
    for pc in pack.characters:
        _check_character(pack, pc)
    _check_plans(pack)
    _check_decks(pack)
    _check_texts(pack)


def _check_structures(pack: Pack) -> None:
    expect_unique((kind.id for kind in pack.structures), "structures", "POZ-BLD-1")
    kinds = {kind.id: kind for kind in pack.structures}
    for name in NAMED_STRUCTURES:
        expect(name in kinds, f"structures.{name}", "the rules name it", "POZ-BLD-6")
    for name, copies in FIXED_COPIES.items():
        expect(kinds[name].copies == copies, f"structures.{name}.copies", f"there are {copies}", "POZ-BLD-7")
    for kind in pack.structures:
        _check_structure(pack, kind)


def _check_structure(pack: Pack, kind: Structure) -> None:
    field = f"structures.{kind.id}"
    expect((kind.size is None) == kind.site, field, "it has a size, or stands on a site", "POZ-TRN-19")
    expect(kind.site == (kind.id == "barricade"), field, "barricades alone stand on sites", "POZ-BAT-9")
    if kind.harvest is not None:
        known = any(card.id == kind.harvest for card in pack.homebrew)
        expect(known, f"{field}.harvest", f"there is no homebrew card {kind.harvest}", "POZ-RED-11")


def _check_cards(pack: Pack) -> None:
    expect(
        set(pack.loot) == set(pack.map.buildings) - {COURTHOUSE} and len(pack.loot) == BUSINESSES,
        "loot",
        "each business has a deck",
        "POZ-SET-2.1",
    )
    for deck, cards in pack.loot.items():
        expect_unique((card.id for card in cards), f"loot.{deck}", "POZ-SET-2.1")
        for card in cards:
            alike = [other for others in pack.loot.values() for other in others if other.id == card.id]
            same = all((o.type, o.effect, o.tags) == (card.type, card.effect, card.tags) for o in alike)
            expect(same, f"loot.{deck}.{card.id}", "cards with one id are alike", "POZ-LOT-6")
    others = [*(c.id for c in pack.personal), *(c.id for c in pack.diseases), *(c.id for c in pack.homebrew)]
    expect_unique(others, "cards", "POZ-LOT-6")
    looted = {card.id for cards in pack.loot.values() for card in cards}
    for name in others:
        expect(name not in looted, f"cards.{name}", "each id is used once", "POZ-LOT-6")
    expect(all(card.type in "WAX" for card in pack.personal), "personal", "they can be equipped", "POZ-BRD-3")


def _check_character(pack: Pack, pc: Character) -> None:
    field = f"characters.{pc.id}"
    businesses = set(pack.loot)
    expect(pc.works_at in businesses, f"{field}.works_at", f"there is no business {pc.works_at}", "POZ-BRD-2")
    personal = any(card.id == pc.personal for card in pack.personal)
    expect(personal, f"{field}.personal", f"there is no personal effect {pc.personal}", "POZ-BRD-3")
    disease = pc.disease is None or any(card.id == pc.disease for card in pack.diseases)
    expect(disease, f"{field}.disease", f"there is no disease {pc.disease}", "POZ-DIS-12")
    expect(pc.start in dict(pc.track), f"{field}.start", "it is a state of its track", "POZ-MEN-2")
    expect(set(pc.feats) == {"cop", "medic", "ko", "loot"}, f"{field}.feats", "all four are listed", "POZ-SCO-13")
    at = tuple(power.at for power in pc.powers if not power.ideology)
    expect(at == POWERS_AT, f"{field}.powers", "one at each of 0, 7, 14, 21, 28", "POZ-SCO-4")
    expect(len(pc.powers) == len(POWERS_AT) + 1, f"{field}.powers", "and an ideology", "POZ-DIC-15")
    ranks = sorted(other.rank for other in pack.characters)
    expect(ranks == list(range(CHARACTERS)), f"{field}.rank", "each has another place in the rainbow", "POZ-SET-5.1")


def _check_plans(pack: Pack) -> None:
    expect_unique((plan.id for plan in pack.plans), "plans", "POZ-PLN-1")
    expect(len(pack.plans) > PLANS_SHOWN, "plans", f"more than the {PLANS_SHOWN} that are shown", "POZ-PLN-1")
    for plan in pack.plans:
        try:
            compared = requirement(plan.needs)
        except ValueError as error:
            expect(False, f"plans.{plan.id}.needs", str(error), "POZ-PLN-2")
        else:
            kinds = {kind.id for kind in pack.structures}
            known = all(part.of is None or part.of in kinds for part in compared)
            expect(known, f"plans.{plan.id}.needs", "it counts structures that there are", "POZ-PLN-2")


def _check_decks(pack: Pack) -> None:
    expect_unique((card.id for card in pack.aktions), "aktions", "POZ-SET-2.2")
    for card in pack.aktions:
        count = {"none": 1, "majority": 1}.get(card.decision, 2)
        expect(len(card.options) == count, f"aktions.{card.id}.options", f"there are {count}", "POZ-RND-1.1")
    for name, cards, least in (
        ("standard", pack.narratives.standard, FULL_STANDARD),
        ("battle", pack.narratives.battle, FULL_BATTLE),
    ):
        expect_unique((card.id for card in cards), f"narratives.{name}", "POZ-SET-2.3")
        enough = sum(card.n for card in cards) >= least
        expect(enough, f"narratives.{name}", f"a full game draws {least}", "POZ-SET-2.3")


def texts(pack: Pack) -> Iterator[tuple[str, str]]:
    """Every text in the effect language, with the field it stands in."""
    for kind in pack.structures:
        yield f"structures.{kind.id}.entering", kind.entering
        yield f"structures.{kind.id}.mods", kind.mods
    for pc in pack.characters:
        yield f"characters.{pc.id}.setup", pc.setup
        for power in pc.powers:
            for field in ("passive", "active", "teach_in"):
                yield f"characters.{pc.id}.{power.id}.{field}", getattr(power, field)
    for card in (*pack.personal, *pack.homebrew, *(card for cards in pack.loot.values() for card in cards)):
        yield f"cards.{card.id}.effect", card.effect
        yield f"cards.{card.id}.tail", card.tail
    for disease in pack.diseases:
        yield f"diseases.{disease.id}.effect", disease.effect
        yield f"diseases.{disease.id}.contracted", disease.contracted
    for aktion in pack.aktions:
        yield from ((f"aktions.{aktion.id}.options[{index}]", text) for index, text in enumerate(aktion.options))
    for narrative in (*pack.narratives.standard, *pack.narratives.battle):
        yield f"narratives.{narrative.id}.effect", narrative.effect


def _check_texts(pack: Pack) -> None:
    known = {
        "deck": {*pack.loot, "picked"},
        "structure": {kind.id for kind in pack.structures},
        "card": {card.id for card in (*pack.personal, *pack.homebrew, *(c for cs in pack.loot.values() for c in cs))},
        "disease": {card.id for card in pack.diseases},
    }
    for field, text in texts(pack):
        try:
            calls = parse(text)
        except LanguageError as error:
            expect(False, field, str(error), "POZ-LOT-11")
        else:
            for call in calls:
                _check_ids(field, call, known)


def _check_ids(field: str, call: Call, known: dict[str, set[str]]) -> None:
    named = {"loot": ("deck", 1), "mill": ("deck", 0), "build": ("structure", 0), "gain": ("card", 1)}
    if call.name in named:
        kind, index = named[call.name]
        expect(call.word(index) in known[kind], field, f"there is no {kind} {call.word(index)}", "POZ-LOT-11")
    if "id" in call.named:
        expect(call.named["id"] in known["disease"], field, f"there is no disease {call.named['id']}", "POZ-DIS-1")


SHELF = Shelf(Pack, check)
