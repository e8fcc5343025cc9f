//! TPC-H: requests over models/tpch on DataFusion and on DuckDB, against hand-written SQL run by DuckDB on the same data.
//! Scale 0.05; UNISONO_TPCH_SCALE sets another, and the wall times are printed (docs/performance.md).

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use unisono_runtime::data::read_csv_table;
use unisono_runtime::engine::datafusion::Session;
use unisono_tests::case::{TpchCase, tpch};
use unisono_tests::compare::compare;
use unisono_tests::helper::{self, skip};
use unisono_tests::tpch::{TABLES, duckdb_setup, shared};
use unisono_tests::{project, value::Table};

use crate::cases::RIGHT;
use crate::engines::{compile, datafusion};
use crate::list;

const SESSION: &str = "tpch";

#[test]
fn tpch_requests_give_the_values_of_hand_written_sql() {
    let oracle = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => {
            skip("tpch_requests_give_the_values_of_hand_written_sql", reason);
            return;
        }
    };
    let scale = std::env::var("UNISONO_TPCH_SCALE").map_or(0.05, |text| text.parse().unwrap());
    let folder = shared(scale).unwrap();
    let cases = tpch().unwrap();
    assert!(cases.len() >= 20, "only {} cases found", cases.len());
    let setup = duckdb_setup(&folder).unwrap();
    oracle.duckdb_in(SESSION, &setup, "SELECT 1").unwrap();
    let session = datafusion_session(&folder);
    let mut report = String::new();
    let mut failures = Vec::new();
    for case in &cases {
        let (expected, by_hand) = timed(|| oracle.duckdb_in(SESSION, &[], &case.check_sql));
        let expected = expected.unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let on_duckdb =
            run(case, "duckdb", &expected, &mut failures, |sql| oracle.duckdb_in(SESSION, &[], sql));
        let on_datafusion =
            run(case, "datafusion", &expected, &mut failures, |sql| datafusion(&session, sql));
        let ratio = |time: Duration| time.as_secs_f64() / by_hand.as_secs_f64();
        writeln!(
            report,
            "{:45} {:6} rows, by hand {:7.1} ms, ours on DuckDB x{:.2}, on DataFusion x{:.2}",
            case.id,
            expected.rows.len(),
            by_hand.as_secs_f64() * 1e3,
            ratio(on_duckdb),
            ratio(on_datafusion)
        )
        .unwrap();
    }
    println!("TPC-H, scale {scale}\n{report}");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    let cells = cases.iter().map(|case| (format!("{}, as written", case.id), "equal".to_string())).collect();
    for engine in ["datafusion", "duckdb"] {
        list::compare(&format!("tpch.{engine}.json"), &RIGHT, &cells);
    }
}

fn run(
    case: &TpchCase,
    engine: &str,
    expected: &Table,
    failures: &mut Vec<String>,
    answer: impl Fn(&str) -> Result<Table, String>,
) -> Duration {
    let model = fs::read_to_string(project("models/tpch/model.yaml")).unwrap();
    let schema = fs::read_to_string(project("models/tpch/schema.sql")).unwrap();
    let request = fs::read_to_string(&case.request).unwrap();
    let sql = match compile(&model, &request, Some(&schema), engine) {
        Ok((sql, _)) => sql,
        Err(refusal) => {
            failures.push(format!("{} on {engine}: {refusal:?}", case.id));
            return Duration::ZERO;
        }
    };
    let (answer, time) = timed(|| answer(&sql));
    let verdict = answer.and_then(|rows| compare(expected, &rows, case.rules));
    if let Err(reason) = verdict {
        failures.push(format!("{} on {engine}: {reason}\n{sql}", case.id));
    }
    time
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The tables in memory, with the types of models/tpch/schema.sql.
fn datafusion_session(folder: &Path) -> Session {
    let session = Session::new();
    let schema = fs::read_to_string(project("models/tpch/schema.sql")).unwrap();
    for table in TABLES {
        let path = folder.join(format!("{table}.csv"));
        let (arrow_schema, batches) = read_csv_table(&path, table, &schema).unwrap();
        session.add_batches(&["tpch".to_string(), table.to_string()], arrow_schema, batches).unwrap();
    }
    session
}
