CREATE TABLE t (id INTEGER, k VARCHAR, a INTEGER, b VARCHAR);
INSERT INTO t VALUES
  (1, 'a', 1, 'x'),
  (2, 'a', 1, 'x'),
  (3, 'a', 1, 'y'),
  (4, 'a', NULL, 'x'),
  (5, 'a', 1, NULL),
  (6, 'b', NULL, NULL);
