CREATE TABLE t (id INTEGER, k VARCHAR, i INTEGER, d DECIMAL(10,2));
INSERT INTO t VALUES
  (1, 'a', 1, 0.10),
  (2, 'a', 2, 0.20),
  (3, 'a', 4, 0.40),
  (4, 'b', 7, 1.00),
  (5, 'c', NULL, NULL),
  (6, 'a', NULL, NULL);
