-- The median of doubles: of decimals DuckDB would give a decimal that is cut off.
SELECT c.c_mktsegment, median(CAST(o.o_totalprice AS DOUBLE)), MAX(o.o_totalprice), COUNT(o.o_orderkey)
FROM tpch.orders o
LEFT JOIN tpch.customer c ON c.c_custkey = o.o_custkey
GROUP BY c.c_mktsegment
