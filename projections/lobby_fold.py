"""How events change the lobby: its rows of games, of seats and of versions that are of age later."""

import msgspec

from events.database import Transaction
from events.event import Event
from projections import kinds, time_kinds
from projections.clock import SECOND, microseconds
from projections.kinds import decode_details


async def note(transaction: Transaction, generation: int, event: Event, held: dict[str, int]) -> None:
    """Fold an event that lists of games learn from; `held`: the games with a delay, to which a new one is added."""
    game = event.header.game
    match decode_details(event.details or b"null"):
        case kinds.Created() as details:
            await _insert(transaction, generation, event, details)
            if details.spectator_delay_s:
                held[game] = details.spectator_delay_s * SECOND
        case time_kinds.Replaced() as details if game in held:
            await _sit_down(transaction, generation, event, details)
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


async def step(transaction: Transaction, generation: int, event: Event, delay_us: int) -> None:
    """Note a version that is of age later, and forget those before the newest that is of age by its time."""
    header, steps, at_us = event.header, f"lobby_step_{generation}", microseconds(event.header.at)
    rows = await transaction.read(f"select status from lobby_{generation} where game = ?", (header.game,))
    latest = await transaction.read(f"select max(shown_us) from {steps} where game = ?", (header.game,))
    shown_us = 0 if rows[0][0] == "open" else max(at_us + delay_us, latest[0][0] or 0)
    row = (header.game, header.version, header.at, rows[0][0], shown_us)
    await transaction.change(f"insert into {steps} values (?, ?, ?, ?, ?)", row)
    await transaction.change(
        f"""delete from {steps} where game = ? and version <
              (select max(t.version) from {steps} t where t.game = ? and t.shown_us <= ?)""",
        (header.game, header.game, at_us),
    )


async def _insert(transaction: Transaction, generation: int, event: Event, created: kinds.Created) -> None:
    header = event.header
    summary = {
        "options": created.options,
        "undo": created.undo,
        "spectators": created.spectators,
        "spectator_delay_s": created.spectator_delay_s,
        "sandbox": created.sandbox,
        "rules": header.rules,
    }
    await transaction.change(
        f"insert into lobby_{generation} values (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            header.game,
            created.ruleset,
            created.name,
            created.visibility,
            created.creator,
            created.seats,
            header.version,
            created.spectator_delay_s * SECOND,
            header.at,
            header.at,
            msgspec.json.encode(summary),
        ),
    )
    await transaction.change_many(
        f"insert into lobby_seat_{generation} values (?, ?, null, 0, 0)",
        [(header.game, n) for n in range(created.seats)],
    )


async def _sit(transaction: Transaction, generation: int, game: str, seat: int, player: str | None) -> None:
    await transaction.change(
        f"update lobby_seat_{generation} set player = ? where game = ? and seat = ? and until = 0", (player, game, seat)
    )
    await transaction.change(
        f"""update lobby_{generation} set open_seats =
              (select count(*) from lobby_seat_{generation} s where s.game = ? and s.player is null) where game = ?""",
        (game, game),
    )


async def _sit_down(transaction: Transaction, generation: int, event: Event, told: time_kinds.Replaced) -> None:
    """Somebody sits down for somebody else, where others may still be told of that one."""
    seats, header = f"lobby_seat_{generation}", event.header
    await transaction.change(
        f"update {seats} set until = ? where game = ? and seat = ? and until = 0",
        (header.version, header.game, told.seat),
    )
    row = (header.game, told.seat, told.player, header.version)
    await transaction.change(f"insert into {seats} values (?, ?, ?, ?, 0)", row)


async def _status(transaction: Transaction, generation: int, game: str, status: str) -> None:
    await transaction.change(f"update lobby_{generation} set status = ? where game = ?", (status, game))
