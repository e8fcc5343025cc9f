//! Exact equality and order of values, as checks need them (docs/semantics.md, when two answers are equal).
//! In: values of two engines. Out: one total order in which equal numbers of any type are equal; the text of a number.

use std::cmp::Ordering;

use unisono_compiler::data_type::DataType;

use crate::table::Value;

/// Digits that a decimal can have: a double with more can equal none.
const MOST_DIGITS: usize = 38;

/// Digits after the point that write any double out in full.
const FULL_FRACTION: usize = 1074;

/// The kinds of values that can be compared with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// TRUE, FALSE.
    Boolean,
    /// Integers, decimals and floats.
    Number,
    /// Text.
    Text,
    /// Days.
    Date,
    /// Times of day.
    Time,
    /// Wall clocks.
    Timestamp,
    /// Instants.
    Instant,
}

/// The family of a type; `None` where the type is not known.
pub fn family_of_type(data_type: DataType) -> Option<Family> {
    match data_type {
        DataType::Boolean => Some(Family::Boolean),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Decimal { .. }
        | DataType::Float32
        | DataType::Float64 => Some(Family::Number),
        DataType::String => Some(Family::Text),
        DataType::Date => Some(Family::Date),
        DataType::Time => Some(Family::Time),
        DataType::Timestamp => Some(Family::Timestamp),
        DataType::TimestampTz => Some(Family::Instant),
        DataType::Null | DataType::Unknown => None,
    }
}

/// The family of a value; `None` for NULL.
pub fn family(value: &Value) -> Option<Family> {
    match value {
        Value::Null => None,
        Value::Boolean(_) => Some(Family::Boolean),
        Value::Integer(_) | Value::Decimal { .. } | Value::Float(_) => Some(Family::Number),
        Value::Text(_) => Some(Family::Text),
        Value::Date(_) => Some(Family::Date),
        Value::Time(_) => Some(Family::Time),
        Value::Timestamp(_) => Some(Family::Timestamp),
        Value::Instant(_) => Some(Family::Instant),
    }
}

/// Equal, with NULL equal to NULL only, numbers by exact value, -0 equal to 0 and NaN to NaN.
pub fn same(left: &Value, right: &Value) -> bool {
    order(left, right) == Ordering::Equal
}

/// A total order: families apart, numbers by exact value with NaN last, NULL after everything.
pub fn order(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
        (Value::Integer(left), Value::Integer(right))
        | (Value::Time(left), Value::Time(right))
        | (Value::Timestamp(left), Value::Timestamp(right))
        | (Value::Instant(left), Value::Instant(right)) => left.cmp(right),
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Float(left), Value::Float(right)) => order_floats(*left, *right),
        (
            Value::Decimal { unscaled: left, scale: left_scale },
            Value::Decimal { unscaled: right, scale: right_scale },
        ) if left_scale == right_scale => left.cmp(right),
        (
            Value::Integer(_) | Value::Decimal { .. } | Value::Float(_),
            Value::Integer(_) | Value::Decimal { .. } | Value::Float(_),
        ) => order_numbers(left, right),
        (
            Value::Null
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Decimal { .. }
            | Value::Float(_)
            | Value::Text(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::Timestamp(_)
            | Value::Instant(_),
            _,
        ) => rank(left).cmp(&rank(right)),
    }
}

/// NULL after every family.
fn rank(value: &Value) -> (bool, Option<Family>) {
    (matches!(value, Value::Null), family(value))
}

fn order_floats(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

/// Numbers of different types or scales, by their digits; beyond the finite ones only floats are found.
fn order_numbers(left: &Value, right: &Value) -> Ordering {
    match (digits(left), digits(right)) {
        (Some(left), Some(right)) => left.order(&right),
        (None, _) | (_, None) => order_floats(to_float(left), to_float(right)),
    }
}

/// The nearest double of a number; NaN for what is no number.
pub fn to_float(value: &Value) -> f64 {
    match value {
        Value::Float(value) => *value,
        // The standard library reads decimal text to the nearest double.
        Value::Integer(_) | Value::Decimal { .. } => value.text().parse().unwrap_or(f64::NAN),
        Value::Null
        | Value::Boolean(_)
        | Value::Text(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => f64::NAN,
    }
}

/// Right minus left: exact for exact numbers, a double beside a float, `None` for what is no number.
pub fn difference(left: &Value, right: &Value) -> Option<Value> {
    let (Some((low, low_scale)), Some((high, high_scale))) = (decimal(left), decimal(right)) else {
        let numbers = family(left) == Some(Family::Number) && family(right) == Some(Family::Number);
        return numbers.then(|| Value::Float(to_float(right) - to_float(left)));
    };
    let scale = low_scale.max(high_scale);
    let exact = widen(high, high_scale, scale).zip(widen(low, low_scale, scale));
    match exact.and_then(|(high, low)| high.checked_sub(low)) {
        Some(unscaled) if scale == 0 => {
            Some(i64::try_from(unscaled).map_or(Value::Decimal { unscaled, scale }, Value::Integer))
        }
        Some(unscaled) => Some(Value::Decimal { unscaled, scale }),
        None => Some(Value::Float(to_float(right) - to_float(left))),
    }
}

fn decimal(value: &Value) -> Option<(i128, u8)> {
    match value {
        Value::Integer(value) => Some((i128::from(*value), 0)),
        Value::Decimal { unscaled, scale } => Some((*unscaled, *scale)),
        Value::Null
        | Value::Boolean(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => None,
    }
}

fn widen(unscaled: i128, from: u8, to: u8) -> Option<i128> {
    unscaled.checked_mul(10_i128.checked_pow(u32::from(to - from))?)
}

/// The one text of a number's value, whatever its type: equal numbers have equal texts. `None` for what is no number.
pub fn number_text(value: &Value) -> Option<String> {
    match (value, digits(value)) {
        (Value::Float(float), Some(digits)) if digits.significant() > MOST_DIGITS => {
            Some(format!("{float:?}"))
        }
        (_, Some(digits)) => Some(digits.text()),
        (Value::Float(_), None) => Some(value.text()),
        (_, None) => None,
    }
}

/// A finite number written out: no leading zeros before the point, no trailing ones after it, zero without a sign.
#[derive(PartialEq, Eq, Debug)]
struct Digits {
    negative: bool,
    whole: String,
    fraction: String,
}

fn digits(value: &Value) -> Option<Digits> {
    let text = match value {
        Value::Float(float) if float.is_finite() => format!("{float:.FULL_FRACTION$}"),
        Value::Integer(_) | Value::Decimal { .. } => value.text(),
        Value::Float(_)
        | Value::Null
        | Value::Boolean(_)
        | Value::Text(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => return None,
    };
    let (negative, text) = text.strip_prefix('-').map_or((false, text.as_str()), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let is_zero = whole.is_empty() && fraction.is_empty();
    Some(Digits { negative: negative && !is_zero, whole: whole.to_string(), fraction: fraction.to_string() })
}

impl Digits {
    fn order(&self, other: &Digits) -> Ordering {
        let size = |of: &Digits| (of.whole.len(), of.whole.clone(), of.fraction.clone());
        match (self.negative, other.negative) {
            (false, false) => size(self).cmp(&size(other)),
            (true, true) => size(other).cmp(&size(self)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    fn significant(&self) -> usize {
        format!("{}{}", self.whole, self.fraction).trim_matches('0').len()
    }

    fn text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let whole = if self.whole.is_empty() { "0" } else { &self.whole };
        let point = if self.fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{}", self.fraction)
    }
}

#[cfg(test)]
mod tests;
