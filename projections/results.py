"""The result log: every game that ended and counts, tied to its log by the digest of its last event."""

from collections.abc import Sequence
from typing import Any

import msgspec

from events.database import Database, Transaction
from events.event import Event
from projections import kinds, time_kinds
from projections.clock import SECOND, microseconds
from projections.generations import active_generation
from projections.kinds import ACTED, decode_details
from projections.lag import delays
from projections.lobby import Search


class Results:
    """The read model `results`: a row a game (until its end with `result` null) and a row a player in it.

    shown_us: 0, or in a game with a delay for spectators when its newest event is of age.

    Sandbox games never count and are left out.
    """

    name = "results"
    shape = 2

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, transaction: Transaction, generation: int) -> None:
        """Make the empty tables of a generation."""
        await transaction.change(
            f"""create table results_{generation}(
                  game text primary key, ruleset text not null, visibility text not null, created blob not null,
                  delay_us integer not null, shown_us integer not null, ended_at text, result blob)
                strict, without rowid"""
        )
        await transaction.change(
            f"""create table results_player_{generation}(
                  game text not null, seat integer not null, player text not null, primary key (game, seat))
                strict, without rowid"""
        )
        await transaction.change(
            f"create index results_by_player_{generation} on results_player_{generation}(player, game)"
        )
        await transaction.change(f"create index results_by_end_{generation} on results_{generation}(ended_at, game)")

    async def drop(self, transaction: Transaction, generation: int) -> None:
        """Drop those tables of a generation that are there."""
        await transaction.change(f"drop table if exists results_player_{generation}")
        await transaction.change(f"drop table if exists results_{generation}")

    async def take(self, transaction: Transaction, generation: int, events: Sequence[Event]) -> None:
        """Fold events."""
        held = await delays(transaction, f"results_{generation}", {event.header.game for event in events})
        for event in events:
            header = event.header
            if header.kind != ACTED:
                await self._note(transaction, generation, event, held)
            if header.game in held:
                shown_us = microseconds(header.at) + held[header.game]
                await transaction.change(
                    f"update results_{generation} set shown_us = ? where game = ? and shown_us < ?",
                    (shown_us, header.game, shown_us),
                )

    async def _note(self, transaction: Transaction, generation: int, event: Event, held: dict[str, int]) -> None:
        game = event.header.game
        match decode_details(event.details or b"null"):
            case kinds.Created(sandbox=False) as details:
                told = {
                    "rules": event.header.rules,
                    "pack": details.pack,
                    "options": details.options,
                    "name": details.name,
                }
                delay_us = details.spectator_delay_s * SECOND
                await transaction.change(
                    f"insert into results_{generation} values (?, ?, ?, ?, ?, 0, null, null)",
                    (game, details.ruleset, details.visibility, msgspec.json.encode(told), delay_us),
                )
                if delay_us:
                    held[game] = delay_us
            case kinds.Joined() | time_kinds.Replaced() as details:
                await transaction.change(
                    f"""insert into results_player_{generation}
                          select cast(? as text), cast(? as integer), cast(? as text)
                            where exists (select 1 from results_{generation} where game = ?)
                          on conflict (game, seat) do update set player = excluded.player""",
                    (game, details.seat, details.player, game),
                )
            case kinds.Left() as details:
                await transaction.change(
                    f"delete from results_player_{generation} where game = ? and seat = ?", (game, details.seat)
                )
            case kinds.Ended() as details:
                await transaction.change(
                    f"update results_{generation} set ended_at = ?, result = ? where game = ?",
                    (event.header.at, msgspec.json.encode(_result(event, details)), game),
                )
            case _:
                pass

    async def search(
        self, wanted: Search, *, limit: int, cursor: str | None = None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Results, newest game first, at most `limit`; the next cursor is the last one's id if there are more.

        Of the search, `viewer`, `now_us`, `ruleset` and `player` count. A result is for its own players until its end
        is of age for others. Games that are not public are for their own players.
        """
        generation = await active_generation(self._database, self)
        if generation is None:
            return [], None
        plays = f"exists (select 1 from results_player_{generation} p where p.game = r.game and p.player = ?)"
        conditions = ["result is not null", f"(visibility = 'public' or {plays})", f"(shown_us <= ? or {plays})"]
        parameters: list[Any] = [wanted.viewer, wanted.now_us, wanted.viewer]
        for condition, value in (("ruleset = ?", wanted.ruleset), (plays, wanted.player), ("game < ?", cursor)):
            if value is not None:
                conditions.append(condition)
                parameters.append(value)
        rows = await self._database.read(
            f"""select game, ruleset, created, ended_at, result from results_{generation} r
                  where {" and ".join(conditions)} order by game desc limit ?""",
            (*parameters, limit + 1),
        )
        found = [await self._told(generation, row) for row in rows[:limit]]
        return found, rows[limit - 1][0] if len(rows) > limit else None

    async def _told(self, generation: int, row: tuple[Any, ...]) -> dict[str, Any]:
        sql = f"select seat, player from results_player_{generation} where game = ? order by seat"
        players = [player for _, player in await self._database.read(sql, (row[0],))]
        created, result = msgspec.json.decode(row[2]), msgspec.json.decode(row[4])
        return {"game": row[0], "ruleset": row[1], **created, "ended_at": row[3], "players": players, **result}


def _result(event: Event, ended: kinds.Ended) -> dict[str, Any]:
    outcome: dict[str, Any] = msgspec.to_builtins(ended.outcome)
    return outcome | {"assisted": ended.assisted, "version": event.header.version, "digest": event.digest.hex()}
