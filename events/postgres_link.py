"""Connections to PostgreSQL: how each is set up, and which errors say that it was lost rather than that it answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import asyncpg
from msgspec import Struct

from events.database import CannotOpen

#: Schemas: the log; what nodes may add to and never change; the other rooms; where nodes make tables of their own.
LOG, AUDIT, SHELL, MODELS = "log", "audit", "shell", "models"

#: The role that every node has, whoever it logs in as: it can do no more than its grants say.
NODE = "turnlog_node"

#: The connection is gone or of no use: what was sent on it may have been carried out or not.
LOST = (
    OSError,  # TimeoutError too
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.CrashShutdownError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.ReadOnlySQLTransactionError,  # a standby: the one that writes is elsewhere
    asyncpg.TooManyConnectionsError,
)

#: It answered that it cannot do this now: a lock or the time did not suffice, or memory or disk. Nothing was changed.
BUSY = (
    asyncpg.QueryCanceledError,
    asyncpg.LockNotAvailableError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
)

#: The statement does not fit the tables. Not the whole class 42 of errors: rights are another matter.
UNFIT = (
    asyncpg.UndefinedTableError,
    asyncpg.UndefinedColumnError,
    asyncpg.DatatypeMismatchError,
    asyncpg.PostgresSyntaxError,  # an insert with more values than the table has columns
)

#: What may come of connecting.
FAULTS = (*LOST, asyncpg.PostgresError)

#: What to do about a URL that cannot be read.
ESCAPED = "Characters as / # ? @ and : in a password are written as %2F %23 %3F %40 and %3A."

_SETTINGS = {
    "application_name": "turnlog",
    # Statements need no schema names. Where nodes may make tables comes last: none of theirs hides one of the others.
    "search_path": f"{LOG}, {AUDIT}, {SHELL}, {MODELS}",
    "synchronous_commit": "on",
    "jit": "off",
    "role": NODE,
}


class PostgresLimits(Struct, frozen=True):
    """Bounds of one node's use of PostgreSQL: how many, and how long in seconds.

    connections_max: of the pool; the log's writer has one beside it. writers_max: transactions of the pool that write
    at the same time. write_tries_max: attempts of one such transaction when others get in its way. statement_s, lock_s:
    before PostgreSQL gives up. patience_s: for a server that is away, a connection or transaction of ours to get free,
    or a lock over all nodes that somebody holds, before callers hear of it. waiting_max: appends, writes, reads, and
    locks over all nodes, each, that wait. batch_max: appends in one transaction. locks_max: locks over all nodes that
    are held or asked for, each on a connection of its own.
    """

    connections_max: int = 10
    writers_max: int = 4
    write_tries_max: int = 20
    waiting_max: int = 10_000
    batch_max: int = 256
    locks_max: int = 8
    connect_s: float = 5.0
    statement_s: float = 5.0
    lock_s: float = 2.0
    patience_s: float = 10.0
    idle_s: float = 300.0

    @property
    def answer_s(self) -> float:
        """When PostgreSQL, which gives up before, must have answered if it can be reached."""
        return self.statement_s + self.lock_s


def settings_of(limits: PostgresLimits) -> dict[str, str]:
    """The settings of a connection, as PostgreSQL takes them when it is opened."""
    times = {"statement_timeout": limits.statement_s, "lock_timeout": limits.lock_s}
    times["idle_in_transaction_session_timeout"] = limits.statement_s
    return {**_SETTINGS, **{name: str(round(1000 * seconds)) for name, seconds in times.items()}}


async def connect(
    dsn: str, limits: PostgresLimits, more: Mapping[str, str] | None = None, *, hurry: bool = True
) -> Any:
    """A connection beside the pool, with `more` settings. hurry: an answer takes no long time.

    Raises what asyncpg raises.
    """
    return await asyncpg.connect(
        dsn,
        timeout=limits.connect_s,
        command_timeout=limits.answer_s if hurry else None,
        server_settings=settings_of(limits) | dict(more or {}),
    )


async def connect_as_owner(dsn: str) -> Any:
    """A connection of who owns the tables, with none of the bounds and rights of a node. Raises what asyncpg raises."""
    return await asyncpg.connect(dsn)


def why_not(error: BaseException) -> CannotOpen:
    """An error of the first connection, as a sentence that says what to do."""
    if isinstance(error, ValueError):  # whose text has a part of the address, perhaps of its password
        return CannotOpen(f"PostgreSQL cannot be reached: its address is no URL. {ESCAPED}")
    text = str(error) or type(error).__name__
    if isinstance(error, asyncpg.InvalidParameterValueError | asyncpg.UndefinedObjectError) and NODE in text:
        return CannotOpen("the database has no tables of turnlog yet: its owner runs `turnlog db migrate`")
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return CannotOpen(f"this user may not do that ({text}): nodes need the role {NODE}, migrations the owner's")
    return CannotOpen(f"PostgreSQL cannot be reached: {text}")


def is_lost(error: BaseException) -> bool:
    """Whether an error leaves open what became of the statement. A fault of its parameters does not."""
    return isinstance(error, LOST) and not isinstance(error, asyncpg.DataError)
