"""Statements written by hand: StarRocks accepts the good ones, and refuses the bad ones or reads them in another sense."""

import unittest

import parsers

GOOD = (
    "SELECT `o`.`status` AS `status`, SUM(CAST(`o`.`amount` AS DECIMAL(38, 2))) AS `revenue` FROM `shop`.`orders` AS `o` GROUP BY `o`.`status`",
    "SELECT 1 AS `one` FROM `a` FULL OUTER JOIN `b` ON `a`.`k` <=> `b`.`k`",
    "SELECT COUNT(DISTINCT `a`, `b`) AS `n` FROM `t`",
    "SELECT CAST(`a` AS DATETIME) AS `a`, CAST(`b` AS LARGEINT) AS `b`, CAST(`c` AS VARCHAR) AS `c` FROM `t`",
    "SELECT DATE '2024-01-31' AS `d` FROM `t` WHERE `s` LIKE 'a%' AND NOT (`s` LIKE '%b')",
    "SELECT `a` FROM `t` ORDER BY `a` ASC NULLS LAST, `b` DESC NULLS FIRST LIMIT 3 OFFSET 2",
    "SELECT PERCENTILE_CONT(`x`, 0.5) AS `m` FROM `t`",
    "SELECT SUBSTRING(`s`, 1, 2) AS `a`, LEFT(`s`, 3) AS `b`, TRIM(`s`) AS `c`, REPLACE(`s`, 'x', 'y') AS `d` FROM `t`",
    "SELECT SUM(`x`) OVER (PARTITION BY `k` ORDER BY `d` ASC NULLS LAST ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS `s` FROM `t`",
    "SELECT `x` FROM (SELECT `x`, ROW_NUMBER() OVER (PARTITION BY `k` ORDER BY `d` DESC NULLS FIRST) AS `rn` FROM `t`) AS `q` WHERE `rn` = 1",
    "SELECT SUM(CASE WHEN `c` THEN `x` END) AS `s` FROM `t`",
    "SELECT SUM(`x`) OVER () AS `s`, MAX(`x`) OVER (PARTITION BY COALESCE(`k`, 1)) AS `m` FROM `t`",
    "SELECT date_trunc('month', `d`) AS `m`, week_iso(`d`) AS `w`, dayofweek_iso(`d`) AS `i` FROM `t`",
    "SELECT CAST(date_add(`d`, INTERVAL 1 MONTH) AS DATE) AS `d` FROM `t`",
    "SELECT CASE WHEN CAST(`b` AS DOUBLE) = 0 THEN NULL ELSE CAST(`a` AS DOUBLE) / CAST(`b` AS DOUBLE) END AS `r` FROM `t`",
    "SELECT CONCAT(`a`, '-', `b`) AS `c`, CHAR_LENGTH(`a`) AS `n`, COALESCE(`a`, 'it''s \\\\ here') AS `x` FROM `t`",
    "WITH `q` AS (SELECT `k`, COUNT(*) AS `n` FROM `t` GROUP BY `k`) SELECT `k` FROM `q` WHERE `k` IN ('a', 'b') AND `n` BETWEEN 1 AND 3",
    "SELECT `k` FROM `t` WHERE EXISTS (SELECT 1 FROM `u` WHERE `u`.`k` = `t`.`k`) UNION ALL SELECT `k` FROM `v`",
    "SELECT MAX_BY(`x`, `d`) AS `x`, STDDEV_SAMP(`x`) AS `s`, VAR_POP(`x`) AS `v` FROM `t`",
    # Names that are keywords elsewhere are no constructs while they are quoted.
    "SELECT `filter`, `groups`, `timestamp`, `escape`, `qualify`, `median` FROM `t`",
    "SELECT 'TRY_CAST(x AS TIMESTAMP) || MEDIAN(y)' AS `text` FROM `t`",
    "SELECT EXTRACT(YEAR FROM `d`) AS `y` FROM `t`",
    "SELECT `a` IS NULL AS `n`, `b` IS NOT NULL AS `m` FROM `t`",
)

BAD = (
    ("SELECT TRY_CAST(`a` AS INT) AS `a` FROM `t`", "TRY_CAST"),
    ("SELECT `a` IS NOT DISTINCT FROM `b` AS `e` FROM `t`", "DISTINCT FROM"),
    ("SELECT `a` IS DISTINCT FROM `b` AS `e` FROM `t`", "DISTINCT FROM"),
    ("SELECT 1 AS `x` FROM `a` JOIN `b` ON (`a`.`k` IS NOT DISTINCT FROM `b`.`k`)", "DISTINCT FROM"),
    ("SELECT CAST(`a` AS TIMESTAMP) AS `a` FROM `t`", "DATETIME"),
    ("SELECT CAST(`a` AS TIMESTAMP(6)) AS `a` FROM `t`", "DATETIME"),
    ("SELECT TIMESTAMP '2024-01-01 00:00:00' AS `a` FROM `t`", "DATETIME"),
    ("SELECT `a` FROM `t` WHERE `a` ILIKE 'x%'", "ILIKE"),
    ("SELECT `a` FROM `t` WHERE `a` LIKE 'x!_' ESCAPE '!'", "ESCAPE"),
    ("SELECT MEDIAN(`x`) AS `m` FROM `t`", "PERCENTILE_CONT"),
    ("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY `x`) AS `m` FROM `t`", "WITHIN GROUP"),
    ("SELECT `a` FROM `t` ORDER BY `a` FETCH FIRST 3 ROWS ONLY", "LIMIT"),
    ("SELECT `a` FROM `t` ORDER BY `a` FETCH NEXT 3 ROWS ONLY", "LIMIT"),
    ("SELECT SUBSTRING(`s` FROM 1 FOR 2) AS `a` FROM `t`", "SUBSTRING"),
    ("SELECT TRIM(BOTH 'x' FROM `s`) AS `a` FROM `t`", "TRIM"),
    ("SELECT SUM(`x`) OVER (ORDER BY `y` GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS `s` FROM `t`", "GROUPS"),
    ("SELECT SUM(`x`) OVER (ORDER BY `y` GROUPS UNBOUNDED PRECEDING) AS `s` FROM `t`", "GROUPS"),
    ("SELECT SUM(`x`) OVER (PARTITION BY `k` ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS `s` FROM `t`", "needs an ORDER BY"),
    ("SELECT COUNT(*) OVER (PARTITION BY `k`, `l` ORDER BY 1) AS `s` FROM `t`", "ORDER BY takes no constant"),
    ("SELECT COUNT(*) OVER (PARTITION BY 1 ORDER BY `k`) AS `s` FROM `t`", "PARTITION BY takes no constant"),
    ("SELECT `a` FROM `t` QUALIFY SUM(`a`) OVER (PARTITION BY `k`) = 1", "QUALIFY"),
    ("SELECT SUM(`x`) FILTER (WHERE `c`) AS `s` FROM `t`", "FILTER"),
    ("SELECT STDDEV_SAMP(`x`) FILTER (WHERE `c`) AS `s` FROM `t`", "FILTER"),
    ("SELECT FROBNICATE(`x`) AS `s` FROM `t`", "FROBNICATE is not known"),
    ("SELECT DATE_PART('year', `d`) AS `y` FROM `t`", "DATE_PART"),
    ("SELECT `a` || `b` AS `c` FROM `t`", "CONCAT"),
    ('SELECT "a" AS `c` FROM `t`', "backticks"),
    ("SELECT DATE_TRUNC('MONTH', `d`) AS `m` FROM `t`", "small letters"),
    ("SELECT (`a` > 1) IS TRUE AS `c` FROM `t`", "IS TRUE"),
    ("SELECT (`a` > 1) IS NOT FALSE AS `c` FROM `t`", "IS FALSE"),
    # Not this deny-list's business: the parser itself stops at these.
    ("SELECT FROM WHERE", ""),
    ("SELECT `a` FROM `t` WHERE (`a` = 1", ""),
    ("SET CATALOG `lake`", "only kept as text"),
    ("", "no statement"),
)


class StarRocks(unittest.TestCase):
    """The `sqlglot_parse` operation for the dialect starrocks."""

    def parse(self, sql):
        return parsers.parse({"dialect": "starrocks", "sql": sql}, None)

    def test_accepts_what_starrocks_accepts(self):
        for sql in GOOD:
            with self.subTest(sql):
                self.assertEqual(self.parse(sql), {"statements": 1})

    def test_refuses_what_starrocks_refuses(self):
        for sql, words in BAD:
            with self.subTest(sql):
                with self.assertRaises(Exception) as raised:
                    self.parse(sql)
                self.assertIn(words, str(raised.exception))

    def test_names_every_violation_at_once(self):
        with self.assertRaises(ValueError) as raised:
            self.parse("SELECT TRY_CAST(`a` AS TIMESTAMP) || MEDIAN(`b`) AS `c` FROM `t`")
        self.assertEqual(len(str(raised.exception).split("; ")), 4)

    def test_leaves_other_dialects_alone(self):
        parsed = parsers.parse({"dialect": "duckdb", "sql": "SELECT TRY_CAST(a AS TIMESTAMP) || 'x' FROM t QUALIFY true"}, None)
        self.assertEqual(parsed, {"statements": 1})


class Transpile(unittest.TestCase):
    """The `sqlglot_transpile` operation."""

    def test_writes_starrocks_for_duckdb(self):
        out = parsers.transpile({"read": "starrocks", "write": "duckdb", "sql": "SELECT `a` <=> `b` AS `e` FROM `t`"}, None)
        self.assertEqual(out, {"sql": ['SELECT "a" IS NOT DISTINCT FROM "b" AS "e" FROM "t"']})

    def test_refuses_what_is_not_parsed(self):
        with self.assertRaises(Exception):
            parsers.transpile({"read": "starrocks", "write": "duckdb", "sql": "SET CATALOG lake"}, None)


if __name__ == "__main__":
    unittest.main()
