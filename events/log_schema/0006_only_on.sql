-- A second belt behind log.append, for whatever else may move them: the head and the version of a game only ever
-- grow, and none goes. log.fence changes the epoch alone.
create function log.forbid_going_back() returns trigger language plpgsql as $$
begin
  raise exception 'log.% only ever moves on', tg_table_name using errcode = 'restrict_violation';
end $$;
revoke all on function log.forbid_going_back() from public;

create trigger head_only_moves_on before update on log.head
  for each row when (new.position < old.position) execute function log.forbid_going_back();
create trigger head_stays before delete or truncate on log.head
  for each statement execute function log.forbid_going_back();
create trigger games_only_move_on before update on log.games
  for each row when (new.version < old.version) execute function log.forbid_going_back();
create trigger games_stay before delete or truncate on log.games
  for each statement execute function log.forbid_going_back();
