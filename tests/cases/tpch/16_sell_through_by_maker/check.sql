-- A ratio over two facts: divided after both are summed up.
WITH sold AS (
  SELECT p.p_mfgr, SUM(l.l_extendedprice * (1 - l.l_discount)) AS revenue
  FROM tpch.lineitem l
  LEFT JOIN tpch.partsupp ps ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
  LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
  WHERE p.p_size <= 25
  GROUP BY p.p_mfgr
), offered AS (
  SELECT p.p_mfgr, SUM(ps.ps_supplycost * ps.ps_availqty) AS supply_value
  FROM tpch.partsupp ps
  LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
  WHERE p.p_size <= 25
  GROUP BY p.p_mfgr
)
SELECT COALESCE(sold.p_mfgr, offered.p_mfgr),
  CAST(sold.revenue AS DOUBLE) / NULLIF(CAST(offered.supply_value AS DOUBLE), 0), offered.supply_value
FROM sold
FULL JOIN offered ON sold.p_mfgr IS NOT DISTINCT FROM offered.p_mfgr
