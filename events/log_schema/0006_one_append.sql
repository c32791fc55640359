-- Since 0004 nodes name the digest that an append follows on. The function that does not ask for it was left for nodes of
-- the version before; as long as it is there, a mistaken node can break a chain.
drop function log.append(
  bigint, boolean, text[], bigint[], integer[], bytea[], text[], text[], bytea[], bytea[], text[], text[], bytea[],
  bytea[], bigint[], bigint[], bytea[]
);
