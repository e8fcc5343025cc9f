WITH c AS (
  SELECT r.r_name, COUNT(c.c_custkey) AS customer_count, SUM(c.c_acctbal) AS account_balance
  FROM tpch.customer c
  LEFT JOIN tpch.nation n ON n.n_nationkey = c.c_nationkey
  LEFT JOIN tpch.region r ON r.r_regionkey = n.n_regionkey
  WHERE c.c_mktsegment IN ('BUILDING', 'MACHINERY')
  GROUP BY r.r_name
), o AS (
  SELECT r.r_name, COUNT(o.o_orderkey) AS order_count, SUM(o.o_totalprice) AS order_value
  FROM tpch.orders o
  LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
  LEFT JOIN tpch.nation n ON n.n_nationkey = c.c_nationkey
  LEFT JOIN tpch.region r ON r.r_regionkey = n.n_regionkey
  WHERE c.c_mktsegment IN ('BUILDING', 'MACHINERY')
  GROUP BY r.r_name
)
SELECT COALESCE(c.r_name, o.r_name), COALESCE(c.customer_count, 0), c.account_balance, COALESCE(o.order_count, 0), o.order_value
FROM c
FULL JOIN o ON c.r_name IS NOT DISTINCT FROM o.r_name
