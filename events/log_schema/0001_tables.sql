-- The log and what belongs to its transactions. Nodes read these tables; they write events, games, commands and secrets
-- by log.append alone (0002), whatever else they may change is granted one by one (0003).
-- Text is compared byte by byte, as SQLite does it, so that both give every list in the same order.

-- One row. Its lock is what puts all appends of all nodes into one order, and makes their positions dense.
create table log.head(
  one boolean primary key default true check (one),
  position bigint not null default 0 check (position >= 0),
  epoch bigint not null default 1  -- raised when a copy of the database takes over: whoever opened the old one is refused
) with (fillfactor = 10);          -- room for its next versions on the same page
insert into log.head default values;

create table log.events(
  position bigint not null unique,
  game text collate "C" not null,
  version bigint not null check (version > 0),
  kind text collate "C" not null,
  data bytea not null,  -- the exact bytes that were hashed
  digest bytea not null check (length(digest) = 32),
  primary key (game, version)
);

create table log.games(
  game text collate "C" primary key,
  version bigint not null check (version > 0),
  digest bytea not null,
  position bigint not null
) with (fillfactor = 70);

create table log.commands(
  scope text collate "C" not null,
  key text collate "C" not null,
  request bytea not null,
  response bytea not null,
  at text collate "C" not null,
  primary key (scope, key)
);
create index commands_at on log.commands(at);

create table log.secrets(game text collate "C" primary key, secret bytea not null);

create table log.snapshots(
  game text collate "C" primary key,
  version bigint not null,
  format text collate "C" not null,
  state bytea not null,
  digest bytea not null
);

-- Erased words leave the table's pages with the next vacuum, which is therefore due after every erasure.
create table log.erasable(
  game text collate "C",
  version bigint,
  words bytea not null,
  primary key (game, version)
) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);

create table log.quarantine(
  consumer text collate "C",
  position bigint,
  error text not null,
  primary key (consumer, position)
);

create function log.forbid() returns trigger language plpgsql as $$
begin
  raise exception '% are append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger events_are_append_only before update or delete or truncate on log.events
  for each statement execute function log.forbid();
create trigger secrets_are_append_only before update or delete or truncate on log.secrets
  for each statement execute function log.forbid();
