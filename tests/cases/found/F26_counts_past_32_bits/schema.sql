CREATE TABLE texts (id INTEGER, word VARCHAR, n BIGINT);
INSERT INTO texts VALUES (1, 'ab-cd', 2), (2, 'ab-cd', 4294967298), (3, 'ab-cd', -4294967294), (4, 'ab-cd', 9223372036854775807), (5, 'ab-cd', NULL), (6, NULL, 2);
