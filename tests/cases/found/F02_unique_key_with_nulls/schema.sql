CREATE TABLE homes (code VARCHAR, v INTEGER);
INSERT INTO homes VALUES ('a', 1), (NULL, 5), (NULL, 5), (NULL, 7);
CREATE TABLE facts (id INTEGER, code VARCHAR, s VARCHAR);
INSERT INTO facts VALUES (1, 'a', 'x');
