"""The base of all details: what an event says besides its action and effects."""

from typing import ClassVar

from games.kernel import Message
from games.kernel.messages import snake_case


class Details(Message, frozen=True, tag_field="kind", tag=snake_case, omit_defaults=True):
    """Base of all details. `moves` says whether events of this kind move the state."""

    moves: ClassVar[bool] = False
