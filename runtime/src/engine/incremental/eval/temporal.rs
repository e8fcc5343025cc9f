//! Dates and times in the proleptic Gregorian calendar; weeks are ISO weeks, instants are taken apart in UTC, the only
//! zone that is planned. In: a Date, Timestamp or instant. Out: the same kind moved, or a part of it.

use unisono_compiler::function::{Function, Part, Unit};

use crate::calendar::{self, civil_from_days, days_from_civil, days_in_month};
use crate::engine::incremental::{Fault, Value};

const MICROS_PER_SECOND: i64 = 1_000_000;
pub(super) const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// Years that days in 64 bits can be computed of; Dates and Timestamps end far inside.
const MOST_YEARS: i64 = 10_000_000;

/// Strict `YYYY-MM-DD`, years 0001 to 9999.
pub(super) fn parse_date(text: &str) -> Option<i32> {
    calendar::parse_date(text).filter(|_| !text.starts_with("0000"))
}

/// Strict `HH:MM:SS[.ffffff]`.
pub(super) fn parse_time(text: &str) -> Option<i64> {
    if text.len() >= 8 { calendar::parse_time(text) } else { None }
}

/// Strict `YYYY-MM-DD[ HH:MM:SS[.ffffff]]`.
pub(super) fn parse_timestamp(text: &str) -> Option<i64> {
    let (date, micros) = match text.split_once(' ') {
        Some((date, clock)) => (date, parse_time(clock)?),
        None => (text, 0),
    };
    Some(i64::from(parse_date(date)?) * MICROS_PER_DAY + micros)
}

/// Midnight of a day, if microseconds reach so far.
pub(super) fn midnight(days: i32) -> Option<i64> {
    i64::from(days).checked_mul(MICROS_PER_DAY)
}

/// DATE_TRUNC, EXTRACT, DATEADD, DATEDIFF.
pub(super) fn call(function: Function, values: &[Value]) -> Result<Value, Fault> {
    if values.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    match (function, values) {
        (Function::DateTrunc(unit), [value]) => truncate(unit, value),
        (Function::Extract(part), [value]) => extract(part, value).map(Value::Integer),
        (Function::DateAdd(unit), [Value::Integer(count), value]) => add(unit, *count, value),
        (Function::DateDiff(unit), [from, to]) => difference(unit, from, to).map(Value::Integer),
        (_, _) => Err(Fault::Plan(format!("{} of {values:?}", function.name()))),
    }
}

/// Days since 1970-01-01 and microseconds since midnight.
fn split(value: &Value) -> Result<(i64, i64), Fault> {
    match value {
        Value::Date(days) => Ok((i64::from(*days), 0)),
        Value::Timestamp(micros) | Value::Instant(micros) => {
            Ok((micros.div_euclid(MICROS_PER_DAY), micros.rem_euclid(MICROS_PER_DAY)))
        }
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Text(_)
        | Value::Time(_) => Err(Fault::Plan(format!("{value:?} is no date or time"))),
    }
}

/// The same kind as `like`.
fn join(days: i64, micros: i64, like: &Value) -> Result<Value, Fault> {
    let kind = if matches!(like, Value::Instant(_)) { Value::Instant } else { Value::Timestamp };
    let joined = if matches!(like, Value::Date(_)) {
        i32::try_from(days).ok().map(Value::Date)
    } else {
        total(days, micros).map(kind)
    };
    joined.ok_or_else(out_of_range)
}

fn total(days: i64, micros: i64) -> Option<i64> {
    i64::try_from(i128::from(days) * i128::from(MICROS_PER_DAY) + i128::from(micros)).ok()
}

fn out_of_range() -> Fault {
    Fault::Overflow("a date or time past the range of its type".to_string())
}

/// Microseconds of a unit below a day.
fn micros_of(unit: Unit) -> Option<i64> {
    match unit {
        Unit::Year | Unit::Quarter | Unit::Month | Unit::Week | Unit::Day => None,
        Unit::Hour => Some(3600 * MICROS_PER_SECOND),
        Unit::Minute => Some(60 * MICROS_PER_SECOND),
        Unit::Second => Some(MICROS_PER_SECOND),
    }
}

/// 1970-01-01 was a Thursday.
fn monday(days: i64) -> i64 {
    days - (days + 3).rem_euclid(7)
}

fn first_of_year(year: i64) -> i64 {
    days_from_civil(year, 1, 1)
}

fn truncate(unit: Unit, value: &Value) -> Result<Value, Fault> {
    let (days, micros) = split(value)?;
    let (year, month, _) = civil_from_days(days);
    let (days, micros) = match unit {
        Unit::Year => (first_of_year(year), 0),
        Unit::Quarter => (days_from_civil(year, (month - 1) / 3 * 3 + 1, 1), 0),
        Unit::Month => (days_from_civil(year, month, 1), 0),
        Unit::Week => (monday(days), 0),
        Unit::Day => (days, 0),
        Unit::Hour | Unit::Minute | Unit::Second => (days, micros - micros % micros_of(unit).unwrap_or(1)),
    };
    join(days, micros, value)
}

fn extract(part: Part, value: &Value) -> Result<i64, Fault> {
    let (days, micros) = split(value)?;
    let (year, month, day) = civil_from_days(days);
    Ok(match part {
        Part::Year => year,
        Part::Quarter => (month - 1) / 3 + 1,
        Part::Month => month,
        Part::Week => {
            // A week belongs to the year of its Thursday.
            let thursday = monday(days) + 3;
            (thursday - first_of_year(civil_from_days(thursday).0)) / 7 + 1
        }
        Part::Day => day,
        Part::DayOfYear => days - first_of_year(year) + 1,
        Part::DayOfWeek => (days + 4).rem_euclid(7) + 1,
        Part::Hour => micros / MICROS_PER_SECOND / 3600,
        Part::Minute => micros / MICROS_PER_SECOND / 60 % 60,
        Part::Second => micros / MICROS_PER_SECOND % 60,
        Part::Millisecond => micros / 1000 % 1000,
    })
}

fn add(unit: Unit, count: i64, value: &Value) -> Result<Value, Fault> {
    let (days, micros) = split(value)?;
    let times = |factor: i64| count.checked_mul(factor).ok_or_else(out_of_range);
    match unit {
        Unit::Year => add_months(times(12)?, days, micros, value),
        Unit::Quarter => add_months(times(3)?, days, micros, value),
        Unit::Month => add_months(count, days, micros, value),
        Unit::Week => join(days.checked_add(times(7)?).ok_or_else(out_of_range)?, micros, value),
        Unit::Day => join(days.checked_add(count).ok_or_else(out_of_range)?, micros, value),
        Unit::Hour | Unit::Minute | Unit::Second => {
            if matches!(value, Value::Date(_)) {
                return Err(Fault::Plan(format!("{} added to a Date", unit.as_str())));
            }
            let moved = times(micros_of(unit).unwrap_or(1))?.checked_add(micros).ok_or_else(out_of_range)?;
            join(days, moved, value)
        }
    }
}

/// Stops at the month's end: 31 January and a month is 29 February 2024.
fn add_months(months: i64, days: i64, micros: i64, like: &Value) -> Result<Value, Fault> {
    let (year, month, day) = civil_from_days(days);
    let moved = (year * 12 + month - 1).checked_add(months).ok_or_else(out_of_range)?;
    let (year, month) = (moved.div_euclid(12), moved.rem_euclid(12) + 1);
    if year.abs() > MOST_YEARS {
        return Err(out_of_range());
    }
    join(days_from_civil(year, month, day.min(days_in_month(year, month))), micros, like)
}

/// Boundaries of the unit crossed from one to the other.
fn difference(unit: Unit, from: &Value, to: &Value) -> Result<i64, Fault> {
    let ((from_days, from_micros), (to_days, to_micros)) = (split(from)?, split(to)?);
    let (from_civil, to_civil) = (civil_from_days(from_days), civil_from_days(to_days));
    let quarters = |(year, month, _): (i64, i64, i64)| year * 4 + (month - 1) / 3;
    let months = |(year, month, _): (i64, i64, i64)| year * 12 + month;
    Ok(match unit {
        Unit::Year => to_civil.0 - from_civil.0,
        Unit::Quarter => quarters(to_civil) - quarters(from_civil),
        Unit::Month => months(to_civil) - months(from_civil),
        Unit::Week => (monday(to_days) - monday(from_days)) / 7,
        Unit::Day => to_days - from_days,
        Unit::Hour | Unit::Minute | Unit::Second => {
            let length = micros_of(unit).unwrap_or(1);
            let of = |days: i64, micros: i64| days * (MICROS_PER_DAY / length) + micros / length;
            of(to_days, to_micros) - of(from_days, from_micros)
        }
    })
}
