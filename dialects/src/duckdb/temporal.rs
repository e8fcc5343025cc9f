//! Date and time functions of DuckDB.
//! <https://duckdb.org/docs/stable/sql/functions/date>, <https://duckdb.org/docs/stable/sql/functions/interval>

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Unit};

use super::types;
use crate::build;
use crate::form::{Refusal, ScalarCall};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, number, text};

/// DATE_TRUNC gives a timestamp for a date, so a date is cast back.
pub(super) fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateTrunc(unit) = node.function else { return Err(misplaced(node)) };
    let x = build::argument(node, 0)?;
    if x.data_type == DataType::Date && unit >= Unit::Day {
        return Ok(x.expr.clone());
    }
    let truncated = date_trunc(unit, &types::in_utc(x));
    Ok(match x.data_type {
        DataType::Date => cast(truncated, Type::word("DATE")),
        DataType::TimestampTz => types::utc(truncated),
        _ => truncated,
    })
}

/// EXTRACT as date_part, which counts days of the week from 0 and seconds into milliseconds.
pub(super) fn extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Extract(part) = node.function else { return Err(misplaced(node)) };
    let x = types::in_utc(build::argument(node, 0)?);
    let date_part = |part: &str| call("DATE_PART", vec![text(part), x.clone()]);
    Ok(match part {
        Part::DayOfWeek => binary(date_part("dow"), Operator::Add, number(1)),
        Part::DayOfYear => date_part("doy"),
        Part::Millisecond => binary(date_part("millisecond"), Operator::Modulo, number(1000)),
        Part::Year
        | Part::Quarter
        | Part::Month
        | Part::Week
        | Part::Day
        | Part::Hour
        | Part::Minute
        | Part::Second => date_part(part.as_str()),
    })
}

/// DATEADD by interval functions, whose count may be a column.
pub(super) fn add(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateAdd(unit) = node.function else { return Err(misplaced(node)) };
    let (count, x) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let (factor, interval) = match unit {
        Unit::Year => (12, "TO_MONTHS"),
        Unit::Quarter => (3, "TO_MONTHS"),
        Unit::Month => (1, "TO_MONTHS"),
        Unit::Week => (7, "TO_DAYS"),
        Unit::Day => (1, "TO_DAYS"),
        Unit::Hour => (1, "TO_HOURS"),
        Unit::Minute => (1, "TO_MINUTES"),
        Unit::Second => (1, "TO_SECONDS"),
    };
    let amount = if factor == 1 {
        count.expr.clone()
    } else {
        binary(count.expr.clone(), Operator::Multiply, number(factor))
    };
    // Months and days count in INTEGER, the shorter units in BIGINT.
    let width = if unit.is_day_or_longer() { "INTEGER" } else { "BIGINT" };
    let moved =
        binary(types::in_utc(x), Operator::Add, call(interval, vec![cast(amount, Type::word(width))]));
    if node.data_type == DataType::TimestampTz {
        return Ok(types::utc(moved));
    }
    Ok(types::exactly(moved, node.data_type))
}

/// DATEDIFF counts boundaries natively, but not those of weeks.
pub(super) fn difference(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::DateDiff(unit) = node.function else { return Err(misplaced(node)) };
    let (a, b) = (&types::in_utc(build::argument(node, 0)?), &types::in_utc(build::argument(node, 1)?));
    if unit != Unit::Week {
        return Ok(call("DATE_DIFF", vec![text(unit.as_str()), a.clone(), b.clone()]));
    }
    let days = call("DATE_DIFF", vec![text("day"), date_trunc(unit, a), date_trunc(unit, b)]);
    Ok(cast(binary(days, Operator::Divide, number(7)), Type::word("BIGINT")))
}

fn date_trunc(unit: Unit, x: &Expr) -> Expr {
    call("DATE_TRUNC", vec![text(unit.as_str()), x.clone()])
}

fn misplaced(node: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("is no function of dates: {}", node.function.name()))
}
