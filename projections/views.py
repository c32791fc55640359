"""What one reader may see: views, redacted events, decisions. The one projector; there is no second path.

Everything here gives JSON builtins. Texts are `{key, args}`; the shell puts them into a language.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.digest import body, commitments, salt
from events.event import Event
from games.kernel import (
    EVERYTHING,
    HIDDEN_TAG,
    SPECTATOR,
    Action,
    Decision,
    Message,
    Ruleset,
    State,
    Step,
    decisions,
    default_of,
    legal,
    redact,
    say,
    whole,
)
from games.kernel.visibility import wire_names
from projections.clock import Clocks, deadline, written
from projections.decoding import decode_action, decode_effects
from projections.game import LiveGame
from projections.kinds import decode_details

#: What stands in for an event that a reader may not know of.
BLANK = "hidden"


def reader_name(reader: int) -> int | str:
    """A reader as the API writes it: a seat number, `spectator` or `all`."""
    return {SPECTATOR: "spectator", EVERYTHING: "all"}.get(reader, reader)


def effective(reader: int, *, ended: bool) -> int:
    """After the end everything is public, whoever reads."""
    return EVERYTHING if ended else reader


def view_of(rules: Ruleset[Any], state: State, reader: int) -> dict[str, Any]:
    """The state as `reader` may see it."""
    view: dict[str, Any] = msgspec.to_builtins(rules.view(state, reader))
    return view


def message_of(message: Message, reader: int, acting: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """A message and its label, both as redacted for the reader."""
    shown = redact(message, reader, acting)
    return shown, label_of(message, shown)


def label_of(message: Message, shown: dict[str, Any]) -> dict[str, Any]:
    """The label of a message that was redacted to `shown`."""
    field = str(message.__struct_config__.tag_field)
    saying = say(shown, field, tuple(wire_names(type(message)).values()))
    key = f"step.{saying.key}" if isinstance(message, Step) else saying.key
    return {"key": key, "args": saying.args}


def event_of(rules: Ruleset[Any], event: Event, reader: int, *, labels: bool = True) -> dict[str, Any]:
    """An event as `reader` may see it: same number for everyone, empty if it is not to be known of.

    The reader is already the effective one: EVERYTHING after the end. labels: whether to say it in texts too.
    """
    header = event.header
    details = decode_details(event.details) if event.details is not None else None
    action = decode_action(rules, event)
    effects = decode_effects(rules, event)
    told_effects = [redact(effect, reader) for effect in effects]
    shown = redact(action, reader, header.seat) if action is not None else None
    told: dict[str, Any] = {"game": header.game, "version": header.version, "digest": event.digest.hex()}
    if _blank(shown, told_effects, reader):
        return told | {"kind": BLANK, "effects": []}
    told |= {"kind": header.kind, "at": header.at, "actor": header.actor}
    if header.seat is not None:
        told["seat"] = header.seat
    if header.caused_by is not None:
        told["caused_by"] = header.caused_by
    if details is not None:
        told["details"] = {
            name: value for name, value in redact(details, reader, header.seat).items() if name != "kind"
        }
    if action is not None and shown is not None:
        told["action"] = shown
        if labels:
            told["label"] = label_of(action, shown)
    told["effects"] = told_effects
    if labels:
        told["labels"] = [label_of(effect, one) for effect, one in zip(effects, told_effects, strict=True)]
    told["causes"] = list(header.causes)
    told["draws"] = header.draws
    return told


def _blank(action: dict[str, Any] | None, effects: Sequence[dict[str, Any]], reader: int) -> bool:
    """An out-of-turn act that the reader may not know of: neither its action nor any effect is his to see."""
    if reader == EVERYTHING or action is None or action.get("action") != HIDDEN_TAG:
        return False
    return all(effect.get("effect") == HIDDEN_TAG for effect in effects)


def proof_of(rules: Ruleset[Any], event: Event, reader: int, salt_key: bytes) -> dict[str, Any]:
    """What a reader needs to check the chain at this event and each item that it may see in full.

    Items: 0 the header, 1 details, 2 action, 3 and on the effects. Hidden events give their body alone.
    """
    told = commitments(event, salt_key)
    shown = event_of(rules, event, reader)
    proof: dict[str, Any] = {"version": event.header.version, "digest": event.digest.hex(), "body": body(told).hex()}
    if shown["kind"] == BLANK:
        return proof
    proof["commitments"] = [commitment.hex() for commitment in told]
    proof["items"] = {
        str(item): {"salt": salt(salt_key, event.header.version, item).hex(), "json": text.decode()}
        for item, text in _visible_items(rules, event, reader)
    }
    return proof


def _visible_items(rules: Ruleset[Any], event: Event, reader: int) -> list[tuple[int, bytes]]:
    seat = event.header.seat
    items: list[tuple[int, bytes]] = []
    # The key is its client's own, and how much of a scenario's chance is used up is nobody's before the end.
    own = (event.header.key is None or reader == seat) and not event.header.scripted
    if own or reader == EVERYTHING:
        items.append((0, event.header_bytes))
    if event.details is None or whole(decode_details(event.details), reader, seat):
        items.append((1, bytes(event.details) if event.details is not None else b"null"))
    action = decode_action(rules, event)
    if action is None or whole(action, reader, seat):
        items.append((2, bytes(event.action) if event.action is not None else b"null"))
    for number, (raw, effect) in enumerate(zip(event.effects, decode_effects(rules, event), strict=True), start=3):
        if whole(effect, reader):
            items.append((number, bytes(raw)))
    return items


def decisions_of(live: LiveGame, reader: int, own: Sequence[int], *, most: int | None) -> list[dict[str, Any]]:
    """The pending decisions; for the seats in `own` with menu, default and legal actions (at most `most`; None: all).

    What other seats owe is listed without these.
    """
    told = []
    opened_at, since = live.opened_at()
    clocks = live.meta.clocks
    for decision in decisions(live.state):
        step, label = message_of(decision.step, reader if decision.seat not in own else decision.seat)
        entry: dict[str, Any] = {
            "seat": decision.seat,
            "step": step.pop("step"),
            "owes": decision.owes,
            "sealed": decision.step.sealed,
            "since": since,
            "opened_at": opened_at,
            "deadline": deadline_of(clocks, decision.seat) if clocks is not None else None,
            "on_timeout": clocks.on_timeout.policy if clocks is not None else "default",
            "label": label,
            "facts": {name: value for name, value in step.items() if name not in ("seats", "also")},
        }
        if decision.seat in own:
            entry |= _own(live.rules, live.state, decision, most)
        told.append(entry)
    return told


def deadline_of(clocks: Clocks, seat: int) -> str | None:
    """When a seat will be out of time, if its clock runs."""
    deadline_us = deadline(clocks, seat)
    return None if deadline_us is None else written(deadline_us)


def _own(rules: Ruleset[Any], state: State, decision: Decision, most: int | None) -> dict[str, Any]:
    seat = decision.seat
    actions = legal(rules, state, seat)
    return {
        # Who may answer, but need not, may have nothing left to answer.
        "default": msgspec.to_builtins(default_of(actions)) if actions else None,
        "menu": list(decision.step.menu),
        "total": len(actions),
        "actions": [action_of(action, state, seat) for action in actions[:most]],
    }


def action_of(action: Action, state: State, seat: int) -> dict[str, Any]:
    """A legal action as its own seat sees it."""
    shown, label = message_of(action, seat, seat)
    return {"action": shown, "label": label, "rule": action.rule, "notes": action.notes(state, seat)}
