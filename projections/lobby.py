"""The lobby: every game in a row, for lists and search. A fold of the log, rebuilt at any time."""

import re
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import msgspec
from msgspec import Struct

from events.database import Database, Transaction
from events.event import Event
from projections import kinds, time_kinds
from projections.kinds import ACTED, decode_details
from projections.runner import active_generation

#: As SQLite does it, and PostgreSQL with text that is ordered byte by byte.
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


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

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""
        await transaction.change(
            f"""create table lobby_{generation}(
                  game text primary key, ruleset text not null, name text not null, status text not null,
                  visibility text not null, creator text not null, open_seats integer not null,
                  version integer not null,
                  created_at text not null, updated_at text not null, summary blob not null) strict, without rowid"""
        )
        await transaction.change(
            f"""create table lobby_seat_{generation}(
                  game text not null, seat integer not null, player text, primary key (game, seat))
                strict, without rowid"""
        )
        await transaction.change(f"create index lobby_player_{generation} on lobby_seat_{generation}(player, game)")
        await transaction.change(f"create index lobby_creator_{generation} on lobby_{generation}(creator, status)")
        await transaction.change(f"create index lobby_status_{generation} on lobby_{generation}(status, game)")

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop the tables of a generation."""
        await transaction.change(f"drop table lobby_seat_{generation}")
        await transaction.change(f"drop table lobby_{generation}")

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events."""
        newest: dict[str, tuple[int, str, str]] = {}
        for event in events:
            header = event.header
            if header.kind != ACTED:
                await _note(transaction, generation, event)
            newest[header.game] = (header.version, header.at, header.game)
        await transaction.change_many(
            f"update lobby_{generation} set version = ?, updated_at = ? where game = ?", list(newest.values())
        )

    async def search(
        self, wanted: Search, *, limit: int, cursor: str | None = None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Games, newest first, at most `limit`; the next cursor is the id of the last one if there are more.

        Public games, and any that the viewer made or sits in.
        """
        generation = await active_generation(self._database, self.name)
        if generation is None:
            return [], None
        where, parameters = _conditions(generation, wanted, cursor)
        rows = await self._database.read(
            f"""select game, ruleset, name, status, visibility, creator, open_seats, version, created_at, updated_at,
                  summary from lobby_{generation} l where {where} order by game desc limit ?""",
            (*parameters, limit + 1),
        )
        seats = await self._seats(generation, [row[0] for row in rows[:limit]])
        found = [_told(row, seats.get(row[0], [])) for row in rows[:limit]]
        return found, rows[limit - 1][0] if len(rows) > limit else None

    async def position(self) -> int:
        """Up to which event of the log this was folded."""
        rows = await self._database.read("select position from checkpoints where name = ? and active = 1", (self.name,))
        return int(rows[0][0]) if rows else 0

    async def open_games(self, player: str, besides: str | None = None) -> int:
        """How many games that are not over the player has made or sits in, besides this one."""
        generation = await active_generation(self._database, self.name)
        if generation is None:
            return 0
        rows = await self._database.read(
            f"""select count(*) from (
                  select game from lobby_{generation} where creator = ? and status in ('open', 'running')
                  union
                  select s.game from lobby_seat_{generation} s join lobby_{generation} l on l.game = s.game
                    where s.player = ? and l.status in ('open', 'running')) mine
                where game <> ?""",
            (player, player, besides or ""),
        )
        return int(rows[0][0])

    async def counts(self) -> dict[str, int]:
        """How many games are open and how many are running."""
        generation = await active_generation(self._database, self.name)
        found = {"open": 0, "running": 0}
        if generation is not None:
            sql = f"select status, count(*) from lobby_{generation} where status in ('open', 'running') group by status"
            found |= dict(await self._database.read(sql))
        return found

    async def bots(self) -> list[str]:
        """The server's own players that sit in running games, by id."""
        generation = await active_generation(self._database, self.name)
        if generation is None:
            return []
        rows = await self._database.read(
            f"""select distinct player from lobby_seat_{generation} s
                  where player >= 'bot:' and player < 'bot;'
                    and exists (select 1 from lobby_{generation} l where l.game = s.game and l.status = 'running')
                  order by player"""
        )
        return [row[0] for row in rows]

    async def _seats(self, generation: int, games: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        if not games:
            return {}
        marks = ", ".join("?" * len(games))
        sql = f"select game, seat, player from lobby_seat_{generation} where game in ({marks}) order by game, seat"
        found: dict[str, list[dict[str, Any]]] = {}
        for game, seat, player in await self._database.read(sql, tuple(games)):
            bot = player is not None and player.startswith("bot:")
            found.setdefault(game, []).append({"seat": seat, "player": player, "bot": bot})
        return found


async def _note(transaction: Transaction, generation: int, event: Event) -> None:
    game = event.header.game
    match decode_details(event.details or b"null"):
        case kinds.Created() as details:
            await _insert(transaction, generation, event, details)
        case kinds.Joined() | time_kinds.Replaced() as details:
            await _sit(transaction, generation, game, details.seat, details.player)
        case kinds.Left() as details:
            await _sit(transaction, generation, game, details.seat, None)
        case kinds.Started():
            await _status(transaction, generation, game, "running")
        case kinds.Ended():
            await _status(transaction, generation, game, "ended")
        case _:
            pass


async def _insert(transaction: Transaction, generation: int, event: Event, created: kinds.Created) -> None:
    header = event.header
    summary = {
        "options": created.options,
        "undo": created.undo,
        "spectators": created.spectators,
        "sandbox": created.sandbox,
        "rules": header.rules,
    }
    await transaction.change(
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
    await transaction.change_many(
        f"insert into lobby_seat_{generation} values (?, ?, null)", [(header.game, n) for n in range(created.seats)]
    )


async def _sit(transaction: Transaction, generation: int, game: str, seat: int, player: str | None) -> None:
    await transaction.change(
        f"update lobby_seat_{generation} set player = ? where game = ? and seat = ?", (player, game, seat)
    )
    await transaction.change(
        f"""update lobby_{generation} set open_seats =
              (select count(*) from lobby_seat_{generation} s where s.game = ? and s.player is null) where game = ?""",
        (game, game),
    )


async def _status(transaction: Transaction, generation: int, game: str, status: str) -> None:
    await transaction.change(f"update lobby_{generation} set status = ? where game = ?", (status, game))


def _conditions(generation: int, wanted: Search, cursor: str | None) -> tuple[str, list[Any]]:
    sits = f"exists (select 1 from lobby_seat_{generation} s where s.game = l.game and s.player = ?)"
    conditions, parameters = [f"(visibility = 'public' or creator = ? or {sits})"], [wanted.viewer, wanted.viewer]
    for condition, value in (
        ("status = ?", wanted.status),
        ("ruleset = ?", wanted.ruleset),
        (sits, wanted.player),
        ("game < ?", cursor),
        ("lower(name) like ? escape '!'", _containing(wanted.text)),
    ):
        if value is not None:
            conditions.append(condition)
            parameters.append(value)
    if wanted.open_seats is not None:
        conditions.append("open_seats > 0" if wanted.open_seats else "open_seats = 0")
    return " and ".join(conditions), parameters


def _containing(text: str | None) -> str | None:
    """The pattern of names that contain a text. Only A to Z have small letters, whatever the database's locale."""
    return None if text is None else "%" + re.sub("([!%_])", r"!\1", text).translate(_SMALL) + "%"


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
