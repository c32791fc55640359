"""The lobby: every game in a row, for lists and search. A fold of the log, rebuilt at any time.

Of games with a delay for spectators it also keeps what is not of age yet, version by version: only who holds a seat is
told, and finds, such a game as it is now.
"""

import re
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import msgspec
from msgspec import Struct

from events.database import Database, Transaction
from events.event import Event
from projections.generations import active, active_generation
from projections.kinds import ACTED
from projections.lag import delays
from projections.lobby_fold import note, step

#: As SQLite does it, and PostgreSQL with text that is ordered byte by byte.
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


class Search(Struct, frozen=True):
    """What to look for: games that `viewer` may know of, and every condition given. `text` is part of the name.

    now_us: what time it is, in microseconds since 1970; at 0 nothing that is held back is of age.
    """

    viewer: str | None = None
    now_us: int = 0
    status: str | None = None
    ruleset: str | None = None
    player: str | None = None
    open_seats: bool | None = None
    text: str | None = None


class Lobby:
    """The read model `lobby`: tables lobby_<g> (a row a game), lobby_seat_<g> and lobby_step_<g>.

    A seat has a row for each who has it (`until` 0) or, where games have a delay, had it, from the version `since` on.
    A step is a version of a game with a delay, and `shown_us` when it is of age.
    """

    name = "lobby"
    shape = 2

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""
        await transaction.change(
            f"""create table lobby_{generation}(
                  game text primary key, ruleset text not null, name text not null, status text not null,
                  visibility text not null, creator text not null, open_seats integer not null,
                  version integer not null, delay_us integer not null,
                  created_at text not null, updated_at text not null, summary blob not null) strict, without rowid"""
        )
        await transaction.change(
            f"""create table lobby_seat_{generation}(
                  game text not null, seat integer not null, player text,
                  since integer not null, until integer not null, primary key (game, seat, since))
                strict, without rowid"""
        )
        await transaction.change(
            f"""create table lobby_step_{generation}(
                  game text not null, version integer not null, at text not null, status text not null,
                  shown_us integer not null, primary key (game, version)) strict, without rowid"""
        )
        await transaction.change(
            f"create index lobby_delayed_{generation} on lobby_{generation}(game) where delay_us > 0"
        )
        await transaction.change(f"create index lobby_player_{generation} on lobby_seat_{generation}(player, game)")
        await transaction.change(f"create index lobby_creator_{generation} on lobby_{generation}(creator, status)")
        await transaction.change(f"create index lobby_status_{generation} on lobby_{generation}(status, game)")

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop those tables of a generation that are there."""
        await transaction.change(f"drop table if exists lobby_step_{generation}")
        await transaction.change(f"drop table if exists lobby_seat_{generation}")
        await transaction.change(f"drop table if exists lobby_{generation}")

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events."""
        newest: dict[str, tuple[int, str, str]] = {}
        held = await delays(transaction, f"lobby_{generation}", {event.header.game for event in events})
        for event in events:
            header = event.header
            if header.kind != ACTED:
                await note(transaction, generation, event, held)
            if header.game in held:
                await step(transaction, generation, event, held[header.game])
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
        generation = await active_generation(self._database, self)
        if generation is None:
            return [], None
        rows = await self._rows(_UNDELAYED, generation, wanted, (cursor, limit + 1))
        rows += await self._rows(_DELAYED, generation, wanted, (cursor, limit + 1))
        rows = sorted(rows, reverse=True)[: limit + 1]
        seats = await self._seats(generation, {row[0]: row[7] for row in rows[:limit]})
        found = [_told(row, seats.get(row[0], [])) for row in rows[:limit]]
        return found, rows[limit - 1][0] if len(rows) > limit else None

    async def _rows(
        self, shown: "_Shown", generation: int, wanted: Search, page: tuple[str | None, int]
    ) -> list[tuple[Any, ...]]:
        cursor, limit = page
        sits = (
            f"exists (select 1 from lobby_seat_{generation} m where m.game = l.game and m.until = 0 and m.player = ?)"
        )
        source, given = shown.source.format(generation=generation, sits=sits), shown.parameters(wanted)
        where, parameters = _conditions(shown, generation, wanted, cursor)
        return await self._database.read(
            f"""select l.game, ruleset, name, {shown.status}, visibility, creator, open_seats, {shown.version},
                  created_at, {shown.updated_at}, summary from {source} and {where} order by l.game desc limit ?""",
            (*given, *parameters, limit),
        )

    async def position(self) -> int:
        """Up to which event of the log this was folded."""
        found = await active(self._database, self)
        return found[1] if found else 0

    async def open_games(self, player: str, besides: str | None = None) -> int:
        """How many games that are not over the player has made or sits in, besides this one."""
        generation = await active_generation(self._database, self)
        if generation is None:
            return 0
        rows = await self._database.read(
            f"""select count(*) from (
                  select game from lobby_{generation} where creator = ? and status in ('open', 'running')
                  union
                  select s.game from lobby_seat_{generation} s join lobby_{generation} l on l.game = s.game
                    where s.player = ? and s.until = 0 and l.status in ('open', 'running')) mine
                where game <> ?""",
            (player, player, besides or ""),
        )
        return int(rows[0][0])

    async def counts(self) -> dict[str, int]:
        """How many games are open and how many are running."""
        generation = await active_generation(self._database, self)
        found = {"open": 0, "running": 0}
        if generation is not None:
            sql = f"select status, count(*) from lobby_{generation} where status in ('open', 'running') group by status"
            found |= dict(await self._database.read(sql))
        return found

    async def bots(self) -> list[str]:
        """The server's own players that sit in running games, by id."""
        generation = await active_generation(self._database, self)
        if generation is None:
            return []
        rows = await self._database.read(
            f"""select distinct player from lobby_seat_{generation} s
                  where player >= 'bot:' and player < 'bot;' and s.until = 0
                    and exists (select 1 from lobby_{generation} l where l.game = s.game and l.status = 'running')
                  order by player"""
        )
        return [row[0] for row in rows]

    async def _seats(self, generation: int, games: dict[str, int]) -> dict[str, list[dict[str, Any]]]:
        """Who sits where in these games at these versions."""
        if not games:
            return {}
        marks = ", ".join("?" * len(games))
        sql = f"""select game, seat, player, since, until from lobby_seat_{generation} where game in ({marks})
                    order by game, seat, since"""
        found: dict[str, list[dict[str, Any]]] = {}
        for game, seat, player, since, until in await self._database.read(sql, tuple(games)):
            if games[game] < since or 0 < until <= games[game]:
                continue
            bot = player is not None and player.startswith("bot:")
            found.setdefault(game, []).append({"seat": seat, "player": player, "bot": bot})
        return found


class _Shown(Struct, frozen=True):
    """What is shown of some of the games: where the rows come from (with a condition), and columns that differ."""

    source: str
    status: str
    version: str
    updated_at: str
    delayed: bool

    def parameters(self, wanted: Search) -> list[Any]:
        """The parameters of the source."""
        return [wanted.viewer, wanted.now_us, wanted.viewer] if self.delayed else []


_UNDELAYED = _Shown("lobby_{generation} l where delay_us = 0", "l.status", "l.version", "updated_at", delayed=False)

#: A step stands for the game, except to who holds a seat. Without one a game is not shown: that fails on the safe side.
_DELAYED = _Shown(
    """lobby_{generation} l left join lobby_step_{generation} s on s.game = l.game and not {sits}
         and s.version =
           (select max(t.version) from lobby_step_{generation} t where t.game = l.game and t.shown_us <= ?)
         where delay_us > 0 and (s.game is not null or {sits})""",
    "coalesce(s.status, l.status)",
    "coalesce(s.version, l.version)",
    "coalesce(s.at, updated_at)",
    delayed=True,
)


def _conditions(shown: _Shown, generation: int, wanted: Search, cursor: str | None) -> tuple[str, list[Any]]:
    sat = f"select 1 from lobby_seat_{generation} p where p.game = l.game and p.player = ?"
    sits = f"exists ({sat} and p.until = 0)"
    then = f"exists ({sat} and p.since <= {shown.version} and (p.until = 0 or p.until > {shown.version}))"
    conditions, parameters = [f"(visibility = 'public' or creator = ? or {sits})"], [wanted.viewer, wanted.viewer]
    for condition, value in (
        (f"{shown.status} = ?", wanted.status),
        ("ruleset = ?", wanted.ruleset),
        (then if shown.delayed else sits, wanted.player),
        ("l.game < ?", cursor),
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
