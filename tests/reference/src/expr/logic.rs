//! Conditions: three-valued logic, comparisons, CASE. In: parts of a condition and a row. Out: TRUE, FALSE or unknown.

use std::cmp::Ordering;

use unisono_compiler::syntax::expr::{BinaryOp, Expr, ExprKind};

use super::compare::{compare, doubtful};
use super::{Place, Row, ill_typed, value_at};
use crate::stop::Stop;
use crate::value::Value;

/// A condition's truth; None is unknown.
pub(super) fn truth(value: &Value) -> Result<Option<bool>, Stop> {
    match value {
        Value::Null => Ok(None),
        Value::Boolean(truth) => Ok(Some(*truth)),
        other => Err(ill_typed("a condition", other)),
    }
}

/// The value of a truth.
pub(super) fn value_of(truth: Option<bool>) -> Value {
    truth.map_or(Value::Null, Value::Boolean)
}

/// The value of a truth, or of its contrary.
pub(super) fn negated(truth: Option<bool>, negated: bool) -> Value {
    value_of(truth.map(|truth| truth != negated))
}

/// AND and OR of two truths; `deciding` is the truth that decides alone.
fn joined(left: Option<bool>, right: Option<bool>, deciding: bool) -> Option<bool> {
    if left == Some(deciding) || right == Some(deciding) {
        Some(deciding)
    } else if left.is_none() || right.is_none() {
        None
    } else {
        Some(!deciding)
    }
}

/// AND, OR. Engines choose which side they compute first: where one side decides and the other overflows, both may come.
pub(super) fn connect(
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    row: &dyn Row,
    place: Place,
) -> Result<Value, Stop> {
    let deciding = op == BinaryOp::Or;
    let side = |expr: &Expr| value_at(expr, row, place).and_then(|value| truth(&value));
    match (side(left), side(right)) {
        (Ok(Some(found)), Err(Stop::Overflow(why))) | (Err(Stop::Overflow(why)), Ok(Some(found)))
            if found == deciding =>
        {
            Err(Stop::Open(why))
        }
        (left, right) => Ok(value_of(joined(left?, right?, deciding))),
    }
}

/// Whether a value is the same on every engine, bit for bit: nothing was computed.
fn is_plain(expr: &Expr, row: &dyn Row) -> bool {
    match &*expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Name(parts) => !row.computed(parts),
        ExprKind::Unary { op: _, operand } => is_plain(operand, row),
        _ => false,
    }
}

/// Compares the values of two expressions.
fn compared(
    (left, a): (&Expr, &Value),
    (right, b): (&Expr, &Value),
    row: &dyn Row,
) -> Result<Option<Ordering>, Stop> {
    if !(is_plain(left, row) && is_plain(right, row)) && doubtful(a, b) {
        return Err(Stop::Open(format!("{a:?} compared with {b:?}")));
    }
    compare(a, b)
}

fn holds(op: BinaryOp, ordering: Ordering) -> bool {
    match op {
        BinaryOp::Equal => ordering.is_eq(),
        BinaryOp::NotEqual => ordering.is_ne(),
        BinaryOp::Less => ordering.is_lt(),
        BinaryOp::LessEqual => ordering.is_le(),
        BinaryOp::Greater => ordering.is_gt(),
        _ => ordering.is_ge(),
    }
}

/// `= <> < <= > >=`.
pub(super) fn comparison(
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    row: &dyn Row,
    place: Place,
) -> Result<Value, Stop> {
    let (a, b) = (value_at(left, row, place)?, value_at(right, row, place)?);
    Ok(value_of(compared((left, &a), (right, &b), row)?.map(|ordering| holds(op, ordering))))
}

/// IS DISTINCT FROM: NULL is the same as NULL.
pub(super) fn is_distinct(left: &Expr, right: &Expr, row: &dyn Row, place: Place) -> Result<bool, Stop> {
    let (a, b) = (value_at(left, row, place)?, value_at(right, row, place)?);
    match compared((left, &a), (right, &b), row)? {
        Some(ordering) => Ok(ordering.is_ne()),
        None => Ok((a == Value::Null) != (b == Value::Null)),
    }
}

/// `low <= x AND x <= high`.
pub(super) fn between(
    operand: &Expr,
    low: &Expr,
    high: &Expr,
    row: &dyn Row,
    place: Place,
) -> Result<Option<bool>, Stop> {
    let value = value_at(operand, row, place)?;
    let (from, to) = (value_at(low, row, place)?, value_at(high, row, place)?);
    let above = compared((operand, &value), (low, &from), row)?.map(Ordering::is_ge);
    let below = compared((operand, &value), (high, &to), row)?.map(Ordering::is_le);
    Ok(joined(above, below, false))
}

/// `x = a OR x = b OR ..`.
pub(super) fn in_list(
    operand: &Expr,
    list: &[Expr],
    row: &dyn Row,
    place: Place,
) -> Result<Option<bool>, Stop> {
    let value = value_at(operand, row, place)?;
    let mut found = Some(false);
    for item in list {
        let other = value_at(item, row, place)?;
        let equal = compared((operand, &value), (item, &other), row)?.map(Ordering::is_eq);
        found = joined(found, equal, true);
    }
    Ok(found)
}

/// Whether two expressions are equal, for NULLIF and CASE.
pub(super) fn equal(left: &Expr, right: &Expr, row: &dyn Row, place: Place) -> Result<Option<bool>, Stop> {
    let (a, b) = (value_at(left, row, place)?, value_at(right, row, place)?);
    Ok(compared((left, &a), (right, &b), row)?.map(Ordering::is_eq))
}

/// CASE: branches in turn, and none that is not needed.
pub(super) fn case(
    operand: Option<&Expr>,
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
    row: &dyn Row,
    place: Place,
) -> Result<Value, Stop> {
    for (when, then) in branches {
        let taken = match operand {
            Some(operand) => equal(operand, when, row, place)?,
            None => truth(&value_at(when, row, place)?)?,
        };
        if taken == Some(true) {
            return value_at(then, row, place);
        }
    }
    otherwise.map_or(Ok(Value::Null), |otherwise| value_at(otherwise, row, place))
}
