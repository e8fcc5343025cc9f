-- A third of the customers never orders: the stitch keeps them with a count of 0, and only then comes the filter.
WITH c AS (
  SELECT c_custkey, SUM(c_acctbal) AS account_balance FROM tpch.customer GROUP BY c_custkey
), o AS (
  SELECT c.c_custkey, COUNT(o.o_orderkey) AS order_count, SUM(o.o_totalprice) AS order_value
  FROM tpch.orders o
  LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
  GROUP BY c.c_custkey
)
SELECT COALESCE(c.c_custkey, o.c_custkey) AS c_custkey, c.account_balance, COALESCE(o.order_count, 0), o.order_value
FROM c
FULL JOIN o ON c.c_custkey IS NOT DISTINCT FROM o.c_custkey
WHERE COALESCE(o.order_count, 0) = 0
ORDER BY c.account_balance DESC, c_custkey ASC
LIMIT 10
