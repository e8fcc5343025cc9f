-- Three homes without a dimension: one row each, crossed.
SELECT l.revenue, l.quantity, o.order_count, c.customer_count
FROM (SELECT SUM(l_extendedprice * (1 - l_discount)) AS revenue, SUM(l_quantity) AS quantity FROM tpch.lineitem) l
CROSS JOIN (SELECT COUNT(o_orderkey) AS order_count FROM tpch.orders) o
CROSS JOIN (SELECT COUNT(c_custkey) AS customer_count FROM tpch.customer) c
