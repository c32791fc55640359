"""What makes a content pack valid (specification, 2.3 to 2.14), and the shelf of packs in use."""

from collections import Counter

from msgspec import structs

from games.content import Shelf, expect
from games.portland_occupied_zone.pack_faults import expect_apart, expect_unique
from games.portland_occupied_zone.pack_map import BUSINESSES, COURTHOUSE, check_map
from games.portland_occupied_zone.pack_parts import Character, Loot, Narrative, Pack, Power, Structure
from games.portland_occupied_zone.pack_texts import FIXED, check_texts
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
FIXED_SIZES = {"pulpit": (1, 1), "commune": (3, 3)}
#: What gained population is made of: each is 1 of it (POZ-R16).
ONES = ("tent", "laundry")


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
    _check_characters(pack)
    _check_plans(pack)
    _check_decks(pack)
    check_texts(pack)


def _check_structures(pack: Pack) -> None:
    expect_unique((kind.id for kind in pack.structures), "structures", "POZ-BLD-1")
    kinds = {kind.id: kind for kind in pack.structures}
    for name in NAMED_STRUCTURES:
        expect(name in kinds, f"structures.{name}", "the rules name it", "POZ-BLD-6")
    for name, copies in FIXED_COPIES.items():
        expect(kinds[name].copies == copies, f"structures.{name}.copies", f"there are {copies}", "POZ-BLD-7")
    for name, size in FIXED_SIZES.items():
        expect(kinds[name].size == size, f"structures.{name}.size", f"it is {size[0]} by {size[1]}", "POZ-DIC-5")
    expect_apart(kinds, _on_map(pack), "structures", "POZ-BLD-1")
    for kind in pack.structures:
        _check_structure(pack, kind)


def _on_map(pack: Pack) -> tuple[str, ...]:
    here = pack.map
    return (*here.buildings, *here.dumpsters, *here.cameras, *here.streets)


def _check_structure(pack: Pack, kind: Structure) -> None:
    field = f"structures.{kind.id}"
    expect((kind.size is None) == kind.site, field, "it has a size, or stands on a site", "POZ-TRN-19")
    expect(kind.site == (kind.id == "barricade"), field, "barricades alone stand on sites", "POZ-BAT-9")
    expect(kind.pop > 0 or kind.id == "pulpit", f"{field}.pop", "it is some of the population", "POZ-BLD-1")
    expect(kind.pop == 1 or kind.id not in ONES, f"{field}.pop", "it is 1 of the population", "POZ-R16")
    free = kind.id not in FIXED
    expect(free or not kind.buyable, f"{field}.buyable", "it is placed by the rules alone", "POZ-BLD-3")
    expect(free or not kind.trap, f"{field}.trap", "nobody springs it", "POZ-RED-2")
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
    alike: dict[str, Loot] = {}
    for deck, cards in pack.loot.items():
        expect_unique((card.id for card in cards), f"loot.{deck}", "POZ-SET-2.1")
        for card in cards:
            first = alike.setdefault(card.id, card)
            same = structs.replace(card, n=first.n) == first
            expect(same, f"loot.{deck}.{card.id}", "cards with one id are alike", "POZ-LOT-6")
    others = [*(c.id for c in pack.personal), *(c.id for c in pack.diseases), *(c.id for c in pack.homebrew)]
    expect_unique(others, "cards", "POZ-LOT-6")
    for name in others:
        expect(name not in alike, f"cards.{name}", "each id is used once", "POZ-LOT-6")
    expect(all(card.type in "WAX" for card in pack.personal), "personal", "they can be equipped", "POZ-BRD-3")


def _check_characters(pack: Pack) -> None:
    expect(len(pack.characters) == CHARACTERS, "characters", f"there are {CHARACTERS}", "POZ-WAR-1")
    expect_unique((pc.id for pc in pack.characters), "characters", "POZ-WAR-1")
    others = (*_on_map(pack), *(kind.id for kind in pack.structures))
    expect_apart((pc.id for pc in pack.characters), others, "characters", "POZ-WAR-1")
    for pc in pack.characters:
        _check_character(pack, pc)
    ranks = sorted(pc.rank for pc in pack.characters)
    expect(ranks == list(range(CHARACTERS)), "characters", "each has another place in the rainbow", "POZ-SET-5.1")
    expect_unique((power.id for pc in pack.characters for power in pc.powers), "powers", "POZ-SCO-4")
    owned = Counter(pc.personal for pc in pack.characters)
    for pc in reversed(pack.characters):
        expect(owned[pc.personal] == 1, f"characters.{pc.id}.personal", "it is another's, too", "POZ-BRD-3")
    begun = Counter(pc.disease for pc in pack.characters)
    for card in pack.diseases:
        expect(card.n >= begun[card.id], f"diseases.{card.id}.n", f"{begun[card.id]} start with it", "POZ-DIS-12")
        expect(not (begun[card.id] and card.refs), f"diseases.{card.id}.refs", "some start with it", "POZ-DIS-12")


def _check_character(pack: Pack, pc: Character) -> None:
    field = f"characters.{pc.id}"
    businesses = set(pack.loot)
    expect(pc.works_at in businesses, f"{field}.works_at", f"there is no business {pc.works_at}", "POZ-BRD-2")
    personal = any(card.id == pc.personal for card in pack.personal)
    expect(personal, f"{field}.personal", f"there is no personal effect {pc.personal}", "POZ-BRD-3")
    disease = pc.disease is None or any(card.id == pc.disease for card in pack.diseases)
    expect(disease, f"{field}.disease", f"there is no disease {pc.disease}", "POZ-DIS-12")
    states = len(dict(pc.track)) == len(pc.track)
    expect(states, f"{field}.track", "each state has another name", "POZ-MEN-2")
    expect(pc.start in dict(pc.track), f"{field}.start", "it is a state of its track", "POZ-MEN-2")
    expect(set(pc.feats) == {"cop", "medic", "ko", "loot"}, f"{field}.feats", "all four are listed", "POZ-SCO-13")
    at = tuple(power.at for power in pc.powers if not power.ideology)
    expect(at == POWERS_AT, f"{field}.powers", "one at each of 0, 7, 14, 21, 28", "POZ-SCO-4")
    expect(len(pc.powers) == len(POWERS_AT) + 1, f"{field}.powers", "and an ideology", "POZ-DIC-15")
    for power in pc.powers:
        _check_power(power, f"{field}.{power.id}")


def _check_power(power: Power, field: str) -> None:
    expect(power.at is None or not power.ideology, f"{field}.at", "an ideology comes with the Tin Pot", "POZ-DIC-15")
    expect(not power.teach_in or power.ideology, f"{field}.teach_in", "only an ideology works then", "POZ-DIC-15")


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
    standard: dict[str, Narrative] = {card.id: card for card in pack.narratives.standard}
    for late in pack.narratives.battle:
        twin = structs.replace(standard.get(late.id, late), n=late.n)
        expect(twin == late, f"narratives.battle.{late.id}", "cards with one id are alike", "POZ-SET-2.3")


SHELF = Shelf(Pack, check)
