//! Values and tables as the tests compare them, whatever engine they came from.
//! In: texts with the name of a type, as DuckDB, Flink or Arrow print both, or JSON. Out: `Value` and `Table` in one normal form.

use serde_json::Value as Json;

/// What a column holds; how its values are read and compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not said: a number is a number, a text may stand for a day.
    Any,
    /// TRUE or FALSE.
    Boolean,
    /// An integer or a decimal: compared by exact value.
    Exact,
    /// A binary float: compared within the tolerance.
    Float,
    /// A text.
    Text,
    /// A day, or a timestamp at midnight.
    Date,
    /// A wall clock reading; an instant is read in UTC.
    Timestamp,
}

impl Kind {
    /// The kind of a column from the name of its type; `None` for a type that no case has.
    pub fn of_type(name: &str) -> Option<Kind> {
        let base = name.split(['(', '<']).next().unwrap_or_default().trim().to_ascii_uppercase();
        let kind = match base.as_str() {
            "BOOLEAN" | "BOOL" => Kind::Boolean,
            "TINYINT" | "SMALLINT" | "INTEGER" | "INT" | "BIGINT" | "HUGEINT" | "UTINYINT" | "USMALLINT"
            | "UINTEGER" | "UBIGINT" | "UHUGEINT" | "INT8" | "INT16" | "INT32" | "INT64" | "UINT8"
            | "UINT16" | "UINT32" | "UINT64" | "DECIMAL" | "DECIMAL128" | "DECIMAL256" => Kind::Exact,
            "FLOAT" | "REAL" | "DOUBLE" | "FLOAT32" | "FLOAT64" => Kind::Float,
            "VARCHAR" | "CHAR" | "STRING" | "UTF8" | "LARGEUTF8" | "UTF8VIEW" => Kind::Text,
            "DATE" | "DATE32" => Kind::Date,
            "TIMESTAMP"
            | "TIMESTAMP WITH TIME ZONE"
            | "TIMESTAMP_WITHOUT_TIME_ZONE"
            | "TIMESTAMP_WITH_LOCAL_TIME_ZONE" => Kind::Timestamp,
            // A column of nothing but NULLs.
            "NULL" => Kind::Any,
            _ => return None,
        };
        Some(kind)
    }

    /// The kind of a word in `types` of a case's expected.json.
    pub fn of_word(word: &str) -> Option<Kind> {
        let kind = match word {
            "boolean" => Kind::Boolean,
            "integer" | "decimal" => Kind::Exact,
            "float" => Kind::Float,
            "string" => Kind::Text,
            "date" => Kind::Date,
            "timestamp" => Kind::Timestamp,
            _ => return None,
        };
        Some(kind)
    }
}

/// One value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// NULL.
    Null,
    /// TRUE or FALSE.
    Boolean(bool),
    /// An exact number in normal form: no leading zeros, no trailing zeros after the point, no negative zero.
    Exact(String),
    /// A binary float, NaN and the infinities included.
    Float(f64),
    /// A text.
    Text(String),
    /// A day as `YYYY-MM-DD`.
    Date(String),
    /// A clock reading as `YYYY-MM-DD HH:MM:SS.ffffff`.
    Timestamp(String),
}

impl Value {
    /// A value of a kind from its text.
    pub fn parse(kind: Kind, text: &str) -> Result<Value, String> {
        let read = match kind {
            Kind::Any | Kind::Text => Some(Value::Text(text.to_owned())),
            Kind::Boolean => match text.to_ascii_lowercase().as_str() {
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                _ => None,
            },
            Kind::Exact => exact(text).map(Value::Exact),
            // Rust reads NaN, Infinity and inf in any case.
            Kind::Float => text.parse().ok().map(Value::Float),
            Kind::Date => date(text).map(Value::Date),
            Kind::Timestamp => timestamp(text).map(Value::Timestamp),
        };
        read.ok_or_else(|| format!("`{text}` is no value of kind {kind:?}"))
    }

    /// A value of a kind from JSON: numbers may be texts where they have more digits than a double keeps.
    pub fn from_json(kind: Kind, json: &Json) -> Result<Value, String> {
        match (kind, json) {
            (_, Json::Null) => Ok(Value::Null),
            (Kind::Any | Kind::Boolean, Json::Bool(value)) => Ok(Value::Boolean(*value)),
            (Kind::Any | Kind::Exact, Json::Number(number)) => Value::parse(Kind::Exact, &number.to_string()),
            (Kind::Float, Json::Number(number)) => Value::parse(Kind::Float, &number.to_string()),
            (_, Json::String(text)) => Value::parse(kind, text),
            (_, Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_)) => {
                Err(format!("{json} is no value of kind {kind:?}"))
            }
        }
    }

    /// The exact value of a finite number, floats by the shortest text that reads back as themselves.
    pub fn exact_number(&self) -> Option<String> {
        match self {
            Value::Exact(number) => Some(number.clone()),
            Value::Float(number) if number.is_finite() => exact(&number.to_string()),
            Value::Null
            | Value::Boolean(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::Date(_)
            | Value::Timestamp(_) => None,
        }
    }

    /// The nearest double of a finite number.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Exact(number) => number.parse().ok(),
            Value::Float(number) if number.is_finite() => Some(*number),
            Value::Null
            | Value::Boolean(_)
            | Value::Float(_)
            | Value::Text(_)
            | Value::Date(_)
            | Value::Timestamp(_) => None,
        }
    }

    /// The instant of a day's midnight or of a timestamp, in the text form of timestamps.
    pub fn instant(&self) -> Option<String> {
        match self {
            Value::Date(day) => Some(format!("{day} 00:00:00.000000")),
            Value::Timestamp(reading) => Some(reading.clone()),
            Value::Null | Value::Boolean(_) | Value::Exact(_) | Value::Float(_) | Value::Text(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => f.write_str("NULL"),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Exact(text) | Value::Date(text) | Value::Timestamp(text) => f.write_str(text),
            Value::Float(number) => write!(f, "{number}e0"),
            Value::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// A column of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name, for reading only.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
}

/// A result.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each of as many values as there are columns.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// A table from what the helper answers: `{"columns": [{"name", "type"}], "rows": [[..]]}`.
    pub fn from_json(json: &Json) -> Result<Table, String> {
        let mut columns = Vec::new();
        for column in list(json, "columns")? {
            let name = column["name"].as_str().unwrap_or_default().to_owned();
            let type_name = column["type"].as_str().unwrap_or_default();
            let kind = Kind::of_type(type_name)
                .ok_or_else(|| format!("column {name} has type {type_name}, which no case has"))?;
            columns.push(Column { name, kind });
        }
        let mut rows = Vec::new();
        for row in list(json, "rows")? {
            let values = row.as_array().ok_or("a row is not a list")?;
            let read: Result<Vec<Value>, String> = columns
                .iter()
                .zip(values)
                .map(|(column, value)| Value::from_json(column.kind, value))
                .collect();
            rows.push(read?);
        }
        Ok(Table { columns, rows })
    }
}

fn list<'a>(json: &'a Json, key: &str) -> Result<&'a Vec<Json>, String> {
    json[key].as_array().ok_or_else(|| format!("there is no list `{key}`"))
}

/// The normal form of a decimal text, with an exponent or without; `None` if it is none.
fn exact(text: &str) -> Option<String> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    // An exponent far out would make a text of that length.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) || exponent.abs() > 400 {
        return None;
    }
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let (whole, fraction) = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => (format!("{digits:0<point$}"), String::new()),
        Ok(point) => (digits[..point].to_owned(), digits[point..].to_owned()),
        Err(_) => {
            let zeros = usize::try_from(-point).ok()?;
            (String::new(), format!("{}{digits}", "0".repeat(zeros)))
        }
    };
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let mut normal = String::new();
    if negative && !(whole.is_empty() && fraction.is_empty()) {
        normal.push('-');
    }
    normal.push_str(if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        normal.push('.');
        normal.push_str(fraction);
    }
    Some(normal)
}

/// `YYYY-MM-DD`, or a timestamp at midnight.
fn date(text: &str) -> Option<String> {
    if matches_shape(text, "dddd-dd-dd") {
        return Some(text.to_owned());
    }
    let reading = timestamp(text)?;
    reading.strip_suffix(" 00:00:00.000000").map(str::to_owned)
}

/// `YYYY-MM-DD HH:MM:SS.ffffff` from the same with `T`, fewer digits, or the zone of UTC at the end; a day is its midnight.
fn timestamp(text: &str) -> Option<String> {
    let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")).unwrap_or(text);
    if matches_shape(text, "dddd-dd-dd") {
        return Some(format!("{text} 00:00:00.000000"));
    }
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let spaced = seconds.replacen('T', " ", 1);
    let digits = fraction.trim_end_matches('0');
    if !matches_shape(&spaced, "dddd-dd-dd dd:dd:dd")
        || digits.len() > 6
        || !fraction.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    Some(format!("{spaced}.{digits:0<6}"))
}

/// Whether a text has a digit where the shape has `d`, and otherwise the shape's own characters.
fn matches_shape(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text
            .bytes()
            .zip(shape.bytes())
            .all(|(byte, wanted)| if wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn exact_numbers_have_one_normal_form() {
        for (text, normal) in [
            ("350", "350"),
            ("350.00", "350"),
            ("+0350.10", "350.1"),
            ("-0.00", "0"),
            ("-.5", "-0.5"),
            ("1E+6", "1000000"),
            ("1.25e1", "12.5"),
            ("1E-8", "0.00000001"),
            ("-12.5e-1", "-1.25"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ] {
            assert_eq!(exact(text).as_deref(), Some(normal), "{text}");
        }
        for text in ["", "-", "1,5", "1.2.3", "NaN", "0x1", "1e9999"] {
            assert_eq!(exact(text), None, "{text}");
        }
    }

    #[test]
    fn days_and_timestamps_have_one_normal_form() {
        let midnight = Value::Timestamp("2024-02-29 00:00:00.000000".to_owned());
        for text in ["2024-02-29", "2024-02-29 00:00:00", "2024-02-29T00:00:00.000", "2024-02-29 00:00:00Z"] {
            assert_eq!(Value::parse(Kind::Timestamp, text), Ok(midnight.clone()), "{text}");
            assert_eq!(Value::parse(Kind::Date, text), Ok(Value::Date("2024-02-29".to_owned())), "{text}");
        }
        let reading = Value::Timestamp("2024-02-29 01:02:03.120000".to_owned());
        assert_eq!(Value::parse(Kind::Timestamp, "2024-02-29T01:02:03.12+00:00"), Ok(reading));
        assert!(Value::parse(Kind::Date, "2024-02-29 01:02:03").is_err());
        assert!(Value::parse(Kind::Timestamp, "2024-02-29 01:02").is_err());
        assert!(Value::parse(Kind::Date, "29.2.2024").is_err());
    }

    #[test]
    fn a_table_is_read_from_the_helper_s_answer() {
        let answer = json!({
            "columns": [
                {"name": "a", "type": "DECIMAL(38,2)"}, {"name": "b", "type": "DOUBLE"},
                {"name": "c", "type": "BOOLEAN"}, {"name": "d", "type": "TIMESTAMP_WITHOUT_TIME_ZONE(3)"},
            ],
            "rows": [["12.30", "NaN", true, "2024-01-01 00:00:00.500"], [null, 0.1, "TRUE", null]],
        });
        let table = Table::from_json(&answer).unwrap();
        assert_eq!(table.columns[0], Column { name: "a".to_owned(), kind: Kind::Exact });
        assert_eq!(table.rows[0][0], Value::Exact("12.3".to_owned()));
        assert!(matches!(table.rows[0][1], Value::Float(number) if number.is_nan()));
        assert_eq!(table.rows[0][3], Value::Timestamp("2024-01-01 00:00:00.500000".to_owned()));
        assert_eq!(table.rows[1], [Value::Null, Value::Float(0.1), Value::Boolean(true), Value::Null]);
        let unknown = json!({"columns": [{"name": "a", "type": "INTERVAL"}], "rows": []});
        assert_eq!(
            Table::from_json(&unknown),
            Err("column a has type INTERVAL, which no case has".to_owned())
        );
    }

    #[test]
    fn types_of_every_engine_are_known() {
        for (name, kind) in [
            ("HUGEINT", Kind::Exact),
            ("Decimal128(38, 4)", Kind::Exact),
            ("Int64", Kind::Exact),
            ("Utf8View", Kind::Text),
            ("CHAR", Kind::Text),
            ("Date32", Kind::Date),
            ("Timestamp(Microsecond, None)", Kind::Timestamp),
            ("TIMESTAMP WITH TIME ZONE", Kind::Timestamp),
            ("Float64", Kind::Float),
        ] {
            assert_eq!(Kind::of_type(name), Some(kind), "{name}");
        }
        assert_eq!(Kind::of_type("INTERVAL"), None);
    }
}
