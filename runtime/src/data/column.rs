//! An Arrow column built from texts of a known type.
//! In: texts and NULLs. Out: an array; a text that is no value of the type is refused, never rounded or cut.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder, Float64Builder, Int8Builder,
    Int16Builder, Int32Builder, Int64Builder, StringBuilder, Time64MicrosecondBuilder,
    TimestampMicrosecondBuilder,
};
use unisono_compiler::data_type::DataType;

use crate::calendar;

/// A column under construction.
pub enum ColumnBuilder {
    /// Boolean.
    Boolean(BooleanBuilder),
    /// Int8.
    Int8(Int8Builder),
    /// Int16.
    Int16(Int16Builder),
    /// Int32.
    Int32(Int32Builder),
    /// Int64.
    Int64(Int64Builder),
    /// Decimal with precision and scale.
    Decimal(Decimal128Builder, u8, u8),
    /// Float32.
    Float32(Float32Builder),
    /// Float64.
    Float64(Float64Builder),
    /// String, and what has no type.
    String(StringBuilder),
    /// Date.
    Date(Date32Builder),
    /// Time.
    Time(Time64MicrosecondBuilder),
    /// Timestamp.
    Timestamp(TimestampMicrosecondBuilder),
    /// TimestampTz.
    Instant(TimestampMicrosecondBuilder),
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(data_type: DataType) -> Self {
        match data_type {
            DataType::Boolean => ColumnBuilder::Boolean(BooleanBuilder::new()),
            DataType::Int8 => ColumnBuilder::Int8(Int8Builder::new()),
            DataType::Int16 => ColumnBuilder::Int16(Int16Builder::new()),
            DataType::Int32 => ColumnBuilder::Int32(Int32Builder::new()),
            DataType::Int64 => ColumnBuilder::Int64(Int64Builder::new()),
            DataType::Decimal { precision, scale } => {
                ColumnBuilder::Decimal(Decimal128Builder::new(), precision, scale)
            }
            DataType::Float32 => ColumnBuilder::Float32(Float32Builder::new()),
            DataType::Float64 => ColumnBuilder::Float64(Float64Builder::new()),
            DataType::String | DataType::Null | DataType::Unknown => {
                ColumnBuilder::String(StringBuilder::new())
            }
            DataType::Date => ColumnBuilder::Date(Date32Builder::new()),
            DataType::Time => ColumnBuilder::Time(Time64MicrosecondBuilder::new()),
            DataType::Timestamp => ColumnBuilder::Timestamp(TimestampMicrosecondBuilder::new()),
            DataType::TimestampTz => ColumnBuilder::Instant(TimestampMicrosecondBuilder::new()),
        }
    }

    /// Adds a value, NULL if `None`; false if the text is no value of the column's type. The empty text is NULL in every
    /// column but a String one.
    pub fn append(&mut self, text: Option<&str>) -> bool {
        if let ColumnBuilder::String(builder) = self {
            builder.append_option(text);
            return true;
        }
        match self.value_of(text) {
            None => {
                self.append_null();
                true
            }
            Some(text) => self.append_text(text).is_some(),
        }
    }

    /// The text that stands for a value in a column of this type; `None` is NULL.
    pub fn value_of<'t>(&self, text: Option<&'t str>) -> Option<&'t str> {
        match self {
            ColumnBuilder::String(_) => text,
            ColumnBuilder::Boolean(_)
            | ColumnBuilder::Int8(_)
            | ColumnBuilder::Int16(_)
            | ColumnBuilder::Int32(_)
            | ColumnBuilder::Int64(_)
            | ColumnBuilder::Decimal(_, _, _)
            | ColumnBuilder::Float32(_)
            | ColumnBuilder::Float64(_)
            | ColumnBuilder::Date(_)
            | ColumnBuilder::Time(_)
            | ColumnBuilder::Timestamp(_)
            | ColumnBuilder::Instant(_) => {
                text.map(|text| text.trim_matches(' ')).filter(|text| !text.is_empty())
            }
        }
    }

    /// The values so far as an array; the builder is empty afterwards.
    pub fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Boolean(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Int8(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Int16(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Int32(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Int64(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Decimal(builder, precision, scale) => {
                let array = builder.finish();
                // Both were checked when the type was made; an array keeps its default precision otherwise.
                let scale = i8::try_from(*scale).unwrap_or(0);
                array
                    .clone()
                    .with_precision_and_scale(*precision, scale)
                    .map_or_else(|_| Arc::new(array) as ArrayRef, |array| Arc::new(array) as ArrayRef)
            }
            ColumnBuilder::Float32(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Float64(builder) => Arc::new(builder.finish()),
            ColumnBuilder::String(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Date(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Time(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Timestamp(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Instant(builder) => Arc::new(builder.finish().with_timezone("+00:00")),
        }
    }

    fn append_null(&mut self) {
        match self {
            ColumnBuilder::Boolean(builder) => builder.append_null(),
            ColumnBuilder::Int8(builder) => builder.append_null(),
            ColumnBuilder::Int16(builder) => builder.append_null(),
            ColumnBuilder::Int32(builder) => builder.append_null(),
            ColumnBuilder::Int64(builder) => builder.append_null(),
            ColumnBuilder::Decimal(builder, _, _) => builder.append_null(),
            ColumnBuilder::Float32(builder) => builder.append_null(),
            ColumnBuilder::Float64(builder) => builder.append_null(),
            ColumnBuilder::String(builder) => builder.append_null(),
            ColumnBuilder::Date(builder) => builder.append_null(),
            ColumnBuilder::Time(builder) => builder.append_null(),
            ColumnBuilder::Timestamp(builder) | ColumnBuilder::Instant(builder) => builder.append_null(),
        }
    }

    fn append_text(&mut self, text: &str) -> Option<()> {
        match self {
            ColumnBuilder::Boolean(builder) => builder.append_value(parse_boolean(text)?),
            ColumnBuilder::Int8(builder) => builder.append_value(text.parse().ok()?),
            ColumnBuilder::Int16(builder) => builder.append_value(text.parse().ok()?),
            ColumnBuilder::Int32(builder) => builder.append_value(text.parse().ok()?),
            ColumnBuilder::Int64(builder) => builder.append_value(text.parse().ok()?),
            ColumnBuilder::Decimal(builder, precision, scale) => {
                builder.append_value(parse_decimal(text, *precision, *scale)?);
            }
            ColumnBuilder::Float32(builder) => {
                let value: f32 = text.parse().ok()?;
                builder.append_value(Some(value).filter(|value| value.is_finite() || !has_digit(text))?);
            }
            ColumnBuilder::Float64(builder) => {
                let value: f64 = text.parse().ok()?;
                builder.append_value(Some(value).filter(|value| value.is_finite() || !has_digit(text))?);
            }
            ColumnBuilder::String(builder) => builder.append_value(text),
            ColumnBuilder::Date(builder) => builder.append_value(calendar::parse_date(text)?),
            ColumnBuilder::Time(builder) => builder.append_value(calendar::parse_time(text)?),
            ColumnBuilder::Timestamp(builder) => {
                let moment = parse_moment(text)?;
                builder.append_value(if moment.zoned { None } else { Some(moment.micros) }?);
            }
            // An instant without a zone is UTC (docs/semantics.md, zones).
            ColumnBuilder::Instant(builder) => builder.append_value(parse_moment(text)?.micros),
        }
        Some(())
    }
}

/// Whether a float's text is a number: one too large for its type reads as an infinity that nobody wrote.
fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

fn parse_boolean(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else if text.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

fn parse_moment(text: &str) -> Option<calendar::Moment> {
    calendar::parse_timestamp(text).or_else(|| {
        let days = calendar::parse_date(text)?;
        Some(calendar::Moment { micros: i64::from(days) * 86_400_000_000, zoned: false })
    })
}

/// The digits at the column's scale; digits that the scale cannot keep must be zeros.
fn parse_decimal(text: &str, precision: u8, scale: u8) -> Option<i128> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let kept = fraction.len().min(usize::from(scale));
    if fraction[kept..].bytes().any(|byte| byte != b'0') {
        return None;
    }
    let mut unscaled: i128 = 0;
    for byte in whole.bytes().chain(fraction[..kept].bytes()) {
        if !byte.is_ascii_digit() {
            return None;
        }
        unscaled = unscaled.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?;
    }
    let missing = u32::try_from(usize::from(scale) - kept).ok()?;
    unscaled = unscaled.checked_mul(10_i128.checked_pow(missing)?)?;
    if unscaled >= 10_i128.checked_pow(u32::from(precision))? {
        return None;
    }
    Some(if negative { -unscaled } else { unscaled })
}

#[cfg(test)]
mod tests {
    use arrow::array::{Array, Decimal128Array};

    use super::*;

    #[test]
    fn decimals_are_exact_or_refused() {
        assert_eq!(parse_decimal("100", 10, 2), Some(10_000));
        assert_eq!(parse_decimal("-0.5", 10, 2), Some(-50));
        assert_eq!(parse_decimal("1.500", 10, 2), Some(150));
        assert_eq!(parse_decimal("1.505", 10, 2), None);
        assert_eq!(parse_decimal("100000000", 10, 2), None);
        assert_eq!(parse_decimal("1e3", 10, 2), None);
        assert_eq!(parse_decimal(".", 10, 2), None);
        assert_eq!(parse_decimal("2672.925686105492400095", 38, 18), Some(2_672_925_686_105_492_400_095));
    }

    #[test]
    fn arrays_carry_their_type() {
        let mut builder = ColumnBuilder::new(DataType::Decimal { precision: 10, scale: 2 });
        assert!(builder.append(Some("1.25")));
        assert!(builder.append(None));
        assert!(!builder.append(Some("x")));
        let array = builder.finish();
        let array = array.as_any().downcast_ref::<Decimal128Array>().unwrap();
        assert_eq!((array.precision(), array.scale(), array.len(), array.value(0)), (10, 2, 2, 125));
    }

    #[test]
    fn a_float_is_infinite_only_where_it_is_written_so() {
        let mut double = ColumnBuilder::new(DataType::Float64);
        for (text, fits) in
            [("1e308", true), ("1e309", false), ("-1e400", false), ("-inf", true), ("NaN", true)]
        {
            assert_eq!(double.append(Some(text)), fits, "{text}");
        }
        let mut single = ColumnBuilder::new(DataType::Float32);
        for (text, fits) in [("3.4e38", true), ("1e39", false), ("infinity", true)] {
            assert_eq!(single.append(Some(text)), fits, "{text}");
        }
    }

    #[test]
    fn the_empty_text_is_null_but_in_strings() {
        let mut numbers = ColumnBuilder::new(DataType::Int64);
        assert!(numbers.append(Some("")));
        assert_eq!(numbers.finish().null_count(), 1);
        let mut texts = ColumnBuilder::new(DataType::String);
        assert!(texts.append(Some("")));
        assert_eq!(texts.finish().null_count(), 0);
    }

    #[test]
    fn a_zone_in_a_timestamp_without_zone_is_refused() {
        let mut plain = ColumnBuilder::new(DataType::Timestamp);
        assert!(plain.append(Some("2024-01-01")));
        assert!(!plain.append(Some("2024-01-01T00:00:00Z")));
        let mut instant = ColumnBuilder::new(DataType::TimestampTz);
        assert!(instant.append(Some("2024-01-01 00:00:00")));
    }
}
