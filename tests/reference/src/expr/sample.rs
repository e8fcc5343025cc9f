//! Test support: rows from texts, values as texts. In: expressions as written. Out: what they are, to compare with paper.

use std::collections::BTreeMap;

use unisono_compiler::source::{SourceId, Spanned};
use unisono_compiler::syntax::expr::{Call, Expr, ExprKind, Ident, parse_expr_str};

use super::number::print_exact;
use super::{Row, aggregate, evaluate, print_date, print_timestamp, window};
use crate::stop::Stop;
use crate::value::Value;

/// A row of named values.
pub(super) struct Sample(BTreeMap<String, Value>);

impl Row for Sample {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        let name =
            parts.iter().map(|part| part.value.text.to_ascii_lowercase()).collect::<Vec<_>>().join(".");
        self.0.get(&name).cloned().ok_or(Stop::Unknown(name))
    }

    fn call(&self, call: &Call) -> Option<Result<Value, Stop>> {
        let name = call.name.value.text.to_ascii_lowercase();
        self.0.get(&name).cloned().map(Ok)
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        parts[0].value.text == "total"
    }
}

/// A tree.
pub(super) fn parsed(text: &str) -> Expr {
    let (expr, faults) = parse_expr_str(text, SourceId(0));
    expr.unwrap_or_else(|| panic!("{text}: {faults:?}"))
}

/// A value as a text: exact numbers with their scale, floats as Rust writes them.
pub(super) fn show(value: Result<Value, Stop>) -> String {
    match value {
        Ok(Value::Null) => String::from("NULL"),
        Ok(Value::Boolean(truth)) => String::from(if truth { "TRUE" } else { "FALSE" }),
        Ok(Value::Exact { digits, scale }) => print_exact(digits, scale),
        Ok(Value::Double(number)) => format!("{number:?}"),
        Ok(Value::Text(text)) => format!("'{text}'"),
        Ok(Value::Date(days)) => print_date(days),
        Ok(Value::Timestamp(micros)) => print_timestamp(micros),
        Err(Stop::Refused(codes)) => codes.join(" or "),
        Err(Stop::Overflow(_)) => String::from("overflow"),
        Err(Stop::Open(_)) => String::from("open"),
        Err(Stop::Unknown(_)) => String::from("unknown"),
    }
}

/// Rows from a header and lines of constants: `id, amount` and `1, 2.50`.
pub(super) fn table(header: &str, lines: &[&str]) -> Vec<Sample> {
    let names: Vec<String> = header.split(", ").map(String::from).collect();
    let none = Sample(BTreeMap::new());
    let read = |line: &&str| {
        let values = line.split(", ").map(|text| evaluate(&parsed(text), &none).expect(text));
        Sample(names.iter().cloned().zip(values).collect())
    };
    lines.iter().map(read).collect()
}

fn call_of(expr: &Expr) -> &Call {
    match &*expr.kind {
        ExprKind::Call(call) => call,
        other => panic!("{other:?}"),
    }
}

/// Pairs of an expression and its value in one row.
pub(super) fn check_in(row: &Sample, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(show(evaluate(&parsed(text), row)), *expected, "{text}");
    }
}

/// Pairs of an expression without names and its value.
pub(super) fn check(cases: &[(&str, &str)]) {
    check_in(&Sample(BTreeMap::new()), cases);
}

/// Pairs of an aggregate and its value over rows.
pub(super) fn check_aggregates(rows: &[Sample], cases: &[(&str, &str)]) {
    let rows: Vec<&dyn Row> = rows.iter().map(|row| row as &dyn Row).collect();
    for (text, expected) in cases {
        let expr = parsed(text);
        assert_eq!(show(aggregate(call_of(&expr), &rows)), *expected, "{text}");
    }
}

/// Pairs of a window and its values in the order of the rows, with one blank between them.
pub(super) fn check_windows(rows: &[Sample], cases: &[(&str, &str)]) {
    let rows: Vec<&dyn Row> = rows.iter().map(|row| row as &dyn Row).collect();
    for (text, expected) in cases {
        let expr = parsed(text);
        let found = match window(call_of(&expr), &rows) {
            Ok(values) => values.into_iter().map(|value| show(Ok(value))).collect::<Vec<_>>().join(" "),
            Err(stop) => show(Err(stop)),
        };
        assert_eq!(found, *expected, "{text}");
    }
}
