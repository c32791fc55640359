"""The package `eventsourcing` holding the same facts: one of its events for each effect, in SQLite as it comes."""

from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Facts(Aggregate):
    """What happened in a game. It only counts: all of the rules' own work is left out, in its favour."""

    @event("Begun")
    def __init__(self) -> None:
        self.count = 0

    @event("Happened")
    def happened(self, effect: dict[str, object]) -> None:
        """One effect."""
        self.count += 1


class Library(Application[UUID]):
    """An application of the package on a file (or in its own memory, without a path)."""

    def __init__(self, path: Path | None) -> None:
        sqlite = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
        super().__init__(env=sqlite if path is not None else {"PERSISTENCE_MODULE": "eventsourcing.popo"})

    def record(self, effects: list[dict[str, object]], per_save: int = 1) -> UUID:
        """Save these effects, so many at once; the aggregate's id."""
        facts = Facts()
        for number, effect in enumerate(effects, 1):
            facts.happened(effect)
            if number % per_save == 0:
                self.save(facts)
        self.save(facts)
        return facts.id
