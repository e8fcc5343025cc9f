CREATE TABLE t (id INTEGER, k VARCHAR, i INTEGER, d DECIMAL(10,2), f DOUBLE, s VARCHAR, yes BOOLEAN, o INTEGER);
INSERT INTO t VALUES
  (1, 'a', 2147483647, 0.10, 1.5, 'x', TRUE, 3),
  (2, 'a', 2147483647, 0.20, 2.5, 'y', FALSE, 1),
  (3, 'a', 1, 0.20, NULL, 'x', NULL, 2),
  (4, 'b', NULL, NULL, NULL, NULL, NULL, NULL),
  (5, NULL, 5, 1.00, 4.0, 'z', TRUE, 1),
  (6, NULL, 4, 2.00, 4.0, 'w', TRUE, 1);
