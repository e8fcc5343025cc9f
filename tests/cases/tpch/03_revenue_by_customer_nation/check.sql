SELECT n.n_name, SUM(l.l_extendedprice * (1 - l.l_discount)) AS revenue
FROM tpch.lineitem l
LEFT JOIN tpch.orders o ON o.o_orderkey = l.l_orderkey
LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
LEFT JOIN tpch.nation n ON n.n_nationkey = c.c_nationkey
WHERE o.o_orderdate >= DATE '1994-01-01' AND o.o_orderdate < DATE '1995-01-01'
GROUP BY n.n_name
ORDER BY revenue DESC, n.n_name ASC
LIMIT 5
