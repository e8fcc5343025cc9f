//! Scalar functions by name. In: a call and a row. Out: its value; what the language does not list is unknown.

use std::cmp::Ordering;

use unisono_compiler::syntax::expr::{BinaryOp, Call, Expr, ExprKind, Literal, UnaryOp};

use super::compare::{compare, order};
use super::number::{Width, arithmetic, float, integer, whole};
use super::{
    Place, Row, arguments, cast, ill_typed, is_constant, logic, math, name_of, text, time, value_at, width_at,
};
use crate::stop::Stop;
use crate::value::Value;

/// The tests' moment, 2024-06-15 12:30:00 UTC, in days and in microseconds.
const TODAY: i32 = 19_889;
const NOW: i64 = 1_718_454_600_000_000;

/// An argument with its value.
pub(super) struct Argument {
    /// What it is.
    pub(super) value: Value,
    /// Whether it is a constant as written.
    pub(super) constant: bool,
}

/// The value of a scalar call.
pub(super) fn call(call: &Call, row: &dyn Row, place: Place) -> Result<Value, Stop> {
    let name = name_of(call);
    let list = arguments(call);
    let below = place.below();
    let bare = !call.distinct
        && call.order_by.is_empty()
        && call.within_group.is_empty()
        && call.filter.is_none()
        && call.nulls.is_none();
    if !bare {
        return Err(Stop::Unknown(format!("{name} with clauses")));
    }
    let value = |expr: &Expr| value_at(expr, row, below);
    match (name.as_str(), list) {
        ("CURRENT_DATE", []) => Ok(Value::Date(TODAY)),
        ("CURRENT_TIMESTAMP", []) => Ok(Value::Timestamp(NOW)),
        ("COALESCE", [_, ..]) | ("IFNULL" | "NVL", [_, _]) => {
            for expr in list {
                let found = value(expr)?;
                if found != Value::Null {
                    return Ok(found);
                }
            }
            Ok(Value::Null)
        }
        ("IF" | "IFF", [condition, then, otherwise]) => {
            let taken = logic::truth(&value(condition)?)? == Some(true);
            value(if taken { then } else { otherwise })
        }
        ("NVL2", [tested, present, absent]) => {
            value(if value(tested)? == Value::Null { absent } else { present })
        }
        ("NULLIF", [left, right]) => {
            let equal = logic::equal(left, right, row, below)? == Some(true);
            if equal { Ok(Value::Null) } else { value(left) }
        }
        ("ZEROIFNULL", [only]) => match value(only)? {
            Value::Null => Ok(integer(0)),
            other => float(&other).map(|_| other),
        },
        ("NULLIFZERO", [only]) => {
            let found = value(only)?;
            let zero = compare(&found, &integer(0))? == Some(Ordering::Equal);
            Ok(if zero { Value::Null } else { found })
        }
        ("GREATEST" | "LEAST", [_, ..]) => {
            let values = list.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            extreme(&values, name == "GREATEST")
        }
        ("DATE_TRUNC", [unit, moment]) => time::trunc(&value(moment)?, &word(unit)?),
        ("DATE_PART", [part, moment]) => time::part(&word(part)?, &value(moment)?),
        ("DATEADD", [unit, amount, moment]) => {
            let unit = time::Unit::read(&word(unit)?)?;
            match (whole(&value(amount)?)?, value(moment)?) {
                (Some(amount), moment) => time::add(&moment, unit, amount),
                (None, _) => Ok(Value::Null),
            }
        }
        ("DATEDIFF", [unit, from, to]) => {
            time::difference(time::Unit::read(&word(unit)?)?, &value(from)?, &value(to)?)
        }
        (
            "YEAR" | "QUARTER" | "MONTH" | "WEEK" | "DAY" | "DAYOFMONTH" | "DAYOFYEAR" | "DAYOFWEEK" | "HOUR"
            | "MINUTE" | "SECOND",
            [moment],
        ) => time::part(&name, &value(moment)?),
        ("TO_DATE" | "TO_TIMESTAMP", [only]) => match value(only)? {
            found @ (Value::Null | Value::Text(_)) if name == "TO_DATE" => cast::to_date(&found),
            found @ (Value::Null | Value::Text(_)) => cast::to_timestamp(&found),
            other => Err(ill_typed("a text", &other)),
        },
        ("MOD", [left, right]) => {
            let (left_value, right_value) = (value(left)?, value(right)?);
            arithmetic(BinaryOp::Modulo, &left_value, &right_value, Width::Unsure)
        }
        _ => {
            let width = list.iter().fold(Width::Int64, |found, expr| found.with(width_at(expr, row, below)));
            let read = list
                .iter()
                .map(|expr| Ok(Argument { value: value(expr)?, constant: is_constant(expr) }))
                .collect::<Result<Vec<_>, Stop>>()?;
            let found = math::function(&name, &read, width).or_else(|| text::function(&name, &read));
            found.unwrap_or_else(|| Err(Stop::Unknown(format!("{name} of {} arguments", list.len()))))
        }
    }
}

/// The greatest or least; NULL if any is NULL.
fn extreme(values: &[Value], greatest: bool) -> Result<Value, Stop> {
    let mut best: Option<&Value> = None;
    for value in values {
        if *value == Value::Null {
            return Ok(Value::Null);
        }
        let better = match best {
            None => true,
            Some(best) => {
                compare(value, best)?;
                let ordering = order(value, best);
                if greatest { ordering.is_gt() } else { ordering.is_lt() }
            }
        };
        if better {
            best = Some(value);
        }
    }
    Ok(best.cloned().unwrap_or(Value::Null))
}

/// A unit's word: a constant text, or a bare word.
fn word(expr: &Expr) -> Result<String, Stop> {
    match &*expr.kind {
        ExprKind::Literal(Literal::String(text)) => Ok(text.clone()),
        ExprKind::Name(parts) => match parts.as_slice() {
            [only] if !only.value.quoted => Ok(only.value.text.clone()),
            _ => Err(Stop::Unknown(String::from("a unit of several words"))),
        },
        _ => Err(Stop::Unknown(String::from("a computed unit"))),
    }
}

/// A constant whole number of a tree, as offsets and counts have it.
pub(super) fn constant_whole(expr: &Expr) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Literal(Literal::Integer(text)) => text.parse().ok(),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => constant_whole(operand)?.checked_neg(),
        ExprKind::Unary { op: UnaryOp::Plus, operand } => constant_whole(operand),
        _ => None,
    }
}
