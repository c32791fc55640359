-- As log.fence of 0002, with the time and chance as the epoch: the database that is left behind may be fenced, or restored, too,
-- and no two copies may be of one epoch, or whoever opened the one could write to the other. Chance, since where the epoch is
-- ahead of the clock (a copy of a database that was fenced, on a machine whose clock is behind) the time would not tell them
-- apart. A call adds less than 17 minutes to the epoch.
create or replace function log.fence() returns bigint language sql as $$
  update log.head
  set epoch = greatest(epoch, (1e6 * extract(epoch from clock_timestamp()))::bigint) + 1 + floor(random() * 1e9)::bigint
  returning epoch
$$;
