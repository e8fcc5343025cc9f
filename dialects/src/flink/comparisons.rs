//! Comparisons of Flink: NaN equals itself and is above every number, which its own comparisons deny, and a date is cast beside a time.
//! In: a comparison with its typed operands. Out: an expression; where neither side can be NaN, the plain comparison.

use unisono_compiler::expr::Literal;

use super::types;
use crate::build;
use crate::casting::{Kind, kind};
use crate::finite::is_always_finite;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{
    Expr, NULL, Operator, Type, binary, call, cast, is_not_null, is_null, text, when_else,
};

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
    Ok(call("NULLIF", build::arguments(node)))
}

/// Every form is also right where the planner turns it round: it takes `NOT x < y` for `x >= y`.
fn compared(left: &Typed<'_>, operator: Operator, right: &Typed<'_>) -> Expr {
    let plain = binary(beside(left, right), operator, beside(right, left));
    let both = may_be_nan(left) && may_be_nan(right);
    match operator {
        Operator::Greater => greater(plain, left, right, false),
        Operator::GreaterEqual => greater(plain, left, right, true),
        Operator::Less => greater(plain, right, left, false),
        Operator::LessEqual => greater(plain, right, left, true),
        Operator::Equal if both => or(plain, and(is_nan(left), is_nan(right))),
        Operator::NotEqual if both => and(plain, or(is_no_nan(left), is_no_nan(right))),
        // These are never NULL, and neither is a text beside IS DISTINCT FROM.
        Operator::IsNotDistinctFrom if both => {
            let is = |x| word(x, Operator::IsNotDistinctFrom);
            or(plain, and(is(left), is(right)))
        }
        Operator::IsDistinctFrom if both => {
            let is_not = |x| word(x, Operator::IsDistinctFrom);
            and(plain, or(is_not(left), is_not(right)))
        }
        _ => plain,
    }
}

/// `x > y` or `x >= y`, which `plain` says of numbers; NULL where one of them is.
fn greater(plain: Expr, x: &Typed<'_>, y: &Typed<'_>, or_equal: bool) -> Expr {
    // What is no constant may be NULL, and decides nothing then.
    let below = || match x.literal() {
        Some(_) => is_no_nan(y),
        None => or(is_no_nan(y), is_null(x.expr.clone())),
    };
    let above = || match y.literal() {
        Some(literal) if *literal != Literal::Null => is_nan(x),
        _ => and(is_nan(x), is_not_null(y.expr.clone())),
    };
    match (may_be_nan(x), may_be_nan(y)) {
        (false, false) => plain,
        (true, false) => or(plain, above()),
        (false, true) => and(plain, below()),
        (true, true) if or_equal => or(and(plain, below()), above()),
        (true, true) => and(or(plain, is_nan(x)), below()),
    }
}

fn or(left: Expr, right: Expr) -> Expr {
    binary(left, Operator::Or, right)
}

fn and(left: Expr, right: Expr) -> Expr {
    binary(left, Operator::And, right)
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
