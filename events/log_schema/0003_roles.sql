-- What a node may do. Its login is a member of turnlog_node; a role belongs to all databases of a server.
do $$
begin
  create role turnlog_node nologin;
exception when duplicate_object or unique_violation then
  null;  -- of another database of this server, perhaps made at this very moment
end $$;

revoke all on all functions in schema log from public;
grant usage on schema log, audit, shell, models to turnlog_node;
grant create on schema models to turnlog_node;  -- read models are made anew beside the old ones
grant select on all tables in schema log to turnlog_node;
grant execute on function log.append to turnlog_node;
grant delete on log.commands, log.erasable to turnlog_node;
grant insert, update, delete on log.snapshots to turnlog_node;
grant insert on log.quarantine to turnlog_node;
