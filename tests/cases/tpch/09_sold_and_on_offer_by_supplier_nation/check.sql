-- Two facts: joined row by row each offer would count once for each sold line.
WITH sold AS (
  SELECT n.n_name, SUM(l.l_extendedprice * (1 - l.l_discount)) AS revenue
  FROM tpch.lineitem l
  LEFT JOIN tpch.partsupp ps ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
  LEFT JOIN tpch.supplier s ON s.s_suppkey = ps.ps_suppkey
  LEFT JOIN tpch.nation n ON n.n_nationkey = s.s_nationkey
  GROUP BY n.n_name
), offered AS (
  SELECT n.n_name, SUM(ps.ps_supplycost * ps.ps_availqty) AS supply_value, SUM(ps.ps_availqty) AS stock
  FROM tpch.partsupp ps
  LEFT JOIN tpch.supplier s ON s.s_suppkey = ps.ps_suppkey
  LEFT JOIN tpch.nation n ON n.n_nationkey = s.s_nationkey
  GROUP BY n.n_name
)
SELECT COALESCE(sold.n_name, offered.n_name) AS n_name, sold.revenue, offered.supply_value, offered.stock
FROM sold
FULL JOIN offered ON sold.n_name IS NOT DISTINCT FROM offered.n_name
ORDER BY offered.supply_value DESC NULLS FIRST, n_name ASC NULLS LAST
