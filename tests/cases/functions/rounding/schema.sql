CREATE TABLE t (id INTEGER, i BIGINT, d DECIMAL(10,2), f DOUBLE);
INSERT INTO t VALUES
  (1, 125, 2.55, 1.5),
  (2, -125, -2.55, -1.5),
  (3, 0, 0.00, 0.0),
  (4, NULL, NULL, NULL),
  (5, 9, 0.50, 2.5);
