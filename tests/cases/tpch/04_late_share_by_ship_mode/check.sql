-- The average is not selected and still filters.
SELECT l_shipmode,
  CAST(COUNT(CASE WHEN l_receiptdate > l_commitdate THEN 1 END) AS DOUBLE) / COUNT(l_linenumber) AS late_share,
  COUNT(l_linenumber)
FROM tpch.lineitem
GROUP BY l_shipmode
HAVING CAST(COUNT(CASE WHEN l_receiptdate > l_commitdate THEN 1 END) AS DOUBLE) / COUNT(l_linenumber) > 0.625
  AND CAST(SUM(l_quantity) AS DOUBLE) / COUNT(l_quantity) > 25
