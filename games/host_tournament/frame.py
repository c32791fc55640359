"""Whose card works, and where: what the words YOU, HERE, SELF, HOST, GROUP and TRIG mean while a rule works."""

from msgspec import Struct


class Frame(Struct, frozen=True, omit_defaults=True, gc=False):
    """`card` is the id of the card, `name` its instance (empty while it is not yet one), `rule` the rule's index."""

    you: int
    card: str
    name: str = ""
    rule: int = -1
    here: str | None = None
    host: str | None = None
    group: tuple[str, ...] = ()
    moved: bool = False
    trig: str | None = None
