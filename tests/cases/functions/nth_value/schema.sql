CREATE TABLE t (id INTEGER, k VARCHAR, o INTEGER, v INTEGER);
INSERT INTO t VALUES
  (1, 'a', 1, 10),
  (2, 'a', 2, NULL),
  (3, 'a', 2, 30),
  (4, 'a', 3, 5),
  (5, 'b', 1, NULL),
  (6, 'b', NULL, 2);
