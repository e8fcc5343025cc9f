CREATE TABLE products (id INTEGER, city VARCHAR);
CREATE TABLE regions (id INTEGER, level INTEGER);
CREATE TABLE visits (id INTEGER, product_id INTEGER, region_id INTEGER);
CREATE TABLE returns (id INTEGER, product_id INTEGER);
INSERT INTO products VALUES (1, 'ab'), (2, 'abc'), (3, 'abcd');
INSERT INTO regions VALUES (10, 5);
INSERT INTO visits VALUES (1, 1, 10), (2, 3, 10);
INSERT INTO returns VALUES (1, 1), (2, 1), (3, 2), (4, 3);
