"""The kernel: the small model that serves every ruleset (see docs/adr/0002)."""

from games.kernel.decide import (
    Decided,
    Decision,
    check,
    decide,
    decisions,
    default_action,
    expire,
    legal,
    pending,
    run,
    start,
    start_at,
)
from games.kernel.effects import AgendaSet, Answered, PositionSet, Resign, SeatResigned
from games.kernel.knowledge import anybody_learns, learns
from games.kernel.messages import EVERYONE, Action, Effect, IllegalError, KernelError, Message, Outcome, State, Step
from games.kernel.redact import HIDDEN_TAG, redact, whole
from games.kernel.ruleset import Position, PositionError, Ruleset, Setting, encode, fold, members, tag_of
from games.kernel.say import Saying, Texts, render, say, word
from games.kernel.schema import schema_lock
from games.kernel.table import Table
from games.kernel.visibility import EVERYTHING, SPECTATOR, Hidden, Nested, Public, Secret, Visibility, secret_to

__all__ = [
    "EVERYONE",
    "EVERYTHING",
    "HIDDEN_TAG",
    "SPECTATOR",
    "Action",
    "AgendaSet",
    "Answered",
    "Decided",
    "Decision",
    "Effect",
    "Hidden",
    "IllegalError",
    "KernelError",
    "Message",
    "Nested",
    "Outcome",
    "Position",
    "PositionError",
    "PositionSet",
    "Public",
    "Resign",
    "Ruleset",
    "Saying",
    "SeatResigned",
    "Secret",
    "Setting",
    "State",
    "Step",
    "Table",
    "Texts",
    "Visibility",
    "anybody_learns",
    "check",
    "decide",
    "decisions",
    "default_action",
    "encode",
    "expire",
    "fold",
    "learns",
    "legal",
    "members",
    "pending",
    "redact",
    "render",
    "run",
    "say",
    "schema_lock",
    "secret_to",
    "start",
    "start_at",
    "tag_of",
    "whole",
    "word",
]
