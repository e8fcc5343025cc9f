SELECT CAST(date_trunc('year', o.o_orderdate) AS DATE),
  SUM(l.l_extendedprice * (1 - l.l_discount) - ps.ps_supplycost * l.l_quantity),
  CAST(SUM(CASE WHEN l.l_returnflag = 'R' THEN l.l_extendedprice * (1 - l.l_discount) END) AS DOUBLE)
    / NULLIF(CAST(SUM(l.l_extendedprice * (1 - l.l_discount)) AS DOUBLE), 0)
FROM tpch.lineitem l
LEFT JOIN tpch.orders o ON o.o_orderkey = l.l_orderkey
LEFT JOIN tpch.partsupp ps ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
WHERE p.p_name LIKE '%green%'
GROUP BY 1
