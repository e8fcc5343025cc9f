//! Alignment of answers by hand.

use unisono_compiler::data_type::{DataType, Exactness};

use super::*;
use crate::check::question::Metric;
use crate::table::Column;

fn question() -> Question {
    Question {
        dimensions: vec!["region".to_string(), "year".to_string()],
        metrics: vec![Metric {
            name: "revenue".to_string(),
            class: Exactness::Exact,
            empty: Some(Value::Null),
        }],
        grouping: Exactness::Exact,
    }
}

fn table(columns: &[(&str, DataType)], rows: Vec<Vec<Value>>) -> Table {
    let columns =
        columns.iter().map(|(name, data_type)| Column { name: (*name).to_string(), data_type: *data_type });
    Table { columns: columns.collect(), rows, truncated: false }
}

const LEFT: [(&str, DataType); 3] =
    [("region", DataType::String), ("year", DataType::Int64), ("revenue", DataType::Int64)];

fn text(text: &str) -> Value {
    Value::Text(text.to_string())
}

fn found(first: usize, rows: u64) -> Found {
    Found { first, rows }
}

#[test]
fn rows_meet_by_key_whatever_the_order_of_rows_and_columns() {
    let left = table(
        &LEFT,
        vec![
            vec![Value::Null, Value::Integer(2024), Value::Integer(5)],
            vec![text("EAST"), Value::Null, Value::Integer(6)],
            vec![text("EAST"), Value::Integer(2024), Value::Integer(7)],
        ],
    );
    let year = DataType::Decimal { precision: 10, scale: 2 };
    let right = table(
        &[
            ("__rows", DataType::Int64),
            ("revenue", DataType::Int64),
            ("year", year),
            ("region", DataType::String),
        ],
        vec![
            vec![
                Value::Integer(1),
                Value::Integer(7),
                Value::Decimal { unscaled: 202_400, scale: 2 },
                text("EAST"),
            ],
            vec![
                Value::Integer(1),
                Value::Integer(5),
                Value::Decimal { unscaled: 202_400, scale: 2 },
                Value::Null,
            ],
            vec![Value::Integer(1), Value::Integer(9), Value::Null, Value::Null],
        ],
    );
    let aligned = align(&question(), &left, &right).unwrap();
    assert_eq!(aligned.metrics, [Ok(Columns { left: 2, right: 1 })]);
    let groups: Vec<_> =
        aligned.groups.iter().map(|group| (&group.key.0[0], group.left, group.right)).collect();
    assert_eq!(
        groups,
        [
            (&text("EAST"), Some(found(2, 1)), Some(found(0, 1))),
            (&text("EAST"), Some(found(1, 1)), None),
            (&Value::Null, Some(found(0, 1)), Some(found(1, 1))),
            (&Value::Null, None, Some(found(2, 1))),
        ]
    );
}

#[test]
fn a_key_twice_on_one_side_is_counted() {
    let rows = |numbers: &[i64]| {
        let row = |number: &i64| vec![Value::Null, Value::Integer(1), Value::Integer(*number)];
        table(&LEFT, numbers.iter().map(row).collect())
    };
    let aligned = align(&question(), &rows(&[1, 2, 3]), &rows(&[1])).unwrap();
    assert_eq!(aligned.groups.len(), 1);
    assert_eq!((aligned.groups[0].left, aligned.groups[0].right), (Some(found(0, 3)), Some(found(0, 1))));
}

#[test]
fn columns_that_cannot_be_compared_are_said() {
    let left = table(&LEFT, Vec::new());
    let of = |region: DataType, revenue: DataType| {
        table(&[("region", region), ("year", DataType::Int64), ("revenue", revenue)], Vec::new())
    };
    let decimal = DataType::Decimal { precision: 38, scale: 2 };
    let compared = |right: &Table| align(&question(), &left, right).map(|aligned| aligned.metrics[0].is_ok());
    for number in
        [DataType::Int8, decimal, DataType::Float32, DataType::Float64, DataType::Unknown, DataType::Null]
    {
        assert_eq!(compared(&of(DataType::String, number)), Ok(true), "{number}");
    }
    for other in [DataType::String, DataType::Boolean, DataType::Date] {
        assert_eq!(compared(&of(DataType::String, other)), Ok(false), "{other}");
    }
    let message = "`region` is String on the batch side and Date on the real-time side".to_string();
    assert_eq!(compared(&of(DataType::Date, DataType::Int64)), Err(message));
    let missing = table(&[("region", DataType::String), ("year", DataType::Int64)], Vec::new());
    let aligned = align(&question(), &left, &missing).unwrap();
    assert_eq!(aligned.metrics, [Err("the real-time side has no column `revenue`".to_string())]);
    let twice = [LEFT[0], LEFT[0], LEFT[1], LEFT[2]];
    let message = "the batch side has two columns `region`".to_string();
    assert_eq!(align(&question(), &table(&twice, Vec::new()), &left), Err(message));
    let timestamps = align(
        &question(),
        &of(DataType::Timestamp, DataType::Int64),
        &of(DataType::TimestampTz, DataType::Int64),
    );
    assert!(timestamps.is_err());
}

#[test]
fn a_row_of_another_width_is_no_answer() {
    let good = table(&LEFT, Vec::new());
    let bad = table(&LEFT, vec![vec![Value::Null, Value::Null]]);
    let message = "row 1 of the real-time side has another width than its columns".to_string();
    assert_eq!(align(&question(), &good, &bad), Err(message));
}
