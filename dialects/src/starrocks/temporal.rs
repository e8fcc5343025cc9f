//! Date and time functions of StarRocks.
//! <https://docs.starrocks.io/docs/category/date-functions/>

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Unit};

use super::types;
use crate::build;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, chain, number, text};

/// DATE_TRUNC with a lower-case constant; a date stays one.
pub(super) fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateTrunc(unit) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    if x.data_type == DataType::Date && unit >= Unit::Day {
        return Ok(x.expr.clone());
    }
    Ok(types::exactly(date_trunc(unit, &x.expr), node.data_type))
}

/// A function a part: EXTRACT(WEEK) counts from Sunday.
pub(super) fn extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Extract(part) = node.function else { return Err(misplaced(node)) };
    let x = &build::argument(node, 0)?.expr;
    let value = match part {
        Part::Year => part_of("YEAR", x),
        Part::Quarter => part_of("QUARTER", x),
        Part::Month => part_of("MONTH", x),
        Part::Week => part_of("WEEK_ISO", x),
        Part::Day => part_of("DAY", x),
        Part::DayOfYear => part_of("DAYOFYEAR", x),
        Part::DayOfWeek => part_of("DAYOFWEEK", x),
        Part::Hour => part_of("HOUR", x),
        Part::Minute => part_of("MINUTE", x),
        Part::Second => part_of("SECOND", x),
        Part::Millisecond => {
            let micros = cast(call("DATE_FORMAT", vec![x.clone(), text("%f")]), Type::word("BIGINT"));
            binary(micros, Operator::IntegerDivide, number(1000))
        }
    };
    Ok(cast(value, Type::word("BIGINT")))
}

/// DATE_ADD gives a DATETIME always, so a date is cast back.
pub(super) fn add(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateAdd(unit) = node.function else { return Err(misplaced(node)) };
    let (count, x) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let unit = match unit {
        Unit::Year => "YEAR",
        Unit::Quarter => "QUARTER",
        Unit::Month => "MONTH",
        Unit::Week => "WEEK",
        Unit::Day => "DAY",
        Unit::Hour => "HOUR",
        Unit::Minute => "MINUTE",
        Unit::Second => "SECOND",
    };
    let interval = Expr::Interval { amount: Box::new(count.expr.clone()), unit };
    Ok(types::exactly(call("DATE_ADD", vec![x.expr.clone(), interval]), node.data_type))
}

/// DATEDIFF counts days; the other boundaries by parts, since TIMESTAMPDIFF counts whole units.
pub(super) fn difference(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateDiff(unit) = node.function else { return Err(misplaced(node)) };
    let (a, b) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let apart = |later: Expr, earlier: Expr| binary(later, Operator::Subtract, earlier);
    let difference = match unit {
        Unit::Year => apart(part_of("YEAR", &b.expr), part_of("YEAR", &a.expr)),
        Unit::Quarter => apart(year_and(4, "QUARTER", b), year_and(4, "QUARTER", a)),
        Unit::Month => apart(year_and(12, "MONTH", b), year_and(12, "MONTH", a)),
        Unit::Week => {
            let days = days(date_trunc(Unit::Week, &b.expr), date_trunc(Unit::Week, &a.expr));
            binary(days, Operator::IntegerDivide, number(7))
        }
        Unit::Day => days(b.expr.clone(), a.expr.clone()),
        Unit::Hour => since(a, b, 24, &[("HOUR", 1)]),
        Unit::Minute => since(a, b, 1440, &[("HOUR", 60), ("MINUTE", 1)]),
        Unit::Second => since(a, b, 86400, &[("HOUR", 3600), ("MINUTE", 60), ("SECOND", 1)]),
    };
    Ok(cast(difference, Type::word("BIGINT")))
}

fn days(later: Expr, earlier: Expr) -> Expr {
    cast(call("DATEDIFF", vec![later, earlier]), Type::word("BIGINT"))
}

fn since(a: &Typed<'_>, b: &Typed<'_>, per_day: i64, parts: &[(&'static str, i64)]) -> Expr {
    let whole_days = binary(days(b.expr.clone(), a.expr.clone()), Operator::Multiply, number(per_day));
    let later = binary(whole_days, Operator::Add, clock(b, parts));
    binary(later, Operator::Subtract, clock(a, parts))
}

/// The units of the clock since midnight.
fn clock(x: &Typed<'_>, parts: &[(&'static str, i64)]) -> Expr {
    if x.data_type == DataType::Date {
        return number(0);
    }
    let units = parts.iter().map(|(name, factor)| {
        let part = cast(part_of(name, &x.expr), Type::word("BIGINT"));
        if *factor == 1 { part } else { binary(part, Operator::Multiply, number(factor)) }
    });
    chain(Operator::Add, units.collect())
}

fn year_and(per_year: i64, name: &'static str, x: &Typed<'_>) -> Expr {
    let years =
        binary(cast(part_of("YEAR", &x.expr), Type::word("BIGINT")), Operator::Multiply, number(per_year));
    binary(years, Operator::Add, part_of(name, &x.expr))
}

fn date_trunc(unit: Unit, x: &Expr) -> Expr {
    call("DATE_TRUNC", vec![text(unit.as_str()), x.clone()])
}

fn part_of(name: &'static str, x: &Expr) -> Expr {
    call(name, vec![x.clone()])
}

fn misplaced(node: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("is no function of dates: {}", node.function.name()))
}
