CREATE TABLE steps (id INTEGER, name VARCHAR, size INTEGER, other INTEGER);
INSERT INTO steps VALUES (1, 'a', 10, 100), (2, 'a', NULL, 200), (3, 'a', 30, 300), (4, 'b', 40, NULL);
