CREATE TABLE t (id INTEGER, k VARCHAR, s VARCHAR, o INTEGER);
INSERT INTO t VALUES
  (1, 'a', 'x', 2),
  (2, 'a', 'y', 1),
  (3, 'a', NULL, 3),
  (4, 'b', NULL, 1);
