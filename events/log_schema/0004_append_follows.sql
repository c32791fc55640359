-- log.append of 0002 anew. It has one more array: the digest that each append follows on (null: not looked at). An append
-- to the right version of another past is a conflict, so that no chain of digests can be broken by a node that is
-- mistaken. And it checks what 0002 says of its arguments, since whoever may call it need not be a node's program.
drop function log.append(
  bigint, boolean, text[], bigint[], integer[], bytea[], text[], text[], bytea[], bytea[], text[], text[], bytea[],
  bytea[], bigint[], bigint[], bytea[]
);

create function log.append(
  since_epoch bigint, once_more boolean,
  games text[], expected bigint[], counts integer[], secrets bytea[],
  scopes text[], keys text[], requests bytea[], responses bytea[], ats text[],
  kinds text[], data bytea[], digests bytea[],
  word_of bigint[], word_version bigint[], words bytea[], follows bytea[]
) returns table (
  number bigint, outcome text, "position" bigint, version bigint, response bytea, at text
) language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  base bigint;
  epoch_now bigint;
begin
  -- Before anything is looked up, and before the lock. A count below one, or an array that begins elsewhere than at 1,
  -- would write other versions and positions than the events have, and move a game and the head back. The dimensions of
  -- an array say its bounds and its length in one.
  if array[
      array_dims(games), array_dims(expected), array_dims(counts), array_dims(secrets), array_dims(scopes),
      array_dims(keys), array_dims(requests), array_dims(responses), array_dims(ats), array_dims(follows)
    ] is distinct from array_fill(format('[1:%s]', cardinality(games)), array[10])
    or array[array_dims(kinds), array_dims(data), array_dims(digests)] is distinct from array_fill(
      format('[1:%s]', (select case when bool_and((c >= 1) is true) then sum(c) end from unnest(counts) c)), array[3]
    )
    or array[array_dims(word_of), array_dims(word_version), array_dims(words)] is distinct from array_fill(
      nullif(format('[1:%s]', cardinality(word_of)), '[1:0]'), array[3]
    )
    or exists (
      select from unnest(word_of, word_version) w(of, version)
      where (w.version > expected[w.of] and w.version <= expected[w.of] + counts[w.of]) is not true
    )
  then
    raise exception 'the arrays of these appends do not fit each other' using errcode = 'invalid_parameter_value';
  end if;
  -- The lock, in a statement of its own: the next statement has a snapshot that was taken when the lock was held, and
  -- so sees every append before this one. In one statement it would judge by what was there before the wait.
  select h.position, h.epoch into base, epoch_now from log.head h for update;
  if epoch_now <> since_epoch then
    raise exception 'this log is of epoch %, not %', epoch_now, since_epoch using errcode = 'object_not_in_prerequisite_state';
  end if;
  return query
  with asked as (
    select a.*, (sum(a.count) over (order by a.number) - a.count)::integer as skip
    from unnest(games, expected, counts, secrets, scopes, keys, requests, responses, ats, follows) with ordinality
      as a(game, expected, count, secret, scope, key, request, response, at, follows, number)
  ), judged as (
    select a.*, g.version as stands_at, w.position as written_at, c.response as known_response, c.at as known_at,
      case
        when w.position is not null then 'written'
        when c.request = a.request then 'duplicate'
        when c.key is not null then 'key_reused'
        when coalesce(g.version, 0) <> a.expected or g.digest <> a.follows then 'conflict'
        else 'appended'
      end as verdict
    from asked a
    left join log.commands c on c.scope = a.scope and c.key = a.key
    left join log.games g on g.game = a.game
    left join log.events w on once_more and w.game = a.game and w.version = a.expected + a.count
      and w.digest = digests[a.skip + a.count]
  ), good as (
    select j.*, (base + sum(j.count) over (order by j.number))::bigint as last_position
    from judged j where j.verdict = 'appended'
  ), add_events as (
    insert into log.events(position, game, version, kind, data, digest)
    select o.last_position - o.count + n, o.game, o.expected + n, kinds[o.skip + n], append.data[o.skip + n],
      digests[o.skip + n]
    from good o cross join lateral generate_series(1, o.count) n
  ), move_games as (
    insert into log.games as g (game, version, digest, position)
    select o.game, o.expected + o.count, digests[o.skip + o.count], o.last_position from good o
    on conflict (game) do update
    set version = excluded.version, digest = excluded.digest, position = excluded.position
  ), keep_commands as (
    insert into log.commands(scope, key, request, response, at)
    select o.scope, o.key, o.request, o.response, o.at from good o where o.key is not null
  ), keep_secrets as (
    insert into log.secrets(game, secret) select o.game, o.secret from good o where o.secret is not null
  ), keep_words as (
    insert into log.erasable(game, version, words)
    select o.game, w.version, w.words
    from unnest(word_of, word_version, append.words) w(of, version, words) join good o on o.number = w.of
  ), move_head as (
    update log.head h set position = (select max(o.last_position) from good o) where exists (select from good)
  )
  select j.number, j.verdict, coalesce(j.written_at, o.last_position),
    case when j.verdict in ('appended', 'written') then j.expected + j.count else coalesce(j.stands_at, 0) end,
    case when j.verdict = 'duplicate' then j.known_response end,
    case when j.verdict = 'duplicate' then j.known_at end
  from judged j left join good o on o.number = j.number
  order by j.number;
end $$;

grant execute on function log.append(
  bigint, boolean, text[], bigint[], integer[], bytea[], text[], text[], bytea[], bytea[], text[], text[], bytea[],
  bytea[], bigint[], bigint[], bytea[], bytea[]
) to turnlog_node;
revoke all on function log.append(
  bigint, boolean, text[], bigint[], integer[], bytea[], text[], text[], bytea[], bytea[], text[], text[], bytea[],
  bytea[], bigint[], bigint[], bytea[], bytea[]
) from public;
