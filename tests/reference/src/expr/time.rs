//! Dates and times: the calendar, parsing and printing, truncation, parts, distances.
//! In: days and microseconds since 1970-01-01, words of units. Out: the same, or texts.

use super::ill_typed;
use super::number::integer;
use crate::stop::Stop;
use crate::value::Value;

/// Microseconds of a second and of a day.
const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A unit of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

impl Unit {
    /// A unit by its word, in any case.
    pub(super) fn read(word: &str) -> Result<Unit, Stop> {
        match word.to_ascii_uppercase().as_str() {
            "YEAR" => Ok(Unit::Year),
            "QUARTER" => Ok(Unit::Quarter),
            "MONTH" => Ok(Unit::Month),
            "WEEK" => Ok(Unit::Week),
            "DAY" => Ok(Unit::Day),
            "HOUR" => Ok(Unit::Hour),
            "MINUTE" => Ok(Unit::Minute),
            "SECOND" => Ok(Unit::Second),
            other => Err(Stop::Unknown(format!("unit {other}"))),
        }
    }

    /// Microseconds of the units below a day.
    fn micros(self) -> Option<i64> {
        match self {
            Unit::Hour => Some(3600 * SECOND),
            Unit::Minute => Some(60 * SECOND),
            Unit::Second => Some(SECOND),
            Unit::Year | Unit::Quarter | Unit::Month | Unit::Week | Unit::Day => None,
        }
    }

    /// Months of the units that are made of months.
    fn months(self) -> Option<i64> {
        match self {
            Unit::Year => Some(12),
            Unit::Quarter => Some(3),
            Unit::Month => Some(1),
            Unit::Week | Unit::Day | Unit::Hour | Unit::Minute | Unit::Second => None,
        }
    }
}

/// The days since 1970-01-01 of a day of the Gregorian calendar (Howard Hinnant's algorithm, years from March on).
pub fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of the days since 1970-01-01.
pub fn calendar(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

fn month_length(year: i64, month: i64) -> i64 {
    days_of(if month == 12 { year + 1 } else { year }, month % 12 + 1, 1) - days_of(year, month, 1)
}

/// A number of exactly so many digits.
fn field(text: &str, length: usize) -> Option<i64> {
    let digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// `YYYY-MM-DD` as days since 1970-01-01; None if that is no day.
pub fn parse_date(text: &str) -> Option<i32> {
    let mut parts = text.split('-');
    let (year, month, day) = (field(parts.next()?, 4)?, field(parts.next()?, 2)?, field(parts.next()?, 2)?);
    let exists = parts.next().is_none()
        && year > 0
        && (1..=12).contains(&month)
        && day > 0
        && day <= month_length(year, month);
    if exists { i32::try_from(days_of(year, month, day)).ok() } else { None }
}

/// `YYYY-MM-DD`, or that with ` HH:MM:SS` and up to six digits behind the second, as microseconds since 1970-01-01.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let Some((date, time)) = text.split_once([' ', 'T']) else {
        return Some(i64::from(parse_date(text)?) * DAY);
    };
    let (clock, fraction) = time.split_once('.').map_or((time, None), |(clock, rest)| (clock, Some(rest)));
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (field(parts.next()?, 2)?, field(parts.next()?, 2)?, field(parts.next()?, 2)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let micros = match fraction {
        None => 0,
        Some(digits) if (1..=6).contains(&digits.len()) => field(&format!("{digits:0<6}"), 6)?,
        Some(_) => return None,
    };
    let seconds = hour * 3600 + minute * 60 + second;
    Some(i64::from(parse_date(date)?) * DAY + seconds * SECOND + micros)
}

/// `YYYY-MM-DD` of days since 1970-01-01.
pub fn print_date(days: i32) -> String {
    let (year, month, day) = calendar(i64::from(days));
    format!("{year:04}-{month:02}-{day:02}")
}

/// `YYYY-MM-DD HH:MM:SS`, with six digits behind the second if they are not zero.
pub fn print_timestamp(micros: i64) -> String {
    let (days, rest) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let (year, month, day) = calendar(days);
    let seconds = rest / SECOND;
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let behind = if rest % SECOND == 0 { String::new() } else { format!(".{:06}", rest % SECOND) };
    format!("{year:04}-{month:02}-{day:02} {clock}{behind}")
}

/// A Date or Timestamp as (days, microseconds of the day); None for NULL.
fn split(value: &Value) -> Result<Option<(i64, i64)>, Stop> {
    match value {
        Value::Null => Ok(None),
        Value::Date(days) => Ok(Some((i64::from(*days), 0))),
        Value::Timestamp(micros) => Ok(Some((micros.div_euclid(DAY), micros.rem_euclid(DAY)))),
        other => Err(ill_typed("a date or a timestamp", other)),
    }
}

/// A Date from days; what is outside the years 1 to 9999 is no ISO text and engines differ there.
pub(super) fn date(days: i64) -> Result<Value, Stop> {
    match i32::try_from(days) {
        Ok(short) if (1..=9999).contains(&calendar(days).0) => Ok(Value::Date(short)),
        Ok(_) | Err(_) => Err(Stop::Open(format!("a date {days} days from 1970"))),
    }
}

fn timestamp(days: i64, micros: i64) -> Result<Value, Stop> {
    let Value::Date(_) = date(days)? else { return Ok(Value::Null) };
    Ok(Value::Timestamp(days * DAY + micros))
}

fn monday_of(days: i64) -> i64 {
    days - (days + 3).rem_euclid(7)
}

fn start_day(days: i64, unit: Unit) -> i64 {
    let (year, month, _) = calendar(days);
    match unit {
        Unit::Year => days_of(year, 1, 1),
        Unit::Quarter => days_of(year, (month - 1) / 3 * 3 + 1, 1),
        Unit::Month => days_of(year, month, 1),
        Unit::Week => monday_of(days),
        Unit::Day | Unit::Hour | Unit::Minute | Unit::Second => days,
    }
}

/// The start of the grain's unit that a Date or Timestamp lies in; the type stays. Weeks start on Monday.
pub fn trunc(value: &Value, grain: &str) -> Result<Value, Stop> {
    let unit = Unit::read(grain)?;
    let Some((days, micros)) = split(value)? else { return Ok(Value::Null) };
    if let Value::Date(_) = value {
        return date(start_day(days, unit));
    }
    let rest = unit.micros().map_or(0, |length| micros - micros % length);
    timestamp(start_day(days, unit), rest)
}

/// `value` and `amount` units more. A Date stays a Date from a day up; months stop at the month's end.
pub(super) fn add(value: &Value, unit: Unit, amount: i64) -> Result<Value, Stop> {
    let Some((days, micros)) = split(value)? else { return Ok(Value::Null) };
    let far = || Stop::Open(format!("{amount} {unit:?} from a date"));
    if let Some(length) = unit.micros() {
        let moved = amount.checked_mul(length).and_then(|step| micros.checked_add(step)).ok_or_else(far)?;
        return timestamp(days + moved.div_euclid(DAY), moved.rem_euclid(DAY));
    }
    let moved = if let Some(months) = unit.months() {
        let (year, month, day) = calendar(days);
        let index = amount
            .checked_mul(months)
            .and_then(|step| (year * 12 + month - 1).checked_add(step))
            .filter(|index| (12..120_000).contains(index))
            .ok_or_else(far)?;
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
        days_of(year, month, day.min(month_length(year, month)))
    } else {
        let length = if unit == Unit::Week { 7 } else { 1 };
        let step = amount.checked_mul(length).filter(|step| step.abs() < 10_000_000).ok_or_else(far)?;
        days + step
    };
    if let Value::Date(_) = value { date(moved) } else { timestamp(moved, micros) }
}

/// How many starts of a unit lie behind `from` up to `to`.
pub(super) fn difference(unit: Unit, from: &Value, to: &Value) -> Result<Value, Stop> {
    let (Some(from), Some(to)) = (split(from)?, split(to)?) else { return Ok(Value::Null) };
    let index = |(days, micros): (i64, i64)| {
        let (year, month, _) = calendar(days);
        match unit {
            Unit::Year => year,
            Unit::Quarter => year * 4 + (month - 1) / 3,
            Unit::Month => year * 12 + month,
            Unit::Week => monday_of(days).div_euclid(7),
            Unit::Day => days,
            Unit::Hour | Unit::Minute | Unit::Second => {
                let length = unit.micros().unwrap_or(DAY);
                days * (DAY / length) + micros / length
            }
        }
    };
    Ok(integer(index(to) - index(from)))
}

/// One part of a Date or Timestamp by its word.
pub(super) fn part(word: &str, value: &Value) -> Result<Value, Stop> {
    let word = word.to_ascii_uppercase();
    let Some((days, micros)) = split(value)? else { return Ok(Value::Null) };
    let (year, month, day) = calendar(days);
    let clock = matches!(word.as_str(), "HOUR" | "MINUTE" | "SECOND" | "MILLISECOND");
    if clock && matches!(value, Value::Date(_)) {
        return Err(Stop::Unknown(format!("{word} of a date")));
    }
    let seconds = micros / SECOND;
    let number = match word.as_str() {
        "YEAR" => year,
        "QUARTER" => (month - 1) / 3 + 1,
        "MONTH" => month,
        "WEEK" => iso_week(days),
        "DAY" | "DAYOFMONTH" => day,
        "DAYOFYEAR" => days - days_of(year, 1, 1) + 1,
        "DAYOFWEEK" => (days + 4).rem_euclid(7) + 1,
        "HOUR" => seconds / 3600,
        "MINUTE" => seconds / 60 % 60,
        "SECOND" => seconds % 60,
        "MILLISECOND" => micros % SECOND / 1000,
        _ => return Err(Stop::Unknown(format!("part {word}"))),
    };
    Ok(integer(number))
}

/// A week belongs to the year of its Thursday.
fn iso_week(days: i64) -> i64 {
    let thursday = monday_of(days) + 3;
    let (year, _, _) = calendar(thursday);
    (thursday - days_of(year, 1, 1)) / 7 + 1
}
