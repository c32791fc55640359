"""What verification says of a log that is not what it claims."""

from events.event import Event

#: The items of a log, as errors name them; effects are also named one by one.
HEADER, DETAILS, ACTION, EFFECTS, DIGEST, SEED = "header", "details", "action", "effects", "digest", "seed"


class UnsoundError(ValueError):
    """A log that is not what it claims: one sentence that names the version and the item."""

    def __init__(self, version: int, item: str, reason: str) -> None:
        super().__init__(f"version {version}, {item}: {reason}")
        self.version = version
        self.item = item
        self.reason = reason


def require(event: Event, item: str, condition: object, reason: str) -> None:
    """Refuse the event's item unless the condition holds.

    Raises:
        UnsoundError: it does not.
    """
    if not condition:
        raise UnsoundError(event.header.version, item, reason)
