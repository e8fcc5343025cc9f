//! Date and time functions of Flink.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#temporal-functions>

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Unit};

use super::types;
use crate::build;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, chain, number, phrase, text, when_else};

/// FLOOR(x TO unit) up to a day. Weeks go by the day of the week, since FLOOR starts them on Sunday; months, quarters and years by their
/// parts, since FLOOR takes days before 15 October 1582 for those of the Julian calendar (run).
pub(super) fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateTrunc(unit) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    let is_date = x.data_type == DataType::Date;
    if is_date && unit >= Unit::Day {
        return Ok(x.expr.clone());
    }
    let of_day = |first: &dyn Fn(Expr) -> Expr| {
        if is_date { first(x.expr.clone()) } else { types::exactly(first(day(x)), node.data_type) }
    };
    Ok(match unit {
        Unit::Year => of_day(&|day| back_to_first("DOY", day)),
        Unit::Quarter => of_day(&first_of_quarter),
        Unit::Month => of_day(&|day| back_to_first("DAY", day)),
        Unit::Week if is_date => monday(midnight(x)),
        Unit::Week => types::exactly(monday(midnight(x)), node.data_type),
        Unit::Day | Unit::Hour | Unit::Minute | Unit::Second => clock_floor(x, unit),
    })
}

/// EXTRACT, which counts days of the week from Sunday as 1 and weeks by ISO.
pub(super) fn extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Extract(part) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    Ok(match part {
        Part::Year => part_of("YEAR", x),
        Part::Quarter => part_of("QUARTER", x),
        Part::Month => part_of("MONTH", x),
        Part::Week => part_of("WEEK", x),
        Part::Day => part_of("DAY", x),
        Part::DayOfYear => part_of("DOY", x),
        Part::DayOfWeek => part_of("DOW", x),
        Part::Hour => since(x, Unit::Day, Unit::Hour),
        Part::Minute => since(x, Unit::Hour, Unit::Minute),
        Part::Second => since(x, Unit::Minute, Unit::Second),
        Part::Millisecond => {
            // Before 1970 it is what lies between the time and the next second, below zero.
            let given = phrase("EXTRACT", Expr::Word("MILLISECOND"), "FROM", x.expr.clone());
            call("MOD", vec![binary(given, Operator::Add, number(1000)), number(1000)])
        }
    })
}

/// TIMESTAMPADD keeps the type; its count is an INT, to which the engine's CAST wraps, and the sum wraps too.
pub(super) fn add(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateAdd(unit) = node.function else { return Err(misplaced(node)) };
    let (count, x) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let most = most(unit);
    let narrow = || cast(count.expr.clone(), Type::word("INT"));
    let amount = match count.whole_number() {
        Some(value) if value.unsigned_abs() > most.unsigned_abs() => {
            return Err(Refusal::function(
                format!("is given a count of {value}, which moves every date past the years 1 to 9999"),
                format!("write a count from -{most} to {most}"),
            ));
        }
        _ if count.literal().is_some() => count.expr.clone(),
        _ if count.magnitude.unscaled <= most.unsigned_abs().into() => narrow(),
        _ => {
            let outside = [(Operator::Less, -most), (Operator::Greater, most)]
                .map(|(operator, limit)| binary(count.expr.clone(), operator, number(limit)));
            // The message holds both operands: the planner moves what one of them alone decides out of the CASE.
            let written = |expr: &Expr| cast(expr.clone(), Type::word("STRING"));
            let message = [text("overflow of "), written(&x.expr), text(" and "), written(&count.expr)];
            let raise = cast(call("CONCAT", message.to_vec()), Type::word("INT"));
            when_else(chain(Operator::Or, outside.to_vec()), raise, narrow())
        }
    };
    Ok(call("TIMESTAMPADD", vec![Expr::Word(word(unit)), amount, x.expr.clone()]))
}

/// The count beyond which no date from the year 1 to 9999 stays one, or the greatest INT.
fn most(unit: Unit) -> i64 {
    match unit {
        Unit::Year => 10_000,
        Unit::Quarter => 40_000,
        Unit::Month => 120_000,
        Unit::Week => 530_000,
        Unit::Day => 3_660_000,
        Unit::Hour => 87_840_000,
        Unit::Minute | Unit::Second => i64::from(i32::MAX),
    }
}

/// DATEDIFF counts boundaries: days of dates, the rest by parts, since TIMESTAMPDIFF counts whole units in an INT.
pub(super) fn difference(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateDiff(unit) = node.function else { return Err(misplaced(node)) };
    let (a, b) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(match unit {
        Unit::Year => apart(part_of("YEAR", b), part_of("YEAR", a)),
        Unit::Quarter => apart(year_and(4, "QUARTER", b), year_and(4, "QUARTER", a)),
        Unit::Month => apart(year_and(12, "MONTH", b), year_and(12, "MONTH", a)),
        Unit::Week => binary(days(monday(day(a)), monday(day(b))), Operator::Divide, number(7)),
        Unit::Day => days(day(a), day(b)),
        Unit::Hour => apart(clock(a, b, 24, unit), clock_of(a, unit)),
        Unit::Minute => apart(clock(a, b, 1440, unit), clock_of(a, unit)),
        Unit::Second => apart(clock(a, b, 86400, unit), clock_of(a, unit)),
    })
}

fn apart(later: Expr, earlier: Expr) -> Expr {
    binary(later, Operator::Subtract, earlier)
}

fn days(a: Expr, b: Expr) -> Expr {
    cast(call("TIMESTAMPDIFF", vec![Expr::Word("DAY"), a, b]), Type::word("BIGINT"))
}

/// A time's day as a Date.
pub(super) fn day(x: &Typed<'_>) -> Expr {
    if x.data_type == DataType::Date { x.expr.clone() } else { cast(midnight(x), Type::word("DATE")) }
}

/// The start of a time's day. CAST to a DATE, EXTRACT and FLOOR to a month go toward 1970 and not downward, so that the last hours
/// of 1969 are in 1970; FLOOR to a day or less goes downward (run).
fn midnight(x: &Typed<'_>) -> Expr {
    if x.data_type == DataType::Date { x.expr.clone() } else { floor(x.expr.clone(), Unit::Day) }
}

/// Days between in units of the clock, and the later clock.
fn clock(a: &Typed<'_>, b: &Typed<'_>, per_day: i64, unit: Unit) -> Expr {
    let whole_days = binary(days(day(a), day(b)), Operator::Multiply, number(per_day));
    if b.data_type == DataType::Date {
        whole_days
    } else {
        binary(whole_days, Operator::Add, clock_of(b, unit))
    }
}

/// The units of the clock since midnight.
fn clock_of(x: &Typed<'_>, unit: Unit) -> Expr {
    if x.data_type == DataType::Date { number(0) } else { since(x, Unit::Day, unit) }
}

/// The whole units since the last start of a longer one.
fn since(x: &Typed<'_>, longer: Unit, unit: Unit) -> Expr {
    let start = clock_floor(x, longer);
    let count = call("TIMESTAMPDIFF", vec![Expr::Word(word(unit)), start, x.expr.clone()]);
    cast(count, Type::word("BIGINT"))
}

fn year_and(per_year: i64, word: &'static str, x: &Typed<'_>) -> Expr {
    let years = binary(part_of("YEAR", x), Operator::Multiply, number(per_year));
    binary(years, Operator::Add, part_of(word, x))
}

/// The first day of the week, month or year of a day: by the day's number in it.
fn back_to_first(number_in: &'static str, day: Expr) -> Expr {
    let days = binary(number(1), Operator::Subtract, int_part(number_in, day.clone()));
    call("TIMESTAMPADD", vec![Expr::Word("DAY"), days, day])
}

fn first_of_quarter(day: Expr) -> Expr {
    let months =
        call("MOD", vec![binary(int_part("MONTH", day.clone()), Operator::Subtract, number(1)), number(3)]);
    let back = binary(number(0), Operator::Subtract, months);
    call("TIMESTAMPADD", vec![Expr::Word("MONTH"), back, back_to_first("DAY", day)])
}

fn int_part(word: &'static str, day: Expr) -> Expr {
    cast(phrase("EXTRACT", Expr::Word(word), "FROM", day), Type::word("INT"))
}

/// The Monday of the week of a day.
fn monday(day: Expr) -> Expr {
    back_to_first("ISODOW", day)
}

/// FLOOR to a unit of the clock. Flink 1.20 cuts no instant to a minute or a second (run): its wall clock is cut, which is that of UTC.
fn clock_floor(x: &Typed<'_>, unit: Unit) -> Expr {
    if x.data_type == DataType::TimestampTz && unit >= Unit::Minute {
        let wall_clock = types::exactly(x.expr.clone(), DataType::Timestamp);
        return types::exactly(floor(wall_clock, unit), DataType::TimestampTz);
    }
    floor(x.expr.clone(), unit)
}

fn floor(x: Expr, unit: Unit) -> Expr {
    phrase("FLOOR", x, "TO", Expr::Word(word(unit)))
}

/// A part of a time's day.
fn part_of(word: &'static str, x: &Typed<'_>) -> Expr {
    phrase("EXTRACT", Expr::Word(word), "FROM", midnight(x))
}

fn word(unit: Unit) -> &'static str {
    match unit {
        Unit::Year => "YEAR",
        Unit::Quarter => "QUARTER",
        Unit::Month => "MONTH",
        Unit::Week => "WEEK",
        Unit::Day => "DAY",
        Unit::Hour => "HOUR",
        Unit::Minute => "MINUTE",
        Unit::Second => "SECOND",
    }
}

fn misplaced(node: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("is no function of dates: {}", node.function.name()))
}
