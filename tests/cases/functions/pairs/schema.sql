CREATE TABLE t (id INTEGER, k VARCHAR, x INTEGER, y DECIMAL(10,2));
INSERT INTO t VALUES
  (1, 'a', 1, 2.00),
  (2, 'a', 2, 4.00),
  (3, 'a', 3, 9.00),
  (4, 'b', 7, 1.00),
  (5, 'a', NULL, 5.00);
