"""How a view says what lies where, so that a page can draw its map without knowing the ruleset.

A view that can be drawn has a `map` with either `squares` (each with `id`, `x`, `y`, `kind`) or `rows` (a character for
each square, a blank where there is none: the square in column x of row y is `[x, y]`). `map.kinds` says by its kind
what a square is, `map.layers` are the `Layer`s that lie on it, the lowest first. `map.streets` may name columns (axis
`x`) and rows (axis `y`): each has a `name` and its `lanes`.
"""

from typing import Literal

from msgspec import Struct


class Kind(Struct, frozen=True):
    """What a square of a kind is: `name` is a word of the texts, `cls` the ground it is drawn as."""

    name: str
    cls: str


class Layer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Things of a view that lie on its map.

    - `name`: what one of them is (`field.<name>` in the texts; `short.<name>` where there is little room);
    - `part`: where the view has them, dotted: a list, a table by id, or one thing;
    - `shape`: an area owns its squares, so that they are drawn as one; a piece stands on a square or in an area; a mark
      is a word on it;
    - `at`: the field of a thing with its place, dotted; `id` is the thing's own id, empty the thing itself. A place is
      a square, a list of squares, or the id of a square or of an area;
    - `state`: a second part that has more fields of the same things by id;
    - `when`: a field without which a thing is not on the map;
    - `type`: the field with the word that names it, else its id does;
    - `seat`: the field with the seat that it is coloured for;
    - `looks`: a field whose word changes how it is drawn;
    - `count`: a field with how many there are, 0 or false for none;
    - `tells`: fields that are told of it;
    - `cls`: how it is drawn; `told` is not drawn but only told.
    """

    name: str
    part: str
    shape: Literal["area", "piece", "mark"]
    at: str = "id"
    state: str | None = None
    when: str | None = None
    type: str | None = None
    seat: str | None = None
    looks: str | None = None
    count: str | None = None
    tells: tuple[str, ...] = ()
    cls: str | None = None
