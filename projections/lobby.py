"""The lobby: every game in a row, for lists and search. A fold of the log, rebuilt at any time."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

import msgspec
from msgspec import Struct

from events.database import Database
from events.event import Event
from projections import kinds
from projections.kinds import ACTED, decode_details
from projections.runner import active_generation


class Search(Struct, frozen=True):
    """What to look for: games that `viewer` may know of, and every condition given. `text` is part of the name."""

    viewer: str | None = None
    status: str | None = None
    ruleset: str | None = None
    player: str | None = None
    open_seats: bool | None = None
    text: str | None = None


class Lobby:
    """The read model `lobby`: tables lobby_<g> (a row a game) and lobby_seat_<g> (a row a seat)."""

    name = "lobby"

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, connection: Connection, generation: int) -> None:
        """Make the empty tables of a generation."""
        connection.execute(
            f"""create table lobby_{generation}(
                  game text primary key, ruleset text not null, name text not null, status text not null,
                  visibility text not null, creator text not null, open_seats integer not null,
                  version integer not null,
                  created_at text not null, updated_at text not null, summary blob not null) strict, without rowid"""
        )
        connection.execute(
            f"""create table lobby_seat_{generation}(
                  game text not null, seat integer not null, player text, primary key (game, seat))
                strict, without rowid"""
        )
        connection.execute(f"create index lobby_player_{generation} on lobby_seat_{generation}(player, game)")
        connection.execute(f"create index lobby_creator_{generation} on lobby_{generation}(creator, status)")
        connection.execute(f"create index lobby_status_{generation} on lobby_{generation}(status, game)")

    def drop(self, connection: Connection, generation: int) -> None:
        """Drop the tables of a generation."""
        connection.execute(f"drop table lobby_seat_{generation}")
        connection.execute(f"drop table lobby_{generation}")

    def take(self, connection: Connection, generation: int, events: Sequence[Event]) -> None:
        """Fold events."""
        newest: dict[str, tuple[int, str, str]] = {}
        for event in events:
            header = event.header
            if header.kind != ACTED:
                _note(connection, generation, event)
            newest[header.game] = (header.version, header.at, header.game)
        connection.executemany(
            f"update lobby_{generation} set version = ?, updated_at = ? where game = ?", newest.values()
        )

    async def search(
        self, wanted: Search, *, limit: int, cursor: str | None = None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Games, newest first, at most `limit`; the next cursor is the id of the last one if there are more.

        Public games, and any that the viewer made or sits in.
        """
        generation = active_generation(self._database, self.name)
        if generation is None:
            return [], None
        where, parameters = _conditions(generation, wanted, cursor)
        rows = self._database.read(
            f"""select game, ruleset, name, status, visibility, creator, open_seats, version, created_at, updated_at,
                  summary from lobby_{generation} l where {where} order by game desc limit ?""",
            (*parameters, limit + 1),
        )
        seats = self._seats(generation, [row[0] for row in rows[:limit]])
        found = [_told(row, seats.get(row[0], [])) for row in rows[:limit]]
        return found, rows[limit - 1][0] if len(rows) > limit else None

    def position(self) -> int:
        """Up to which event of the log this was folded."""
        rows = self._database.read("select position from checkpoints where name = ? and active", (self.name,))
        return int(rows[0][0]) if rows else 0

    def open_games(self, player: str, besides: str | None = None) -> int:
        """How many games that are not over the player has made or sits in, besides this one."""
        generation = active_generation(self._database, self.name)
        if generation is None:
            return 0
        rows = self._database.read(
            f"""select count(*) from (
                  select game from lobby_{generation} where creator = ?1 and status in ('open', 'running')
                  union
                  select s.game from lobby_seat_{generation} s join lobby_{generation} l on l.game = s.game
                    where s.player = ?1 and l.status in ('open', 'running'))
                where game is not ?2""",
            (player, besides),
        )
        return int(rows[0][0])

    def counts(self) -> dict[str, int]:
        """How many games are open and how many are running."""
        generation = active_generation(self._database, self.name)
        sql = f"select count(*) from lobby_{generation} where status = ?"
        return {
            status: 0 if generation is None else int(self._database.read(sql, (status,))[0][0])
            for status in ("open", "running")
        }

    async def bots(self) -> list[str]:
        """The server's own players that sit in running games, by id."""
        generation = active_generation(self._database, self.name)
        if generation is None:
            return []
        rows = self._database.read(
            f"""select distinct player from lobby_seat_{generation} s
                  where player >= 'bot:' and player < 'bot;'
                    and exists (select 1 from lobby_{generation} l where l.game = s.game and l.status = 'running')
                  order by player"""
        )
        return [row[0] for row in rows]

    def _seats(self, generation: int, games: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        marks = ", ".join("?" * len(games))
        sql = f"select game, seat, player from lobby_seat_{generation} where game in ({marks}) order by game, seat"
        found: dict[str, list[dict[str, Any]]] = {}
        for game, seat, player in self._database.read(sql, tuple(games)):
            bot = player is not None and player.startswith("bot:")
            found.setdefault(game, []).append({"seat": seat, "player": player, "bot": bot})
        return found


def _note(connection: Connection, generation: int, event: Event) -> None:
    game = event.header.game
    match decode_details(event.details or b"null"):
        case kinds.Created() as details:
            _insert(connection, generation, event, details)
        case kinds.Joined() as details:
            _sit(connection, generation, game, details.seat, details.player)
        case kinds.Left() as details:
            _sit(connection, generation, game, details.seat, None)
        case kinds.Started():
            _status(connection, generation, game, "running")
        case kinds.Ended():
            _status(connection, generation, game, "ended")
        case _:
            pass


def _insert(connection: Connection, generation: int, event: Event, created: kinds.Created) -> None:
    header = event.header
    summary = {
        "options": created.options,
        "undo": created.undo,
        "spectators": created.spectators,
        "sandbox": created.sandbox,
        "rules": header.rules,
    }
    connection.execute(
        f"insert into lobby_{generation} values (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?)",
        (
            header.game,
            created.ruleset,
            created.name,
            created.visibility,
            created.creator,
            created.seats,
            header.version,
            header.at,
            header.at,
            msgspec.json.encode(summary),
        ),
    )
    connection.executemany(
        f"insert into lobby_seat_{generation} values (?, ?, null)", [(header.game, n) for n in range(created.seats)]
    )


def _sit(connection: Connection, generation: int, game: str, seat: int, player: str | None) -> None:
    connection.execute(
        f"update lobby_seat_{generation} set player = ? where game = ? and seat = ?", (player, game, seat)
    )
    connection.execute(
        f"""update lobby_{generation} set open_seats =
              (select count(*) from lobby_seat_{generation} s where s.game = ? and s.player is null) where game = ?""",
        (game, game),
    )


def _status(connection: Connection, generation: int, game: str, status: str) -> None:
    connection.execute(f"update lobby_{generation} set status = ? where game = ?", (status, game))


def _conditions(generation: int, wanted: Search, cursor: str | None) -> tuple[str, list[Any]]:
    sits = f"exists (select 1 from lobby_seat_{generation} s where s.game = l.game and s.player = ?)"
    conditions, parameters = [f"(visibility = 'public' or creator = ? or {sits})"], [wanted.viewer, wanted.viewer]
    for condition, value in (
        ("status = ?", wanted.status),
        ("ruleset = ?", wanted.ruleset),
        (sits, wanted.player),
        ("game < ?", cursor),
        ("instr(lower(name), lower(?)) > 0", wanted.text),
    ):
        if value is not None:
            conditions.append(condition)
            parameters.append(value)
    if wanted.open_seats is not None:
        conditions.append("open_seats > 0" if wanted.open_seats else "open_seats = 0")
    return " and ".join(conditions), parameters


def _told(row: tuple[Any, ...], seats: list[dict[str, Any]]) -> dict[str, Any]:
    names = (
        "game",
        "ruleset",
        "name",
        "status",
        "visibility",
        "creator",
        "open_seats",
        "version",
        "created_at",
        "updated_at",
    )
    rest: dict[str, Any] = msgspec.json.decode(row[10])
    return dict(zip(names, row, strict=False)) | rest | {"seats": seats}
