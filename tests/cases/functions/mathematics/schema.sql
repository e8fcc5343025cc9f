CREATE TABLE t (id INTEGER, f DOUBLE, i INTEGER);
INSERT INTO t VALUES
  (1, 1.0, 2),
  (2, 0.0, 0),
  (3, -1.0, -2),
  (4, 1000.0, 10),
  (5, NULL, NULL);
