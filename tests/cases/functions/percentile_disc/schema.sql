CREATE TABLE t (id INTEGER, k VARCHAR, i INTEGER);
INSERT INTO t VALUES
  (1, 'a', 80),
  (2, 'a', 100),
  (3, 'b', 7),
  (4, 'c', NULL),
  (5, 'a', NULL);
