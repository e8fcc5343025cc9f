CREATE TABLE t (id INTEGER, s VARCHAR);
INSERT INTO t VALUES
  (1, 'Order 17 of 23'),
  (2, 'none'),
  (3, NULL),
  (4, '');
