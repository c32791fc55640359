"""What events say of how far a run has come."""

import msgspec

#: Events that runs want to reach.
KINDS = {
    "rewound": "a game was rewound",
    "ended": "a game was ended",
    "resigned": "a seat resigned",
    "undo_answered": "consent to a rewind was given or refused",
    "undo_expired": "nobody answered a request to rewind in time",
    "reminded": "a seat was reminded",
    "expired": "a seat ran out of time",
    "proposed": "something was proposed",
    "proposal_expired": "nobody answered a proposal in time",
    "proposal_withdrawn": "a proposal was taken back",
    "seat_offered": "a seat was offered",
}
_REPLACED = {
    "expired": "a bot took over the seat of somebody out of time",
    "offered": "a substitute sat down",
    "returned": "a player came back for a bot",
}


def reached(event):
    """What an event has reached, or nothing."""
    kind = event.header.kind
    if kind in KINDS:
        return KINDS[kind]
    if kind == "replaced":
        return _REPLACED[msgspec.json.decode(event.details)["why"]]
    if kind in ("paused", "resumed"):
        return _halted(kind, msgspec.json.decode(event.details))
    if kind == "proposal_answered" and not msgspec.json.decode(event.details)["accept"]:
        return "somebody was against a proposal"
    return None


def _halted(kind, told):
    if told.get("seat") is not None:
        return "a seat went on vacation" if kind == "paused" else "a vacation was over"
    if kind == "paused":
        return "all agreed to pause"
    return "a pause was used up" if told.get("used_up") else "all agreed to go on"
