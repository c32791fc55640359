-- As log.fence of 0002, with the time as the epoch: the database that is left behind may be fenced, or restored, too, and
-- no two copies may be of one epoch, or whoever opened the one could write to the other.
create or replace function log.fence() returns bigint language sql as
  'update log.head set epoch = greatest(epoch + 1, (1e6 * extract(epoch from clock_timestamp()))::bigint) returning epoch';
