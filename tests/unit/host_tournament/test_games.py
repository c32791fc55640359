"""Random games under every option: what has to hold in any of them (specification, 3.4)."""

from collections import Counter
from functools import partial

import msgspec
import pytest

from games.dice import Dice
from games.host_tournament.deck import Setup
from games.host_tournament.options import Options
from games.host_tournament.pack import book
from games.host_tournament.ruleset import RULES
from games.host_tournament.steps.settle import Settle
from games.kernel import IllegalError, Setting, decide, decisions, encode, fold, legal, start, tag_of
from tests.unit.host_tournament.conftest import play

OPTIONS = [
    {},
    {"first_player": "random", "simultaneous": "higher_score", "winner_points": "present", "turn_limit": 30},
    {"first_player": 1, "simultaneous": "roll_off", "entry_order": "active_first", "play_to": "own_place"},
    {"static_after_free": True, "deprivation": "end_of_turn", "reactions": "smart", "turn_limit": 41},
    {"sort_folder": False, "max_copies": 2, "turn_limit": 60},
]
CROWD = {"docklands_expo_floor": 1, "bent_corner": 1, "fresher": 3, "host_tournament": 12, "drinking_session": 12}
CROWD |= {"pint": 10, "downpour": 8, "the_station": 8, "read_the_card": 5}


def setting(pack, options, *brought):
    return Setting(pack, 2, msgspec.convert(options, Options), brought)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=lambda one: " ".join(one) or "as it is")
@pytest.mark.parametrize("brought", [(), (Setup(CROWD), Setup("glasgow_cardiff"))], ids=["samples", "a crowd"])
def test_games_fold_load_and_stay_within_the_rules(house, options, brought):
    if "max_copies" in options:
        brought = ()
    made = setting(house, options, *brought)
    folded = RULES.initial(made)
    _, count = play(made, 11, partial(compare, made, folded))
    assert count < RULES.bound / 80, "the bound is far above any game by chance"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_so_do_games_with_cards_that_discard_places_nullify_events_and_ask_for_icons(odd, seed):
    made = setting(odd, {"turn_limit": 40, "first_player": 0}, Setup(_all_of(odd, 0)), Setup(_all_of(odd, 1)))
    play(made, seed, partial(compare, made, RULES.initial(made)))


def _all_of(pack, seat):
    """A deck with as many different cards of a pack as it holds, from its beginning or its end."""
    ids = [card.id for card in book(pack).cards.values()]
    locations = [card.id for card in book(pack).cards.values() if card.type == "location"]
    chosen = dict.fromkeys([*locations, *(ids if seat == 0 else reversed(ids))])
    names = list(chosen)[:60]
    return dict.fromkeys(names, 1) | {names[-1]: 61 - len(names)}


def compare(made, folded, state, effects, count):
    fold(folded, [RULES.effect_decoder.decode(encode(effect)) for effect in effects])
    assert encode(folded) == encode(state)
    invariants(state)
    for decision in decisions(state):
        assert all(passes(action, state, decision.seat) for action in legal(RULES, state, decision.seat))
    if count % 5 == 0:
        dumped = msgspec.json.decode(encode(RULES.position.dump(state)))
        assert encode(RULES.position.load(dumped, made, "new")) == encode(state)


def invariants(state):
    """Section 3.4, number by number."""
    book = state.book
    for number, seat in enumerate(state.seats):
        out = [card for card in state.in_play.values() if card.owner == number]
        zones = Counter([*seat.deck, *seat.hand, *seat.discard, *(card.card for card in out)])
        zones.update(one.card for one in state.plays if one.seat == number)
        assert zones == Counter(seat.deck_list)  # 1
        assert sum(zones.values()) == 60
        keys = [book.cards[card.card].key for card in out if book.cards[card.card].unique]
        assert len(set(keys)) == len(keys)  # 3
        assert not Counter(seat.shown) - Counter(seat.hand)
    for place in state.places:
        assert len({state.in_play[copy].owner for copy in place.copies}) == len(place.copies) <= 2  # 4
        assert len({state.in_play[copy].card for copy in place.copies}) == 1
    pids = {place.pid for place in state.places}
    settled = not any(isinstance(step, Settle) for step in state.agenda)
    for name, card in state.in_play.items():
        what = book.cards[card.card]
        if what.type == "equipment":
            host = state.in_play[card.at]  # 5
            assert (host.owner, book.cards[host.card].type) == (card.owner, "personnel")
        else:
            lies = card.at == "table" and what.type in ("event", "interrupt")
            assert card.at in pids or lies or (card.at in state.gone and not settled)
        assert 0 <= card.stop <= 9
        assert (card.counter is None) == (what.cd is None)
        assert card.counter is None or card.counter >= 1  # 6
        if what.beer and state.options.deprivation == "immediate" and settled:
            pint = any(part.at == name and part.card == "pint" for part in state.in_play.values())
            assert pint or card.awake or card.stasis is not None  # 7
    if state.phase == "play" and state.outcome is None:
        assert all(seat.score < 100 for seat in state.seats)  # 8
        assert 0 <= state.actions_left <= 3


@pytest.mark.slow
def test_lists_are_exactly_what_the_checks_allow(house):
    """What an action could name is on the list or refused by its check, never both and never neither."""
    tried = Counter()

    def watch(state, effects, count):
        if not state.agenda or count % 9:
            return
        step = state.agenda[-1]
        for seat in step.seats:
            listed = set(map(encode, legal(RULES, state, seat)))
            for tag in step.menu:
                for action in every(RULES.action_types[tag], state, seat):
                    tried[tag] += 1
                    assert (encode(action) in listed) == passes(action, state, seat), action

    for seed, options in enumerate(OPTIONS[:4]):
        play(setting(house, options | {"turn_limit": 40}), seed, watch)
    assert {"play_card", "move_group", "special_download", "play_chula", "play_interrupt"} <= set(tried)


def passes(action, state, seat):
    try:
        action.check(state, seat)
    except IllegalError:
        return False
    return True


def every(kind, state, seat):
    """Every action of a type with words of the game in its fields."""
    places, instances = [place.pid for place in state.places], list(state.in_play)[:25]
    hand = [*sorted(set(state.seats[seat].hand)), "tamsin", "nobody"]
    words = {
        "card": [*hand, *instances],
        "target": [None, "leeds", *places, *instances],
        "from_": places,
        "to": [*places, "nowhere"],
        "source": [*instances, "nobody1"],
        "index": [0, 1],
        "zone": [None, "hand", "deck"],
        "replace": [None],
        "out": instances,
        "in_": hand,
        "draw": [-1, 0, 3, 4],
        "group": [*places, "nowhere"],
    }
    if kind.__struct_fields__ and set(kind.__struct_fields__) <= set(words) and kind.__name__ != "Choose":
        found = [{}]
        for name in kind.__struct_fields__:
            allowed = ["hand", "deck"] if (kind.__name__, name) == ("SpecialDownload", "zone") else words[name]
            found = [{**fields, name: word} for fields in found for word in allowed]
        yield from (kind(**fields) for fields in found)


def test_a_game_that_never_draws_ends_by_the_turn_limit(house):
    """HT-R28: drawing is voluntary, so only the limit ends it."""
    end, count = play(setting(house, {"turn_limit": 3, "first_player": 0}), 5)
    assert (end.outcome.reason, end.turn) == ("turn_limit", 3)
    assert count < 200


#: As many cheap personnel of one town as a deck holds, and places of it to move them between.
LONDON = ("tamsin", "yusra", "ines", "corin", "ringo_off_duty")
LONG_WINDED = {"house_party": 2, "fresher": 3, "club_regular": 49, "downpour": 1, **dict.fromkeys(LONDON, 1)}
TURNS = 60


@pytest.mark.slow
def test_a_turn_of_the_most_long_winded_seats_stays_far_below_the_bound(house):
    """All personnel into play, then three moves a turn, where all that can stay are left behind one by one."""
    made = setting(house, {"turn_limit": TURNS, "first_player": 0}, Setup(LONG_WINDED), Setup(LONG_WINDED))
    dice, state = Dice(bytes(32)), RULES.initial(made)
    start(RULES, state, made, dice)
    turns = Counter[int]()
    while state.outcome is None:
        seat = next(decision.seat for decision in decisions(state) if decision.owes)
        turns[state.turn] += 1
        decide(RULES, state, seat, long_winded(state, seat, legal(RULES, state, seat)), dice)
    assert state.turn == TURNS
    assert 100 < max(turns.values()) < RULES.bound / 200 / 4


def long_winded(state, seat, answers):
    """Leave somebody behind, lay a party, play a personnel at the first place, move most, draw what leaves one."""
    by_kind = {tag: [one for one in answers if tag_of(type(one)) == tag] for tag in RULES.action_types}
    plays, first = by_kind["play_card"], state.places[0].pid if state.places else ""
    parties = [one for one in plays if (one.card, one.target) == ("house_party", "london")]
    people = sorted((one for one in plays if one.card != "house_party"), key=lambda one: one.target != first)
    moves = sorted(by_kind["move_group"], key=lambda one: -len(state.look.all_of(one.from_, seat)))
    starts = [one for one in by_kind["choose_start_place"] if one.town == "london"]
    draws = [one for one in by_kind["end_turn"] if one.draw < max(1, len(state.seats[seat].deck))]
    for wanted in (by_kind["leave_behind"], starts, parties, people, moves, draws, by_kind["pass"]):
        if wanted:
            return wanted[0]
    return answers[0]
