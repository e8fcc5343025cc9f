//! The engine of kind starrocks on a real StarRocks. In: the address in UNISONO_STARROCKS, as a project file has it, and what it needs of UNISONO_STARROCKS_TLS
//! (`disabled`) and UNISONO_STARROCKS_CA; no tables. Without it the test says that it did not run, and what was not shown.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use unisono_compiler::data_type::DataType;
use unisono_runtime::engine::Limits;
use unisono_runtime::engine::starrocks::{Address, FrontEnd, StarRocksError};
use unisono_runtime::project::Tls;
use unisono_runtime::table::{Column, Value};
use unisono_tests::helper::skip;

const LIMITS: Limits = Limits { rows: 1_000, time: Duration::from_secs(30) };

fn front_end(test: &str, unproved: &str) -> Option<FrontEnd> {
    let variable = |name: &str| std::env::var(name).ok();
    let Some(url) = variable("UNISONO_STARROCKS") else {
        skip(test, &format!("UNISONO_STARROCKS names no front end; not shown on a StarRocks: {unproved}"));
        return None;
    };
    let is_plain = variable("UNISONO_STARROCKS_TLS").as_deref() == Some("disabled");
    let tls = if is_plain { Tls::Disabled } else { Tls::Required };
    let authority = variable("UNISONO_STARROCKS_CA").map(PathBuf::from);
    Some(FrontEnd::new(Address::parse(&url, tls, authority.as_deref(), variable).unwrap()))
}

#[test]
fn values_of_every_type_come_exactly() {
    let unproved = "login, settings, the texts of values of every type";
    let Some(front_end) = front_end("values_of_every_type_come_exactly", unproved) else { return };
    let decimal = |precision, scale| DataType::Decimal { precision, scale };
    let word = |text: &str| Value::Text(text.to_string());
    let expected = [
        ("TRUE", DataType::Boolean, Value::Boolean(true)),
        ("CAST(-128 AS TINYINT)", DataType::Int8, Value::Integer(-128)),
        ("CAST(32767 AS SMALLINT)", DataType::Int16, Value::Integer(32_767)),
        ("CAST(-2147483648 AS INT)", DataType::Int32, Value::Integer(-2_147_483_648)),
        ("9007199254740993", DataType::Int64, Value::Integer(9_007_199_254_740_993)),
        (
            "CAST('99999999999999999999999999999999999999' AS LARGEINT)",
            decimal(38, 0),
            Value::Decimal { unscaled: 10_i128.pow(38) - 1, scale: 0 },
        ),
        ("CAST('-1.1' AS DECIMAL(18,4))", decimal(18, 4), Value::Decimal { unscaled: -11_000, scale: 4 }),
        ("CAST(0.1 AS FLOAT)", DataType::Float32, Value::Float(f64::from(0.1_f32))),
        ("CAST('-1.5e300' AS DOUBLE)", DataType::Float64, Value::Float(-1.5e300)),
        ("CAST('8.04303946e16' AS DOUBLE)", DataType::Float64, Value::Float(8.043_039_46e16)),
        ("'Zürich \u{1f600} NULL'", DataType::String, word("Zürich \u{1f600} NULL")),
        ("''", DataType::String, word("")),
        ("CAST(NULL AS VARCHAR)", DataType::String, Value::Null),
        ("CAST('0001-01-01' AS DATE)", DataType::Date, Value::Date(-719_162)),
        ("CAST('1969-12-31 23:59:59' AS DATETIME)", DataType::Timestamp, Value::Timestamp(-1_000_000)),
        (
            "CAST('2024-01-02 03:04:05.678901' AS DATETIME)",
            DataType::TimestampTz,
            Value::Instant(1_704_164_645_678_901),
        ),
        ("@@time_zone", DataType::String, word("UTC")),
    ];
    let columns: Vec<Column> = expected
        .iter()
        .map(|(sql, data_type, _)| Column { name: (*sql).to_string(), data_type: *data_type })
        .collect();
    let sql: Vec<&str> = expected.iter().map(|(sql, _, _)| *sql).collect();
    let answer = Runtime::new().unwrap().block_on(async {
        let mut session = front_end.open(LIMITS.time).await?;
        assert!(session.info().target().is_ok(), "{:?}", session.info());
        let answer = session.execute(&format!("SELECT {}", sql.join(", ")), &columns, LIMITS).await;
        session.close().await;
        answer
    });
    let values: Vec<Value> = expected.into_iter().map(|(_, _, value)| value).collect();
    assert_eq!(answer.unwrap().rows, [values]);
}

#[test]
fn errors_and_deadlines_end_as_they_should() {
    let unproved = "error numbers, KILL QUERY, that a session goes on afterwards";
    let Some(front_end) = front_end("errors_and_deadlines_end_as_they_should", unproved) else { return };
    Runtime::new().unwrap().block_on(async {
        let mut session = front_end.open(LIMITS.time).await.unwrap();
        let refused = session.execute("SELECT nope FROM nowhere.nope", &[], LIMITS).await;
        assert!(matches!(refused, Err(StarRocksError::Failed { .. })), "{refused:?}");
        let soon = Limits { time: Duration::from_secs(2), ..LIMITS };
        let began = Instant::now();
        let late = session.execute("SELECT SLEEP(60)", &[], soon).await;
        assert_eq!(late, Err(StarRocksError::Timeout(soon.time)));
        assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
        let listed = session.execute("SHOW FULL PROCESSLIST", &[], LIMITS).await.unwrap();
        let left = listed.rows.iter().flatten().any(|value| value.text().contains("SLEEP(60)"));
        assert!(!left, "{listed:?}");
        session.close().await;
    });
}
