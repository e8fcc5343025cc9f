//! Literals: numbers typed by their digits, dates and times checked.

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, Literal};
use crate::resolve::ModelExpr;
use crate::resolve::typing::Ctx;
use crate::source::Span;
use crate::syntax::expr as syntax;

impl Ctx<'_> {
    pub(super) fn literal(&mut self, literal: &syntax::Literal, span: Span) -> ModelExpr {
        match literal {
            syntax::Literal::Null => constant(Literal::Null, DataType::Null),
            syntax::Literal::Boolean(value) => constant(Literal::Boolean(*value), DataType::Boolean),
            syntax::Literal::Integer(text) | syntax::Literal::Decimal(text) => {
                self.number_literal(text, span)
            }
            syntax::Literal::Float(text) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() => constant(Literal::Float(text.clone()), DataType::Float64),
                Ok(_) | Err(_) => self.mismatch(span, format!("`{text}` is no Float64")),
            },
            syntax::Literal::String(text) => constant(Literal::String(text.clone()), DataType::String),
            syntax::Literal::Date(text) => {
                if is_iso_date(text) {
                    constant(Literal::Date(text.clone()), DataType::Date)
                } else {
                    self.bad_text(span, text, "date", "YYYY-MM-DD")
                }
            }
            syntax::Literal::Timestamp(text) => match normal_timestamp(text) {
                Some(normal) => constant(Literal::Timestamp(normal), DataType::Timestamp),
                None => self.bad_text(span, text, "timestamp", "YYYY-MM-DD HH:MM:SS[.ffffff]"),
            },
            syntax::Literal::Time(text) => {
                if is_iso_time(text) {
                    constant(Literal::Time(text.clone()), DataType::Time)
                } else {
                    self.bad_text(span, text, "time", "HH:MM:SS[.ffffff]")
                }
            }
        }
    }

    fn number_literal(&mut self, text: &str, span: Span) -> ModelExpr {
        match exact_number(text) {
            Some(value) => value,
            None => self.mismatch(span, format!("`{text}` has more than the 38 digits of a Decimal")),
        }
    }

    fn bad_text(&mut self, span: Span, text: &str, kind: &str, form: &str) -> ModelExpr {
        self.error(
            Diagnostic::new(Code::TypeMismatch, format!("'{text}' is no {kind}"))
                .at(span, "this literal")
                .help(format!("write it as {form}, a day that exists")),
        )
    }
}

/// A constant; all constants are exact.
pub(crate) fn constant(literal: Literal, data_type: DataType) -> ModelExpr {
    Expr::constant(literal, data_type)
}

/// Digits with an optional sign and point as Int64 where they fit, else as a Decimal of just so many digits.
fn exact_number(text: &str) -> Option<ModelExpr> {
    if text.parse::<i64>().is_ok() {
        return Some(constant(Literal::Integer(text.to_string()), DataType::Int64));
    }
    let (whole, fraction) = text.trim_start_matches('-').split_once('.').unwrap_or((text, ""));
    let digits = whole.trim_start_matches('0').len() + fraction.len();
    let precision = u8::try_from(digits.max(1)).ok().filter(|precision| *precision <= 38)?;
    let scale = u8::try_from(fraction.len()).ok()?;
    Some(constant(Literal::Decimal(text.to_string()), DataType::Decimal { precision, scale }))
}

/// A number given as text outside an expression: exact if it can be, else a Float64.
pub(crate) fn number(text: &str) -> ModelExpr {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
    exact_number(text)
        .filter(|_| is_plain)
        .unwrap_or_else(|| constant(Literal::Float(text.to_string()), DataType::Float64))
}

/// Whether a text is `YYYY-MM-DD` and that day exists in the proleptic Gregorian calendar, years 0001 to 9999.
pub(crate) fn is_iso_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |range: std::ops::Range<usize>| {
        text.get(range).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?.parse::<u32>().ok()
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 0,
    };
    year >= 1 && (1..=days).contains(&day)
}

fn is_iso_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').map_or((text, None), |(clock, rest)| (clock, Some(rest)));
    let fraction_fits = fraction.is_none_or(|digits| {
        (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let parts: Vec<&str> = clock.split(':').collect();
    let limits = [23, 59, 59];
    fraction_fits
        && parts.len() == 3
        && parts.iter().zip(limits).all(|(part, limit)| {
            part.len() == 2
                && part.bytes().all(|byte| byte.is_ascii_digit())
                && part.parse::<u32>().is_ok_and(|value| value <= limit)
        })
}

/// `YYYY-MM-DD HH:MM:SS[.ffffff]` from that form, the same with `T`, or a bare date (midnight).
pub(crate) fn normal_timestamp(text: &str) -> Option<String> {
    if is_iso_date(text) {
        return Some(format!("{text} 00:00:00"));
    }
    let (date, time) = (text.get(..10)?, text.get(11..)?);
    let separated = matches!(text.as_bytes().get(10), Some(b' ' | b'T'));
    (separated && is_iso_date(date) && is_iso_time(time)).then(|| format!("{date} {time}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_must_exist() {
        assert!(is_iso_date("2024-02-29"));
        for bad in [
            "2023-02-29",
            "2024-13-01",
            "2024-1-05",
            "2024-04-31",
            "0000-01-01",
            "2024-02-30x",
            "２024-01-01",
        ] {
            assert!(!is_iso_date(bad), "{bad}");
        }
    }

    #[test]
    fn timestamps_are_normalised() {
        assert_eq!(normal_timestamp("2024-01-02T03:04:05.6").as_deref(), Some("2024-01-02 03:04:05.6"));
        assert_eq!(normal_timestamp("2024-01-02").as_deref(), Some("2024-01-02 00:00:00"));
        assert_eq!(normal_timestamp("2024-01-02 24:00:00"), None);
        assert_eq!(normal_timestamp("2024-01-02 10:00"), None);
    }
}
