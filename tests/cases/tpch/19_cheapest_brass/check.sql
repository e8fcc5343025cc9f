SELECT p.p_size, MIN(ps.ps_supplycost), SUM(ps.ps_availqty), SUM(ps.ps_supplycost * ps.ps_availqty)
FROM tpch.partsupp ps
LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
LEFT JOIN tpch.supplier s ON s.s_suppkey = ps.ps_suppkey
LEFT JOIN tpch.nation n ON n.n_nationkey = s.s_nationkey
WHERE p.p_type LIKE '%BRASS' AND n.n_name IN ('GERMANY', 'FRANCE')
GROUP BY p.p_size
ORDER BY p.p_size
