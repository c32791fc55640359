-- As log.fence of 0005, with chance besides: where the epoch is ahead of the clock (a copy of a database that was fenced, on a
-- machine whose clock is behind), two copies would count on from it alike. A call adds less than 17 minutes to the epoch.
create or replace function log.fence() returns bigint language sql as $$
  update log.head
  set epoch = greatest(epoch, (1e6 * extract(epoch from clock_timestamp()))::bigint) + 1 + floor(random() * 1e9)::bigint
  returning epoch
$$;
