SELECT p.p_brand, SUM(l.l_quantity) AS quantity, COUNT(DISTINCT l.l_partkey)
FROM tpch.lineitem l
LEFT JOIN tpch.partsupp ps ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
LEFT JOIN tpch.part p ON p.p_partkey = ps.ps_partkey
GROUP BY p.p_brand
ORDER BY quantity DESC, p.p_brand ASC
LIMIT 10
