"""Random games of any ruleset, made from a seed: what the shared properties are tested on."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

from games.dice import Dice
from games.kernel import (
    Action,
    Decided,
    IllegalError,
    Resign,
    Ruleset,
    Setting,
    check,
    decide,
    decisions,
    default_action,
    encode,
    legal,
    start,
)
from server.catalogue import Catalogue
from tests import tiny
from tests.properties.brought import brought
from tests.properties.options import setting_by_pairs, setting_of_cross

#: Every ruleset there is: the tiny one and those that people play. A new one joins by being in the catalogue.
RULESETS: dict[str, Ruleset[Any]] = {
    rules.id: rules for rules in (tiny.RULES, *(entry.rules for entry in Catalogue.load().values()))
}

RESIGNING_GAMES = 0.3  # of all games: in these seats may resign
RESIGN = 0.02  # of the acts in such a game
OUT_OF_TURN = 0.03  # of the acts, where the ruleset has some
REWIND = 0.05  # of the acts, where rewinds are asked for
REWINDS_MAX = 8  # a game; else a long one would never end
STRETCH = 80  # positions looked at in a game
DEFAULT_GAMES = 8  # one game in so many is played by default answers alone


@dataclass(frozen=True)
class Act:
    """One event of a game. A rewind has no action, but the version `to` that it went back to."""

    seat: int
    action: Action | None
    to: int
    effects: tuple[bytes, ...]
    causes: tuple[int, ...]
    state: bytes
    draws: int


@dataclass
class Playout:
    """A game: act 0 is the start, act n makes version n. `looked`: the versions that are looked at closely."""

    rules: Ruleset[Any]
    seed: int
    setting: Setting
    acts: list[Act] = field(default_factory=list)
    looked: range = range(0)

    @property
    def key(self) -> bytes:
        """The key of its dice."""
        return key_of(self.rules, self.seed)

    @property
    def decided(self) -> int:
        """How many decisions were answered."""
        return sum(act.action is not None and not act.action.out_of_turn for act in self.acts)

    def state(self, version: int) -> Any:
        """A state of its own at a version."""
        return self.rules.state_decoder.decode(self.acts[version].state)

    def dice(self, version: int) -> Dice:
        """The dice at a version."""
        return Dice(self.key, self.acts[version].draws)


def key_of(rules: Ruleset[Any], seed: int) -> bytes:
    return sha256(f"{rules.id} {seed}".encode()).digest()


@contextmanager
def told(game: Playout, version: int) -> Iterator[None]:
    """Say with any failure where it was: the ruleset, the seed and the version play it again."""
    try:
        yield
    except BaseException as error:
        setting = f"{game.setting.seats} seats, {game.setting.options}"
        error.add_note(f"{game.rules.id}: seed {game.seed}, version {version} ({setting}); --first-seed={game.seed}")
        raise


def playouts(rules: Ruleset[Any], positions: int, first_seed: int, **how: bool) -> Iterator[Playout]:
    """Games from `first_seed` on until so many of their positions are looked at: of each a stretch, begun by chance.

    So many games come up, with as many settings, however long one is; each is there whole.
    """
    for seed in count(first_seed):
        if how.get("cross") and setting_of_cross(rules, seed) is None:
            continue
        game = play(rules, seed, **how)
        stretch = min(len(game.acts), STRETCH, positions)
        first = Random(seed).randint(0, len(game.acts) - stretch)
        game.looked = range(first, first + stretch)
        yield game
        positions -= stretch
        if positions == 0:
            return


def play(rules: Ruleset[Any], seed: int, *, rewinds: bool = False, cross: bool = False) -> Playout:
    """One game to its end (or one decision past the ruleset's bound), all from the seed.

    cross: under setting number `seed` of all that there are, not of the covering array.
    """
    chance = Random(f"{rules.id} {seed}")
    setting = setting_of_cross(rules, seed) if cross else None
    game = Playout(rules, seed, brought(rules, setting or setting_by_pairs(rules, seed), seed))
    dice, state = Dice(game.key), rules.initial(game.setting)
    game.acts.append(_noted(-1, None, start(rules, state, game.setting, dice), state, dice))
    resigning = chance.random() < RESIGNING_GAMES
    decided, rewound = 0, 0 if rewinds else REWINDS_MAX
    while state.outcome is None and decided <= rules.bound:
        if rewound < REWINDS_MAX and chance.random() < REWIND:
            rewound += 1
            to = chance.randrange(len(game.acts))
            state = game.state(to)
            game.acts.append(Act(-1, None, to, (), (), game.acts[to].state, dice.draws))
            continue
        seat, action = _choose(rules, state, chance, resigning=resigning, default=seed % DEFAULT_GAMES == 7)
        decided += not action.out_of_turn
        game.acts.append(_noted(seat, action, decide(rules, state, seat, action, dice), state, dice))
    return game


def _noted(seat: int, action: Action | None, decided: Decided, state: Any, dice: Dice) -> Act:
    return Act(seat, action, -1, tuple(map(encode, decided.effects)), decided.causes, encode(state), dice.draws)


def _choose(rules: Ruleset[Any], state: Any, chance: Random, *, resigning: bool, default: bool) -> tuple[int, Action]:
    if resigning and chance.random() < RESIGN:
        return chance.choice([seat for seat in range(state.seat_count) if seat not in state.resigned]), Resign()
    if chance.random() < OUT_OF_TURN and (free := _out_of_turn(rules, state)):
        return chance.choice(free)
    owed = decisions(state)
    if default:
        seat = chance.choice([decision.seat for decision in owed if decision.owes])
        return seat, default_action(rules, state, seat)
    answers = {decision.seat: actions for decision in owed if (actions := legal(rules, state, decision.seat))}
    seat = chance.choice(list(answers))
    # Half of the time by type first, so that rare types are not drowned by long lists of one.
    kind = type(chance.choice(list({type(action): action for action in answers[seat]}.values())))
    wanted = answers[seat] if chance.random() < 0.5 else [a for a in answers[seat] if type(a) is kind]
    return seat, chance.choice(wanted)


def _out_of_turn(rules: Ruleset[Any], state: Any) -> list[tuple[int, Action]]:
    kinds = [kind for kind in rules.action_types.values() if kind.out_of_turn]
    acts = [(seat, act) for seat in range(state.seat_count) for kind in kinds for act in kind.options(state, seat)]
    return [(seat, act) for seat, act in acts if is_legal(rules, state, seat, act)]


def is_legal(rules: Ruleset[Any], state: Any, seat: int, action: Action) -> bool:
    """Whether `check` lets it pass."""
    try:
        check(rules, state, seat, action)
    except IllegalError:
        return False
    return True


def digest(rules: Sequence[Ruleset[Any]], seeds: Sequence[int]) -> str:
    """One hash over whole games: the same in every process, or something depends on more than the seed."""
    result = sha256()
    for ruleset in rules:
        for seed in seeds:
            for act in play(ruleset, seed, rewinds=True).acts:
                result.update(b"".join((*act.effects, act.state)))
    return result.hexdigest()
