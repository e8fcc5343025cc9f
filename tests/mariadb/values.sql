-- A row of edges and a row of NULLs for each type that an answer can have; the tests know both by hand.
CREATE DATABASE shapes CHARACTER SET utf8mb4;
CREATE TABLE shapes.every_type (
  nr INT PRIMARY KEY, truth TINYINT(1), untruth TINYINT(1), tiny TINYINT, small SMALLINT, whole INT, big BIGINT,
  money DECIMAL(18,4), wide DECIMAL(38,0), fine DECIMAL(38,38), single FLOAT, dbl DOUBLE, far DOUBLE,
  word VARCHAR(100), nothing VARCHAR(10), day DATE, at DATETIME, at6 DATETIME(6), clock TIME, clock6 TIME(6)
);
INSERT INTO shapes.every_type VALUES (
  1, TRUE, FALSE, -128, 32767, -2147483648, 9007199254740993,
  -1.1000, 99999999999999999999999999999999999999, 0.00000000000000000000000000000000000001, 0.1, 0.1, -1.5e300,
  'Zürich 😀 NULL \\ '' "', '', '0001-01-01', '1969-12-31 23:59:59', '2024-01-02 03:04:05.678901', '23:59:59', '00:00:00.000001'
);
INSERT INTO shapes.every_type (nr) VALUES (2);
