//! One text and one hash of an answer, and of a JSON document, whatever engine or program wrote them.
//! In: a table, or JSON. Out: canonical text and its SHA-256 in hexadecimal.

use sha2::{Digest, Sha256};

use super::exact::{number_text, order};
use crate::table::{Table, Value};

/// Doubles up to here print as integers when they are whole.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// An answer as text: the columns asked for in their order, rows sorted by value, equal values written alike. `None` if
/// a column is missing.
pub fn answer_text(columns: &[String], table: &Table) -> Option<String> {
    let places: Vec<usize> = columns
        .iter()
        .map(|name| table.columns.iter().position(|column| column.name == *name))
        .collect::<Option<_>>()?;
    let mut rows: Vec<Vec<&Value>> =
        table.rows.iter().map(|row| places.iter().map(|at| row.get(*at)).collect()).collect::<Option<_>>()?;
    rows.sort_by(|left, right| {
        let mut cells = left.iter().zip(right).map(|(left, right)| order(left, right));
        cells.find(|found| found.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    let names = columns.iter().map(|name| serde_json::Value::from(name.as_str()).to_string());
    let mut text = names.collect::<Vec<_>>().join("\t");
    text.push('\n');
    for row in rows {
        let cells: Vec<String> = row.into_iter().map(cell).collect();
        text.push_str(&cells.join("\t"));
        text.push('\n');
    }
    Some(text)
}

/// The SHA-256 of an answer's text.
pub fn answer_digest(columns: &[String], table: &Table) -> Option<String> {
    answer_text(columns, table).map(|text| sha256(text.as_bytes()))
}

/// JSON on one line with sorted keys and one form for equal numbers.
pub fn canonical_json(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::String(_) => {
            value.to_string()
        }
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), _, _) => whole.to_string(),
            (None, Some(whole), _) => whole.to_string(),
            (None, None, Some(float)) if float.fract() == 0.0 && float.abs() < WHOLE => {
                format!("{:.0}", float + 0.0)
            }
            (None, None, Some(float)) => format!("{float:?}"),
            (None, None, None) => number.to_string(),
        },
        serde_json::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical_json).collect();
            format!("[{}]", items.join(","))
        }
        serde_json::Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| key.as_str());
            let shown = entries.into_iter().map(|(key, value)| {
                format!("{}:{}", serde_json::Value::from(key.as_str()), canonical_json(value))
            });
            format!("{{{}}}", shown.collect::<Vec<_>>().join(","))
        }
    }
}

/// The SHA-256 of canonical JSON.
pub fn json_digest(value: &serde_json::Value) -> String {
    sha256(canonical_json(value).as_bytes())
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        for half in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(half), 16));
        }
        text
    })
}

/// A letter for the family, then the value; text is quoted so that no tab or line break stands in it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_string(),
        Value::Boolean(value) => format!("b{value}"),
        Value::Integer(_) | Value::Decimal { .. } | Value::Float(_) => {
            format!("n{}", number_text(value).unwrap_or_default())
        }
        Value::Text(text) => format!("t{}", serde_json::Value::from(text.as_str())),
        Value::Date(_) => format!("d{}", value.text()),
        Value::Time(_) => format!("c{}", value.text()),
        Value::Timestamp(_) => format!("w{}", value.text()),
        Value::Instant(_) => format!("i{}", value.text()),
    }
}

#[cfg(test)]
mod tests;
