"""The read models: at their checkpoint they are what the events up to it make of them, one by one."""

import sqlite3

from events.database import Limits
from events.sqlite_file import MEMORY, SqliteFile, _run_now, _Transaction
from projections.deadlines import Deadlines
from projections.lobby import Lobby
from projections.results import Results
from tests.simulation.judge import Violation

#: The tables of each, and the columns that are the log's alone (when a game is due is noted by whoever has looked).
TABLES = {
    "lobby": (("lobby_1", "*"), ("lobby_seat_1", "*")),
    "results": (("results_1", "*"), ("results_player_1", "*")),
    "deadlines": (("deadlines_1", "game, version"),),
}


class Models:
    """Folds the log a second time, beside, and compares."""

    def __init__(self, truth, tables):
        self._truth = truth
        self._tables = tables
        self._own = SqliteFile(MEMORY, Limits())
        self._transaction = _Transaction(self._own._connection)
        self._models = {"lobby": Lobby(self._own), "results": Results(self._own)}
        self._models["deadlines"] = Deadlines(self._own)
        self._at = dict.fromkeys(self._models, 0)
        self._seen = {}
        for model in self._models.values():
            _run_now(model.create(self._transaction, 1))

    def check_moved(self):
        """Compare, if a checkpoint has moved since it was last asked."""
        found = self._checkpoints()
        if found != self._seen:
            self._seen = found
            self.check()

    def check(self):
        """Compare; the least checkpoint."""
        found = self._checkpoints()
        for name, position in found.items():
            if position < self._at[name]:
                raise Violation(f"the checkpoint of {name} went back from {self._at[name]} to {position}")
            self._fold(name, position)
            for table, columns in TABLES[name]:
                sql = f"select {columns} from {table} order by 1, 2"
                ours, theirs = self._own.read_now(sql), self._tables.file.read_now(sql)
                if ours != theirs:
                    wrong = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
                    told = wrong[0] if wrong else (len(ours), len(theirs))
                    raise Violation(f"{table} at checkpoint {position} is not the fold of the log: {told}")
        return min((found.get(name, 0) for name in self._models), default=0)

    def _checkpoints(self):
        try:
            return dict(self._tables.file.read_now("select name, position from checkpoints where active = 1"))
        except sqlite3.OperationalError:  # no node has made the tables yet
            return {}

    def _fold(self, name, position):
        for row in self._truth.all_rows()[self._at[name] : position]:
            _run_now(self._models[name].take(self._transaction, 1, [self._truth.event(row)]))
        self._at[name] = position
