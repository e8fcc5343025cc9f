CREATE TABLE accounts (id INTEGER, balance INTEGER);
INSERT INTO accounts VALUES (1, 10), (2, 20), (3, 40);
CREATE TABLE owners (id INTEGER, town VARCHAR);
INSERT INTO owners VALUES (1, 'Bern'), (2, 'Rome');
CREATE TABLE holdings (account_id INTEGER, owner_id INTEGER, share INTEGER);
INSERT INTO holdings VALUES (1, 1, 50), (1, 9, 50), (2, 2, 5), (2, 9, 95), (3, 1, 5);
