SELECT CAST(date_trunc('month', l.l_shipdate) AS DATE),
  CAST(SUM(CASE WHEN p.p_type LIKE 'PROMO%' THEN l.l_extendedprice * (1 - l.l_discount) END) AS DOUBLE)
    / NULLIF(CAST(SUM(l.l_extendedprice * (1 - l.l_discount)) AS DOUBLE), 0),
  SUM(CASE WHEN p.p_type LIKE 'PROMO%' THEN l.l_extendedprice * (1 - l.l_discount) END)
FROM tpch.lineitem l
LEFT JOIN tpch.partsupp ps ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
WHERE l.l_shipdate >= DATE '1995-01-01' AND l.l_shipdate < DATE '1996-01-01'
GROUP BY 1
