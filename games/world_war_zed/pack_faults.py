"""How a fault of a pack is told: the field, a sentence, the rule."""

from games.content import ContentError


def expect(holds: bool, field: str, sentence: str, rule: str) -> None:  # noqa: FBT001 a test and its complaint
    """Refuse the pack unless it `holds`.

    Raises:
        ContentError: it does not.
    """
    if not holds:
        raise ContentError(f"{field}: {sentence} ({rule})")
