"""What events say of how far a run has come."""

import msgspec

#: Events that runs want to reach.
KINDS = {
    "rewound": "a game was rewound",
    "resigned": "a seat resigned",
    "undo_answered": "consent to a rewind was given or refused",
    "undo_expired": "nobody answered a request to rewind in time",
    "reminded": "a seat was reminded",
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
    if kind not in _TOLD:
        return None
    return _TOLD[kind](kind, msgspec.json.decode(event.details))


def _halted(kind, told):
    if told.get("seat") is not None:
        return "a seat went on vacation" if kind == "paused" else "a vacation was over"
    if kind == "paused":
        return "all agreed to pause"
    return "a pause was used up" if told.get("used_up") else "all agreed to go on"


#: Kinds of which the details say what was reached.
_TOLD = {
    "replaced": lambda _, told: _REPLACED[told["why"]],
    "paused": _halted,
    "resumed": _halted,
    "proposal_answered": lambda _, told: None if told["accept"] else "somebody was against a proposal",
    "ended": lambda _, told: f"a game was {'given up' if told['outcome']['reason'] == 'abandoned' else 'ended'}",
    "expired": lambda _, told: f"a seat {'ran' if told.get('claimed_by') is None else 'was claimed to be'} out of time",
}
