CREATE TABLE regions (id INTEGER, label VARCHAR);
CREATE TABLE returns (id INTEGER, weight DOUBLE, reason VARCHAR, region_id INTEGER);
INSERT INTO regions VALUES (1, 'north');
INSERT INTO returns VALUES (26, 0.5, 'broken', 20), (27, 1.5, 'late', 1), (28, NULL, 'late', 20), (29, 2.5, NULL, 1);
