"""The helper as its callers see it: a process, lines in, lines out."""

import datetime
import decimal
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

HELPER = pathlib.Path(__file__).with_name("helper.py")


class Protocol(unittest.TestCase):
    """One process for all tests here, as the harness has one for a whole run."""

    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen(
            [sys.executable, HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.stdout.close()
        cls.process.wait(10)

    def ask(self, line):
        self.process.stdin.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def rows(self, sql, **more):
        return self.ask({"op": "duckdb", "id": 1, "sql": sql, **more})

    def test_values_lose_nothing(self):
        reply = self.rows(
            "SELECT 1::INTEGER AS a, 9007199254740992::BIGINT AS b, 9007199254740993::BIGINT AS c, 12.30::DECIMAL(18,2) AS d, "
            "99999999999999999999999999999999999999::DECIMAL(38,0) AS e, 0.1::DOUBLE AS f, 'NaN'::DOUBLE AS g, '-Infinity'::DOUBLE AS h, "
            "true AS i, 'é' AS j, DATE '2024-02-29' AS k, TIMESTAMP '2024-02-29 01:02:03.000004' AS l, "
            "TIMESTAMPTZ '2024-03-01 00:00:00+02' AS m, NULL::INTEGER AS n, 0.00000001::DECIMAL(10,8) AS o")
        self.assertEqual(reply["rows"], [[
            1, 9007199254740992, "9007199254740993", "12.30", "99999999999999999999999999999999999999", 0.1, "NaN", "-Infinity",
            True, "é", "2024-02-29", "2024-02-29 01:02:03.000004", "2024-02-29 22:00:00", None, "0.00000001"]])
        self.assertEqual([c["type"] for c in reply["columns"][2:6]], ["BIGINT", "DECIMAL(18,2)", "DECIMAL(38,0)", "DOUBLE"])
        self.assertEqual(reply["columns"][0], {"name": "a", "type": "INTEGER"})

    def test_an_untyped_null_has_a_type(self):
        self.assertEqual(self.rows("SELECT NULL AS n"), {"id": 1, "columns": [{"name": "n", "type": "NULL"}], "rows": [[None]]})

    def test_types_without_an_exact_text_are_refused(self):
        self.assertIn("TIMESTAMP_NS", self.rows("SELECT TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS t")["error"])

    def test_each_request_has_a_database_of_its_own(self):
        setup = ["CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)"]
        self.assertEqual(self.rows("SELECT SUM(a) AS s FROM t", setup=setup)["rows"], [[3]])
        self.assertIn("t does not exist", self.rows("SELECT 1 FROM t")["error"])

    def test_a_session_keeps_its_tables(self):
        self.assertEqual(self.rows("", session="s", setup=["CREATE TABLE t AS SELECT 7 AS a"])["rows"], [])
        self.assertEqual(self.rows("SELECT a FROM t", session="s")["rows"], [[7]])
        self.assertEqual(self.ask({"op": "duckdb_close", "id": 2, "session": "s"}), {"id": 2, "closed": True})
        self.assertIn("does not exist", self.rows("SELECT a FROM t", session="s")["error"])

    def test_a_query_that_runs_too_long_is_ended(self):
        endless = "SELECT COUNT(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range = 1"
        self.assertEqual(self.rows(endless, timeout=0.3)["error"], "timeout after 0.3 s")
        self.assertEqual(self.rows("SELECT 1 AS a")["rows"], [[1]])

    def test_bad_requests_are_answered(self):
        self.assertIn("not a JSON object", self.ask("nonsense")["error"])
        self.assertIn("not a JSON object", self.ask("[1]")["error"])
        self.assertIn("unknown operation", self.ask({"op": "fly", "id": 9})["error"])
        self.assertEqual(self.ask({"op": "sqlglot_parse", "id": 3, "dialect": "duckdb", "sql": "SELECT 1"}), {"id": 3, "statements": 1})
        self.assertIn("flink_open", self.ask({"op": "flink", "id": 4, "statements": ["SELECT 1"], "mode": "batch"})["error"])

    def test_columns_are_read_as_they_are(self):
        schema = pyarrow.schema(
            [("a", pyarrow.decimal128(38, 2)), ("t", pyarrow.timestamp("us", "UTC")), ("c", pyarrow.time64("us"))], metadata={"k": "v"})
        moment = datetime.datetime(2024, 1, 1, 0, 0, 0, 1, tzinfo=datetime.timezone.utc)
        rows = [{"a": decimal.Decimal("1.50"), "t": moment, "c": datetime.time(1, 2)}, {"a": None, "t": None, "c": None}]
        table = pyarrow.Table.from_pylist(rows, schema)
        with tempfile.TemporaryDirectory() as folder:
            parquet, arrow = f"{folder}/x.parquet", f"{folder}/x.arrow"
            pyarrow.parquet.write_table(table, parquet)
            with pyarrow.OSFile(arrow, "wb") as file, pyarrow.ipc.new_stream(file, schema) as writer:
                writer.write_table(table)
            for form, path in (("parquet", parquet), ("arrow", arrow)):
                reply = self.ask({"op": "pyarrow", "id": 5, "format": form, "path": path})
                self.assertEqual([column["type"] for column in reply["columns"]], ["decimal128(38, 2)", "timestamp[us, tz=UTC]", "time64[us]"])
                self.assertEqual(reply["rows"], [["1.50", "2024-01-01 00:00:00.000001", "01:02:00"], [None, None, None]])
                self.assertEqual(reply["metadata"], {"k": "v"})


if __name__ == "__main__":
    unittest.main()
