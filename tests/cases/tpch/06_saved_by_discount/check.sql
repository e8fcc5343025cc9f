SELECT SUM(l_extendedprice * l_discount)
FROM tpch.lineitem
WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
  AND l_discount >= CAST('0.05' AS DECIMAL(3, 2)) AND l_discount <= CAST('0.07' AS DECIMAL(3, 2))
  AND l_quantity < 24
