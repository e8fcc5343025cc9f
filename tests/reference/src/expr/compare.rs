//! Comparison: of SQL (three-valued), for grouping, for ordering. In: two values. Out: an ordering, or none where NULL is.

use std::cmp::Ordering;

use super::number::{is_zero, power_of_ten, to_float};
use crate::stop::Stop;
use crate::value::Value;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Whether two values are one group: NULL is NULL, NaN is NaN, -0 is 0 and 1 is 1.0.
pub fn same(a: &Value, b: &Value) -> bool {
    order(a, b) == Ordering::Equal
}

/// A total order: numbers by value with NaN last, texts by code point, FALSE before TRUE, a Date as its midnight. NULL is
/// behind everything; `order_item` has the rule for NULLs. Values of other kinds are apart and do not meet in one column.
pub fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
        (Value::Exact { digits: a, scale: s }, Value::Exact { digits: b, scale: t }) => {
            order_exact((*a, *s), (*b, *t))
        }
        (Value::Exact { digits, scale }, Value::Double(b)) => order_float(to_float(*digits, *scale), *b),
        (Value::Double(a), Value::Exact { digits, scale }) => order_float(*a, to_float(*digits, *scale)),
        (Value::Double(a), Value::Double(b)) => order_float(*a, *b),
        (Value::Text(a), Value::Text(b)) => a.chars().cmp(b.chars()),
        (Value::Date(a), Value::Date(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.cmp(b),
        (Value::Date(a), Value::Timestamp(b)) => midnight(*a).cmp(b),
        (Value::Timestamp(a), Value::Date(b)) => a.cmp(&midnight(*b)),
        _ => kind(a).cmp(&kind(b)),
    }
}

/// The order of two values in an ORDER BY: ASC puts NULLs last, DESC first, unless said otherwise.
pub fn order_item(a: &Value, b: &Value, descending: bool, nulls_first: Option<bool>) -> Ordering {
    let nulls_first = nulls_first.unwrap_or(descending);
    let null_rank = |value: &Value| u8::from((*value == Value::Null) != nulls_first);
    null_rank(a).cmp(&null_rank(b)).then_with(|| if descending { order(b, a) } else { order(a, b) })
}

/// A tuple of values as a key of groups.
#[derive(Clone, Debug)]
pub struct Key(pub Vec<Value>);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let pairs = self.0.iter().zip(&other.0);
        pairs
            .map(|(a, b)| order(a, b))
            .find(|ordering| *ordering != Ordering::Equal)
            .unwrap_or_else(|| self.0.len().cmp(&other.0.len()))
    }
}

/// SQL's comparison: None where either is NULL. Values that no cast brings together are not compared.
pub(super) fn compare(a: &Value, b: &Value) -> Result<Option<Ordering>, Stop> {
    if *a == Value::Null || *b == Value::Null {
        return Ok(None);
    }
    if kind(a) == kind(b) {
        Ok(Some(order(a, b)))
    } else {
        Err(Stop::Unknown(format!("types: {a:?} beside {b:?}")))
    }
}

/// Whether a comparison of floats may come out another way on another engine: they are nearly equal but not equal, or
/// equal and not short. Only for computed floats; a column's value is the same everywhere.
pub(super) fn doubtful(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Exact { digits, scale } => Some(to_float(*digits, *scale)),
        Value::Double(number) => Some(*number),
        _ => None,
    };
    let floats = matches!(a, Value::Double(_)) || matches!(b, Value::Double(_));
    let (true, Some(a), Some(b)) = (floats, number(a), number(b)) else { return false };
    if !a.is_finite() || !b.is_finite() {
        return false;
    }
    let short = |number: f64| number.abs() < 1e9 && is_zero((number * 1_048_576.0).fract());
    let apart = (a - b).abs();
    if is_zero(apart) { !short(a) } else { apart <= 1e-9 * a.abs().max(b.abs()).max(1e-3) }
}

fn midnight(days: i32) -> i64 {
    i64::from(days) * DAY
}

/// What can be compared with each other.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Boolean(_) => 0,
        Value::Exact { .. } | Value::Double(_) => 1,
        Value::Text(_) => 2,
        Value::Date(_) | Value::Timestamp(_) => 3,
        Value::Null => 4,
    }
}

/// By the part before the point, then by 38 digits behind it: nothing can overflow.
fn order_exact((a, s): (i128, u8), (b, t): (i128, u8)) -> Ordering {
    let split = |digits: i128, scale: u8| {
        let unit = power_of_ten(u32::from(scale)).unwrap_or(1);
        let rest = power_of_ten(38_u32.saturating_sub(u32::from(scale))).unwrap_or(1);
        (digits.div_euclid(unit), digits.rem_euclid(unit).saturating_mul(rest))
    };
    split(a, s).cmp(&split(b, t))
}

fn order_float(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn exact(digits: i128, scale: u8) -> Value {
        Value::Exact { digits, scale }
    }

    #[test]
    fn groups_are_by_value() {
        assert!(same(&Value::Null, &Value::Null));
        assert!(same(&Value::Double(f64::NAN), &Value::Double(f64::NAN)));
        assert!(same(&Value::Double(-0.0), &Value::Double(0.0)));
        assert!(same(&exact(1, 0), &exact(10, 1)));
        assert!(same(&exact(1, 0), &Value::Double(1.0)));
        assert!(same(&exact(-15, 1), &exact(-1500, 3)));
        assert!(!same(&exact(-15, 1), &exact(-16, 1)));
        assert!(!same(&Value::Null, &exact(0, 0)));
        assert!(!same(&Value::Text(String::from("x")), &Value::Text(String::from("x "))));
        let keys: BTreeSet<Key> =
            [exact(1, 0), exact(100, 2), Value::Null, Value::Null].map(|value| Key(vec![value])).into();
        assert_eq!(keys.len(), 2);
    }

    #[test]
    fn numbers_are_ordered_with_nan_last() {
        assert_eq!(order(&exact(-15, 1), &exact(-1, 0)), Ordering::Less);
        assert_eq!(order(&exact(10_i128.pow(37), 0), &exact(1, 38)), Ordering::Greater);
        assert_eq!(order(&Value::Double(f64::NAN), &Value::Double(f64::INFINITY)), Ordering::Greater);
        assert_eq!(order(&exact(5, 0), &Value::Double(f64::NAN)), Ordering::Less);
        assert_eq!(order(&Value::Text(String::from("Z")), &Value::Text(String::from("a"))), Ordering::Less);
        assert_eq!(order(&Value::Boolean(false), &Value::Boolean(true)), Ordering::Less);
        assert_eq!(order(&Value::Date(1), &Value::Timestamp(DAY)), Ordering::Equal);
    }

    #[test]
    fn nulls_are_last_ascending_and_first_descending() {
        let one = exact(1, 0);
        assert_eq!(order_item(&one, &Value::Null, false, None), Ordering::Less);
        assert_eq!(order_item(&one, &Value::Null, true, None), Ordering::Greater);
        assert_eq!(order_item(&one, &Value::Null, false, Some(true)), Ordering::Greater);
        assert_eq!(order_item(&one, &Value::Null, true, Some(false)), Ordering::Less);
        assert_eq!(order_item(&one, &exact(2, 0), true, None), Ordering::Greater);
        assert_eq!(order_item(&Value::Null, &Value::Null, true, None), Ordering::Equal);
    }

    #[test]
    fn sql_comparison_is_unknown_for_null() {
        assert_eq!(compare(&Value::Null, &Value::Null), Ok(None));
        assert_eq!(compare(&exact(1, 0), &exact(100, 2)), Ok(Some(Ordering::Equal)));
        assert!(compare(&exact(1, 0), &Value::Text(String::from("1"))).is_err());
    }

    #[test]
    fn nearly_equal_floats_are_doubtful() {
        assert!(doubtful(&Value::Double(0.1 + 0.2), &Value::Double(0.3)));
        assert!(doubtful(&Value::Double(0.1), &exact(1, 1)));
        assert!(!doubtful(&Value::Double(0.5), &exact(5, 1)));
        assert!(!doubtful(&Value::Double(0.1), &Value::Double(0.2)));
        assert!(!doubtful(&exact(1, 1), &exact(1, 1)));
        assert!(!doubtful(&Value::Double(f64::NAN), &Value::Double(1.0)));
    }
}
