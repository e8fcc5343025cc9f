CREATE TABLE orders (id INTEGER, region VARCHAR, amount DECIMAL(10,2));
INSERT INTO orders VALUES (1, 'a', 4.00), (2, 'a', 6.00), (3, 'b', 40.00), (4, 'c', 5.00);
