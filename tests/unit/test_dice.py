"""The dice, against vectors worked out here from their definition; without bias, counted, scriptable."""

import hashlib
import hmac
from collections import Counter

import pytest

from games.dice import Dice, Script, ScriptMismatchError, commitment, draw, game_key

KEY = bytes(range(32))


def expected(key: bytes, number: int, sides: int) -> tuple[int, int]:
    """Draw and number of attempts by the definition, with other means than the code's."""
    for attempt in range(256):
        text = number.to_bytes(8, "big") + bytes([attempt])
        value = int(hmac.new(key, text, hashlib.sha256).hexdigest(), 16)
        if value // sides < 2**256 // sides:
            return value % sides + 1, attempt + 1
    raise AssertionError("256 rejections in a row")


@pytest.mark.parametrize("sides", [2, 6, 7, 20, 52, 1000, 2**255 + 1, 3 * 2**254])
def test_every_draw_is_the_hmac_of_its_number(sides: int) -> None:
    dice = Dice(KEY)
    for number in range(1, 60):
        result, _ = expected(KEY, number, sides)
        assert draw(KEY, number, sides) == result
        assert dice.roll("die", sides) == result
        assert dice.draws == number


def test_values_above_the_greatest_multiple_are_rejected() -> None:
    # With just over half of the space as sides, nearly half of all values have to be thrown away.
    attempts = [expected(KEY, number, 2**255 + 1)[1] for number in range(1, 60)]
    assert max(attempts) > 2
    assert all(1 <= draw(KEY, number, 2**255 + 1) <= 2**255 + 1 for number in range(1, 60))


def test_no_face_is_favoured() -> None:
    n = 12_000
    counts = Counter(draw(KEY, number, 6) for number in range(1, n + 1))
    chi_square = sum((counts[face] - n / 6) ** 2 / (n / 6) for face in range(1, 7))
    assert chi_square < 20.5  # p = 0.001 with 5 degrees of freedom; the key is fixed, so this never flickers


def test_the_key_is_the_hmac_of_the_seed_over_the_entropies_in_order() -> None:
    text = b"\x00\x00\x00\x02ab\x00\x00\x00\x01c"
    assert game_key(b"seed", [b"ab", b"c"]) == hmac.new(b"seed", text, hashlib.sha256).digest()
    assert game_key(b"seed", [b"a", b"bc"]) != game_key(b"seed", [b"ab", b"c"])
    assert game_key(b"seed", [b"c", b"ab"]) != game_key(b"seed", [b"ab", b"c"])
    assert commitment(b"seed") == hashlib.sha256(b"seed").hexdigest()


def test_dice_go_on_from_the_draws_made() -> None:
    whole = Dice(KEY)
    rolls = [whole.roll("die", 6) for _ in range(10)]
    later = Dice(KEY, draws=6)
    assert [later.roll("die", 6) for _ in range(4)] == rolls[6:]


def test_a_pick_is_a_roll_over_the_candidates_and_one_candidate_needs_none() -> None:
    dice = Dice(KEY)
    assert dice.pick("lot", ["only"]) == "only"
    assert dice.draws == 0
    assert dice.pick("lot", "abcde") == "abcde"[expected(KEY, 1, 5)[0] - 1]
    assert dice.draws == 1


def test_a_shuffle_is_fisher_yates_from_the_end() -> None:
    items = list("abcdefg")
    for number, i in enumerate(range(7, 1, -1), start=1):
        j = expected(KEY, number, i)[0] - 1
        items[i - 1], items[j] = items[j], items[i - 1]
    dice = Dice(KEY)
    assert dice.shuffle("deck", "abcdefg") == items
    assert dice.draws == 6


def test_scripted_dice_come_first_and_count_as_draws() -> None:
    dice = Dice(KEY, script=Script((2, {"hit": 5}, "c", {"lot": 1})))
    assert (dice.roll("hit", 6), dice.roll("hit", 6)) == (2, 5)
    assert (dice.pick("lot", "abc"), dice.pick("lot", "abc")) == ("c", "a")
    assert (dice.draws, dice.used) == (4, {"dice": 4})
    assert dice.roll("hit", 6) == expected(KEY, 5, 6)[0]
    assert dice.used == {"dice": 4}


def test_a_script_goes_on_where_it_was() -> None:
    script = Script((1, 2, 3))
    dice = Dice(KEY, draws=2, script=script, used={"dice": 2})
    assert dice.roll("hit", 6) == 3


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"miss": 3}, "dice[0] is for miss, but the game asks for hit"),
        (7, "dice[0] = 7 is no result of hit (1 to 6)"),
        (0, "dice[0] = 0 is no result of hit (1 to 6)"),
        (True, "dice[0] = True is no result of hit (1 to 6)"),
        ("six", "dice[0] = 'six' is no result of hit (1 to 6)"),
        ({"hit": 7}, "dice[0] = 7 is no result of hit (1 to 6)"),
    ],
)
def test_a_script_that_does_not_fit_is_told_and_not_used(value: object, sentence: str) -> None:
    dice = Dice(KEY, script=Script((value,)))
    with pytest.raises(ScriptMismatchError) as failure:
        dice.roll("hit", 6)
    assert str(failure.value) == sentence
    assert (dice.used, dice.draws) == ({}, 0)


def test_orders_are_by_purpose_whole_or_the_front() -> None:
    script = Script(orders={"deck": (("c", "a", "b"), ("b",)), "bag": (("y",),)})
    dice = Dice(KEY, script=script)
    assert dice.shuffle("deck", "abc") == ["c", "a", "b"]
    assert dice.draws == 0
    assert dice.shuffle("bag", "xyz")[0] == "y"
    assert dice.draws == 1
    assert dice.shuffle("deck", "abc")[0] == "b"
    assert dice.used == {"deck": 2, "bag": 1}
    assert sorted(dice.shuffle("deck", "abc")) == ["a", "b", "c"]


def test_an_order_of_things_that_are_not_there_is_told() -> None:
    dice = Dice(KEY, script=Script(orders={"deck": (("a", "a"),)}))
    with pytest.raises(ScriptMismatchError, match=r"orders.deck: 'a' is not \(or no longer\) among what is shuffled"):
        dice.shuffle("deck", "abc")
