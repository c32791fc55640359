"""What crosses to a search process: nothing that the seat could not know."""

import itertools
from hashlib import sha256
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from games.kernel import encode
from games.tpoc import RULES as TPOC
from server.search.searcher import SearchDice, choose_by_search
from server.search.worker import SearchFailed, Wanted, load_ruleset, search, task_of
from tests.properties.playouts import RULESETS
from tests.unit.search.kit import positions

BOTH = pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)


class Bytes:
    """Randomness that a test can have twice."""

    def __init__(self):
        self.count = itertools.count()

    def bytes(self, count):
        return sha256(b"%d" % next(self.count)).digest()[:count]


def task(rules, state, seat):
    return task_of(rules, state, Wanted(state.pack, seat, 5), Bytes())


@BOTH
def test_a_task_says_the_same_of_states_that_the_seat_cannot_tell_apart(rules):
    for state, seat in positions(rules, games=4):
        other = rules.resample(state, seat, SearchDice(Random(7)))
        assert task(rules, state, seat) == task(rules, other, seat)


@BOTH
def test_the_state_sent_is_resampled_and_looks_the_same(rules):
    other = 0
    for state, seat in positions(rules, games=4):
        sent = rules.state_decoder.decode(task(rules, state, seat).state)
        other += encode(sent) != encode(state)
        assert encode(rules.view(sent, seat)) == encode(rules.view(state, seat))
    # From its one seat nothing is hidden in a solitaire game.
    assert other > 5 or rules.seats[-1] == 1


def test_the_task_is_that_of_the_state_it_is_made_of():
    (one, seat), (another, _) = list(positions(TPOC, every=20))[:2]
    assert task(TPOC, one, seat) != task(TPOC, another, seat)


def test_a_process_answers_as_the_search_does():
    state, seat = next(positions(TPOC))
    given = task(TPOC, state, seat)
    dealt = TPOC.state_decoder.decode(given.state)
    assert search(load_ruleset, given) == encode(choose_by_search(TPOC, dealt, seat, 5, given.seed))


@pytest.mark.parametrize(
    "broken",
    [{"ruleset": "chess"}, {"state": b"{}"}, {"pack": b"{"}, {"seat": 99}],
    ids=lambda broken: next(iter(broken)),
)
def test_whatever_goes_wrong_is_told_in_a_form_that_can_cross(broken):
    state, seat = next(positions(TPOC))
    with pytest.raises(SearchFailed) as told:
        search(load_ruleset, replace(task(TPOC, state, seat), **broken))
    assert len(told.value.args) == 1
    assert msgspec.json.decode(encode(str(told.value)))
