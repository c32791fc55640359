"""What a `given` comes to: the setting of the game, its position if it has one, and its scripted chance.

The server uses it too: a `given` can be posted as the scenario of a game.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from games.dice import Script
from games.kernel import Setting, State
from server.cases.model import Given
from server.catalogue import Entry, InvalidSettingError, setting

#: The base that is the ordinary set-up of the game, and that every position may be laid over.
BASE_NEW = "new"


class Prepared(Struct, frozen=True):
    """Everything to start a game with; without a position the ordinary set-up runs."""

    setting: Setting
    position: State | None
    script: Script


def decode_given(raw: Mapping[str, Any]) -> Given:
    """A given from builtins, strictly.

    Raises:
        InvalidSettingError: an unknown key or a wrong type, in one sentence that names the field.
    """
    try:
        return msgspec.convert(raw, Given)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise InvalidSettingError(f"given{place.rstrip('`')}: {reason}") from error


def prepare(entry: Entry, given: Given) -> Prepared:
    """The setting, position and script of a given that does not go on from another case.

    Raises:
        InvalidSettingError: seats, options, pack or set-ups are wrong.
        PositionError: the position is impossible.
    """
    made = setting(entry, seat_count(entry, given), given.options, given.pack, given.setups)
    base = given.base or BASE_NEW
    position = None
    if given.state is not None or base != BASE_NEW:
        position = entry.rules.position.load(given.state or {}, made, base)
    return Prepared(made, position, script(given))


def script(given: Given) -> Script:
    """The scripted dice and orders of a given."""
    return Script(given.dice, given.orders)


def seat_count(entry: Entry, given: Given) -> int:
    """The number of seats: as given, else as many as the position lists, else the fewest that the rules allow."""
    if given.seats is not None:
        return given.seats
    fewest = entry.rules.seats[0]
    listed = (given.state or {}).get("seats")
    if isinstance(listed, list):
        return len(listed)
    if isinstance(listed, dict):
        return max([fewest, *(int(seat) + 1 for seat in listed if seat.isdecimal())])
    return fewest


def laid_over(base: Any, change: Any) -> Any:
    """`change` laid over `base`: maps key by key, a map of indices over a list entry by entry; all else replaces."""
    if isinstance(base, dict) and isinstance(change, dict):
        return {**base, **{key: laid_over(base.get(key), value) for key, value in change.items()}}
    if isinstance(base, list) and isinstance(change, dict) and all(key.isdecimal() for key in change):
        entries = dict(enumerate(base)) | {
            int(k): laid_over(dict(enumerate(base)).get(int(k)), change[k]) for k in change
        }
        return [entries[i] for i in sorted(entries)]
    return change
