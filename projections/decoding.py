"""Decoding what the log holds: messages of any released schema, brought to their newest form."""

from typing import Any

from events.event import Event
from events.upcast import Upcasters
from games.kernel import Action, Effect, Ruleset

#: The steps from older schemas, by ruleset. Empty until a released schema changes.
UPCASTERS: dict[str, Upcasters] = {}


def decode_effects(rules: Ruleset[Any], event: Event) -> list[Effect]:
    """The effects of an event."""
    decode = rules.effect_decoder.decode
    upcasters = UPCASTERS.get(rules.id)
    if upcasters is None:
        return [decode(raw) for raw in event.effects]
    return [decode(upcasters.apply(bytes(raw), "effect", event.header.schema)) for raw in event.effects]


def decode_action(rules: Ruleset[Any], event: Event) -> Action | None:
    """The action of an event, if it has one."""
    if event.action is None:
        return None
    upcasters = UPCASTERS.get(rules.id)
    if upcasters is None:
        return rules.action_decoder.decode(event.action)
    return rules.action_decoder.decode(upcasters.apply(bytes(event.action), "action", event.header.schema))
