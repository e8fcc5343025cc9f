//! Rows as people and programs see them: typed values with one text form and one JSON form each.
//! In: what an engine returned. Out: tables that `format` prints and tests compare.

mod columnar;
mod format;

pub use columnar::{to_arrow, to_parquet};
pub use format::{aligned, to_csv, to_json_rows, to_text};

use serde_json::{Number, json};
use unisono_compiler::data_type::DataType;

use crate::calendar;

/// An answer in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Names and types in order.
    pub columns: Vec<Column>,
    /// Rows in the order returned.
    pub rows: Vec<Vec<Value>>,
    /// More rows exist than the limit let through.
    pub truncated: bool,
}

/// A column of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type that the engine returned.
    pub data_type: DataType,
}

/// One value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// NULL.
    Null,
    /// TRUE, FALSE.
    Boolean(bool),
    /// Int8 to Int64.
    Integer(i64),
    /// `unscaled / 10^scale`.
    Decimal {
        /// All digits.
        unscaled: i128,
        /// Digits after the point.
        scale: u8,
    },
    /// Float32 and Float64.
    Float(f64),
    /// Text.
    Text(String),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since midnight.
    Time(i64),
    /// Wall clock, microseconds since 1970-01-01.
    Timestamp(i64),
    /// Instant, microseconds since 1970-01-01 UTC.
    Instant(i64),
}

/// Longest number of digits that a JSON number keeps in every reader.
const JSON_DIGITS: usize = 15;

impl Value {
    /// The value as text: ISO dates, decimals at their scale, NULL empty.
    pub fn text(&self) -> String {
        match self {
            Value::Null => String::new(),
            Value::Boolean(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Decimal { unscaled, scale } => decimal_text(*unscaled, *scale),
            Value::Float(value) => float_text(*value),
            Value::Text(value) => value.clone(),
            Value::Date(days) => calendar::format_date(*days),
            Value::Time(micros) => calendar::format_time(*micros),
            Value::Timestamp(micros) => calendar::format_timestamp(*micros),
            Value::Instant(micros) => format!("{}Z", calendar::format_timestamp(*micros)),
        }
    }

    /// The value in JSON: numbers up to 15 digits, longer ones and NaN and infinities as strings.
    pub fn json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Boolean(value) => json!(value),
            Value::Integer(value) if digits(i128::from(*value)) <= JSON_DIGITS => json!(value),
            Value::Decimal { unscaled, scale: 0 } if digits(*unscaled) <= JSON_DIGITS => {
                i64::try_from(*unscaled).map_or_else(|_| json!(self.text()), |value| json!(value))
            }
            Value::Decimal { unscaled, scale: _ } if digits(*unscaled) <= JSON_DIGITS => {
                self.text().parse().map_or_else(|_| json!(self.text()), json_float)
            }
            Value::Float(value) => json_float(*value),
            Value::Integer(_)
            | Value::Decimal { .. }
            | Value::Text(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::Timestamp(_)
            | Value::Instant(_) => json!(self.text()),
        }
    }
}

fn json_float(value: f64) -> serde_json::Value {
    Number::from_f64(value).map_or_else(|| json!(float_text(value)), serde_json::Value::Number)
}

fn digits(unscaled: i128) -> usize {
    unscaled.unsigned_abs().to_string().len()
}

fn decimal_text(unscaled: i128, scale: u8) -> String {
    let scale = usize::from(scale);
    let sign = if unscaled < 0 { "-" } else { "" };
    let text = format!("{:0width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = text.split_at(text.len() - scale);
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// The shortest text that reads back to the same double.
fn float_text(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_string()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_string()
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_their_scale() {
        assert_eq!(Value::Decimal { unscaled: -5, scale: 2 }.text(), "-0.05");
        assert_eq!(Value::Decimal { unscaled: 12_300, scale: 2 }.text(), "123.00");
        assert_eq!(Value::Decimal { unscaled: 7, scale: 0 }.text(), "7");
    }

    #[test]
    fn json_numbers_end_at_fifteen_digits() {
        assert_eq!(Value::Integer(999_999_999_999_999).json().to_string(), "999999999999999");
        assert_eq!(Value::Integer(-1_000_000_000_000_000).json().to_string(), "\"-1000000000000000\"");
        assert_eq!(Value::Decimal { unscaled: 45_050, scale: 2 }.json().to_string(), "450.5");
        assert_eq!(Value::Decimal { unscaled: 350, scale: 0 }.json().to_string(), "350");
        let long = Value::Decimal { unscaled: 1_234_567_890_123_456, scale: 2 };
        assert_eq!(long.json().to_string(), "\"12345678901234.56\"");
    }

    #[test]
    fn what_json_cannot_say_is_a_string() {
        assert_eq!(Value::Float(f64::NAN).json().to_string(), "\"NaN\"");
        assert_eq!(Value::Float(f64::NEG_INFINITY).json().to_string(), "\"-Infinity\"");
        assert_eq!(Value::Null.json().to_string(), "null");
        assert_eq!(Value::Date(19_782).json().to_string(), "\"2024-02-29\"");
    }
}
