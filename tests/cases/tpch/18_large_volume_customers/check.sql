SELECT c.c_name, o.o_orderkey, o.o_orderdate, SUM(l.l_quantity) AS quantity
FROM tpch.lineitem l
LEFT JOIN tpch.orders o ON o.o_orderkey = l.l_orderkey
LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
GROUP BY c.c_name, o.o_orderkey, o.o_orderdate
HAVING SUM(l.l_quantity) > 250
ORDER BY quantity DESC, o.o_orderkey ASC
LIMIT 20
