"""Packs made from the house pack by chance, and short games with what is accepted: what breaks is a fault."""

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from games.content import ContentError
from games.dice import Dice
from games.kernel import SPECTATOR, Setting, decide, decisions, legal, start, start_at
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.pack_texts import Role, places_in
from games.portland_occupied_zone.ruleset import RULES, check_setting
from games.portland_occupied_zone.vocabulary import (
    CONDITIONS,
    FLAGS,
    GLOBAL,
    KEYS,
    NAMED,
    PICKS,
    SELECTORS,
    SIGNATURES,
    WHO,
    WORDS,
)

PACK = Path(__file__).parents[3] / "games/portland_occupied_zone/content/portland_occupied_zone-house-1.json"
DECISIONS, LOOK_EVERY = 300, 20
NUMBERS = (-1, 0, 1, 2, 3, 7, 10, 99, 100, 10**9, 10**30)
STRINGS = ("", "brick", "any", "all", "r1", "s1", "jackson", "ü", "no such thing", "²", "stab(self,1)")
Fields = list[tuple[Any, Any]]


def fields(part: Any, kind: type | tuple[type, ...] = object) -> Fields:
    """Every value of a kind in a pack, as its container and its key or index."""
    found: Fields = []
    for key in part if isinstance(part, dict) else range(len(part)):
        if isinstance(part[key], kind):
            found.append((part, key))
        if isinstance(part[key], (dict, list)):
            found += fields(part[key], kind)
    return found


def delete(pack: dict[str, Any], chance: Random) -> None:
    """A field or an element is missing."""
    part, key = chance.choice(fields(pack))
    del part[key]


def duplicate(pack: dict[str, Any], chance: Random) -> None:
    """An element of a list is there twice, or one more under another name."""
    part, key = chance.choice([(part, key) for part, key in fields(pack) if isinstance(part, (list, dict))])
    if isinstance(part, list):
        part.insert(key, deepcopy(part[key]))
    else:
        part[f"{key}2"] = deepcopy(part[key])


def change(pack: dict[str, Any], chance: Random) -> None:
    """A number, a word or a truth is another one."""
    part, key = chance.choice(fields(pack, (int, str)))
    value = part[key]
    if isinstance(value, bool):
        part[key] = not value
    elif isinstance(value, int):
        part[key] = chance.choice((*NUMBERS, value + 1, value - 1))
    else:
        part[key] = chance.choice(STRINGS)


def swap(pack: dict[str, Any], chance: Random) -> None:
    """Two values of one kind, wherever they stand, change places."""
    kind = chance.choice((int, str, list, dict))
    (one, here), (two, there) = chance.sample(fields(pack, kind), 2)
    one[here], two[there] = deepcopy(two[there]), deepcopy(one[here])


def borrow(pack: dict[str, Any], chance: Random) -> None:
    """An id stands where another one was."""
    part, key = chance.choice(fields(pack, str))
    part[key] = chance.choice([other[name] for other, name in fields(pack, str)])


def say(pack: dict[str, Any], chance: Random) -> None:
    """Many texts in the effect language say something else, most of them what is understood."""
    words = Words(pack, chance)
    for part, key, role in text_fields(pack):
        if chance.random() < 0.5:
            part[key] = words.text(role)
    for card in (*pack["narratives"]["standard"], *pack["narratives"]["battle"], *pack["aktions"], *looted(pack)):
        named = {name for text in (card.get("effect", ""), *card.get("options", ())) for name in places_in(text)}
        card["refs"] = sorted(named.intersection((*pack["map"]["streets"], *pack["map"]["buildings"])))
    alike(pack["narratives"].values())
    alike(pack["loot"].values())


def alike(decks: Iterable[list[dict[str, Any]]]) -> None:
    """Cards with one id are made alike."""
    first: dict[str, dict[str, Any]] = {}
    for card in (card for cards in decks for card in cards):
        like = first.setdefault(card["id"], card) | {"n": card["n"]}
        card.clear()
        card.update(like)


def looted(pack: dict[str, Any]) -> list[dict[str, Any]]:
    """The cards that can be drawn or cooked."""
    return [*(card for cards in pack["loot"].values() for card in cards), *pack["homebrew"], *pack["diseases"]]


def text_fields(pack: dict[str, Any]) -> list[tuple[Any, Any, Role]]:
    """Every text in the effect language with its role, but for those of the Leadership Challenge."""
    found: list[tuple[Any, Any, Role]] = []
    for kind in pack["structures"]:
        found += [(kind, "entering", "entering"), (kind, "mods", "built")]
    for pc in pack["characters"]:
        found.append((pc, "setup", "done"))
        for power in pc["powers"]:
            found += [(power, "passive", "worn"), (power, "active", "done")]
            found += [(power, "teach_in", "done")] * power.get("ideology", False)
    for card in (*pack["personal"], *pack["homebrew"], *(card for cards in pack["loot"].values() for card in cards)):
        found += [(card, "effect", "worn" if card["type"] in "WAX" else "done"), (card, "tail", "tail")]
    for card in pack["diseases"]:
        found += [(card, "effect", "worn"), (card, "contracted", "contracted")]
    for card in pack["aktions"]:
        found += [(card["options"], index, "done") for index in range(len(card["options"])) if len(card["options"]) > 1]
    for card in (*pack["narratives"]["standard"], *pack["narratives"]["battle"]):
        found.append((card, "effect", "done" if card["kind"] == "event" else card["kind"]))
    return found


class Words:
    """Texts by the grammar of 2.7, with the words and ids of a pack."""

    def __init__(self, pack: dict[str, Any], chance: Random) -> None:
        self.chance = chance
        here, structures = pack["map"], [kind["id"] for kind in pack["structures"]]
        self.ids = {
            "street": [*here["streets"]],
            "house": [*here["buildings"]],
            "place": [*here["buildings"], *structures],
            "structure": structures,
            "buildable": [name for name in structures if name not in ("pulpit", "commune")],
            "deck": [*pack["loot"]],
            "card": [card["id"] for card in looted(pack)[: -len(pack["diseases"])]],
            "disease": [card["id"] for card in pack["diseases"]],
        }

    def text(self, role: Role) -> str:
        """A text that fits where it stands."""
        n = self.chance.randint(-2, 3)
        plot = f"mod({self.chance.choice([key for key in KEYS if key not in GLOBAL])},{n},who=all,for=plot)"
        match role:
            case "entering":
                return self.chance.choice(("", "hurt(self,2)", "infect(self)", "infect(self);hurt(self,9)"))
            case "built":
                return self.chance.choice(("", f"mod(move,{n})", f"mod(max_bricks,{n});mod(move,1)"))
            case "contracted":
                return self.chance.choice(("", f"stab(self,{n})"))
            case "tail":
                return self.chance.choice(("", "hurt(self,1)", "hurt(self,9)"))
            case "plot":
                return plot
            case "worn":
                return ";".join(self.standing() for _ in range(self.chance.randint(0, 3)))
            case "repeated_plot":
                others = (op for op in iter(self.op, None) if not op.startswith(("mod", "flag")) and "?" not in op)
                return ";".join((plot, *self.picks([other := next(others)]), other))
            case _:
                several = [self.op() for _ in range(self.chance.randint(1, 4))]
                return ";".join(dict.fromkeys((*self.picks(several), *several)))

    def standing(self) -> str:
        """A modifier or flag without end, perhaps under a condition."""
        condition = self.condition() if self.chance.random() < 0.3 else ""
        if condition.startswith("ko"):
            condition = ""
        name = self.chance.choice(FLAGS)
        return condition + self.chance.choice(
            (f"flag({name})", f"mod({self.chance.choice(KEYS)},{self.chance.randint(-3, 4)})")
        )

    def picks(self, several: list[str]) -> list[str]:
        """The picks that these ops need."""
        said = ";".join(several)
        found = []
        if any(word in said for word in ("target", "strike", "stun", "banish")):
            found.append(self.pick(self.chance.choice(("char", "char_or_police_or_checkpoint", "police"))))
        found += [
            self.pick(kind) for kind in ("cell", "building", "dumpster") if f"({kind}" in said or f",{kind}" in said
        ]
        found += [self.pick("deck")] * ("picked" in said) + ["swap(card,2)"] * ("swapped" in said)
        return found

    def pick(self, kind: str) -> str:
        """A pick of this kind."""
        named = [f"{word}={self.value(what)}" for word, what in PICKS[kind].items() if self.chance.random() < 0.3]
        return f"pick({','.join((kind, *named))})"

    def op(self) -> str:
        """Any op but one that only a majority has, perhaps under a condition."""
        name = self.chance.choice([name for name in SIGNATURES if name not in ("pass_lead", "pick")])
        args = [self.value(kind) for kind in SIGNATURES[name]]
        for word, kind in NAMED.get(name, {}).items():
            value = self.value(kind)
            if self.chance.random() < 0.5 and value != "plot":
                args.append(f"{word}={value}")
        return (self.condition() if self.chance.random() < 0.2 else "") + f"{name}({','.join(args)})"

    def condition(self) -> str:
        """A condition."""
        name = self.chance.choice(list(CONDITIONS))
        return f"{name}({','.join(map(self.value, CONDITIONS[name]))})?" if CONDITIONS[name] else f"{name}?"

    def value(self, kind: str) -> str:
        """An argument of a kind."""
        first, *others = kind.split("|")
        if others and self.chance.random() < 0.7:
            return self.chance.choice(others)
        if first == "who":
            name = self.chance.choice((*WHO, *SELECTORS))
            return name if name in WHO else f"{name}({self.value(SELECTORS[name][0])})"
        if first in ("n", "count", "reach"):
            least = {"n": -3, "count": 1, "reach": 0}[first]
            return str(self.chance.choice((self.chance.randint(least, 4), self.chance.randint(least, 99))))
        return self.chance.choice(WORDS[first] if first in WORDS else self.ids[first])


MUTATIONS: tuple[Callable[[dict[str, Any], Random], None], ...] = (delete, duplicate, change, change, swap, borrow)


def mutant(chance: Random) -> bytes:
    """A pack made from the house pack: other texts, small changes, or both."""
    pack = json.loads(PACK.read_text("utf-8"))
    anew = chance.random() < 0.6
    if anew:
        say(pack, chance)
    for mutation in chance.choices(MUTATIONS, k=chance.choice((0, 1) if anew else (1, 1, 2))):
        mutation(pack, chance)
    pack["pack"] = f"fuzz_{chance.getrandbits(64)}"
    return msgspec.json.encode(pack)


def accepted(source: bytes) -> str | None:
    """The SHA-256 of a pack that is good; None if it is refused as packs are."""
    try:
        return RULES.shelf.add(source)
    except ContentError:
        return None


def play_two(digest: str, seed: int) -> int:
    """A game from the set-up that comes to the battle soon, and one among mighty characters; how many decisions."""
    chance = Random(seed)
    pcs = [pc.id for pc in RULES.shelf[digest].characters]
    chance.shuffle(pcs)
    short = {"standard_cards": chance.choice((1, 2, 38)), "battle_cards": 9, "characters_per_seat": 2}
    if chance.random() < 0.3:
        short |= {"tiles": [[1, 0], [2, 0], [1, 1], [2, 1]], "characters_per_seat": 1}
    decided = _play(_setting(digest, 2, short), None, seed)
    loot = [card.id for deck in RULES.shelf[digest].loot.values() for card in deck if card.type in "FDS"]
    chance.shuffle(loot)
    hands = zip(pcs[:6], loot, strict=False)
    mighty = {pc: {"seat": index % 3, "crap": 28, "hand": [card]} for index, (pc, card) in enumerate(hands)}
    position = {"phase": "turns", "pcs": mighty, "turn": {"pc": pcs[0]}}
    return decided + _play(_setting(digest, 3, {}), position, seed)


def _setting(digest: str, seats: int, options: dict[str, Any]) -> Setting:
    return Setting(digest, seats, msgspec.convert(options, Options))


def _play(setting: Setting, position: dict[str, Any] | None, seed: int) -> int:
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    check_setting(setting)
    state = RULES.initial(setting)
    if position is None:
        start(RULES, state, setting, dice)
    else:
        start_at(RULES, state, RULES.position.load(position, setting, "new"), dice)
    for decided in range(DECISIONS):
        if state.outcome is not None:
            return decided
        if decided % LOOK_EVERY == 0:
            _look(state, setting, decided)
        answers = {one.seat: found for one in decisions(state) if (found := legal(RULES, state, one.seat))}
        assert answers, "somebody owes an answer that there is not"
        seat = chance.choice(list(answers))
        kind = chance.choice(list({type(answer): None for answer in answers[seat]}))
        decide(RULES, state, seat, chance.choice([a for a in answers[seat] if type(a) is kind]), dice)
    return DECISIONS


def _look(state: Game, setting: Setting, seed: int) -> None:
    for reader in (*range(setting.seats), SPECTATOR):
        RULES.view(state, reader)
        other = RULES.resample(state, reader, Dice(seed.to_bytes(32, "big")))
        msgspec.json.encode(RULES.view(other, reader))
