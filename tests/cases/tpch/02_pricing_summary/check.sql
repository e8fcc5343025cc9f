SELECT l_returnflag, l_linestatus,
  SUM(l_quantity), SUM(l_extendedprice), SUM(l_extendedprice * (1 - l_discount)),
  SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
  CAST(SUM(l_quantity) AS DOUBLE) / COUNT(l_quantity),
  CAST(SUM(l_extendedprice) AS DOUBLE) / COUNT(l_extendedprice),
  CAST(SUM(l_discount) AS DOUBLE) / COUNT(l_discount),
  COUNT(l_linenumber)
FROM tpch.lineitem
WHERE l_shipdate <= DATE '1998-09-02'
GROUP BY l_returnflag, l_linestatus
ORDER BY l_returnflag, l_linestatus
