CREATE TABLE channels (part INTEGER, line VARCHAR);
INSERT INTO channels VALUES (3, 'one'), (1, 'two'), (5, 'two');
