SELECT DISTINCT p_mfgr, p_brand
FROM tpch.part
ORDER BY p_mfgr DESC, p_brand ASC
LIMIT 12
