//! A value of the embedded real-time engine, with the one order and equality that keys need.
//! In: what sources and expressions give. Out: keys of groups and joins; SQL's three-valued comparison is `eval`'s.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::eval::print_decimal;
use crate::calendar::{format_date, format_time};

/// A value. NULL equals itself and comes first; numbers are equal by value (1 and 1.00, -0.0 and 0.0); NaN equals
/// itself and is above every number; texts go by code point. Floats and exact numbers never meet in one key.
#[derive(Clone, Debug)]
pub enum Value {
    /// NULL of any type.
    Null,
    /// FALSE before TRUE.
    Boolean(bool),
    /// Int8 to Int64.
    Integer(i64),
    /// `unscaled` / 10^`scale`, at most 38 digits.
    Decimal {
        /// All digits.
        unscaled: i128,
        /// Digits after the point, at most 38.
        scale: u8,
    },
    /// Float32 and Float64.
    Float(f64),
    /// Unicode text.
    Text(Arc<str>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since midnight.
    Time(i64),
    /// Microseconds since 1970-01-01 00:00:00 on a wall clock.
    Timestamp(i64),
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    Instant(i64),
}

impl Value {
    /// Text.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    /// Whether it is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Whether it is TRUE, not FALSE or UNKNOWN: what a predicate keeps.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Boolean(true))
    }

    /// The digits of an exact number.
    pub(crate) fn exact(&self) -> Option<(i128, u8)> {
        match self {
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

    /// The place of its kind among the kinds.
    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Boolean(_) => 1,
            Value::Integer(_) | Value::Decimal { .. } => 2,
            Value::Float(_) => 3,
            Value::Text(_) => 4,
            Value::Date(_) => 5,
            Value::Time(_) => 6,
            Value::Timestamp(_) => 7,
            Value::Instant(_) => 8,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Some(left), Some(right)) = (self.exact(), other.exact()) {
            return compare_exact(left, right);
        }
        match (self, other) {
            (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
            (Value::Float(left), Value::Float(right)) => compare_floats(*left, *right),
            (Value::Text(left), Value::Text(right)) => left.cmp(right),
            (Value::Date(left), Value::Date(right)) => left.cmp(right),
            (Value::Time(left), Value::Time(right))
            | (Value::Timestamp(left), Value::Timestamp(right))
            | (Value::Instant(left), Value::Instant(right)) => left.cmp(right),
            (left, right) => left.rank().cmp(&right.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::Null => {}
            Value::Boolean(value) => value.hash(state),
            Value::Integer(value) => (i128::from(*value), 0_u8).hash(state),
            Value::Decimal { unscaled, scale } => shortest(*unscaled, *scale).hash(state),
            Value::Float(value) if value.is_nan() => f64::NAN.to_bits().hash(state),
            // Adding 0.0 turns -0.0 into 0.0.
            Value::Float(value) => (value + 0.0).to_bits().hash(state),
            Value::Text(text) => text.hash(state),
            Value::Date(days) => days.hash(state),
            Value::Time(micros) | Value::Timestamp(micros) | Value::Instant(micros) => micros.hash(state),
        }
    }
}

/// One text a type: integers plain, decimals at their scale, dates ISO, times with six digits. `__key` is made of these.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("NULL"),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Decimal { unscaled, scale } => f.write_str(&print_decimal(*unscaled, *scale)),
            Value::Float(value) => write!(f, "{:?}", value + 0.0),
            Value::Text(text) => f.write_str(text),
            Value::Date(days) => f.write_str(&format_date(*days)),
            Value::Time(micros) => f.write_str(&clock(*micros)),
            Value::Timestamp(micros) | Value::Instant(micros) => {
                // The days of 64-bit microseconds fit into 32 bits.
                let days = i32::try_from(micros.div_euclid(MICROS_PER_DAY)).unwrap_or(i32::MAX);
                write!(f, "{} {}", format_date(days), clock(micros.rem_euclid(MICROS_PER_DAY)))
            }
        }
    }
}

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// `HH:MM:SS.ffffff`.
fn clock(micros: i64) -> String {
    let second = format_time(micros - micros % 1_000_000);
    format!("{second}.{:06}", micros % 1_000_000)
}

/// NaN equals NaN and is the greatest; -0.0 equals 0.0.
pub(crate) fn compare_floats(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

/// Whole parts first, then fractions at the larger scale: neither can overflow.
pub(crate) fn compare_exact(left: (i128, u8), right: (i128, u8)) -> Ordering {
    let whole = |(unscaled, scale): (i128, u8)| unscaled.div_euclid(power_of_ten(scale));
    let fraction = |(unscaled, scale): (i128, u8), to: u8| {
        unscaled.rem_euclid(power_of_ten(scale)) * power_of_ten(to - scale)
    };
    let to = left.1.max(right.1);
    whole(left).cmp(&whole(right)).then_with(|| fraction(left, to).cmp(&fraction(right, to)))
}

/// 10^`exponent`; above 38, which no Decimal has, 10^38.
pub(crate) fn power_of_ten(exponent: u8) -> i128 {
    10_i128.pow(u32::from(exponent.min(38)))
}

/// Without zeros at the end of the fraction.
fn shortest(mut unscaled: i128, mut scale: u8) -> (i128, u8) {
    while scale > 0 && unscaled % 10 == 0 {
        unscaled /= 10;
        scale -= 1;
    }
    (unscaled, scale)
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;

    use super::*;

    fn decimal(unscaled: i128, scale: u8) -> Value {
        Value::Decimal { unscaled, scale }
    }

    fn hash(value: &Value) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn equal_keys_have_equal_hashes() {
        for (left, right) in [
            (Value::Null, Value::Null),
            (Value::Integer(10), decimal(1000, 2)),
            (decimal(0, 0), decimal(0, 38)),
            (Value::Float(-0.0), Value::Float(0.0)),
            (Value::Float(f64::NAN), Value::Float(-f64::NAN)),
            (Value::text("a"), Value::text("a")),
        ] {
            assert_eq!(left, right);
            assert_eq!(hash(&left), hash(&right), "{left:?} {right:?}");
        }
    }

    #[test]
    fn the_order_is_total() {
        let most = 10_i128.pow(38) - 1;
        let ascending = [
            Value::Null,
            Value::Boolean(false),
            Value::Boolean(true),
            decimal(-most, 0),
            Value::Integer(i64::MIN),
            decimal(-15, 1),
            Value::Integer(-1),
            decimal(-1, 38),
            Value::Integer(0),
            decimal(1, 38),
            decimal(most, 38),
            Value::Integer(1),
            decimal(101, 2),
            decimal(most, 0),
            Value::Float(f64::NEG_INFINITY),
            Value::Float(-1.5),
            Value::Float(0.0),
            Value::Float(f64::INFINITY),
            Value::Float(f64::NAN),
            Value::text(""),
            Value::text("Z"),
            Value::text("a"),
            Value::text("a "),
            // U+FF5E is below U+1F600 by code point, above it in UTF-16.
            Value::text("\u{ff5e}"),
            Value::text("\u{1f600}"),
            Value::Date(-1),
            Value::Date(0),
            Value::Time(0),
            Value::Timestamp(-1),
            Value::Timestamp(0),
            Value::Instant(0),
        ];
        for (at, left) in ascending.iter().enumerate() {
            for (behind, right) in ascending.iter().enumerate() {
                assert_eq!(left.cmp(right), at.cmp(&behind), "{left:?} {right:?}");
            }
        }
    }
}
