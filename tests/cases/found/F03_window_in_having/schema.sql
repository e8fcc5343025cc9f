CREATE TABLE sales (id INTEGER, region VARCHAR, amount INTEGER);
INSERT INTO sales VALUES (1, 'a', 30), (2, 'b', 10), (3, 'b', 5), (4, 'c', 3);
