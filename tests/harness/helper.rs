//! The Python helper (tests/python/helper.py) as a value: one process, asked one question at a time.
//! In: SQL for DuckDB, for a parser, or for a Flink gateway. Out: tables, or the error's text. Without the virtual environment there
//! is no helper, and the error says how to make it: such a test is skipped, never passed.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::project;
use crate::value::Table;

/// What a request may take before the helper itself gives up; a request with several statements has it for each.
const TIMEOUT: Duration = Duration::from_mins(1);

/// What the helper gets beyond its own timeout before it counts as hung.
const GRACE: Duration = Duration::from_secs(30);

/// How a Flink statement runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlinkMode {
    /// Batch; an INSERT ends when its rows are committed.
    Batch,
    /// Streaming; rows come as a changelog.
    Streaming,
}

impl FlinkMode {
    fn word(self) -> &'static str {
        match self {
            FlinkMode::Batch => "batch",
            FlinkMode::Streaming => "streaming",
        }
    }
}

/// One statement's result on Flink.
#[derive(Clone, PartialEq, Debug)]
pub struct FlinkRows {
    /// The rows in the order in which they came.
    pub table: Table,
    /// INSERT, `UPDATE_BEFORE`, `UPDATE_AFTER` or DELETE for each row.
    pub kinds: Vec<String>,
}

/// A running helper.
pub struct Helper {
    talk: Mutex<Talk>,
}

struct Talk {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
    next_id: u64,
}

/// The helper that all tests of a run share; the error says what is missing.
pub fn shared() -> Result<&'static Helper, &'static str> {
    static SHARED: OnceLock<Result<Helper, String>> = OnceLock::new();
    SHARED.get_or_init(Helper::start).as_ref().map_err(String::as_str)
}

/// The same, or a word that a test did not run.
pub fn shared_for(test: &str) -> Option<&'static Helper> {
    shared().map_err(|reason| skip(test, reason)).ok()
}

/// The helper with the Flink of this run behind it; the error says what is missing.
pub fn flink() -> Result<&'static Helper, String> {
    let url = gateway()?;
    let helper = shared()?;
    helper.flink_open(&url)?;
    Ok(helper)
}

/// The same in a process of its own, for tests with so many statements that the others would wait.
pub fn flink_apart() -> Result<Helper, String> {
    let url = gateway()?;
    let helper = Helper::start()?;
    helper.flink_open(&url)?;
    Ok(helper)
}

fn gateway() -> Result<String, String> {
    std::env::var("UNISONO_FLINK_GATEWAY")
        .map_err(|_| "UNISONO_FLINK_GATEWAY names no SQL Gateway; tests/flink/start.sh starts one".to_owned())
}

impl Helper {
    /// Starts a helper from the virtual environment of the tests.
    pub fn start() -> Result<Helper, String> {
        let python = project(".cache/venv/bin/python");
        if !project(".cache/venv/.stamp").exists() {
            return Err("the tests' Python environment is not there: run tests/python/venv.sh".to_owned());
        }
        let mut child = Command::new(python)
            .arg(project("tests/python/helper.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                format!("the tests' Python helper does not start: {error}; run tests/python/venv.sh")
            })?;
        let (Some(questions), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the tests' Python helper has no pipes".to_owned());
        };
        // A thread reads, so that a helper that hangs cannot hang the test.
        let (sender, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Helper { talk: Mutex::new(Talk { child, questions, answers, next_id: 1 }) })
    }

    /// Runs SQL on `DuckDB` in a database of its own, after the set-up statements.
    pub fn duckdb(&self, setup: &[String], sql: &str) -> Result<Table, String> {
        self.table(json!({"op": "duckdb", "setup": setup, "sql": sql}))
    }

    /// The same in a named session, which keeps its tables for the next request.
    pub fn duckdb_in(&self, session: &str, setup: &[String], sql: &str) -> Result<Table, String> {
        self.table(json!({"op": "duckdb", "session": session, "setup": setup, "sql": sql}))
    }

    /// Runs a `StarRocks` text on `DuckDB` with `StarRocks`' meaning, after set-up statements in `DuckDB`'s SQL. An error with `unproved: ` in it
    /// says why this shows nothing.
    pub fn starrocks(&self, setup: &[String], sql: &str) -> Result<Table, String> {
        self.table(json!({"op": "starrocks", "setup": setup, "sql": sql}))
    }

    /// The answer of a query over tables of a Paimon warehouse as pypaimon reads them: (alias, `database.table`).
    pub fn paimon(&self, warehouse: &Path, tables: &[(&str, &str)], sql: &str) -> Result<Table, String> {
        let tables: serde_json::Map<String, Json> =
            tables.iter().map(|(alias, name)| ((*alias).to_owned(), json!(name))).collect();
        self.table(json!({"op": "paimon", "warehouse": warehouse, "tables": tables, "sql": sql}))
    }

    /// What pyarrow reads in an Arrow IPC stream (`arrow`) or a Parquet file (`parquet`): `columns` with its names of types, `rows`, `metadata`.
    pub fn pyarrow(&self, format: &str, path: &Path) -> Result<Json, String> {
        self.ask(json!({"op": "pyarrow", "format": format, "path": path}))
    }

    /// Makes a table of a Paimon warehouse with pypaimon, of the JSON of its schema.
    pub fn paimon_make(&self, warehouse: &Path, table: &str, schema: &Json) -> Result<(), String> {
        let request = json!({"op": "paimon_make", "warehouse": warehouse, "table": table, "schema": schema});
        self.ask(request).map(|_| ())
    }

    /// Adds the rows of a query of `DuckDB` to a table of a Paimon warehouse with pypaimon.
    pub fn paimon_write(&self, warehouse: &Path, table: &str, sql: &str) -> Result<(), String> {
        let request = json!({"op": "paimon_write", "warehouse": warehouse, "table": table, "sql": sql});
        self.ask(request).map(|_| ())
    }

    /// Whether sqlglot parses SQL of a dialect, and for `starrocks` whether `StarRocks` would.
    pub fn parses(&self, dialect: &str, sql: &str) -> Result<(), String> {
        self.ask(json!({"op": "sqlglot_parse", "dialect": dialect, "sql": sql})).map(|_| ())
    }

    /// The statements of one dialect in another.
    pub fn transpile(&self, read: &str, write: &str, sql: &str) -> Result<Vec<String>, String> {
        let answer =
            self.ask(json!({"op": "sqlglot_transpile", "read": read, "write": write, "sql": sql}))?;
        let statements = answer["sql"].as_array().ok_or("no list of statements")?;
        Ok(statements.iter().filter_map(Json::as_str).map(str::to_owned).collect())
    }

    /// Says which gateway later statements go to; gives its version.
    pub fn flink_open(&self, url: &str) -> Result<String, String> {
        let answer = self.ask(json!({"op": "flink_open", "url": url}))?;
        Ok(answer["version"].as_str().unwrap_or_default().to_owned())
    }

    /// Runs statements in one session of their own; one result or error for each.
    pub fn flink(
        &self,
        mode: FlinkMode,
        statements: &[String],
    ) -> Result<Vec<Result<FlinkRows, String>>, String> {
        self.flink_ask(json!({"op": "flink", "mode": mode.word(), "statements": statements}))
    }

    /// The same in a named session, which keeps catalogs, tables and settings for the next request.
    pub fn flink_in(
        &self,
        session: &str,
        mode: FlinkMode,
        statements: &[String],
    ) -> Result<Vec<Result<FlinkRows, String>>, String> {
        self.flink_ask(
            json!({"op": "flink", "session": session, "mode": mode.word(), "statements": statements}),
        )
    }

    /// Closes a named session.
    pub fn flink_close(&self, session: &str) -> Result<(), String> {
        self.ask(json!({"op": "flink_close", "session": session})).map(|_| ())
    }

    fn flink_ask(&self, request: Json) -> Result<Vec<Result<FlinkRows, String>>, String> {
        let answer = self.ask(request)?;
        let results = answer["results"].as_array().ok_or("no list of results")?;
        Ok(results.iter().map(flink_result).collect())
    }

    fn table(&self, request: Json) -> Result<Table, String> {
        Table::from_json(&self.ask(request)?)
    }

    /// One request and its answer.
    fn ask(&self, mut request: Json) -> Result<Json, String> {
        // A test that panicked between question and answer leaves an answer behind, which the id tells apart.
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let id = talk.next_id;
        talk.next_id += 1;
        request["id"] = json!(id);
        request["timeout"] = json!(TIMEOUT.as_secs());
        let statements = request["statements"].as_array().map_or(0, Vec::len);
        let patience = TIMEOUT * u32::try_from(statements + 1).unwrap_or(1) + GRACE;
        writeln!(talk.questions, "{request}")
            .and_then(|()| talk.questions.flush())
            .map_err(|error| format!("the Python helper is gone: {error}"))?;
        loop {
            let line = match talk.answers.recv_timeout(patience) {
                Ok(line) => line,
                Err(error) => {
                    // Without an answer nothing more can be asked.
                    let _ = talk.child.kill();
                    return Err(format!("the Python helper gave no answer: {error}"));
                }
            };
            let answer: Json = serde_json::from_str(&line).map_err(|error| format!("not JSON: {error}"))?;
            if answer["id"] == json!(id) {
                return match answer["error"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(answer),
                };
            }
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn flink_result(json: &Json) -> Result<FlinkRows, String> {
    if json["ok"] != Json::Bool(true) {
        return Err(json["error"].as_str().unwrap_or("an error without a text").to_owned());
    }
    let kinds = json["kinds"].as_array().ok_or("no list of kinds")?;
    Ok(FlinkRows {
        table: Table::from_json(json)?,
        kinds: kinds.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
    })
}

/// Says on stderr, past the test runner's capture, that a test did not run and why.
pub fn skip(test: &str, reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIP {test}: {reason}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn answers_come_from_duckdb_and_the_parsers() {
        let helper = match shared() {
            Ok(helper) => helper,
            Err(reason) => return skip("helper::answers_come_from_duckdb_and_the_parsers", reason),
        };
        let setup = ["CREATE TABLE t (a DECIMAL(10,2)); INSERT INTO t VALUES (1.10), (2.20)".to_owned()];
        let table = helper.duckdb(&setup, "SELECT SUM(a) AS s, NULL AS n FROM t").unwrap();
        assert_eq!(table.rows, [[Value::Exact("3.3".to_owned()), Value::Null]]);
        assert!(helper.duckdb(&[], "SELECT 1 FROM t").unwrap_err().contains("does not exist"));

        helper
            .duckdb_in("helper", &["CREATE TABLE kept AS SELECT 1 AS a".to_owned()], "SELECT a FROM kept")
            .unwrap();
        assert_eq!(helper.duckdb_in("helper", &[], "SELECT a FROM kept").unwrap().rows.len(), 1);

        assert_eq!(helper.parses("starrocks", "SELECT `a` FROM `t`"), Ok(()));
        assert!(
            helper
                .parses("starrocks", "SELECT MEDIAN(`a`) FROM `t`")
                .unwrap_err()
                .contains("PERCENTILE_CONT")
        );
        let out = helper.transpile("starrocks", "duckdb", "SELECT `a` <=> `b` AS `e`").unwrap();
        assert_eq!(out, ["SELECT \"a\" IS NOT DISTINCT FROM \"b\" AS \"e\""]);
        assert!(helper.flink(FlinkMode::Batch, &[]).unwrap_err().contains("flink_open"));
    }
}
