//! Typed values and doubles as JSON that reads back to exactly the same.
//! In: values. Out: JSON, and the reverse.

use serde_json::{Value as Json, json};

use super::read::{EvidenceError, fault};
use crate::calendar::{parse_date, parse_time, parse_timestamp};
use crate::table::Value;

/// `null`, or an object with one key that says the type.
pub(super) fn to_json(value: &Value) -> Json {
    let kind = match value {
        Value::Null => return Json::Null,
        Value::Boolean(value) => return json!({ "boolean": value }),
        Value::Integer(_) => "integer",
        Value::Decimal { .. } => "decimal",
        Value::Float(_) => "float",
        Value::Text(_) => "text",
        Value::Date(_) => "date",
        Value::Time(_) => "time",
        Value::Timestamp(_) => "timestamp",
        Value::Instant(_) => "instant",
    };
    json!({ kind: value.text() })
}

/// The value of such an object.
pub(super) fn from_json(json: &Json, path: &str) -> Result<Value, EvidenceError> {
    if json.is_null() {
        return Ok(Value::Null);
    }
    let wrong = || fault(path, "expected null or one typed value, as in {\"integer\": \"5\"}");
    let entries = json.as_object().filter(|entries| entries.len() == 1);
    let (kind, value) = entries.and_then(|entries| entries.iter().next()).ok_or_else(wrong)?;
    if kind == "boolean" {
        return value.as_bool().map(Value::Boolean).ok_or_else(wrong);
    }
    let text = value.as_str().ok_or_else(wrong)?;
    let found = match kind.as_str() {
        "integer" => text.parse().ok().map(Value::Integer),
        "decimal" => decimal(text),
        "float" => text.parse().ok().map(Value::Float),
        "text" => Some(Value::Text(text.to_string())),
        "date" => parse_date(text).map(Value::Date),
        "time" => parse_time(text).map(Value::Time),
        "timestamp" => parse_timestamp(text).filter(|at| !at.zoned).map(|at| Value::Timestamp(at.micros)),
        "instant" => parse_timestamp(text).filter(|at| at.zoned).map(|at| Value::Instant(at.micros)),
        _ => return Err(fault(path, &format!("`{kind}` is no type of a value"))),
    };
    found.ok_or_else(|| fault(path, &format!("`{text}` is no {kind}")))
}

fn decimal(text: &str) -> Option<Value> {
    let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let unscaled = text.replace('.', "").parse().ok()?;
    Some(Value::Decimal { unscaled, scale: u8::try_from(scale).ok()? })
}

/// The shortest text that reads back to the same double.
pub(super) fn float_json(value: f64) -> Json {
    json!(Value::Float(value).text())
}

/// A double written by `float_json`.
pub(super) fn float_from(json: &Json, path: &str) -> Result<f64, EvidenceError> {
    let number = json.as_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| fault(path, "expected a number as text"))
}
