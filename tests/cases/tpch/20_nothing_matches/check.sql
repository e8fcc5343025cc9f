-- One row all the same: counts are 0, everything else is NULL, the division by 0 too.
SELECT COUNT(l_linenumber), COUNT(DISTINCT l_partkey), SUM(l_extendedprice * (1 - l_discount)),
  CAST(SUM(l_quantity) AS DOUBLE) / NULLIF(COUNT(l_quantity), 0),
  CAST(COUNT(CASE WHEN l_receiptdate > l_commitdate THEN 1 END) AS DOUBLE) / NULLIF(COUNT(l_linenumber), 0),
  MIN(l_shipdate)
FROM tpch.lineitem
WHERE l_shipdate < DATE '1990-01-01'
