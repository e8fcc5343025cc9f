//! Date and time functions of DataFusion 54.
//! <https://datafusion.apache.org/user-guide/sql/scalar_functions.html#time-and-date-functions>

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::Literal;
use unisono_compiler::function::{Function, Part, Unit};

use super::types;
use crate::build;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, number, text};

/// `DATE_TRUNC` gives a timestamp for a date and takes long units, instants and constants by way of nanoseconds, which end in 2262:
/// the calendar does it for days and longer, whole numbers for the rest.
pub(super) fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateTrunc(unit) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    Ok(match x.data_type {
        DataType::Date if unit < Unit::Day => first_day(unit, &x.expr),
        DataType::Date => x.expr.clone(),
        DataType::Timestamp | DataType::TimestampTz => {
            let start = match unit {
                Unit::Year | Unit::Quarter | Unit::Month | Unit::Week => first_day(unit, &x.expr),
                Unit::Day => cast(x.expr.clone(), Type::word("DATE")),
                Unit::Hour | Unit::Minute | Unit::Second => {
                    let since = binary(units_since(unit, x), Operator::Multiply, number(length(unit)));
                    binary(since, Operator::Subtract, number(EARLY))
                }
            };
            types::exactly(start, x.data_type)
        }
        _ => call("DATE_TRUNC", vec![text(unit.as_str()), x.expr.clone()]),
    })
}

/// A million days in microseconds: added to a time, they make it positive back to the year -767, so that a division goes downward.
const EARLY: i64 = 86_400_000_000_000_000;

/// Microseconds of a unit of the clock.
fn length(unit: Unit) -> i64 {
    match unit {
        Unit::Hour => 3_600_000_000,
        Unit::Minute => 60_000_000,
        Unit::Year | Unit::Quarter | Unit::Month | Unit::Week | Unit::Day | Unit::Second => 1_000_000,
    }
}

/// Whole hours, minutes or seconds since a million days before 1970.
fn units_since(unit: Unit, x: &Typed<'_>) -> Expr {
    let clock = types::exactly(x.expr.clone(), DataType::Timestamp);
    let micros = binary(cast(clock, Type::word("BIGINT")), Operator::Add, number(EARLY));
    binary(micros, Operator::Divide, number(length(unit)))
}

/// The first day of the week, month, quarter or year of a date or timestamp; of a day or a shorter unit it is not asked.
fn first_day(unit: Unit, x: &Expr) -> Expr {
    let part = |part: &str| cast(date_part(part, x), Type::word("INT"));
    let month = match unit {
        Unit::Week => {
            let back = binary(number(1), Operator::Subtract, part("isodow"));
            return binary(cast(x.clone(), Type::word("DATE")), Operator::Add, back);
        }
        Unit::Quarter => {
            binary(binary(part("quarter"), Operator::Multiply, number(3)), Operator::Subtract, number(2))
        }
        Unit::Month => part("month"),
        Unit::Year | Unit::Day | Unit::Hour | Unit::Minute | Unit::Second => number(1),
    };
    call("MAKE_DATE", vec![part("year"), month, number(1)])
}

/// EXTRACT as date_part, which counts days of the week from 0 and seconds into milliseconds.
pub(super) fn extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Extract(part) = node.function else { return Err(misplaced(node)) };
    let x = &build::argument(node, 0)?.expr;
    let value = match part {
        Part::DayOfWeek => binary(date_part("dow", x), Operator::Add, number(1)),
        Part::DayOfYear => date_part("doy", x),
        Part::Millisecond => binary(date_part("millisecond", x), Operator::Modulo, number(1000)),
        Part::Year
        | Part::Quarter
        | Part::Month
        | Part::Week
        | Part::Day
        | Part::Hour
        | Part::Minute
        | Part::Second => date_part(part.as_str(), x),
    };
    Ok(cast(value, Type::word("BIGINT")))
}

/// DATEADD: days of a date by `+ n`; others by an interval, whose count may be a column by way of text.
pub(super) fn add(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateAdd(unit) = node.function else { return Err(misplaced(node)) };
    let (count, x) = (build::argument(node, 0)?, build::argument(node, 1)?);
    // `d + n` wraps past 32 bits; an interval raises.
    let is_narrow = matches!(count.data_type, DataType::Int8 | DataType::Int16 | DataType::Int32)
        || matches!(count.literal(), Some(Literal::Integer(digits)) if digits.parse::<i32>().is_ok());
    if x.data_type == DataType::Date && unit == Unit::Day && is_narrow {
        return Ok(binary(x.expr.clone(), Operator::Add, count.expr.clone()));
    }
    let (factor, unit, words) = match unit {
        Unit::Year => (12, "MONTH", " months"),
        Unit::Quarter => (3, "MONTH", " months"),
        Unit::Month => (1, "MONTH", " months"),
        Unit::Week => (7, "DAY", " days"),
        Unit::Day => (1, "DAY", " days"),
        Unit::Hour => (1, "HOUR", " hours"),
        Unit::Minute => (1, "MINUTE", " minutes"),
        Unit::Second => (1, "SECOND", " seconds"),
    };
    let moved = binary(x.expr.clone(), Operator::Add, interval(count, factor, unit, words)?);
    Ok(types::exactly(moved, node.data_type))
}

fn interval(
    count: &Typed<'_>,
    factor: i64,
    unit: &'static str,
    words: &'static str,
) -> Result<Expr, Refusal> {
    if let Some(value) = count.whole_number() {
        let amount = value
            .checked_mul(factor)
            .ok_or_else(|| Refusal::function("is given a count past 64 bits", "write a smaller count"))?;
        return Ok(Expr::Interval { amount: Box::new(text(amount.to_string())), unit });
    }
    let amount = match count.data_type {
        _ if factor == 1 => count.expr.clone(),
        // 64 bits wrap.
        DataType::Int64 => {
            binary(cast(count.expr.clone(), Type::decimal(38, 0)), Operator::Multiply, number(factor))
        }
        _ => binary(count.expr.clone(), Operator::Multiply, number(factor)),
    };
    let amount = binary(cast(amount, Type::word("VARCHAR")), Operator::Concat, text(words));
    Ok(cast(amount, Type::word("INTERVAL")))
}

/// DATEDIFF counts boundaries: of days by dates, of months by parts, of weeks by Mondays, of hours and shorter by microseconds.
pub(super) fn difference(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateDiff(unit) = node.function else { return Err(misplaced(node)) };
    let (a, b) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let apart = |place: &dyn Fn(&Typed<'_>) -> Expr| binary(place(b), Operator::Subtract, place(a));
    let difference = match unit {
        Unit::Year => apart(&|x| date_part("year", &x.expr)),
        Unit::Quarter => apart(&|x| year_and(4, "quarter", &x.expr)),
        Unit::Month => apart(&|x| year_and(12, "month", &x.expr)),
        Unit::Week => binary(apart(&monday), Operator::Divide, number(7)),
        Unit::Day => apart(&day),
        Unit::Hour | Unit::Minute | Unit::Second => apart(&|x| units_since(unit, x)),
    };
    Ok(cast(difference, Type::word("BIGINT")))
}

/// Days since 1970. A difference of two dates is an interval, which the optimizer cannot compare with a number (run).
fn day(x: &Typed<'_>) -> Expr {
    let date =
        if x.data_type == DataType::Date { x.expr.clone() } else { cast(x.expr.clone(), Type::word("DATE")) };
    cast(cast(date, Type::word("INT")), Type::word("BIGINT"))
}

/// Days since 1970 of the week's Monday.
fn monday(x: &Typed<'_>) -> Expr {
    let since = binary(date_part("isodow", &x.expr), Operator::Subtract, number(1));
    binary(day(x), Operator::Subtract, since)
}

fn year_and(per_year: i64, part: &str, x: &Expr) -> Expr {
    let years = binary(date_part("year", x), Operator::Multiply, number(per_year));
    binary(years, Operator::Add, date_part(part, x))
}

fn date_part(part: &str, x: &Expr) -> Expr {
    call("DATE_PART", vec![text(part), x.clone()])
}

fn misplaced(node: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("is no function of dates: {}", node.function.name()))
}
