//! Comparisons, logic and choices over intervals.
//! In: estimates of the operands. Out: the estimate of the result; unknown where two engines may decide differently.

use std::cmp::Ordering;

use unisono_compiler::function::Scalar;

use super::group::Estimate::{self, Same, Unknown};
use super::number::as_span;
use crate::check::exact::order;
use crate::table::Value;

fn truth(value: bool) -> Estimate {
    Same(Value::Boolean(value))
}

/// Functions that do not simply pass NULL on; `None` for every other.
pub(super) fn choose(function: Scalar, values: &[Estimate]) -> Option<Estimate> {
    let chosen = match (function, values) {
        (Scalar::Coalesce, _) => {
            let first = values.iter().find(|value| **value != Same(Value::Null));
            first.cloned().unwrap_or(Same(Value::Null))
        }
        (Scalar::IsNull | Scalar::IsNotNull, [value]) => match value {
            Same(value) => truth((*value == Value::Null) == (function == Scalar::IsNull)),
            Estimate::Span(_) => truth(function == Scalar::IsNotNull),
            Unknown => Unknown,
        },
        (Scalar::NullIf, [value, other]) => match compare(Scalar::Equal, value, other) {
            Same(Value::Boolean(true)) => Same(Value::Null),
            Same(_) => value.clone(),
            Estimate::Span(_) | Unknown => Unknown,
        },
        (Scalar::IsDistinctFrom | Scalar::IsNotDistinctFrom, [left, right]) => {
            let equal = match (left, right) {
                (Same(Value::Null), Same(Value::Null)) => truth(true),
                (Same(Value::Null), Same(_) | Estimate::Span(_))
                | (Same(_) | Estimate::Span(_), Same(Value::Null)) => truth(false),
                (Same(_) | Estimate::Span(_) | Unknown, Same(_) | Estimate::Span(_) | Unknown) => {
                    compare(Scalar::Equal, left, right)
                }
            };
            if function == Scalar::IsDistinctFrom { logic(Scalar::Not, &[equal]) } else { equal }
        }
        (Scalar::And | Scalar::Or | Scalar::Not, _) => logic(function, values),
        (
            Scalar::Equal
            | Scalar::NotEqual
            | Scalar::Less
            | Scalar::LessEqual
            | Scalar::Greater
            | Scalar::GreaterEqual,
            [left, right],
        ) => compare(function, left, right),
        _ => return None,
    };
    Some(chosen)
}

/// A comparison: NULL beside NULL, decided where the intervals have nothing in common.
pub(super) fn compare(function: Scalar, left: &Estimate, right: &Estimate) -> Estimate {
    let ordering = match (left, right) {
        (Same(Value::Null), _) | (_, Same(Value::Null)) => return Same(Value::Null),
        (Same(left), Same(right)) => Some(order(left, right)),
        (Same(_) | Estimate::Span(_) | Unknown, Same(_) | Estimate::Span(_) | Unknown) => {
            match (as_span(left), as_span(right)) {
                (Some(left), Some(right)) if left.high < right.low => Some(Ordering::Less),
                (Some(left), Some(right)) if left.low > right.high => Some(Ordering::Greater),
                (Some(left), Some(right)) if left.is_point() && right.is_point() => Some(Ordering::Equal),
                (Some(_) | None, Some(_) | None) => None,
            }
        }
    };
    let Some(ordering) = ordering else { return Unknown };
    match function {
        Scalar::Equal => truth(ordering.is_eq()),
        Scalar::NotEqual => truth(ordering.is_ne()),
        Scalar::Less => truth(ordering.is_lt()),
        Scalar::LessEqual => truth(ordering.is_le()),
        Scalar::Greater => truth(ordering.is_gt()),
        Scalar::GreaterEqual => truth(ordering.is_ge()),
        _ => Unknown,
    }
}

/// Three-valued logic in which an operand that is not known decides nothing by itself.
pub(super) fn logic(function: Scalar, values: &[Estimate]) -> Estimate {
    let decisive = match function {
        Scalar::Not => {
            return match values {
                [Same(Value::Boolean(value))] => truth(!value),
                [Same(Value::Null)] => Same(Value::Null),
                _ => Unknown,
            };
        }
        Scalar::And => false,
        _ => true,
    };
    let is_known = |value: &Estimate| matches!(value, Same(Value::Boolean(_) | Value::Null));
    if values.contains(&truth(decisive)) {
        truth(decisive)
    } else if !values.iter().all(is_known) {
        Unknown
    } else if values.contains(&Same(Value::Null)) {
        Same(Value::Null)
    } else {
        truth(!decisive)
    }
}

#[cfg(test)]
mod tests;
