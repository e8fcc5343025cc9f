-- Lines by the month of shipment beside orders by the month of order. In the last months lines are still shipped and nothing is ordered.
WITH l AS (
  SELECT CAST(date_trunc('month', l_shipdate) AS DATE) AS month, SUM(l_extendedprice * (1 - l_discount)) AS revenue,
    COUNT(l_linenumber) AS line_count
  FROM tpch.lineitem
  GROUP BY 1
), o AS (
  SELECT CAST(date_trunc('month', o_orderdate) AS DATE) AS month, SUM(o_totalprice) AS order_value, COUNT(o_orderkey) AS order_count
  FROM tpch.orders
  GROUP BY 1
)
SELECT COALESCE(l.month, o.month), l.revenue, COALESCE(l.line_count, 0), o.order_value, COALESCE(o.order_count, 0)
FROM l
FULL JOIN o ON l.month IS NOT DISTINCT FROM o.month
