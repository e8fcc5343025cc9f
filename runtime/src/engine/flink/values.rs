//! Texts of the gateway's plain form as typed values. In: columns, rows of text. Out: a `Table`; a text that is not exactly a value of its
//! column's type is an error, never the nearest value.

use unisono_compiler::data_type::DataType;

use super::changelog::Row;
use super::fault::FlinkError;
use super::wire::{ColumnInfo, LogicalType};
use crate::calendar;
use crate::table::{Column, Table, Value};

/// Digits that Flink's decimals have at most.
const DECIMAL_DIGITS: u8 = 38;

/// The first rows of an answer; `truncated` if it has more.
pub(super) fn table(columns: &[ColumnInfo], rows: &[Row], limit: usize) -> Result<Table, FlinkError> {
    let types: Vec<DataType> = columns.iter().map(|column| data_type(&column.logical_type)).collect();
    let mut out = Vec::with_capacity(rows.len().min(limit));
    for row in rows.iter().take(limit) {
        if row.len() != columns.len() {
            let message = format!("a row has {} values, and there are {} columns", row.len(), columns.len());
            return Err(FlinkError::Malformed(message));
        }
        let mut values = Vec::with_capacity(row.len());
        for ((field, column), data_type) in row.iter().zip(columns).zip(&types) {
            values.push(match field {
                None => Value::Null,
                Some(text) => value(text, *data_type).map_err(|why| FlinkError::Value {
                    column: column.name.clone(),
                    logical_type: column.logical_type.name.clone(),
                    text: text.clone(),
                    why,
                })?,
            });
        }
        out.push(values);
    }
    let named = columns.iter().zip(types);
    let columns = named.map(|(column, data_type)| Column { name: column.name.clone(), data_type }).collect();
    Ok(Table { columns, rows: out, truncated: rows.len() > limit })
}

/// The language's type; Unknown for types that it lacks (BINARY, ARRAY, MAP, ROW, intervals), whose values stay as Flink writes them.
fn data_type(logical: &LogicalType) -> DataType {
    match logical.name.as_str() {
        "BOOLEAN" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INTEGER" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "DECIMAL" => DataType::Decimal {
            precision: logical.precision.unwrap_or(DECIMAL_DIGITS),
            scale: logical.scale.unwrap_or(0),
        },
        "FLOAT" => DataType::Float32,
        "DOUBLE" => DataType::Float64,
        "CHAR" | "VARCHAR" => DataType::String,
        "DATE" => DataType::Date,
        "TIME_WITHOUT_TIME_ZONE" => DataType::Time,
        "TIMESTAMP_WITHOUT_TIME_ZONE" => DataType::Timestamp,
        // Sessions run in UTC, so the text is that of UTC.
        "TIMESTAMP_WITH_LOCAL_TIME_ZONE" => DataType::TimestampTz,
        "NULL" => DataType::Null,
        _ => DataType::Unknown,
    }
}

fn value(text: &str, data_type: DataType) -> Result<Value, &'static str> {
    match data_type {
        DataType::Boolean => match text {
            "TRUE" => Ok(Value::Boolean(true)),
            "FALSE" => Ok(Value::Boolean(false)),
            _ => Err("is neither TRUE nor FALSE"),
        },
        DataType::Int8 => text.parse::<i8>().map(i64::from).map(Value::Integer).map_err(|_| NO_INTEGER),
        DataType::Int16 => text.parse::<i16>().map(i64::from).map(Value::Integer).map_err(|_| NO_INTEGER),
        DataType::Int32 => text.parse::<i32>().map(i64::from).map(Value::Integer).map_err(|_| NO_INTEGER),
        DataType::Int64 => text.parse::<i64>().map(Value::Integer).map_err(|_| NO_INTEGER),
        DataType::Decimal { precision, scale } => decimal(text, precision, scale),
        // A Float32 becomes the Float64 of the same value, as DataFusion's do.
        DataType::Float32 => float(text, |text| text.parse::<f32>().ok().map(f64::from)),
        DataType::Float64 => float(text, |text| text.parse::<f64>().ok()),
        DataType::String | DataType::Null | DataType::Unknown => Ok(Value::Text(text.to_string())),
        DataType::Date => {
            calendar::parse_date(text).filter(|_| !text.starts_with(NO_YEAR)).map(Value::Date).ok_or(NO_DATE)
        }
        DataType::Time => {
            calendar::parse_time(microseconds(text)?).map(Value::Time).ok_or("is no time of day")
        }
        DataType::Timestamp => Ok(Value::Timestamp(timestamp(text)?)),
        DataType::TimestampTz => Ok(Value::Instant(timestamp(text)?)),
    }
}

/// Flink writes the last four digits of a year: this one is 10000 (2.2.1, run).
const NO_YEAR: &str = "0000-";
const NO_DATE: &str = "is no date or time from year 1 to 9999";

const NO_INTEGER: &str = "is no integer of that size";

/// The text has every digit of the scale: another number of them would be another value's text.
fn decimal(text: &str, precision: u8, scale: u8) -> Result<Value, &'static str> {
    const NO_DECIMAL: &str = "is no decimal at the column's scale";
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !is_number(digits) || !is_number(fraction) || fraction.len() != usize::from(scale)
    {
        return Err(NO_DECIMAL);
    }
    let unscaled: i128 = format!("{whole}{fraction}").parse().map_err(|_| NO_DECIMAL)?;
    if precision > DECIMAL_DIGITS || unscaled.unsigned_abs() >= 10_u128.pow(u32::from(precision)) {
        return Err("has more digits than its type");
    }
    Ok(Value::Decimal { unscaled, scale })
}

fn float(text: &str, number: impl Fn(&str) -> Option<f64>) -> Result<Value, &'static str> {
    let value = match text {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust reads more words than Flink writes, and rounds what is too large to an infinity.
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b".-+E".contains(&byte)) => {
            number(text).filter(|value| value.is_finite()).ok_or(NO_FLOAT)?
        }
        _ => return Err(NO_FLOAT),
    };
    Ok(Value::Float(value))
}

const NO_FLOAT: &str = "is no float";

fn timestamp(text: &str) -> Result<i64, &'static str> {
    let moment = calendar::parse_timestamp(microseconds(text)?).ok_or(NO_DATE)?;
    if moment.zoned || text.starts_with(NO_YEAR) { Err(NO_DATE) } else { Ok(moment.micros) }
}

/// The text with at most six digits after the point; more of them must be zero, since the language keeps microseconds.
fn microseconds(text: &str) -> Result<&str, &'static str> {
    match text.split_once('.') {
        Some((whole, fraction)) if fraction.len() > 6 && fraction.is_char_boundary(6) => {
            if fraction[6..].bytes().all(|byte| byte == b'0') {
                Ok(&text[..whole.len() + 7])
            } else {
                Err("has parts of microseconds, which the language does not keep")
            }
        }
        Some(_) | None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, precision: Option<u8>, scale: Option<u8>) -> ColumnInfo {
        let logical_type = LogicalType { name: name.to_string(), precision, scale };
        ColumnInfo { name: "c".to_string(), logical_type }
    }

    fn one(column: &ColumnInfo, text: &str) -> Result<Value, String> {
        let table = table(std::slice::from_ref(column), &[vec![Some(text.to_string())]], 1);
        table.map(|table| table.rows[0][0].clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn decimals_keep_every_digit_and_their_scale() {
        let money = column("DECIMAL", Some(18), Some(2));
        assert_eq!(one(&money, "12.30"), Ok(Value::Decimal { unscaled: 1_230, scale: 2 }));
        assert_eq!(one(&money, "-0.05"), Ok(Value::Decimal { unscaled: -5, scale: 2 }));
        let wide = column("DECIMAL", Some(38), Some(0));
        let most = "99999999999999999999999999999999999999";
        assert_eq!(one(&wide, most), Ok(Value::Decimal { unscaled: 10_i128.pow(38) - 1, scale: 0 }));
        let small = column("DECIMAL", Some(38), Some(8));
        assert_eq!(one(&small, "0.00000001"), Ok(Value::Decimal { unscaled: 1, scale: 8 }));
        for wrong in ["12.3", "5", "1E+6", "12.300", ".50", "", "-", "+1.00", "1.0a", "99999999999999999.00"]
        {
            assert!(one(&money, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn integers_have_the_size_of_their_type() {
        assert_eq!(
            one(&column("BIGINT", None, None), "9007199254740993"),
            Ok(Value::Integer(9_007_199_254_740_993))
        );
        assert_eq!(one(&column("TINYINT", None, None), "-128"), Ok(Value::Integer(-128)));
        for (name, wrong) in
            [("TINYINT", "128"), ("SMALLINT", "32768"), ("INTEGER", "2147483648"), ("BIGINT", "1.0")]
        {
            assert!(one(&column(name, None, None), wrong).is_err(), "{name} {wrong}");
        }
    }

    #[test]
    fn floats_are_read_as_java_writes_them() {
        let double = column("DOUBLE", None, None);
        assert_eq!(one(&double, "1.0E300"), Ok(Value::Float(1e300)));
        assert_eq!(one(&double, "1.0E-7"), Ok(Value::Float(1e-7)));
        assert_eq!(one(&double, "-Infinity"), Ok(Value::Float(f64::NEG_INFINITY)));
        assert!(matches!(one(&double, "NaN"), Ok(Value::Float(value)) if value.is_nan()));
        assert_eq!(one(&column("FLOAT", None, None), "0.1"), Ok(Value::Float(f64::from(0.1_f32))));
        for wrong in ["inf", "nan", "1.0E999", "", "x"] {
            assert!(one(&double, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_and_times_keep_microseconds_and_nothing_finer() {
        assert_eq!(one(&column("DATE", None, None), "2024-02-29"), Ok(Value::Date(19_782)));
        let time = column("TIME_WITHOUT_TIME_ZONE", Some(0), None);
        assert_eq!(one(&time, "01:02:03"), Ok(Value::Time(3_723_000_000)));
        let stamp = column("TIMESTAMP_WITHOUT_TIME_ZONE", Some(9), None);
        let micros = 1_704_067_200_000_000;
        assert_eq!(one(&stamp, "2024-01-01 00:00:00.000"), Ok(Value::Timestamp(micros)));
        assert_eq!(one(&stamp, "2024-01-01 00:00:00"), Ok(Value::Timestamp(micros)));
        assert_eq!(one(&stamp, "2024-01-01 00:00:00.123456000"), Ok(Value::Timestamp(micros + 123_456)));
        assert!(one(&stamp, "2024-01-01 00:00:00.123456789").unwrap_err().contains("parts of microseconds"));
        let instant = column("TIMESTAMP_WITH_LOCAL_TIME_ZONE", Some(3), None);
        assert_eq!(one(&instant, "2024-01-01 00:00:00.678"), Ok(Value::Instant(micros + 678_000)));
        assert!(one(&instant, "2024-01-01 00:00:00Z").is_err());
        assert!(one(&column("DATE", None, None), "2024-13-01").is_err());
        // So Flink writes the day after 9999-12-31.
        let past = one(&column("DATE", None, None), "0000-01-01").unwrap_err();
        assert!(past.contains("from year 1 to 9999"), "{past}");
        assert!(one(&stamp, "0000-01-01 00:00:00.000").is_err());
        assert!(one(&column("DATE", None, None), "0001-01-01").is_ok());
    }

    #[test]
    fn null_is_not_the_word_and_texts_stay_as_they_are() {
        let columns =
            [column("VARCHAR", None, None), column("BOOLEAN", None, None), column("BINARY", None, None)];
        let rows: Vec<Row> = vec![
            vec![Some("null".to_string()), Some("TRUE".to_string()), Some("x'0aff'".to_string())],
            vec![None, Some("FALSE".to_string()), None],
        ];
        let answer = table(&columns, &rows, 1).unwrap();
        let first =
            vec![Value::Text("null".to_string()), Value::Boolean(true), Value::Text("x'0aff'".to_string())];
        assert_eq!((answer.rows, answer.truncated), (vec![first], true));
        assert_eq!(answer.columns[2].data_type, DataType::Unknown);
        let answer = table(&columns, &rows, 2).unwrap();
        assert_eq!(answer.rows[1], [Value::Null, Value::Boolean(false), Value::Null]);
        assert!(!answer.truncated);
        assert!(table(&columns, &[vec![None]], 1).is_err());
    }
}
