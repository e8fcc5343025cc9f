CREATE TABLE sales (id INTEGER, region VARCHAR, amount INTEGER);
INSERT INTO sales VALUES (1, 'a', 4), (2, 'a', 6), (3, 'b', 20), (4, 'c', 30), (5, 'e', 25);
