//! The engine of kind flink against a real Flink, and `query` and `doctor` with it. In: the gateway that UNISONO_FLINK_GATEWAY names; without one
//! each test says that it did not run. Expected values are written by hand or come from the embedded engine.

use std::fs;
use std::time::Duration;

use unisono_runtime::engine::Limits;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::{Address, Answer, FlinkError, Gateway, Mode};
use unisono_runtime::project::Tls;
use unisono_runtime::table::Value;
use unisono_tests::helper::skip;

use crate::project_folder::{self, CANDLE_QUERIES, Folder};

const LIMITS: Limits = Limits { rows: 1_000, time: Duration::from_mins(2) };

/// The gateway's address, or the reason why there is none.
pub(crate) fn address(test: &str) -> Option<String> {
    let address = std::env::var("UNISONO_FLINK_GATEWAY").ok();
    if address.is_none() {
        skip(test, "UNISONO_FLINK_GATEWAY names no SQL Gateway; tests/flink/start.sh starts one");
    }
    address
}

/// A gateway without settings of a project.
pub(crate) fn gateway(address: &str) -> Gateway {
    Gateway::new(Address::parse(address, Tls::Required, |_| None).unwrap(), Vec::new()).unwrap()
}

/// Runs statements in one session; the answer of the last.
fn run(address: &str, mode: Mode, statements: &[&str], limits: Limits) -> Result<Answer, FlinkError> {
    block_on(async {
        let session = gateway(address).open(mode).await?;
        let mut answer = Err(FlinkError::Malformed("no statement".to_string()));
        for statement in statements {
            answer = session.execute(statement, limits).await;
        }
        session.close().await;
        answer
    })
    .unwrap()
}

/// Names and states of the cluster's jobs.
fn jobs(address: &str) -> Vec<(String, String)> {
    let answer = run(address, Mode::Batch, &["SHOW JOBS"], LIMITS).unwrap();
    answer.table.rows.iter().map(|row| (row[1].text(), row[2].text())).collect()
}

#[test]
fn values_of_every_type_come_exactly() {
    let Some(address) = address("values_of_every_type_come_exactly") else { return };
    let sql = "SELECT TRUE, CAST(-128 AS TINYINT), CAST(32767 AS SMALLINT), 2147483647, 9007199254740993,
        CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0)), CAST(1.1 AS DECIMAL(18,4)), CAST(1E-8 AS DECIMAL(38,8)),
        CAST(0.1 AS FLOAT), CAST('NaN' AS DOUBLE), CAST('-Infinity' AS DOUBLE), 1.0E300,
        'Zürich \u{1f600} null', CAST(NULL AS STRING), CAST('null' AS STRING), DATE '0001-01-01', TIME '23:59:59',
        CAST(TIMESTAMP '2024-01-02 03:04:05.678901' AS TIMESTAMP(6)), CAST(TIMESTAMP '1969-12-31 23:59:59' AS TIMESTAMP(3)),
        CAST(TIMESTAMP '2024-01-02 03:04:05.678' AS TIMESTAMP_LTZ(3)), X'0aff', ARRAY[1, NULL]";
    let answer = run(&address, Mode::Batch, &[sql], LIMITS).unwrap();
    let decimal = |unscaled, scale| Value::Decimal { unscaled, scale };
    let word = |text: &str| Value::Text(text.to_string());
    let expected = [
        Value::Boolean(true),
        Value::Integer(-128),
        Value::Integer(32_767),
        Value::Integer(2_147_483_647),
        Value::Integer(9_007_199_254_740_993),
        decimal(99_999_999_999_999_999_999_999_999_999_999_999_999, 0),
        decimal(11_000, 4),
        decimal(1, 8),
        Value::Float(f64::from(0.1_f32)),
        Value::Float(f64::NAN),
        Value::Float(f64::NEG_INFINITY),
        Value::Float(1.0e300),
        word("Zürich \u{1f600} null"),
        Value::Null,
        word("null"),
        Value::Date(-719_162),
        Value::Time(86_399_000_000),
        Value::Timestamp(1_704_164_645_678_901),
        Value::Timestamp(-1_000_000),
        Value::Instant(1_704_164_645_678_000),
        word("x'0aff'"),
        word("[1, NULL]"),
    ];
    // NaN is not equal to itself; its text is.
    assert_eq!(format!("{:?}", answer.table.rows), format!("{:?}", [expected]));
}

#[test]
fn a_stream_gives_the_rows_that_are_left() {
    let Some(address) = address("a_stream_gives_the_rows_that_are_left") else { return };
    let sql = "SELECT k, SUM(v) AS s FROM (VALUES ('a', 1), ('b', 2), ('a', 3), ('b', 4), ('c', 5)) AS t (k, v) GROUP BY k";
    for mode in [Mode::Batch, Mode::Streaming] {
        let mut rows = run(&address, mode, &[sql], LIMITS).unwrap().table.rows;
        rows.sort_by_key(|row| row[0].text());
        let row = |key: &str, sum| vec![Value::Text(key.to_string()), Value::Integer(sum)];
        assert_eq!(rows, [row("a", 4), row("b", 6), row("c", 5)], "{mode:?}");
    }
}

#[test]
fn faults_carry_their_innermost_cause() {
    let Some(address) = address("faults_carry_their_innermost_cause") else { return };
    for (sql, cause) in [
        ("SELEC 1", "Non-query expression encountered in illegal context"),
        ("SELECT * FROM nope", "Object 'nope' not found"),
        ("SELECT nocol FROM (VALUES (1)) AS t (a)", "Column 'nocol' not found"),
        ("SELECT 1 / a FROM (VALUES (0), (1)) AS t (a)", "/ by zero"),
        ("SELECT 1; SELECT 2", "only single statement supported"),
        ("CREATE CATALOG c WITH ('type'='nowhere')", "nowhere"),
    ] {
        match run(&address, Mode::Batch, &[sql], LIMITS) {
            Err(FlinkError::Failed(words)) => assert!(words.contains(cause), "{sql}: {words}"),
            other => panic!("{sql}: {other:?}"),
        }
    }
    let answer = block_on(async {
        let session = gateway(&address).open(Mode::Batch).await.unwrap();
        let same = session.clone();
        session.close().await;
        same.execute("SELECT 1", LIMITS).await
    });
    assert_eq!(answer.unwrap(), Err(FlinkError::UnknownSession));
}

#[test]
fn the_deadline_holds_and_leaves_no_job() {
    let Some(address) = address("the_deadline_holds_and_leaves_no_job") else { return };
    let slow = Limits { rows: 1_000_000, time: Duration::from_secs(6) };
    let endless =
        "CREATE TEMPORARY TABLE endless_rows (a INT) WITH ('connector'='datagen', 'rows-per-second'='1')";
    let many = "CREATE TEMPORARY TABLE many_rows (a INT) WITH ('connector'='datagen', 'rows-per-second'='1', 'number-of-rows'='1000000')";
    let sink = "CREATE TEMPORARY TABLE nowhere_to (a INT) WITH ('connector'='blackhole')";
    for (mode, statements) in [
        (Mode::Streaming, [endless, "SELECT 1", "SELECT a AS endless_mark FROM endless_rows"]),
        (Mode::Batch, [many, sink, "INSERT INTO nowhere_to SELECT a FROM many_rows"]),
    ] {
        let outcome = run(&address, mode, &statements, slow);
        assert_eq!(outcome, Err(FlinkError::Timeout(slow.time)), "{mode:?}");
    }
    let ours = |(name, _): &(String, String)| name.contains("endless_mark") || name.contains("nowhere_to");
    let mut left = Vec::new();
    for _ in 0..20 {
        left = jobs(&address);
        left.retain(|job| ours(job) && !["CANCELED", "FINISHED", "FAILED"].contains(&job.1.as_str()));
        if left.is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    panic!("{left:?}");
}

/// The candles of models/candles in a warehouse, with a Flink beside the embedded engines.
pub(crate) fn candles(name: &str, address: &str) -> Folder {
    let flink =
        format!("flink: {{kind: flink, gateway: \"{address}\", session: {{parallelism.default: 1}}}}");
    project_folder::candles(name, &flink)
}

/// Each query of the candles from both engines; the lines of the embedded one.
fn same_answers(folder: &Folder, flags: &str) -> Vec<String> {
    let mut answers = Vec::new();
    for query in CANDLE_QUERIES {
        let embedded = folder.good(&format!("query --query-file queries/{query} --format csv {flags}"));
        let flink =
            folder.good(&format!("query --query-file queries/{query} --format csv --engine flink {flags}"));
        assert_eq!(flink, embedded, "{query} {flags}");
        answers.push(embedded);
    }
    answers
}

#[test]
fn flink_answers_the_candles_as_the_embedded_engine_does() {
    let Some(address) = address("flink_answers_the_candles_as_the_embedded_engine_does") else { return };
    let folder = candles("flink-candles", &address);
    let first = same_answers(&folder, "");
    assert!(first.iter().all(|answer| answer.lines().count() > 1), "{first:?}");
    // A correction, a cancellation and a new trade: the pinned past stays, the heads move.
    folder.good("checkpoint opening");
    folder.write(
        "data/changes.csv",
        "trade_id,symbol,traded_at,sequence,price,quantity,status\n\
         1,ACME,2026-03-02 09:00:05.000000,101,11.2500,150,regular\n\
         2,ACME,2026-03-02 09:00:59.500000,104,10.5000,200,cancelled\n\
         900,BOLT,2026-03-02 09:07:00.000000,900,20.0001,7,regular\n",
    );
    folder.good("load market.trades data/changes.csv --upsert");
    let second = same_answers(&folder, "");
    assert_ne!(first, second);
    assert_eq!(same_answers(&folder, "--at opening"), first);
    // On a branch, where a table of main has a line of its own.
    folder.good("branch create trial");
    folder.write("data/gone.csv", "trade_id\n900\n");
    folder.good("load market.trades data/gone.csv --delete --branch trial");
    let third = same_answers(&folder, "--branch trial");
    assert_ne!(second, third);
    let answer = folder.json("query --metrics turnover --engine flink");
    assert_eq!(answer["snapshots"]["market.trades"], 2, "{answer}");
    let sql = answer["sql"].as_str().unwrap();
    assert!(sql.contains("unisono.market.trades /*+ OPTIONS('scan.snapshot-id'='2') */"), "{sql}");
}

#[test]
fn doctor_and_query_say_what_is_missing() {
    let Some(address) = address("doctor_and_query_say_what_is_missing") else { return };
    let folder = candles("flink-doctor", &address);
    let said = folder.good("doctor");
    let line = said.lines().find(|line| line.contains("engine flink")).unwrap_or(&said).to_string();
    assert!(line.starts_with("ok") && line.contains("Apache Flink 2."), "{line}");
    folder.refused(2, "query --metrics turnover --engine flunk", "did you mean `flink`");
    folder.refused(2, "query --metrics turnover --engine realtime", "answers no requests");

    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    folder.write("unisono.yaml", &file.replace(&address, "http://127.0.0.1:1"));
    let said = folder.good("doctor");
    assert!(
        said.contains("missing  engine flink") && said.contains("no gateway answers at http://127.0.0.1:1"),
        "{said}"
    );
    folder.refused(
        4,
        "query --metrics turnover --engine flink",
        "E_ENGINE_UNREACHABLE]: Flink: no gateway answers",
    );

    folder.write("unisono.yaml", &file.replace(&address, "http://flink.example:8083"));
    let said = folder.good("doctor");
    assert!(said.contains("missing  engine flink") && said.contains("is not encrypted"), "{said}");
    let heard = folder.refused(2, "query --metrics turnover --engine flink", "is not encrypted");
    assert!(heard.contains("tls: disabled"), "{heard}");

    folder.write("unisono.yaml", &file.replace("parallelism.default", "table.local-time-zone"));
    folder.refused(
        2,
        "query --metrics turnover --engine flink",
        "`table.local-time-zone` belongs to this program",
    );
}
