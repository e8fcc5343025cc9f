//! Date and time functions of Flink.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#temporal-functions>

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Unit};

use super::types;
use crate::build;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, chain, number, phrase, text, when_else};

/// FLOOR(x TO unit); weeks by the day of the week, since FLOOR starts them on Sunday.
pub(super) fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateTrunc(unit) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    let is_date = x.data_type == DataType::Date;
    if is_date && unit >= Unit::Day {
        return Ok(x.expr.clone());
    }
    if unit != Unit::Week {
        return Ok(floor(x.expr.clone(), unit));
    }
    if is_date {
        return Ok(monday(x.expr.clone(), x.expr.clone()));
    }
    Ok(types::exactly(monday(x.expr.clone(), floor(x.expr.clone(), Unit::Day)), node.data_type))
}

/// EXTRACT, which counts days of the week from Sunday as 1 and weeks by ISO.
pub(super) fn extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Extract(part) = node.function else { return Err(misplaced(node)) };
    let word = match part {
        Part::Year => "YEAR",
        Part::Quarter => "QUARTER",
        Part::Month => "MONTH",
        Part::Week => "WEEK",
        Part::Day => "DAY",
        Part::DayOfYear => "DOY",
        Part::DayOfWeek => "DOW",
        Part::Hour => "HOUR",
        Part::Minute => "MINUTE",
        Part::Second => "SECOND",
        Part::Millisecond => "MILLISECOND",
    };
    Ok(part_of(word, &build::argument(node, 0)?.expr))
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
        Unit::Year => apart(part_of("YEAR", &b.expr), part_of("YEAR", &a.expr)),
        Unit::Quarter => apart(year_and(4, "QUARTER", b), year_and(4, "QUARTER", a)),
        Unit::Month => apart(year_and(12, "MONTH", b), year_and(12, "MONTH", a)),
        Unit::Week => {
            let days = days(monday(day(a), day(a)), monday(day(b), day(b)));
            binary(days, Operator::Divide, number(7))
        }
        Unit::Day => days(day(a), day(b)),
        Unit::Hour => apart(clock(a, b, 24, &[("HOUR", 1)]), clock_of(a, &[("HOUR", 1)])),
        Unit::Minute => {
            let parts = [("HOUR", 60), ("MINUTE", 1)];
            apart(clock(a, b, 1440, &parts), clock_of(a, &parts))
        }
        Unit::Second => {
            let parts = [("HOUR", 3600), ("MINUTE", 60), ("SECOND", 1)];
            apart(clock(a, b, 86400, &parts), clock_of(a, &parts))
        }
    })
}

fn apart(later: Expr, earlier: Expr) -> Expr {
    binary(later, Operator::Subtract, earlier)
}

fn days(a: Expr, b: Expr) -> Expr {
    cast(call("TIMESTAMPDIFF", vec![Expr::Word("DAY"), a, b]), Type::word("BIGINT"))
}

fn day(x: &Typed<'_>) -> Expr {
    if x.data_type == DataType::Date { x.expr.clone() } else { cast(x.expr.clone(), Type::word("DATE")) }
}

/// Days between in units of the clock, and the later clock.
fn clock(a: &Typed<'_>, b: &Typed<'_>, per_day: i64, parts: &[(&'static str, i64)]) -> Expr {
    let whole_days = binary(days(day(a), day(b)), Operator::Multiply, number(per_day));
    if b.data_type == DataType::Date {
        whole_days
    } else {
        binary(whole_days, Operator::Add, clock_of(b, parts))
    }
}

/// The units of the clock since midnight.
fn clock_of(x: &Typed<'_>, parts: &[(&'static str, i64)]) -> Expr {
    if x.data_type == DataType::Date {
        return number(0);
    }
    let units = parts.iter().map(|(word, factor)| {
        let part = part_of(word, &x.expr);
        if *factor == 1 { part } else { binary(part, Operator::Multiply, number(factor)) }
    });
    chain(Operator::Add, units.collect())
}

fn year_and(per_year: i64, word: &'static str, x: &Typed<'_>) -> Expr {
    let years = binary(part_of("YEAR", &x.expr), Operator::Multiply, number(per_year));
    binary(years, Operator::Add, part_of(word, &x.expr))
}

/// The Monday of the week of `x`, counted from `day`, which is `x` without its clock.
fn monday(x: Expr, day: Expr) -> Expr {
    let back = binary(
        number(1),
        Operator::Subtract,
        cast(phrase("EXTRACT", Expr::Word("ISODOW"), "FROM", x), Type::word("INT")),
    );
    call("TIMESTAMPADD", vec![Expr::Word("DAY"), back, day])
}

fn floor(x: Expr, unit: Unit) -> Expr {
    phrase("FLOOR", x, "TO", Expr::Word(word(unit)))
}

fn part_of(word: &'static str, x: &Expr) -> Expr {
    phrase("EXTRACT", Expr::Word(word), "FROM", x.clone())
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
