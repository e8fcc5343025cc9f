//! Comparison in SQL's three values. In: two values of one type. Out: their order, `None` if either is NULL.

use std::cmp::Ordering;

use super::decimal::to_float;
use crate::engine::incremental::value::compare_floats;
use crate::engine::incremental::{Fault, Value};

/// The order of two values: numbers by value, NaN equal to itself and the greatest, texts by code point.
pub(super) fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, Fault> {
    let float = |value: &Value| match value {
        Value::Float(float) => Some(*float),
        other => other.exact().map(|(unscaled, scale)| to_float(unscaled, scale)),
    };
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::Float(_), _) | (_, Value::Float(_)) => match (float(left), float(right)) {
            (Some(left), Some(right)) => Ok(Some(compare_floats(left, right))),
            _ => Err(mixed(left, right)),
        },
        (Value::Boolean(_), Value::Boolean(_))
        | (Value::Integer(_) | Value::Decimal { .. }, Value::Integer(_) | Value::Decimal { .. })
        | (Value::Text(_), Value::Text(_))
        | (Value::Date(_), Value::Date(_))
        | (Value::Time(_), Value::Time(_))
        | (Value::Timestamp(_), Value::Timestamp(_))
        | (Value::Instant(_), Value::Instant(_)) => Ok(Some(left.cmp(right))),
        _ => Err(mixed(left, right)),
    }
}

fn mixed(left: &Value, right: &Value) -> Fault {
    Fault::Plan(format!("{left:?} cannot be compared with {right:?}"))
}

/// Equality; `None` if either is NULL.
pub(super) fn equal(left: &Value, right: &Value) -> Result<Option<bool>, Fault> {
    Ok(order(left, right)?.map(Ordering::is_eq))
}

/// `IS DISTINCT FROM`, where NULL equals NULL.
pub(super) fn distinct(left: &Value, right: &Value) -> Result<bool, Fault> {
    Ok(match equal(left, right)? {
        Some(equal) => !equal,
        None => left.is_null() != right.is_null(),
    })
}

/// GREATEST and LEAST of values that are not NULL.
pub(super) fn extreme(values: &[Value], wanted: Ordering) -> Result<Value, Fault> {
    let mut best = Value::Null;
    for value in values {
        if order(value, &best)?.is_none_or(|found| found == wanted) {
            best = value.clone();
        }
    }
    Ok(best)
}
