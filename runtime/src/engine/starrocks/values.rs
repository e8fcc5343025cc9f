//! Texts of the protocol as values of the types that were compiled. In: the columns that a server announces, the columns that were compiled,
//! texts. Out: values; a text that is not exactly a value of its type is an error, never the nearest value.

use mysql_async::consts::ColumnType;
use unisono_compiler::data_type::DataType;

use super::fault::StarRocksError;
use crate::calendar;
use crate::table::{Column, Value};

/// Digits that the language's decimals have at most.
const DECIMAL_DIGITS: u8 = 38;

/// A column as the server announces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Announced {
    /// Its name.
    pub(super) name: String,
    /// Its type in the protocol.
    pub(super) wire: ColumnType,
    /// Digits after the point, for decimals.
    pub(super) scale: u8,
}

/// The columns of an answer: the compiled ones where their types are known, else by what the protocol says. Without compiled ones
/// (a statement that is no compiled query) the names are the server's.
pub(super) fn columns(announced: &[Announced], compiled: &[Column]) -> Result<Vec<Column>, StarRocksError> {
    if compiled.is_empty() {
        let of = |column: &Announced| Column { name: column.name.clone(), data_type: of_wire(column) };
        return Ok(announced.iter().map(of).collect());
    }
    if announced.len() != compiled.len() {
        let message = format!("{} columns came, and {} were asked for", announced.len(), compiled.len());
        return Err(StarRocksError::Malformed(message));
    }
    let typed = |(wire, column): (&Announced, &Column)| match column.data_type {
        DataType::Unknown | DataType::Null => Column { name: column.name.clone(), data_type: of_wire(wire) },
        _ => column.clone(),
    };
    Ok(announced.iter().zip(compiled).map(typed).collect())
}

/// The type that the protocol names. A Boolean cannot be told from a TINYINT there, nor a LARGEINT from a text.
fn of_wire(column: &Announced) -> DataType {
    if is_text(column.wire) {
        return DataType::String;
    }
    match column.wire {
        ColumnType::MYSQL_TYPE_TINY => DataType::Int8,
        ColumnType::MYSQL_TYPE_SHORT | ColumnType::MYSQL_TYPE_YEAR => DataType::Int16,
        ColumnType::MYSQL_TYPE_LONG | ColumnType::MYSQL_TYPE_INT24 => DataType::Int32,
        ColumnType::MYSQL_TYPE_LONGLONG => DataType::Int64,
        ColumnType::MYSQL_TYPE_FLOAT => DataType::Float32,
        ColumnType::MYSQL_TYPE_DOUBLE => DataType::Float64,
        ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL => {
            DataType::Decimal { precision: DECIMAL_DIGITS, scale: column.scale.min(DECIMAL_DIGITS) }
        }
        ColumnType::MYSQL_TYPE_DATE | ColumnType::MYSQL_TYPE_NEWDATE => DataType::Date,
        ColumnType::MYSQL_TYPE_TIME | ColumnType::MYSQL_TYPE_TIME2 => DataType::Time,
        ColumnType::MYSQL_TYPE_DATETIME
        | ColumnType::MYSQL_TYPE_DATETIME2
        | ColumnType::MYSQL_TYPE_TIMESTAMP
        | ColumnType::MYSQL_TYPE_TIMESTAMP2 => DataType::Timestamp,
        _ => DataType::Unknown,
    }
}

fn is_text(wire: ColumnType) -> bool {
    matches!(
        wire,
        ColumnType::MYSQL_TYPE_VARCHAR
            | ColumnType::MYSQL_TYPE_VAR_STRING
            | ColumnType::MYSQL_TYPE_STRING
            | ColumnType::MYSQL_TYPE_TINY_BLOB
            | ColumnType::MYSQL_TYPE_MEDIUM_BLOB
            | ColumnType::MYSQL_TYPE_LONG_BLOB
            | ColumnType::MYSQL_TYPE_BLOB
            | ColumnType::MYSQL_TYPE_JSON
            | ColumnType::MYSQL_TYPE_ENUM
            | ColumnType::MYSQL_TYPE_SET
    )
}

/// One value.
pub(super) fn value(
    bytes: Option<&[u8]>,
    column: &Column,
    announced: &Announced,
) -> Result<Value, StarRocksError> {
    let Some(bytes) = bytes else { return Ok(Value::Null) };
    let wrong = |text: &str, why: &'static str| StarRocksError::Value {
        column: column.name.clone(),
        data_type: column.data_type.to_string(),
        text: text.to_string(),
        why,
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(wrong(&String::from_utf8_lossy(bytes), "is no UTF-8"));
    };
    typed(text, column.data_type, announced.wire).map_err(|why| wrong(text, why))
}

fn typed(text: &str, data_type: DataType, wire: ColumnType) -> Result<Value, &'static str> {
    match data_type {
        DataType::Boolean => match text {
            "1" => Ok(Value::Boolean(true)),
            "0" => Ok(Value::Boolean(false)),
            _ => Err("is neither 1 nor 0"),
        },
        DataType::Int8 => integer(text, i64::from(i8::MIN), i64::from(i8::MAX)),
        DataType::Int16 => integer(text, i64::from(i16::MIN), i64::from(i16::MAX)),
        DataType::Int32 => integer(text, i64::from(i32::MIN), i64::from(i32::MAX)),
        DataType::Int64 => integer(text, i64::MIN, i64::MAX),
        DataType::Decimal { precision, scale } => decimal(text, precision, scale),
        // A Float32 becomes the Float64 of the same value, as DataFusion's do.
        DataType::Float32 => float(text, |text| text.parse::<f32>().ok().map(f64::from)),
        DataType::Float64 => float(text, |text| text.parse::<f64>().ok()),
        // A number or a date where a text was compiled would be the server's form of it, not the language's.
        DataType::String if !is_text(wire) => Err("comes as another type than a text"),
        DataType::String | DataType::Null | DataType::Unknown => Ok(Value::Text(text.to_string())),
        DataType::Date => {
            let date = (text.len() == 10).then(|| calendar::parse_date(text)).flatten();
            date.map(Value::Date).ok_or("is no date from year 0 to 9999")
        }
        DataType::Time => {
            let is_whole = text.len() == 8 || text.len() == 15;
            let time = is_whole.then(|| calendar::parse_time(text)).flatten();
            time.map(Value::Time).ok_or("is no time of day")
        }
        DataType::Timestamp => Ok(Value::Timestamp(timestamp(text)?)),
        // Sessions run in UTC, so the text is that of UTC.
        DataType::TimestampTz => Ok(Value::Instant(timestamp(text)?)),
    }
}

fn integer(text: &str, least: i64, most: i64) -> Result<Value, &'static str> {
    let is_plain = !text.starts_with('+');
    let number = text.parse::<i64>().ok().filter(|number| is_plain && (least..=most).contains(number));
    number.map(Value::Integer).ok_or("is no integer of that size")
}

/// The value at the compiled scale. The server's scale may be another one: zeros are added or taken, other digits never.
fn decimal(text: &str, precision: u8, scale: u8) -> Result<Value, &'static str> {
    const NO_DECIMAL: &str = "is no decimal";
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || digits.ends_with('.') {
        return Err(NO_DECIMAL);
    }
    let wanted = usize::from(scale);
    let (kept, cut) = fraction.split_at(fraction.len().min(wanted));
    if cut.bytes().any(|byte| byte != b'0') {
        return Err("has more digits after the point than its type");
    }
    let unscaled: i128 =
        format!("{whole}{kept:0<wanted$}").parse().map_err(|_| "has more digits than its type")?;
    if precision > DECIMAL_DIGITS || unscaled.unsigned_abs() >= 10_u128.pow(u32::from(precision)) {
        return Err("has more digits than its type");
    }
    Ok(Value::Decimal { unscaled: sign * unscaled, scale })
}

fn float(text: &str, number: impl Fn(&str) -> Option<f64>) -> Result<Value, &'static str> {
    const NO_FLOAT: &str = "is no float";
    let bare = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is = |word: &str| bare.eq_ignore_ascii_case(word);
    if is("nan") {
        return Ok(Value::Float(f64::NAN));
    }
    if is("inf") || is("infinity") {
        let infinity = if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
        return Ok(Value::Float(infinity));
    }
    // Rust reads more words than servers write, and rounds what is too large to an infinity.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte)) {
        return Err(NO_FLOAT);
    }
    number(text).filter(|value| value.is_finite()).map(Value::Float).ok_or(NO_FLOAT)
}

/// `YYYY-MM-DD HH:MM:SS`, with six more digits or none.
fn timestamp(text: &str) -> Result<i64, &'static str> {
    const NO_TIMESTAMP: &str = "is no time from year 0 to 9999";
    let is_whole = (text.len() == 19 || text.len() == 26) && text.as_bytes()[10] == b' ';
    let moment = is_whole.then(|| calendar::parse_timestamp(text)).flatten().ok_or(NO_TIMESTAMP)?;
    if moment.zoned { Err(NO_TIMESTAMP) } else { Ok(moment.micros) }
}

#[cfg(test)]
mod tests;
