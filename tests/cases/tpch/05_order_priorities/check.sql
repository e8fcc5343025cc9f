WITH o AS (
  SELECT o_orderpriority, COUNT(o_orderkey) AS order_count, SUM(o_totalprice) AS order_value, MAX(o_totalprice) AS largest_order,
    CAST(SUM(o_totalprice) AS DOUBLE) / COUNT(o_totalprice) AS average_order
  FROM tpch.orders
  WHERE o_orderstatus = 'F'
  GROUP BY o_orderpriority
), l AS (
  SELECT o.o_orderpriority, COUNT(l.l_linenumber) AS line_count
  FROM tpch.lineitem l
  LEFT JOIN tpch.orders o ON o.o_orderkey = l.l_orderkey
  WHERE o.o_orderstatus = 'F'
  GROUP BY o.o_orderpriority
)
SELECT COALESCE(o.o_orderpriority, l.o_orderpriority), COALESCE(o.order_count, 0), o.order_value, o.largest_order, o.average_order,
  CAST(COALESCE(l.line_count, 0) AS DOUBLE) / NULLIF(CAST(COALESCE(o.order_count, 0) AS DOUBLE), 0)
FROM o
FULL JOIN l ON o.o_orderpriority IS NOT DISTINCT FROM l.o_orderpriority
