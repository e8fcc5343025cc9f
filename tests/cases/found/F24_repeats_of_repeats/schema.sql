CREATE TABLE texts (id INTEGER, words VARCHAR);
INSERT INTO texts VALUES (1, 'aaa');
