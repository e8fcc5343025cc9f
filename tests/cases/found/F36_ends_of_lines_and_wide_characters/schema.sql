CREATE TABLE notes (id INTEGER, s VARCHAR);
INSERT INTO notes VALUES (1, 'a' || chr(10) || 'b'), (2, '1' || chr(10)), (3, 'a' || chr(13) || 'b'), (4, 'a😀b'), (5, ' x' || chr(160)), (6, NULL), (7, '12');
