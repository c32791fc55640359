"""JSON Patches between views, against the jsonpatch library (RFC 6902)."""

import copy
import json

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.patch import diff

SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, 1.0, 1.5]) | st.text("a/~0-é", max_size=3)
)
KEYS = st.text("ab/~01-", max_size=3)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)


def exact(value):
    """A value in which 1, 1.0 and true are three different things."""
    return json.dumps(value, sort_keys=True)


def check(old, new):
    before = copy.deepcopy(old)
    patch = diff(old, new)
    assert old == before
    assert exact(jsonpatch.apply_patch(old, json.loads(json.dumps(patch)))) == exact(new)
    return patch


@given(JSON, JSON)
def test_applied_to_the_old_it_gives_the_new(old, new):
    check(old, new)


@given(JSON)
def test_nothing_changed_is_an_empty_patch(value):
    assert diff(value, copy.deepcopy(value)) == []


@given(JSON, JSON)
def test_there_and_back_again(old, new):
    forth, back = diff(old, new), diff(new, old)
    assert exact(jsonpatch.apply_patch(jsonpatch.apply_patch(old, forth), back)) == exact(old)


@st.composite
def edited(draw):
    """A value, and one that differs in a few places, as views do."""
    old = draw(st.dictionaries(KEYS, st.lists(JSON, max_size=4) | JSON, min_size=1, max_size=5))
    new = copy.deepcopy(old)
    for name in draw(st.lists(st.sampled_from(sorted(old)), max_size=3)):
        part = new[name]
        if isinstance(part, list) and part and draw(st.booleans()):
            part.pop(draw(st.integers(0, len(part) - 1)))
        elif isinstance(part, list):
            part.insert(draw(st.integers(0, len(part))), draw(JSON))
        else:
            new[name] = draw(JSON)
    return old, new


@given(edited())
def test_a_change_in_a_place_leaves_the_others_alone(pair):
    old, new = pair
    touched = {operation["path"].split("/")[1].replace("~1", "/").replace("~0", "~") for operation in check(old, new)}
    assert touched == {name for name in old if exact(old[name]) != exact(new[name])}


@given(st.dictionaries(KEYS, SCALARS, max_size=5), st.dictionaries(KEYS, SCALARS, max_size=5), st.randoms())
def test_equal_changes_give_equal_bytes_in_whatever_order_the_members_stand(old, new, chance):
    def shuffled(value):
        items = list(value.items())
        chance.shuffle(items)
        return dict(items)

    assert json.dumps(diff(old, new)) == json.dumps(diff(shuffled(old), shuffled(new)))


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        (None, {"a": 1}, [{"op": "replace", "path": "", "value": {"a": 1}}]),
        ({"a": 1}, None, [{"op": "replace", "path": "", "value": None}]),
        (
            {"a": 1, "b": 2},
            {"b": 3, "c": 4},
            [
                {"op": "remove", "path": "/a"},
                {"op": "replace", "path": "/b", "value": 3},
                {"op": "add", "path": "/c", "value": 4},
            ],
        ),
        ([1, 2, 3], [1], [{"op": "remove", "path": "/2"}, {"op": "remove", "path": "/1"}]),
        ([1], [1, 2], [{"op": "add", "path": "/-", "value": 2}]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [{"op": "replace", "path": "/a~1b/~0", "value": 2}]),
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": [1]}, {"a": {"0": 1}}, [{"op": "replace", "path": "/a", "value": {"0": 1}}]),
    ],
)
def test_the_operations_are_these(old, new, patch):
    assert diff(old, new) == patch
    check(old, new)


def test_tuples_are_arrays_so_that_patches_are_fine_grained():
    old, new = {"seats": ({"hand": 1}, {"hand": 2})}, {"seats": ({"hand": 1}, {"hand": 3})}
    assert diff(old, new) == [{"op": "replace", "path": "/seats/1/hand", "value": 3}]
