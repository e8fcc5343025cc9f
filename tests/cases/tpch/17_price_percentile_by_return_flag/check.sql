SELECT l_returnflag, quantile_cont(CAST(l_extendedprice AS DOUBLE), 0.9), COUNT(l_linenumber), MIN(l_shipdate)
FROM tpch.lineitem
GROUP BY l_returnflag
