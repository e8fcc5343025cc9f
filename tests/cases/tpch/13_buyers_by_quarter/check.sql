-- Quarters in which more than a fifth of the orders were urgent; that count is not selected.
SELECT CAST(date_trunc('quarter', o_orderdate) AS DATE), COUNT(DISTINCT o_custkey), COUNT(o_orderkey)
FROM tpch.orders
GROUP BY 1
HAVING COUNT(CASE WHEN o_orderpriority = '1-URGENT' THEN o_orderkey END) * 5 > COUNT(o_orderkey)
