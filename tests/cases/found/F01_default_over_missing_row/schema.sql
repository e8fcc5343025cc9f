CREATE TABLE customers (id INTEGER, region VARCHAR, ltv INTEGER);
INSERT INTO customers VALUES (1, 'EAST', 100), (2, 'EAST', 50), (3, 'WEST', NULL);
CREATE TABLE orders (id INTEGER, customer_id INTEGER, amount INTEGER);
INSERT INTO orders VALUES (10, 1, 5), (11, 3, 7), (12, 99, 30), (13, NULL, 40);
