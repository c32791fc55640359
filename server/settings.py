"""Settings: every limit of the server in one struct, each with its unit in its name, overridable by TURNLOG_<NAME>."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole configuration. Durations in seconds, sizes in bytes, unless the name says otherwise."""

    # where
    database: str = "data/turnlog.db"
    host: str = "127.0.0.1"
    port: int = 8000
    cors_origins: tuple[str, ...] = ("*",)
    log_format: str = "json"

    # several nodes
    redis: str = ""
    redis_prefix: Annotated[str, Meta(pattern=r"^[!-~]{1,40}$")] = "turnlog"
    redis_timeout_s: Annotated[float, Meta(ge=0.01, le=10)] = 0.5
    redis_retry_s: Annotated[float, Meta(ge=0.01, le=60)] = 1.0
    redis_batch_max: Annotated[int, Meta(ge=1)] = 256
    redis_waiting_max: Annotated[int, Meta(ge=1)] = 10_000
    feed_poll_s: Annotated[float, Meta(ge=0.05, le=60)] = 1.0
    feed_away_poll_s: Annotated[float, Meta(ge=0.01, le=60)] = 0.25
    feed_waiting_max: Annotated[int, Meta(ge=1)] = 10_000
    feed_event_bytes_max: Annotated[int, Meta(ge=0)] = 4096
    feed_read_events: Annotated[int, Meta(ge=1, le=10_000)] = 500
    lease_s: Annotated[float, Meta(ge=1, le=3600)] = 15.0
    presence_s: Annotated[float, Meta(ge=1, le=3600)] = 20.0
    presence_games_max: Annotated[int, Meta(ge=1)] = 100
    ticket_s: Annotated[float, Meta(ge=1, le=300)] = 30.0

    # operation
    trusted_proxies: int = 0
    metrics_open: bool = False
    metrics_database_s: Annotated[float, Meta(ge=0.01, le=60)] = 2.0
    audit_share: float = 0.01
    audit_interval_s: float = 10.0
    audit_queue_max: int = 100
    audit_events_max: int = 20_000
    audit_timeout_s: float = 60.0

    # rates: so many a minute, and all of them at once by who was idle for that long; 0: no limit
    rate_reads_player_per_min: int = 12_000
    rate_reads_token_per_min: int = 12_000
    rate_reads_address_per_min: int = 60_000
    rate_writes_player_per_min: int = 6_000
    rate_writes_token_per_min: int = 6_000
    rate_writes_address_per_min: int = 30_000
    rate_talk_player_per_min: int = 120
    rate_talk_token_per_min: int = 120
    rate_talk_address_per_min: int = 1_200
    rate_sign_ups_address_per_min: int = 600
    rate_socket_messages_player_per_min: int = 12_000
    rate_socket_messages_token_per_min: int = 12_000
    rate_socket_messages_address_per_min: int = 60_000
    rate_socket_connects_player_per_min: int = 600
    rate_socket_connects_token_per_min: int = 600
    rate_socket_connects_address_per_min: int = 6_000
    rate_keys_max: int = 100_000

    # HTTP
    connections_max: int = 20_000
    head_bytes_max: int = 16 * 1024
    head_s: float = 10.0
    transfer_stall_s: float = 20.0
    body_bytes_max: int = 64 * 1024
    replay_bytes_max: int = 32 * 1024 * 1024
    pack_bytes_max: int = 4 * 1024 * 1024
    nesting_max: int = 32
    page_items: int = 50
    page_items_max: int = 200
    event_page_items: int = 200
    event_page_items_max: int = 1000
    actions_in_answer_max: int = 200
    missed_events_max: int = 200

    # WebSocket
    frame_bytes_max: int = 16 * 1024
    socket_queue_bytes_soft: int = 128 * 1024
    socket_queue_bytes_max: int = 1024 * 1024
    socket_stall_s: float = 10.0
    heartbeat_s: float = 20.0
    hello_s: float = 10.0
    subscriptions_max: int = 100
    socket_send_buffer_bytes: int = 128 * 1024
    socket_garbage_max: int = 10
    socket_frames_max: int = 1000
    socket_close_s: float = 2.0
    sockets_max: int = 10_000
    sockets_per_player_max: int = 50
    sockets_per_address_max: int = 2000
    socket_refusals_max: int = 100
    stream_batch_events: int = 100

    # games
    games_cached_max: int = 2000
    callers_cached_max: int = 10_000
    callers_cached_s: float = 5.0
    open_games_per_player_max: int = 1000
    places_behind_events_max: int = 10_000
    tokens_per_player_max: int = 1000
    invites_per_game_max: int = 100
    name_chars_max: int = 80
    words_chars_max: int = 500
    entropy_bytes_max: int = 64
    reason_chars_max: int = 500
    snapshot_events: int = 1000

    # time
    spectator_delay_max_s: int = 86_400
    request_answer_s: int = 86_400
    clock_sweep_s: float = 1.0
    clock_sweep_games_max: int = 100
    clock_retry_s: float = 30.0

    # PostgreSQL, a node
    database_connections_max: Annotated[int, Meta(ge=1)] = 10
    database_connect_s: float = 5.0
    database_statement_s: float = 5.0
    database_lock_s: float = 2.0
    database_patience_s: float = 10.0
    database_idle_s: float = 300.0
    database_writers_max: Annotated[int, Meta(ge=1)] = 4
    database_write_tries_max: Annotated[int, Meta(ge=1)] = 20
    database_locks_max: Annotated[int, Meta(ge=1)] = 8

    # log
    append_queue_max: int = 10_000
    append_batch_max: int = 256
    decided_again_max: int = 3
    idempotency_days: int = 7
    projection_batch_events: int = 500

    # signed heads
    heads_key: str = ""
    heads_origin: str = "turnlog"
    heads_directory: str = ""
    heads_check_events_max: Annotated[int, Meta(ge=0)] = 100_000
    heads_published_max: Annotated[int, Meta(ge=1)] = 1000
    head_interval_s: Annotated[float, Meta(ge=0, le=86_400)] = 10.0

    # running
    bot_queue_max: int = 10_000
    bot_retries_max: int = 3
    bot_sweep_s: float = 5.0
    search_iterations: int = 500
    search_iterations_max: int = 5000
    search_workers: int = 1
    search_waiting_max: int = 100
    search_timeout_s: float = 60.0
    stop_grace_s: float = 10.0


#: What the name of a variable ends with that names a file.
FROM_FILE = "_FILE"


class SettingsError(ValueError):
    """A setting that cannot be: one sentence naming the variable."""


def load_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings from defaults and TURNLOG_<NAME> variables (lists are comma-separated).

    TURNLOG_<NAME>_FILE names a file that holds the value instead, so that secrets need not stand in the environment.

    Raises:
        SettingsError: an unknown variable, a file that cannot be read, or a value of the wrong type.
    """
    known = {f"TURNLOG_{name.upper()}": name for name in Settings.__struct_fields__}
    given: dict[str, object] = {}
    for variable, told in environ.items():
        if not variable.startswith("TURNLOG_"):
            continue
        plain = variable.removesuffix(FROM_FILE)
        if plain not in known:
            near = get_close_matches(variable, known, n=1)
            hint = f"do you mean {near[0]}?" if near else "server/settings.py has them all."
            raise SettingsError(f"{variable} is no setting; {hint}")
        if plain != variable and plain in environ:
            raise SettingsError(f"{variable} and {plain} are both set: leave out one.")
        value = told if plain == variable else _read(variable, told)
        given[known[plain]] = value.split(",") if known[plain] == "cors_origins" else value
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        reason, _, field = str(error).partition(" - at `$.")
        variable = f"TURNLOG_{field.split('[')[0].rstrip('`').upper()}"
        raise SettingsError(f"{variable}: {reason[:1].lower()}{reason[1:]}.") from error


def _read(variable: str, path: str) -> str:
    try:
        return Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{variable}: {path} cannot be read.") from error


def is_postgres(database: str) -> bool:
    """Whether this names a PostgreSQL database, and no file."""
    return database.startswith(("postgresql://", "postgres://"))


def shown(database: str) -> str:
    """The name of a database for people and logs: without the password."""
    if not is_postgres(database):
        return database
    scheme, _, rest = database.partition("://")
    place = _AUTHORITY.match(rest)
    authority, path = (place["authority"], place["path"]) if place else ("", "")
    if ("@" in rest and "@" not in authority) or "password" in path:
        return f"{scheme}://…"  # what is before the @ and what behind it, nobody knows: no part of a password is shown
    user, at, host = authority.rpartition("@")
    return f"{scheme}://{user.split(':')[0]}{at}{host}{path}"


_AUTHORITY = re.compile(r"(?P<authority>[^/?#]*)(?P<path>.*)")
