//! Comparisons of Flink: NaN equals itself and is above every number, which its own comparisons deny, and a date is cast beside a time.
//! In: a comparison with its typed operands. Out: an expression; where neither side can be NaN, the plain comparison.

use super::types;
use crate::build;
use crate::casting::{Kind, kind};
use crate::finite::is_always_finite;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, NULL, Operator, Type, binary, cast, is_not_null, text, when_else};

/// `x operator y`.
pub(super) fn comparison(node: &ScalarCall<'_>, operator: Operator) -> Result<Expr, Refusal> {
    let (left, right) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(compared(left, operator, right))
}

/// NULLIF, which is a comparison too.
pub(super) fn null_if(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (left, right) = (build::argument(node, 0)?, build::argument(node, 1)?);
    if may_be_nan(left) && may_be_nan(right) {
        return Ok(when_else(compared(left, Operator::Equal, right), NULL, left.expr.clone()));
    }
    Ok(crate::sql::tree::call("NULLIF", build::arguments(node)))
}

fn compared(left: &Typed<'_>, operator: Operator, right: &Typed<'_>) -> Expr {
    let plain = binary(beside(left, right), operator, beside(right, left));
    let or = |case: Expr| binary(plain.clone(), Operator::Or, case);
    let and = |case: Expr| binary(plain.clone(), Operator::And, case);
    let both = may_be_nan(left) && may_be_nan(right);
    match operator {
        Operator::Greater if may_be_nan(left) => or(nan_above(left, right, false)),
        Operator::GreaterEqual if may_be_nan(left) => or(nan_above(left, right, true)),
        Operator::Less if may_be_nan(right) => or(nan_above(right, left, false)),
        Operator::LessEqual if may_be_nan(right) => or(nan_above(right, left, true)),
        Operator::Equal if both => or(binary(is_nan(left), Operator::And, is_nan(right))),
        Operator::NotEqual if both => and(binary(is_no_nan(left), Operator::Or, is_no_nan(right))),
        // These are never NULL, and neither is a text beside IS DISTINCT FROM.
        Operator::IsNotDistinctFrom if both => or(binary(nan_word(left), Operator::And, nan_word(right))),
        Operator::IsDistinctFrom if both => and(binary(no_nan_word(left), Operator::Or, no_nan_word(right))),
        _ => plain,
    }
}

/// The case that `NaN > y` and `NaN >= y` leave out; NULL where `y` is.
fn nan_above(x: &Typed<'_>, y: &Typed<'_>, or_equal: bool) -> Expr {
    let other = match (may_be_nan(y), or_equal) {
        (true, false) => is_no_nan(y),
        _ if y.literal().is_some() => return is_nan(x),
        (true, true) | (false, _) => is_not_null(y.expr.clone()),
    };
    binary(is_nan(x), Operator::And, other)
}

/// Flink compares no date with a timestamp, so the date is cast.
fn beside(side: &Typed<'_>, other: &Typed<'_>) -> Expr {
    match (kind(side.data_type), kind(other.data_type)) {
        (Kind::Date, Kind::Timestamp | Kind::Instant) => types::exactly(side.expr.clone(), other.data_type),
        _ => side.expr.clone(),
    }
}

fn may_be_nan(x: &Typed<'_>) -> bool {
    kind(x.data_type) == Kind::Float && !is_always_finite(x.source)
}

/// The planner takes `x <> x` for FALSE; a text it leaves alone.
fn word(x: &Typed<'_>, operator: Operator) -> Expr {
    binary(cast(x.expr.clone(), Type::word("STRING")), operator, text("NaN"))
}

fn is_nan(x: &Typed<'_>) -> Expr {
    word(x, Operator::Equal)
}

fn is_no_nan(x: &Typed<'_>) -> Expr {
    word(x, Operator::NotEqual)
}

fn nan_word(x: &Typed<'_>) -> Expr {
    word(x, Operator::IsNotDistinctFrom)
}

fn no_nan_word(x: &Typed<'_>) -> Expr {
    word(x, Operator::IsDistinctFrom)
}
