"""What a backup carries: the log and what is kept beside it. Read models, snapshots and tree nodes are made anew."""

from msgspec import Struct

from server.backup.archive import BATCH_ROWS


class Table(Struct, frozen=True):
    """A table: its columns in the order in which a backup has them, and what its rows are ordered by.

    at_once: so many rows are in memory at a time.
    """

    name: str
    columns: tuple[str, ...]
    order: str
    at_once: int = BATCH_ROWS

    @property
    def select(self) -> str:
        """The query for all rows in order."""
        return f"select {', '.join(self.columns)} from {self.name} order by {self.order}"  # noqa: S608 - constants

    @property
    def insert(self) -> str:
        """The statement that adds a row."""
        marks = ", ".join("?" * len(self.columns))
        return f"insert into {self.name}({', '.join(self.columns)}) values ({marks})"  # noqa: S608 - constants


SECRETS = Table("secrets", ("game", "secret"), "game")
EVENTS = Table("events", ("position", "game", "version", "kind", "data", "digest"), "position")

#: In the order in which they are written: seeds before the events whose chains they salt, players before their tokens.
TABLES = (
    SECRETS,
    EVENTS,
    Table("commands", ("scope", "key", "request", "response", "at"), "scope, key"),
    Table("erasable", ("game", "version", "words"), "game, version"),
    Table("quarantine", ("consumer", "position", "error"), "consumer, position"),
    Table("players", ("id", "name", "created_at"), "id"),
    Table(
        "tokens",
        ("id", "hash", "player", "scopes", "game", "seat", "label", "created_at", "revoked_at"),
        "id",
    ),
    Table("invites", ("id", "hash", "game", "made_by", "created_at", "revoked_at"), "id"),
    Table("packs", ("digest", "ruleset", "source", "added_by", "added_at"), "added_at, digest", 10),
    Table("replays", ("id", "player", "source", "added_at"), "id", 2),
    Table("tree_keys", ("first", "key", "endorsed"), "first"),
    Table("tree_heads", ("size", "note", "at"), "size"),
    Table("requests", ("scope", "key", "request", "response", "at"), "scope, key"),
)

#: Tables that a backup leaves out, and why nothing is lost by that.
LEFT_OUT = {
    "games": "the last event of each game says it",
    "head": "the last event says the position; a restored log is of an epoch of its own",
    "snapshots": "a cache of the log",
    "checkpoints": "read models are folded anew",
    "migrations": "the new database has its own",
    "tree_nodes": "they are computed anew from the events",
    "tickets": "they live for seconds",
}
