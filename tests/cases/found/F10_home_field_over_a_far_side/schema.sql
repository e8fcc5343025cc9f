CREATE TABLE orders (id INTEGER, price INTEGER);
INSERT INTO orders VALUES (1, 30), (2, 7);
CREATE TABLE tags (id INTEGER, order_id INTEGER, tag VARCHAR);
INSERT INTO tags VALUES (1, 1, 'new'), (2, 1, 'new');
