//! Whether a result is the expected one (tests/cases/README.md, how rows are compared).
//! In: the expected table, the rules, the rows that an engine gave. Out: nothing, or what is missing and what is too many.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::value::{Kind, Table, Value};

/// How far two numbers may be apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// |got - expected| <= t.
    Absolute(f64),
    /// |got - expected| <= t * the larger of both magnitudes.
    Relative(f64),
}

impl Tolerance {
    fn allows(self, got: f64, expected: f64) -> bool {
        let distance = (got - expected).abs();
        match self {
            Tolerance::Absolute(limit) => distance <= limit,
            Tolerance::Relative(limit) => distance <= limit * got.abs().max(expected.abs()),
        }
    }

    fn is_zero(self) -> bool {
        let (Tolerance::Absolute(limit) | Tolerance::Relative(limit)) = self;
        limit <= 0.0
    }
}

/// What counts as equal beside the values themselves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// Row by row; else as multisets.
    pub ordered: bool,
    /// For columns whose expected kind is Float or Any.
    pub tolerance: Tolerance,
}

/// The most rows that a message lists on each side.
const LISTED_ROWS: usize = 5;

/// Compares by position. The kinds are those of `expected`; the names of columns mean nothing.
pub fn compare(expected: &Table, got: &Table, rules: Rules) -> Result<(), String> {
    if expected.columns.len() != got.columns.len() {
        return Err(format!("{} columns, expected {}", got.columns.len(), expected.columns.len()));
    }
    let kinds: Vec<Kind> = expected.columns.iter().map(|column| column.kind).collect();
    if rules.ordered {
        compare_in_order(expected, got, &kinds, rules)
    } else {
        compare_sets(expected, got, &kinds, rules)
    }
}

fn compare_in_order(expected: &Table, got: &Table, kinds: &[Kind], rules: Rules) -> Result<(), String> {
    for (at, (wanted, found)) in expected.rows.iter().zip(&got.rows).enumerate() {
        if !same_row(wanted, found, kinds, rules.tolerance) {
            return Err(format!("row {} is {}, expected {}", at + 1, row_text(found), row_text(wanted)));
        }
    }
    if expected.rows.len() == got.rows.len() {
        Ok(())
    } else {
        Err(format!("{} rows, expected {}", got.rows.len(), expected.rows.len()))
    }
}

fn compare_sets(expected: &Table, got: &Table, kinds: &[Kind], rules: Rules) -> Result<(), String> {
    // Rows whose exact columns agree are candidates for each other; within a bucket each pair is looked at.
    let mut buckets: BTreeMap<String, Vec<&Vec<Value>>> = BTreeMap::new();
    for row in &got.rows {
        buckets.entry(bucket(row, kinds, rules.tolerance)).or_default().push(row);
    }
    let mut missing = Vec::new();
    for wanted in &expected.rows {
        let candidates = buckets.entry(bucket(wanted, kinds, rules.tolerance)).or_default();
        match candidates.iter().position(|found| same_row(wanted, found, kinds, rules.tolerance)) {
            Some(at) => {
                candidates.remove(at);
            }
            None => missing.push(wanted),
        }
    }
    let extra: Vec<&Vec<Value>> = buckets.into_values().flatten().collect();
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    let mut message = format!("{} rows, expected {}", got.rows.len(), expected.rows.len());
    list_rows(&mut message, "missing", &missing);
    list_rows(&mut message, "too many", &extra);
    Err(message)
}

/// Whether two rows are equal under the kinds of the expected one.
pub fn same_row(expected: &[Value], got: &[Value], kinds: &[Kind], tolerance: Tolerance) -> bool {
    expected.len() == got.len()
        && expected
            .iter()
            .zip(got)
            .zip(kinds)
            .all(|((expected, got), kind)| same_value(expected, got, *kind, tolerance))
}

fn same_value(expected: &Value, got: &Value, kind: Kind, tolerance: Tolerance) -> bool {
    match (expected, got) {
        (Value::Null, Value::Null) => true,
        (Value::Boolean(expected), Value::Boolean(got)) => expected == got,
        (Value::Text(expected), Value::Text(got)) => expected == got,
        // A case without types writes days as texts.
        (Value::Text(expected), Value::Date(_) | Value::Timestamp(_)) if kind == Kind::Any => {
            Value::parse(Kind::Timestamp, expected).is_ok_and(|expected| expected.instant() == got.instant())
        }
        (Value::Exact(_) | Value::Float(_), Value::Exact(_) | Value::Float(_)) => {
            same_number(expected, got, kind, tolerance)
        }
        (Value::Date(_) | Value::Timestamp(_), Value::Date(_) | Value::Timestamp(_)) => {
            expected.instant() == got.instant()
        }
        (
            Value::Null
            | Value::Boolean(_)
            | Value::Text(_)
            | Value::Exact(_)
            | Value::Float(_)
            | Value::Date(_)
            | Value::Timestamp(_),
            _,
        ) => false,
    }
}

fn same_number(expected: &Value, got: &Value, kind: Kind, tolerance: Tolerance) -> bool {
    // NaN and the infinities have no exact value: each equals itself.
    if let (Value::Float(expected), Value::Float(got)) = (expected, got)
        && !expected.is_finite()
    {
        return expected.total_cmp(got).is_eq() || expected.is_nan() && got.is_nan();
    }
    let (Some(expected_exact), Some(got_exact)) = (expected.exact_number(), got.exact_number()) else {
        return false;
    };
    if expected_exact == got_exact {
        return true;
    }
    matches!(kind, Kind::Float | Kind::Any)
        && matches!((expected.as_f64(), got.as_f64()), (Some(e), Some(g)) if !tolerance.is_zero() && tolerance.allows(g, e))
}

/// A text that is the same for rows that can be equal.
fn bucket(row: &[Value], kinds: &[Kind], tolerance: Tolerance) -> String {
    let mut key = String::new();
    for (value, kind) in row.iter().zip(kinds) {
        let approximate = matches!(kind, Kind::Float | Kind::Any) && !tolerance.is_zero();
        let part = match value {
            Value::Exact(_) | Value::Float(_) if approximate => "number".to_owned(),
            Value::Exact(_) | Value::Float(_) => {
                value.exact_number().unwrap_or_else(|| "not finite".to_owned())
            }
            Value::Date(_) | Value::Timestamp(_) => value.instant().unwrap_or_default(),
            // The same instant may be written as a text on the expected side.
            Value::Text(text) if *kind == Kind::Any => Value::parse(Kind::Timestamp, text)
                .ok()
                .and_then(|reading| reading.instant())
                .unwrap_or_else(|| value.to_string()),
            Value::Null | Value::Boolean(_) | Value::Text(_) => value.to_string(),
        };
        key.push_str(&part);
        key.push('\u{1f}');
    }
    key
}

fn list_rows(message: &mut String, label: &str, rows: &[&Vec<Value>]) {
    for row in rows.iter().take(LISTED_ROWS) {
        let _ = write!(message, "\n  {label}: {}", row_text(row));
    }
    if rows.len() > LISTED_ROWS {
        let _ = write!(message, "\n  {label}: {} more", rows.len() - LISTED_ROWS);
    }
}

fn row_text(row: &[Value]) -> String {
    let values: Vec<String> = row.iter().map(Value::to_string).collect();
    format!("({})", values.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Column;

    const EXACT: Tolerance = Tolerance::Absolute(0.0);
    const SET: Rules = Rules { ordered: false, tolerance: EXACT };

    fn number(text: &str) -> Value {
        Value::parse(Kind::Exact, text).unwrap()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn table(kinds: &[Kind], rows: Vec<Vec<Value>>) -> Table {
        let columns = kinds.iter().map(|kind| Column { name: "c".to_owned(), kind: *kind }).collect();
        Table { columns, rows }
    }

    fn check(kind: Kind, tolerance: Tolerance, expected: Value, got: Value) -> bool {
        compare(
            &table(&[kind], vec![vec![expected]]),
            &table(&[kind], vec![vec![got]]),
            Rules { ordered: false, tolerance },
        )
        .is_ok()
    }

    #[test]
    fn numbers_are_equal_by_value_across_types() {
        assert!(check(Kind::Exact, EXACT, number("350"), number("350.00")));
        assert!(check(Kind::Any, EXACT, number("350"), Value::Float(350.0)));
        assert!(check(Kind::Exact, EXACT, number("0.1"), Value::Float(0.1)));
        assert!(!check(
            Kind::Exact,
            EXACT,
            number("9007199254740993"),
            Value::Float(9_007_199_254_740_992.0)
        ));
        assert!(!check(Kind::Exact, EXACT, number("350"), number("350.01")));
        assert!(!check(Kind::Exact, EXACT, number("1"), text("1")));
        assert!(!check(Kind::Exact, EXACT, number("1"), Value::Boolean(true)));
    }

    #[test]
    fn only_floats_have_a_tolerance() {
        let cent = Tolerance::Absolute(0.01);
        assert!(check(Kind::Float, cent, Value::Float(83.33), Value::Float(83.333_333)));
        assert!(check(Kind::Any, cent, number("83.33"), Value::Float(83.333_333)));
        assert!(!check(Kind::Exact, cent, number("83.33"), number("83.333")));
        assert!(!check(Kind::Float, cent, Value::Float(83.33), Value::Float(83.35)));
        let relative = Tolerance::Relative(1e-12);
        assert!(check(Kind::Float, relative, Value::Float(1e15), Value::Float(1e15 + 500.0)));
        assert!(!check(Kind::Float, relative, Value::Float(1.0), Value::Float(1.000_001)));
        assert!(check(Kind::Float, relative, Value::Float(0.0), Value::Float(-0.0)));
    }

    #[test]
    fn nan_equals_nan_and_null_equals_null_only() {
        let wide = Tolerance::Absolute(1e9);
        assert!(check(Kind::Float, wide, Value::Float(f64::NAN), Value::Float(f64::NAN)));
        assert!(!check(Kind::Float, wide, Value::Float(f64::NAN), Value::Float(f64::INFINITY)));
        assert!(check(Kind::Float, wide, Value::Float(f64::INFINITY), Value::Float(f64::INFINITY)));
        assert!(!check(Kind::Float, wide, Value::Float(f64::INFINITY), Value::Float(1.0)));
        assert!(!check(Kind::Float, wide, Value::Null, Value::Float(f64::NAN)));
        assert!(check(Kind::Exact, EXACT, Value::Null, Value::Null));
        assert!(!check(Kind::Exact, EXACT, Value::Null, number("0")));
        assert!(!check(Kind::Text, EXACT, text("NULL"), Value::Null));
    }

    #[test]
    fn a_day_is_a_date_or_a_midnight_and_no_text() {
        let day = Value::parse(Kind::Date, "2024-02-29").unwrap();
        let midnight = Value::parse(Kind::Timestamp, "2024-02-29 00:00:00").unwrap();
        let later = Value::parse(Kind::Timestamp, "2024-02-29 00:00:01").unwrap();
        assert!(check(Kind::Date, EXACT, day.clone(), midnight.clone()));
        assert!(check(Kind::Timestamp, EXACT, midnight, day.clone()));
        assert!(!check(Kind::Date, EXACT, day.clone(), later));
        assert!(!check(Kind::Date, EXACT, day.clone(), text("2024-02-29")));
        assert!(check(Kind::Any, EXACT, text("2024-02-29"), day));
        assert!(check(Kind::Any, EXACT, text("2024-02-29"), text("2024-02-29")));
    }

    #[test]
    fn rows_are_a_multiset_unless_ordered() {
        let kinds = [Kind::Text, Kind::Exact];
        let a = vec![text("a"), number("1")];
        let b = vec![text("b"), Value::Null];
        let expected = table(&kinds, vec![a.clone(), b.clone(), a.clone()]);
        assert_eq!(compare(&expected, &table(&kinds, vec![b.clone(), a.clone(), a.clone()]), SET), Ok(()));
        let ordered = Rules { ordered: true, ..SET };
        let swapped = compare(&expected, &table(&kinds, vec![b.clone(), a.clone(), a.clone()]), ordered);
        assert_eq!(swapped, Err("row 1 is (\"b\", NULL), expected (\"a\", 1)".to_owned()));
        let doubled = compare(&expected, &table(&kinds, vec![a.clone(), b.clone(), b.clone()]), SET);
        assert_eq!(
            doubled,
            Err("3 rows, expected 3\n  missing: (\"a\", 1)\n  too many: (\"b\", NULL)".to_owned())
        );
        assert!(compare(&expected, &table(&kinds, vec![a.clone(), b.clone()]), ordered).is_err());
        assert!(compare(&expected, &table(&kinds[..1], vec![]), SET).is_err());
    }

    #[test]
    fn rows_that_differ_only_within_the_tolerance_are_told_apart_one_by_one() {
        let kinds = [Kind::Text, Kind::Float];
        let rules = Rules { ordered: false, tolerance: Tolerance::Absolute(0.1) };
        let expected =
            table(&kinds, vec![vec![text("a"), Value::Float(1.0)], vec![text("a"), Value::Float(2.0)]]);
        let got =
            table(&kinds, vec![vec![text("a"), Value::Float(2.05)], vec![text("a"), Value::Float(1.05)]]);
        assert_eq!(compare(&expected, &got, rules), Ok(()));
        let twice =
            table(&kinds, vec![vec![text("a"), Value::Float(1.0)], vec![text("a"), Value::Float(1.0)]]);
        assert!(compare(&expected, &twice, rules).is_err());
    }
}
