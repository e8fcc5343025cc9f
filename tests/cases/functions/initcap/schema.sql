CREATE TABLE t (id INTEGER, s VARCHAR);
INSERT INTO t VALUES
  (1, 'two words'),
  (2, 'ABC dEF'),
  (3, NULL);
