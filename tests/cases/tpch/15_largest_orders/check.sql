SELECT o.o_orderkey, c.c_name, n.n_name, o.o_totalprice
FROM tpch.orders o
LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
LEFT JOIN tpch.nation n ON n.n_nationkey = c.c_nationkey
WHERE o.o_totalprice > 300000 AND c.c_mktsegment <> 'FURNITURE'
ORDER BY o.o_totalprice DESC, o.o_orderkey ASC
LIMIT 10
