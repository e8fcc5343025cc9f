//! Whether an engine's rows are an answer of the reference: ties in any order, a limit cuts the last tie anywhere, doubles nearly equal.
//! In: the reference's answer, an engine's table. Out: nothing, or what differs.

use unisono_reference::evaluate::Answer;
use unisono_reference::expr::{print_date, print_timestamp};
use unisono_reference::value::Value as Known;

use crate::value::{Kind, Table, Value};

/// Relative distance of two doubles that count as one: far more than rounding over the few rows of a case, far less than any fault.
const NEAR: f64 = 1e-9;

/// Compares names of columns, rows, order and limit.
pub fn agree(answer: &Answer, table: &Table) -> Result<(), String> {
    let wanted = agree_in_shape(answer, table)?;
    let mut start = 0;
    while start < wanted {
        let tie = answer.ties[start..].iter().take_while(|tie| **tie == answer.ties[start]).count();
        let end = (start + tie).min(wanted);
        within(&answer.rows[start..start + tie], &table.rows[start..end])?;
        start = end;
    }
    Ok(())
}

/// The same for rows that come in no order, as those of a changelog do: a limit still cuts within its last tie only.
pub fn agree_unordered(answer: &Answer, table: &Table) -> Result<(), String> {
    let wanted = agree_in_shape(answer, table)?;
    let cut = answer.ties.get(wanted).map_or(wanted, |next| answer.ties.partition_point(|tie| tie < next));
    let (lost, extra) = unmatched(&answer.rows[..cut], &table.rows, |known, row| is_row(known, row));
    if !lost.is_empty() {
        let others: Vec<String> = extra.iter().take(6).map(|row| text_of(row)).collect();
        return Err(format!("no row {}, but {}", rows_text(&lost), others.join("; ")));
    }
    let last_tie = answer.ties[cut..].iter().take_while(|tie| **tie == answer.ties[cut]).count();
    let extra: Vec<Vec<Value>> = extra.into_iter().cloned().collect();
    within(&answer.rows[cut..cut + last_tie], &extra)
}

/// Names of columns and the number of rows; how many rows there are to be.
fn agree_in_shape(answer: &Answer, table: &Table) -> Result<usize, String> {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    if names != answer.columns.iter().map(String::as_str).collect::<Vec<_>>() {
        return Err(format!("columns {names:?}, expected {:?}", answer.columns));
    }
    let all = answer.rows.len();
    let wanted = answer.limit.map_or(all, |limit| usize::try_from(limit).unwrap_or(usize::MAX).min(all));
    if table.rows.len() == wanted {
        Ok(wanted)
    } else {
        Err(format!("{} rows, expected {wanted}", table.rows.len()))
    }
}

/// Each of the rows found is another one of those expected.
fn within(expected: &[Vec<Known>], found: &[Vec<Value>]) -> Result<(), String> {
    let (left, extra) = unmatched(expected, found, |known, row| is_row(known, row));
    match extra.first() {
        Some(row) => Err(format!("a row {}, expected {}", text_of(row), rows_text(&left))),
        None => Ok(()),
    }
}

fn is_row(known: &[Known], row: &[Value]) -> bool {
    known.len() == row.len() && known.iter().zip(row).all(|(known, value)| same(known, value))
}

/// Rows as multisets where equal is no more than near: those of the left without one on the right, and those of the right without one
/// on the left. Quadratic, for the few rows of a case.
pub fn unmatched<'r, L, R>(
    left: &'r [L],
    right: &'r [R],
    same: impl Fn(&L, &R) -> bool,
) -> (Vec<&'r L>, Vec<&'r R>) {
    let mut open: Vec<&L> = left.iter().collect();
    let mut extra = Vec::new();
    for row in right {
        match open.iter().position(|other| same(other, row)) {
            Some(at) => {
                open.swap_remove(at);
            }
            None => extra.push(row),
        }
    }
    (open, extra)
}

fn text_of(row: &[Value]) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

/// The first rows of a list.
fn rows_text(rows: &[&Vec<Known>]) -> String {
    let lines: Vec<String> = rows
        .iter()
        .take(6)
        .map(|row| row.iter().map(|value| normal(value).to_string()).collect::<Vec<_>>().join(" | "))
        .collect();
    format!("one of {}: {}", rows.len(), lines.join("; "))
}

/// Exact values exactly; a number may come as a double where the column is one.
fn same(known: &Known, value: &Value) -> bool {
    let known = normal(known);
    match (&known, value) {
        (Value::Float(known), Value::Float(value)) => near(*known, *value),
        (Value::Exact(_), Value::Float(value)) => known.as_f64().is_some_and(|known| near(known, *value)),
        (Value::Date(_), Value::Timestamp(_)) => known.instant() == value.instant(),
        _ => known == *value,
    }
}

/// Whether two doubles count as one: nearly equal, or the same of NaN and the infinities.
pub fn near(left: f64, right: f64) -> bool {
    if !left.is_finite() || !right.is_finite() {
        return left.is_nan() && right.is_nan() || left.total_cmp(&right).is_eq();
    }
    (left - right).abs() <= NEAR * left.abs().max(right.abs()).max(1e-3)
}

/// A value of the reference in the harness's form.
fn normal(value: &Known) -> Value {
    match value {
        Known::Null => Value::Null,
        Known::Boolean(value) => Value::Boolean(*value),
        Known::Exact { digits, scale } => {
            let text = format!("{digits}e-{scale}");
            Value::parse(Kind::Exact, &text).unwrap_or(Value::Text(text))
        }
        Known::Double(number) => Value::Float(*number),
        Known::Text(text) => Value::Text(text.clone()),
        Known::Date(days) => Value::Date(print_date(*days)),
        Known::Timestamp(micros) => {
            let text = print_timestamp(*micros);
            Value::parse(Kind::Timestamp, &text).unwrap_or(Value::Text(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Column;

    fn whole(digits: i128) -> Known {
        Known::Exact { digits, scale: 0 }
    }

    fn answer(rows: &[(&str, i128, usize)], limit: Option<u64>) -> Answer {
        Answer {
            columns: vec!["a".to_owned(), "n".to_owned()],
            rows: rows.iter().map(|(a, n, _)| vec![Known::Text((*a).to_owned()), whole(*n)]).collect(),
            ties: rows.iter().map(|(_, _, tie)| *tie).collect(),
            limit,
            may_refuse: Vec::new(),
        }
    }

    fn table(rows: &[(&str, &str)]) -> Table {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        Table {
            columns: vec![column("a", Kind::Text), column("n", Kind::Exact)],
            rows: rows
                .iter()
                .map(|(a, n)| vec![Value::Text((*a).to_owned()), Value::Exact((*n).to_owned())])
                .collect(),
        }
    }

    #[test]
    fn ties_may_come_in_any_order_and_others_may_not() {
        let known = answer(&[("x", 1, 0), ("y", 2, 0), ("z", 3, 1)], None);
        assert_eq!(agree(&known, &table(&[("y", "2"), ("x", "1"), ("z", "3")])), Ok(()));
        assert!(agree(&known, &table(&[("z", "3"), ("x", "1"), ("y", "2")])).is_err());
        assert!(agree(&known, &table(&[("x", "1"), ("x", "1"), ("z", "3")])).is_err());
        assert!(agree(&known, &table(&[("x", "1"), ("y", "2")])).is_err());
    }

    #[test]
    fn a_limit_cuts_its_last_tie_anywhere() {
        let known = answer(&[("x", 1, 0), ("y", 2, 1), ("z", 3, 1)], Some(2));
        assert_eq!(agree(&known, &table(&[("x", "1"), ("z", "3")])), Ok(()));
        assert_eq!(agree(&known, &table(&[("x", "1"), ("y", "2")])), Ok(()));
        assert!(agree(&known, &table(&[("y", "2"), ("z", "3")])).is_err());
        assert!(agree(&known, &table(&[("x", "1"), ("y", "2"), ("z", "3")])).is_err());
    }

    #[test]
    fn without_order_a_limit_cuts_its_last_tie_only() {
        let known = answer(&[("x", 1, 0), ("y", 2, 1), ("z", 3, 1)], Some(2));
        assert_eq!(agree_unordered(&known, &table(&[("z", "3"), ("x", "1")])), Ok(()));
        assert!(agree_unordered(&known, &table(&[("y", "2"), ("z", "3")])).is_err());
        assert!(agree_unordered(&known, &table(&[("x", "1"), ("x", "1")])).is_err());
        assert!(agree_unordered(&known, &table(&[("x", "1")])).is_err());
        let whole = answer(&[("x", 1, 0), ("y", 2, 1), ("z", 3, 2)], None);
        assert_eq!(agree_unordered(&whole, &table(&[("z", "3"), ("x", "1"), ("y", "2")])), Ok(()));
        let even = answer(&[("x", 1, 0), ("y", 2, 1), ("z", 3, 2)], Some(2));
        assert_eq!(agree_unordered(&even, &table(&[("y", "2"), ("x", "1")])), Ok(()));
        assert!(agree_unordered(&even, &table(&[("z", "3"), ("x", "1")])).is_err());
    }

    #[test]
    fn names_and_values_count() {
        let mut other = table(&[("x", "1")]);
        let known = answer(&[("x", 1, 0)], None);
        assert_eq!(agree(&known, &other), Ok(()));
        other.columns[1].name = "m".to_owned();
        assert!(agree(&known, &other).is_err());
        assert!(!same(&Known::Null, &Value::Exact("0".to_owned())));
        assert!(!same(&Known::Double(1.0), &Value::Exact("1".to_owned())));
        assert!(same(&Known::Exact { digits: 150, scale: 2 }, &Value::Exact("1.5".to_owned())));
        assert!(same(&whole(3), &Value::Float(3.0)) && same(&Known::Double(0.1 + 0.2), &Value::Float(0.3)));
        assert!(!same(&Known::Double(0.3), &Value::Float(0.301)));
        assert!(same(&Known::Double(f64::NAN), &Value::Float(f64::NAN)));
    }
}
