"""How long a game can be (specification, 4.10): players who draw it out as far as the rules let them end in time."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from games.dice import Dice
from games.kernel import Action, Setting, decide, decisions, legal, start, start_at, tag_of
from games.portland_occupied_zone.actions.trading import AskItem
from games.portland_occupied_zone.board import board
from games.portland_occupied_zone.bounds import OFFER_MAX, ROUND_MAX, TURN_MAX, VOTES_MAX, decisions_max
from games.portland_occupied_zone.effects.governing import ANY
from games.portland_occupied_zone.game import Game
from games.portland_occupied_zone.options import Options
from games.portland_occupied_zone.ruleset import DECISIONS_MAX, RULES

TALK = {"trade_offers": 20, "vote_changes": 9, "brick_supply": 400}
#: An offer, and how a talker goes on with it: as much as there is to say.
TRADE = ("ask_item", "add_item", "choose_given", "send_offer", "accept_trade", "drop_offer", "decline_trade")
PARTS = ("vote", "steve")
LAST = ("stand_firm", "end_turn", "end_manage")

Choose = Callable[[Game, list[Action], Random], Action]


def first(answers: list[Action], order: Sequence[str], chance: Random) -> Action | None:
    """Any of the first type of action that there is."""
    for tag in order:
        if found := [one for one in answers if tag_of(type(one)) == tag]:
            return chance.choice(found)
    return None


def talk(_: Game, answers: list[Action], chance: Random) -> Action:
    """Full offers again and again, accepted; votes changed as often as may be; then over to the next one."""
    if AskItem(ANY) in answers:
        return AskItem(ANY)
    said = first(answers, ("offer_trade", *TRADE[:5], "cast_vote", *LAST), chance)
    return chance.choice(answers) if said is None else said


def mutter(state: Game, answers: list[Action], chance: Random) -> Action:
    """Full offers, dropped: the hands stay as they are."""
    said = first(answers, ("drop_offer",), chance)
    full = all(tag_of(type(one)) in ("send_offer", "drop_offer") for one in answers)
    return said if said is not None and full else talk(state, answers, chance)


def bustle(_: Game, answers: list[Action], chance: Random) -> Action:
    """All that a turn has, brick by brick, as long as there is anything; no trades."""
    wanted = [one for one in answers if tag_of(type(one)) not in (*LAST, "offer_trade")]
    kind = type(chance.choice(wanted or answers))
    found = [one for one in wanted or answers if type(one) is kind]
    return min(found, key=lambda one: (getattr(one, "b", 0), chance.random()))


def drawn_out(setting: Setting, position: dict[str, Any], choose: Choose, seed: int) -> tuple[Game, Counter[Any]]:
    """A game to its end, and its decisions by round, part and whether they were trades."""
    chance, dice = Random(seed), Dice(seed.to_bytes(32, "big"))
    state = RULES.initial(setting)
    if position:
        start_at(RULES, state, RULES.position.load(position, setting, "new"), dice)
    else:
        start(RULES, state, setting, dice)
    counts: Counter[Any] = Counter()
    while state.outcome is None:
        answers = {one.seat: found for one in decisions(state) if (found := legal(RULES, state, one.seat))}
        seat = chance.choice(list(answers))
        action = choose(state, answers[seat], chance)
        part = "vote" if state.ballot is not None else "round" if state.turn is None else state.turn.pc
        counts[state.round, part, tag_of(type(action)) in (*TRADE, "offer_trade")] += 1
        decide(RULES, state, seat, action, dice)
        assert counts.total() <= decisions_max(setting.options, setting.seats)
    return state, counts


def full_hands(pack: str) -> dict[str, Any]:
    """Eight characters with seven cards, of different backs so that those of a swap are chosen, and bricks to spare."""
    here = board(pack, None)
    decks = [[card.id for card in cards for _ in range(card.n)] for cards in here.pack.loot.values()]
    hands = {name: [deck[index] for deck in decks[:7]] for index, name in enumerate(here.characters)}
    return {
        "pcs": {name: {"seat": seat, "hand": hand, "bricks": 40} for seat, (name, hand) in enumerate(hands.items())}
    }


@pytest.mark.slow
@pytest.mark.parametrize("choose", [talk, mutter])
def test_talkers_end_within_the_bound_under_the_worst_options(house: str, choose: Choose) -> None:
    """What is bounded are offers and what they hold: it is they that make a game long."""
    setting = Setting(house, 8, msgspec.convert(TALK | {"standard_cards": 3, "battle_cards": 1}, Options))
    state, counts = drawn_out(setting, full_hands(house), choose, 1)
    assert state.outcome is not None
    offers = setting.options.trade_offers * OFFER_MAX
    talked = {part: max(n for (_, here, trade), n in counts.items() if trade and here == part) for part in PARTS}
    assert offers / 2 < talked["steve"] <= offers, "talkers they were, and no longer than may be"
    assert 8 * offers / 2 < talked["vote"] <= VOTES_MAX * 8 * offers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options"), [(8, TALK), (1, {"characters_per_seat": 8, "brick_supply": 400}), (4, {})]
)
def test_who_does_all_there_is_to_do_stays_far_from_what_is_allowed_for_it(
    house: str, seats: int, options: dict[str, Any]
) -> None:
    setting = Setting(house, seats, msgspec.convert(options, Options))
    state, counts = drawn_out(setting, {}, bustle, 1)
    assert state.outcome is not None
    turns = [n for (_, part, _), n in counts.items() if part not in ("vote", "round")]
    rounds = [n for (_, part, _), n in counts.items() if part == "round"]
    assert 15 < max(turns) < TURN_MAX / 2
    assert 10 < max(rounds) < ROUND_MAX / 2


def test_the_bound_is_that_of_the_longest_options() -> None:
    """4.10: by seats and options; `RULES.bound` is the most that any of them allow."""
    longest = msgspec.convert(TALK | {"standard_cards": 38, "battle_cards": 26}, Options)
    assert decisions_max(Options(), 4) < decisions_max(Options(), 8) < decisions_max(longest, 8) == DECISIONS_MAX
    assert RULES.bound == DECISIONS_MAX
    eight = msgspec.convert({"characters_per_seat": 8}, Options)
    assert decisions_max(eight, 1) < decisions_max(longest, 8)
