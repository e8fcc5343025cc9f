"""Each correction of the oracle, by what StarRocks' documents say of one value."""

import re
import unittest

import starrocks_oracle

TABLES = [
    "CREATE SCHEMA shop; CREATE TABLE shop.t (i INTEGER, b BIGINT, m DECIMAL(10,2), x DOUBLE, s VARCHAR, d DATE, ts TIMESTAMP, c BOOLEAN)",
    "INSERT INTO shop.t VALUES (7, 9223372036854775807, 1.50, 1.9, 'añb', DATE '2024-03-31', TIMESTAMP '2024-03-27 10:00:00', TRUE)",
]

# An expression over the row above, and its value.
VALUES = (
    # Whole numbers divide as DOUBLE, by zero to NULL; so does every remainder.
    ("`i` / 2", 3.5), ("`i` / 0", None), ("`i` % 0", None), ("`i` DIV 0", None), ("-`i` DIV 2", -3), ("-`i` % 3", -1),
    # No check of BIGINT; smaller ones are widened.
    ("`b` + 1", "-9223372036854775808"), ("`b` * 2", -2), ("CAST(`b` AS LARGEINT) + CAST(1 AS LARGEINT)", "9223372036854775808"),
    ("2147483647 + `i`", 2147483654),
    # A product of decimals has the digits of both sides.
    ("CAST(99999999.99 AS DECIMAL(10, 2)) * CAST(99999999.99 AS DECIMAL(10, 2))", "9999999998000000.0001"),
    # A sum and a product on the left keep all digits behind the point.
    ("(CAST('1' AS DECIMAL(1, 0)) - CAST(0.05 AS DECIMAL(15, 2))) * CAST(3.50 AS DECIMAL(15, 2))", "3.3250"),
    ("CAST(3.50 AS DECIMAL(15, 2)) * (CAST('1' AS DECIMAL(1, 0)) - CAST(0.05 AS DECIMAL(15, 2))) * CAST(1.05 AS DECIMAL(15, 2))", "3.491250"),
    # Bytes, characters, positions.
    ("LENGTH(`s`)", 4), ("CHAR_LENGTH(`s`)", 3), ("SUBSTRING(`s`, 0, 2)", ""), ("SUBSTRING(`s`, 2)", "ñb"), ("SUBSTRING(`s`, 2, 1)", "ñ"),
    ("SPLIT_PART(`s`, 'ñ', 2)", "b"), ("SPLIT_PART(`s`, 'ñ', 3)", None), ("LOCATE('b', `s`)", 3),
    ("CONCAT(`s`, NULL)", None), ("GREATEST(`i`, NULL)", None),
    ("REGEXP_REPLACE('aXbX', 'X', '-')", "a-b-"), ("REGEXP('abc', 'b')", True),
    # A cast that fails is NULL, one of a number cuts, one of a DOUBLE past the range is the least number.
    ("CAST('abc' AS INT)", None), ("CAST(`x` AS INT)", 1), ("CAST(`m` AS INT)", 1), ("CAST(1e30 AS BIGINT)", "-9223372036854775808"),
    ("CAST(`b` AS INT)", None), ("CAST('2024-02-30' AS DATE)", None), ("CAST(`c` AS STRING)", "1"),
    # 9 digits are kept in 32 bits, where ten may fit.
    ("CAST(2147483647 AS DECIMAL(9, 0))", "2147483647"), ("CAST(`x` AS DECIMAL(10, 0))", "2"),
    # Days and weeks.
    ("WEEK_ISO(`ts`)", 13), ("DAYOFWEEK(`d`)", 1), ("CAST(DATE_TRUNC('week', `d`) AS DATE)", "2024-03-25"),
    ("CAST(DATE_ADD(`d`, INTERVAL -1 MONTH) AS DATE)", "2024-02-29"), ("DATE_ADD(`d`, INTERVAL 1 DAY)", "2024-04-01 00:00:00"),
    ("DATEDIFF(`d`, `ts`)", 4),
    # Aggregates.
    ("STDDEV(`x`)", 0.0), ("STDDEV_SAMP(`x`)", 0.0), ("VAR_SAMP(`x`)", 0.0), ("SUM(`b`)", "9223372036854775807"),
    ("SUM(CAST(`b` AS LARGEINT))", "9223372036854775807"), ("PERCENTILE_CONT(`x`, 0.5)", 1.9), ("COUNT(DISTINCT `i`, `s`)", 1),
    ("assert_true(`i` = 7)", True), ("`i` <=> NULL", False),
)

UNPROVED = (
    "`m` / `m`", "`m` DIV 2", "AVG(`m`)", "WEEK(`d`)", "EXTRACT(WEEK FROM `d`)", "PERCENTILE_DISC(`x`, 0.5)", "TIMESTAMPDIFF(MONTH, `d`, `ts`)",
    "CAST(`x` AS STRING)", "CAST(`ts` AS STRING)", "`s` = 1",
)


def of_the_row(expression):
    """Columns with their table, as the emitter writes them."""
    return re.sub("`([a-z]+)`", r"`t`.`\1`", expression)


class Oracle(unittest.TestCase):
    """The operation `starrocks`."""

    def ask(self, sql, *setup):
        return starrocks_oracle.run({"setup": [*TABLES, *setup], "sql": sql}, Never())

    def test_values_are_those_of_starrocks(self):
        for expression, value in VALUES:
            with self.subTest(expression):
                answer = self.ask(f"SELECT {of_the_row(expression)} AS `v` FROM `shop`.`t` AS `t`")
                self.assertEqual(answer["rows"], [[value]], answer["sql"])

    def test_what_cannot_be_shown_is_said(self):
        for expression in UNPROVED:
            with self.subTest(expression):
                with self.assertRaisesRegex(ValueError, "^unproved: "):
                    self.ask(f"SELECT {of_the_row(expression)} AS `v` FROM `shop`.`t` AS `t`")
        with self.assertRaisesRegex(ValueError, "^unproved: .*NaN"):
            self.ask("SELECT 1 AS `v` FROM `shop`.`t` AS `t`", "INSERT INTO shop.t (x) VALUES ('NaN'::DOUBLE)")

    def test_sums_wrap(self):
        answer = self.ask("SELECT SUM(`t`.`b`) AS `v`, SUM(CAST(`t`.`b` AS LARGEINT)) AS `w` FROM `shop`.`t` AS `t`", "INSERT INTO shop.t (b) VALUES (1)")
        self.assertEqual(answer["rows"], [["-9223372036854775808", "9223372036854775808"]])

    def test_a_window_keeps_its_frame(self):
        answer = self.ask(
            "SELECT SUM(`t`.`b`) OVER (ORDER BY `t`.`i` ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS `v`,"
            " STDDEV_SAMP(`t`.`x`) OVER (PARTITION BY `t`.`i` + 1) AS `s` FROM `shop`.`t` AS `t`",
            "INSERT INTO shop.t (i, b) VALUES (8, 1)")
        self.assertCountEqual(answer["rows"], [["9223372036854775807", 0.0], ["-9223372036854775808", None]])

    def test_nulls_come_where_starrocks_has_them(self):
        setup = "INSERT INTO shop.t (i) VALUES (NULL)"
        for direction, first in (("ASC", None), ("DESC", 7), ("ASC NULLS LAST", 7), ("DESC NULLS FIRST", None)):
            with self.subTest(direction):
                answer = self.ask(f"SELECT `t`.`i` AS `i` FROM `shop`.`t` AS `t` ORDER BY `t`.`i` {direction} LIMIT 1", setup)
                self.assertEqual(answer["rows"], [[first]])

    def test_an_instant_is_the_clock_of_utc(self):
        answer = self.ask("SELECT HOUR(`u`.`moment`) AS `h` FROM `shop`.`u` AS `u`",
                          "CREATE TABLE shop.u (moment TIMESTAMP WITH TIME ZONE); INSERT INTO shop.u VALUES ('2024-06-30 23:30:00-02')",
                          "SET TimeZone = 'America/New_York'")
        self.assertEqual(answer["rows"], [[1]])

    def test_an_assertion_that_does_not_hold_is_an_error(self):
        for condition in ("`t`.`i` = 8", "`t`.`i` = NULL"):
            with self.subTest(condition):
                with self.assertRaisesRegex(Exception, "assert_true failed"):
                    self.ask(f"SELECT RANK() OVER (ORDER BY CASE WHEN assert_true({condition}) THEN 1 END DESC) AS `v` FROM `shop`.`t` AS `t`")

    def test_what_starrocks_refuses_is_refused(self):
        with self.assertRaisesRegex(ValueError, "TRY_CAST"):
            self.ask("SELECT TRY_CAST(`t`.`i` AS INT) AS `i` FROM `shop`.`t` AS `t`")


class Never:
    """A deadline that does not pass."""

    def on_timeout(self, interrupt):
        pass


if __name__ == "__main__":
    unittest.main()
