CREATE TABLE t (id INTEGER, s VARCHAR, n INTEGER);
INSERT INTO t VALUES
  (1, '  añb-c ', 2),
  (2, '', 0),
  (3, NULL, 2),
  (4, 'xXabcxx', NULL);
