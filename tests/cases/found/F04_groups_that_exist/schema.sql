CREATE TABLE customers (id INTEGER, region VARCHAR);
INSERT INTO customers VALUES (1, 'EAST'), (2, 'WEST'), (3, 'NORTH');
CREATE TABLE orders (id INTEGER, customer_id INTEGER, amount INTEGER);
INSERT INTO orders VALUES (10, 1, 5), (11, 1, 6), (12, 2, 7), (13, 99, 1);
