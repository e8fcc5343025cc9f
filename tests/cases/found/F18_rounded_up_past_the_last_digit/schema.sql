CREATE TABLE prices (id INTEGER, price DECIMAL(4,2));
INSERT INTO prices VALUES (1, 99.99), (2, -99.99), (3, 1.00), (4, NULL);
