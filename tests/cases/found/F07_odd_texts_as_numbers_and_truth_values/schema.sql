CREATE TABLE words (id INTEGER, number VARCHAR, truth VARCHAR);
INSERT INTO words VALUES (1, '-1.5e-3', 'TRUE'), (2, '12.5', 'false'), (3, ' 7', 't'), (4, 'inf', '1'), (5, '.5', 'yes'), (6, '1e400', NULL);
